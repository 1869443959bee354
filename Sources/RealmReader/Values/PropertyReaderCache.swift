internal import RealmLayout
internal import Synchronization

/// A property of the objects of one cluster: what reading its values needs.
@safe
final class PropertyReader: @unchecked Sendable {
    /// Has an element for each row of the cluster.
    let leaf: ColumnLeaf
    /// How elements of collections are read.
    let elementType: LeafType
    let collection: CollectionKind?
    /// Finds the objects that links lead to; nil for a property of other values.
    let target: LinkResolver?
    /// `target`, when what it finds is embedded: looking there counts no reference.
    private let embedding: Unmanaged<LinkResolver>?

    init(leaf: ColumnLeaf, elementType: LeafType, collection: CollectionKind?, target: LinkResolver?) {
        self.leaf = leaf
        self.elementType = elementType
        self.collection = collection
        self.target = target
        unsafe embedding = target.flatMap { unsafe $0.isEmbedded ? .passUnretained($0) : nil }
    }

    /// The value in a row; nil when it is damaged, which `ValueReader` tells.
    ///
    /// - Precondition: there is such a row.
    @inline(__always)
    func value(inRow row: Int, of home: OpenedCluster) -> Value? {
        quickValue(inRow: row, of: home) ?? otherValue(inRow: row, of: home)
    }

    @inline(never)
    private func otherValue(inRow row: Int, of home: OpenedCluster) -> Value? {
        if let value = usualCollection(inRow: row, of: home) { return value }
        do throws(FormatError) {
            var reader = ValueReader(home.space)
            return try reader.value(of: self, row, in: home)
        } catch {
            return nil
        }
    }

    /// The value of a link, or what `ColumnLeaf.quickValue` has; nil, too, for an embedded object in a cluster that is not kept.
    @inline(__always)
    private func quickValue(inRow row: Int, of home: OpenedCluster) -> Value? {
        guard case .links = leaf.encoding else { return ColumnLeaf.quickValue(of: leaf, at: row, in: home.space) }
        guard let key = leaf.link(at: row) else { return .null }
        return quickLink(key)
    }

    /// A link to an object, or the object that is embedded there; nil when that is in a cluster that is not kept.
    @inline(__always)
    func quickLink(_ key: ObjectKey) -> Value? {
        guard let embedding = unsafe embedding, !key.isUnresolved else { return target.map { .link(Link($0, key)) } }
        return unsafe embedding._withUnsafeGuaranteedRef { $0.keptObject(key) }.map { .embedded($0) }
    }
}

/// The properties of the objects of one cluster, each opened when it is first asked for. Any thread may ask.
@safe
struct PropertyReaderCache: ~Copyable, @unchecked Sendable {
    /// What was opened of each property; nothing before that. What is stored here stays: reading it counts no reference.
    private typealias Place = Atomic<Unmanaged<PropertyReader>?>

    private let places: UnsafeMutablePointer<Place>
    private let count: Int

    init(count: Int) {
        self.count = count
        unsafe places = .allocate(capacity: count)
        for index in 0..<count { unsafe (places + index).initialize(to: Place(nil)) }
    }

    deinit {
        for index in 0..<count { unsafe places[index].load(ordering: .acquiring)?.release() }
        unsafe places.deinitialize(count: count)
        unsafe places.deallocate()
    }

    @inline(__always)
    private func place(at index: PropertyIndex) -> Unmanaged<PropertyReader>? {
        guard index.number >= 0, index.number < count else { return nil }
        return unsafe places[index.number].load(ordering: .acquiring)
    }

    /// The property at `index`; nil when it was not opened.
    func property(at index: PropertyIndex) -> PropertyReader? { unsafe place(at: index)?.takeUnretainedValue() }

    /// See `PropertyReader.value`; nil, too, when the property was not opened.
    ///
    /// - Precondition: there is such a row.
    @inline(__always)
    func value(ofProperty index: PropertyIndex, inRow row: Int, of home: OpenedCluster) -> Value? {
        guard let place = unsafe place(at: index) else { return nil }
        return unsafe place._withUnsafeGuaranteedRef { $0.value(inRow: row, of: home) }
    }

    /// What `body` finds in the leaf of a property; nil, too, when the property was not opened.
    @inline(__always)
    func quick<R>(_ index: PropertyIndex, _ body: (ColumnLeaf) -> R?) -> R? {
        guard let place = unsafe place(at: index) else { return nil }
        return unsafe place._withUnsafeGuaranteedRef { body($0.leaf) }
    }

    /// Keeps a property that was opened, unless another thread has done so.
    func keep(_ property: PropertyReader, at index: PropertyIndex) {
        guard index.number >= 0, index.number < count else { return }
        let kept = unsafe Unmanaged.passRetained(property)
        let (isKept, _) = unsafe places[index.number].compareExchange(
            expected: nil, desired: kept, ordering: .acquiringAndReleasing)
        if !isKept { unsafe kept.release() }
    }
}
