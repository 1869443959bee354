internal import RealmCore
internal import RealmLayout
internal import RealmStore

/// A set of distinct values or objects.
///
/// ```swift
/// try realm.write { club.tags.insert(objectsIn: ["small", "old", "small"]) }
/// print(club.tags.count, club.tags.contains("old"))
/// ```
public final class MutableSet<Element: RealmCollectionValue>: StoredCollection {
    private(set) var storage: ElementStorage<Element>
    /// The elements in memory that are not objects, for lookup by hash.
    private var values: Set<DistinctValue> = []
    /// The elements in memory that are objects.
    private var objects = InsertedObjects()

    /// Creates an empty set in memory.
    public init() { storage = .memory([]) }

    init(_ elements: [Element]) {
        storage = .memory([])
        for element in elements { insert(element) }
    }

    /// The object in an element; nil for other values.
    private static func object(_ element: Element) -> ObjectBase? {
        if case .object(let object)? = element as? AnyRealmValue { object } else { element as? ObjectBase }
    }

    /// Whether an element is among those in memory.
    private func isIn(_ elements: [Element], _ element: Element) -> Bool {
        if let value = DistinctValue(of: element) { return values.contains(value) }
        if let object = Self.object(element) {
            return objects.contains(object, among: elements.lazy.compactMap { Self.object($0) })
        }
        return elements.contains { $0.isSameElement(element) }
    }

    init(_ managed: ManagedCollection) { storage = .managed(managed) }

    private var elements: [Element] { storage.elements }

    /// The number of elements.
    public var count: Int { storage.count }

    /// The element at an index. The order is that of the file, and changes with the set.
    public subscript(position: Int) -> Element { storage.element(at: position) }

    /// Returns an iterator over the current elements. Later changes do not affect it.
    public func makeIterator() -> RLMIterator<Element> { RLMIterator(elements) }

    /// Whether the set contains an element.
    public func contains(_ object: Element) -> Bool {
        guard let managed else { return isIn(elements, object) }
        return managed.contains(object) ?? elements.contains { $0.isSameInRealm(object) }
    }

    /// Inserts an element, unless the set contains it.
    public func insert(_ object: Element) {
        let isInMemory = storage.changeInMemory { elements in
            guard !isIn(elements, object) else { return }
            if let value = DistinctValue(of: object) { values.insert(value) }
            if let object = Self.object(object) { objects.add(object) }
            elements.append(object)
        }
        guard !isInMemory, let managed else { return }
        managed.realm.writeElement(object) { transaction, value throws(WriteError) in
            _ = try managed.set(transaction).insert(value)
        }
    }

    /// Inserts the elements that the set does not contain.
    public func insert<S: Sequence>(objectsIn objects: S) where S.Element == Element {
        for element in Array(objects) { insert(element) }
    }

    /// Removes an element.
    public func remove(_ object: Element) {
        let isInMemory = storage.changeInMemory { elements in
            let value = DistinctValue(of: object)
            if let value, values.remove(value) == nil { return }
            elements.removeAll { element in
                guard value.map({ DistinctValue(of: element) == $0 }) ?? element.isSameElement(object) else {
                    return false
                }
                if let object = Self.object(element) { objects.remove(object) }
                return true
            }
        }
        if isInMemory { return }
        guard let managed else { return }
        managed.realm.writeElement(object, mayBeAdded: false) { transaction, value throws(WriteError) in
            _ = try managed.set(transaction).remove(value)
        }
    }

    /// Removes all elements. Objects stay in the realm.
    public func removeAll() {
        (values, objects) = ([], InsertedObjects())
        if storage.changeInMemory({ $0 = [] }) { return }
        guard let managed else { return }
        managed.realm.modify { transaction throws(WriteError) in try managed.set(transaction).removeAll() }
    }

    /// Whether all elements are in another set.
    public func isSubset(of possibleSuperset: MutableSet<Element>) -> Bool {
        allSatisfy { possibleSuperset.contains($0) }
    }
    /// Whether the sets have an element in common.
    public func intersects(_ otherSet: MutableSet<Element>) -> Bool { contains { otherSet.contains($0) } }
    /// Removes the elements that are not in another set.
    public func formIntersection(_ other: MutableSet<Element>) {
        for element in elements where !other.contains(element) { remove(element) }
    }
    /// Removes the elements of another set.
    public func subtract(_ other: MutableSet<Element>) { for element in other.elements { remove(element) } }
    /// Inserts the elements of another set.
    public func formUnion(_ other: MutableSet<Element>) { insert(objectsIn: other.elements) }

    /// The starting point of queries.
    public var _origin: _CollectionOrigin { _CollectionOrigin(managed.map { .collection($0) }) }

    /// Returns true if both are the same set, or have the same elements in memory.
    public static func == (left: MutableSet<Element>, right: MutableSet<Element>) -> Bool {
        if case .memory(let elements) = left.storage, case .memory(let others) = right.storage {
            return left === right || elements.count == others.count && elements.allSatisfy { right.isIn(others, $0) }
        }
        return left === right || left.isSame(as: right)
    }

    /// Whether the other set is equal; see `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? MutableSet<Element>).map { self == $0 } ?? false }

    /// Whether the object of the set was deleted, or its realm invalidated.
    public var isInvalidated: Bool { managed?.isInvalidated ?? false }
}

extension MutableSet: CopiedCollection {
    var inMemory: Any { MutableSet(elements) }

    func take(_ other: Any) {
        guard let other = other as? MutableSet, other !== self else { return }
        let elements = other.elements
        removeAll()
        insert(objectsIn: elements)
    }
}

extension MutableSet: _Persistable {
    /// Sets are stored without conversion.
    public typealias PersistedType = MutableSet<Element>
    /// The traits of the elements, in a set.
    public static var _traits: _PropertyTraits { Element._traits.inside(.set) }
    /// True: a property returns the same set as long as the object lives.
    public static var _isKept: Bool { true }
    /// Returns an empty set in memory.
    public static func _default() -> MutableSet<Element> { MutableSet() }
    /// Returns the set of a property.
    public static func _read(_ object: ObjectBase, _ index: Int32) -> MutableSet<Element> {
        object.place(index).map { MutableSet(ManagedCollection($0)) } ?? MutableSet()
    }
    /// Replaces the elements of a property's set with those of another set.
    public static func _write(_ object: ObjectBase, _ index: Int32, _ value: MutableSet<Element>) {
        guard let place = object.place(index) else { return }
        let set = MutableSet(ManagedCollection(place))
        guard set != value else { return }
        let elements = value.existing.elements
        if !place.realm.keepsWhatIsThere { set.removeAll() }
        set.insert(objectsIn: elements)
    }
    /// Encodes the elements as a list.
    public func _encoded(_ context: _WriteContext) -> _EncodedValue? {
        _EncodedValue(.list(elements.map { $0._encoded(context)?.value ?? .null }))
    }
    /// Becomes a view of the set that was written.
    public func _adopt(_ place: _AdoptedPlace) {
        guard case .memory = storage else { return }
        (storage, values, objects) = (.managed(ManagedCollection(place.property)), [], InsertedObjects())
    }
    /// Accepts sets, sequences of values that elements can be made from, and null.
    public static func _converted(_ any: Any) -> MutableSet<Element>? {
        if let set = any as? MutableSet<Element> { return set }
        if isNull(any) { return MutableSet() }
        guard let values = anyElements(any) else { return nil }
        let elements = values.compactMap { Element.made(of: $0) }
        return elements.count == values.count ? MutableSet(elements) : nil
    }
}
