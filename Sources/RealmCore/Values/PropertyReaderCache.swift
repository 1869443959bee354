internal import RealmLayout
internal import Synchronization

/// A property of the objects of one cluster, prepared for reading its values.
@safe
final class PropertyReader: @unchecked Sendable {
    /// One element per row of the cluster.
    let leaf: ColumnLeaf
    /// The type of the elements of collections.
    let elementType: LeafType
    let collection: CollectionKind?
    /// Finds the target objects of links; nil when the property has no links.
    let target: LinkResolver?
    /// `target`, if its objects are embedded: access without reference counting.
    private let embedding: Unmanaged<LinkResolver>?

    init(leaf: ColumnLeaf, elementType: LeafType, collection: CollectionKind?, target: LinkResolver?) {
        self.leaf = leaf
        self.elementType = elementType
        self.collection = collection
        self.target = target
        unsafe embedding = target.flatMap { unsafe $0.isEmbedded ? .passUnretained($0) : nil }
    }

    /// Reads the value in a row; returns nil when it is damaged, an error that `ValueReader` reports.
    ///
    /// - Precondition: the row exists.
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

    /// Reads a link, or a value supported by `ColumnLeaf.quickValue`. Also nil for an embedded object in a cluster that
    /// is not cached.
    @inline(__always)
    private func quickValue(inRow row: Int, of home: OpenedCluster) -> Value? {
        guard case .links = leaf.encoding else { return ColumnLeaf.quickValue(of: leaf, at: row, in: home.space) }
        guard let key = leaf.link(at: row) else { return .null }
        return quickLink(key)
    }

    /// Returns a link to an object, or the embedded object; nil when the latter is in a cluster that is not cached.
    @inline(__always)
    func quickLink(_ key: ObjectKey) -> Value? {
        guard let embedding = unsafe embedding, !key.isUnresolved else { return target.map { .link(Link($0, key)) } }
        return unsafe embedding._withUnsafeGuaranteedRef { $0.keptObject(key) }.map { .embedded($0) }
    }
}

/// The properties of the objects of one cluster, each opened on first access. Thread-safe.
@safe
struct PropertyReaderCache: ~Copyable, @unchecked Sendable {
    /// The opened property, or nil. An entry is never removed, so that reading it needs no reference counting.
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

    /// Returns the property at `index`; nil when it is not opened.
    func property(at index: PropertyIndex) -> PropertyReader? { unsafe place(at: index)?.takeUnretainedValue() }

    /// See `PropertyReader.value`; also nil when the property is not opened.
    ///
    /// - Precondition: the row exists.
    @inline(__always)
    func value(ofProperty index: PropertyIndex, inRow row: Int, of home: OpenedCluster) -> Value? {
        guard let place = unsafe place(at: index) else { return nil }
        return unsafe place._withUnsafeGuaranteedRef { $0.value(inRow: row, of: home) }
    }

    /// Applies `body` to the leaf of a property; also nil when the property is not opened.
    @inline(__always)
    func quick<R>(_ index: PropertyIndex, _ body: (ColumnLeaf) -> R?) -> R? {
        guard let place = unsafe place(at: index) else { return nil }
        return unsafe place._withUnsafeGuaranteedRef { body($0.leaf) }
    }

    /// Stores an opened property, unless another thread has already done so.
    func keep(_ property: PropertyReader, at index: PropertyIndex) {
        guard index.number >= 0, index.number < count else { return }
        let kept = unsafe Unmanaged.passRetained(property)
        let (isKept, _) = unsafe places[index.number].compareExchange(
            expected: nil, desired: kept, ordering: .acquiringAndReleasing)
        if !isKept { unsafe kept.release() }
    }
}
