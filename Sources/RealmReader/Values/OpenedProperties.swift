internal import RealmLayout
internal import Synchronization

/// A property of the objects of one cluster: what reading its values needs.
struct OpenedProperty: Sendable {
    /// Has an element for each row of the cluster.
    let leaf: ColumnLeaf
    /// How elements of collections are read.
    let elementType: LeafType
    let collection: CollectionKind?
    /// Finds the objects that links lead to; nil for a property of other values.
    let target: LinkTarget?
}

/// The properties of the objects of one cluster, each opened when it is first asked for. Any thread may ask.
@safe
struct OpenedProperties: ~Copyable, @unchecked Sendable {
    /// What was opened of each property; nothing before that. What is stored here stays.
    private typealias Place = Atomic<UnsafeMutablePointer<OpenedProperty>?>

    private let places: UnsafeMutablePointer<Place>
    private let count: Int

    init(count: Int) {
        self.count = count
        unsafe places = .allocate(capacity: count)
        for index in 0..<count { unsafe (places + index).initialize(to: Place(nil)) }
    }

    deinit {
        for index in 0..<count {
            guard let property = unsafe places[index].load(ordering: .acquiring) else { continue }
            unsafe property.deinitialize(count: 1)
            unsafe property.deallocate()
        }
        unsafe places.deinitialize(count: count)
        unsafe places.deallocate()
    }

    @inline(__always)
    private func place(at index: Int) -> UnsafeMutablePointer<OpenedProperty>? {
        guard index >= 0, index < count else { return nil }
        return unsafe places[index].load(ordering: .acquiring)
    }

    /// The property at `index`; nil when it was not opened.
    func property(at index: Int) -> OpenedProperty? { unsafe place(at: index)?.pointee }

    /// See `ColumnLeaf.quickValue`; nil, too, when the property was not opened.
    ///
    /// - Precondition: there is such a row.
    @inline(__always)
    func quickValue(ofProperty index: Int, inRow row: Int, in space: NodeSpace) -> Value? {
        unsafe place(at: index)?.pointee.leaf.quickValue(at: row, in: space)
    }

    /// Keeps a property that was opened, unless another thread has done so.
    func keep(_ property: OpenedProperty, at index: Int) {
        guard index >= 0, index < count else { return }
        let kept = UnsafeMutablePointer<OpenedProperty>.allocate(capacity: 1)
        unsafe kept.initialize(to: property)
        let (isKept, _) = unsafe places[index].compareExchange(
            expected: nil, desired: kept, ordering: .acquiringAndReleasing)
        if isKept { return }
        unsafe kept.deinitialize(count: 1)
        unsafe kept.deallocate()
    }
}
