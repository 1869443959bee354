internal import RealmCore
internal import RealmLayout
internal import RealmStore

/// A list: the to-many relationship of a model, or an ordered collection of values.
///
/// ```swift
/// class Person: Object {
///     @Persisted var name = ""
///     @Persisted var dogs: List<Dog>
/// }
/// ```
public final class List<Element: RealmCollectionValue>: StoredCollection {
    private(set) var storage: ElementStorage<Element>

    /// Creates an empty list in memory.
    public init() { storage = .memory([]) }

    init(_ elements: [Element]) { storage = .memory(elements) }

    init(_ managed: ManagedCollection) { storage = .managed(managed.being(.list)) }

    private var elements: [Element] { storage.elements }

    // MARK: Reading

    /// The number of elements.
    public var count: Int { storage.count }

    /// The element at an index.
    public subscript(position: Int) -> Element {
        get { storage.element(at: position) }
        set { replace(index: position, object: newValue) }
    }

    /// The first element.
    public var first: Element? { isEmpty ? nil : self[0] }
    /// The last element.
    public var last: Element? { isEmpty ? nil : self[count - 1] }

    /// Returns an iterator over the current elements. Later changes do not affect it.
    public func makeIterator() -> RLMIterator<Element> { RLMIterator(elements) }

    // MARK: Changes

    /// Appends an element.
    public func append(_ object: Element) { insert(object, at: count) }

    /// Appends elements.
    public func append<S: Sequence>(objectsIn objects: S) where S.Element == Element {
        // The sequence may be this list itself.
        for element in Array(objects) { append(element) }
    }

    /// Inserts an element before the one at an index.
    public func insert(_ object: Element, at index: Int) {
        let count = count
        guard index >= 0, index <= count else { ElementStorage<Element>.stop(index, count + 1) }
        if storage.changeInMemory({ $0.insert(object, at: index) }) { return }
        guard let managed else { return }
        let place = managed.storedIndex(index)
        managed.realm.writeElement(object) { transaction, value throws(WriteError) in
            let list = managed.list(transaction)
            if index == count { try list.append(value) } else { try list.insert(value, at: place) }
        }
        managed.noteInserted(at: index)
        managed.adopt(object, at: index)
    }

    /// Replaces the element at an index.
    public func replace(index: Int, object: Element) {
        storage.check(index)
        if storage.changeInMemory({ $0[index] = object }) { return }
        guard let managed, !managed.isEmbedded(object, managed.element(at: index)) else { return }
        let place = managed.storedIndex(index)
        managed.realm.writeElement(object) { transaction, value throws(WriteError) in
            try managed.list(transaction).set(place, value)
        }
        managed.noteReplaced(.index(index))
        managed.adopt(object, at: index)
    }

    /// Replaces each element with a value.
    func setAll(_ value: Any?) {
        guard let element = Element.made(of: value as Any) else {
            Failure.stop(
                "Invalid value '\(value as Any)' of type '\(type(of: value))' for 'array<\(Element._typeText)>'.")
        }
        for index in indices { replace(index: index, object: element) }
    }

    /// Removes the element at an index.
    public func remove(at index: Int) {
        storage.check(index)
        if storage.changeInMemory({ _ = $0.remove(at: index) }) { return }
        guard let managed else { return }
        let place = managed.storedIndex(index)
        modify { list throws(WriteError) in try list.remove(at: place) }
        managed.noteRemoved(at: index)
    }

    /// Removes all elements. Top-level objects stay in the realm.
    public func removeAll() {
        if storage.changeInMemory({ $0 = [] }) { return }
        modify { list throws(WriteError) in try list.removeAll() }
        managed?.noteEmptied()
    }

    /// Moves an element from one index to another.
    public func move(from: Int, to: Int) {
        storage.check(from)
        storage.check(to)
        if storage.changeInMemory({ $0.insert($0.remove(at: from), at: to) }) { return }
        guard let managed else { return }
        let (start, end) = (managed.storedIndex(from), managed.storedIndex(to))
        modify { list throws(WriteError) in try list.move(from: start, to: end) }
        managed.noteMoved(from: from, to: to)
    }

    private func modify(_ body: (TransactionList) throws(WriteError) -> Void) {
        guard let managed else { return }
        managed.realm.modify { transaction throws(WriteError) in try body(managed.list(transaction)) }
    }

    /// Exchanges two elements.
    public func swapAt(_ index1: Int, _ index2: Int) {
        storage.check(index1)
        storage.check(index2)
        guard index1 != index2 else { return }
        let (low, high) = (Swift.min(index1, index2), Swift.max(index1, index2))
        move(from: low, to: high)
        move(from: high - 1, to: low)
    }

    /// Removes the first `number` elements.
    public func removeFirst(_ number: Int = 1) { for _ in 0..<number { remove(at: 0) } }
    /// Removes the last `number` elements.
    public func removeLast(_ number: Int = 1) { for _ in 0..<number { remove(at: count - 1) } }
    /// Removes the elements in a range.
    public func removeSubrange(_ range: some RangeExpression<Int>) {
        for index in range.relative(to: 0..<count).reversed() { remove(at: index) }
    }
    /// Inserts elements before the one at an index.
    public func insert<C: Collection>(contentsOf newElements: C, at index: Int) where C.Element == Element {
        for (offset, element) in newElements.enumerated() { insert(element, at: index + offset) }
    }
    /// Replaces the elements in a range.
    public func replaceSubrange<C: Collection>(_ range: some RangeExpression<Int>, with newElements: C)
    where C.Element == Element {
        let range = range.relative(to: 0..<count)
        removeSubrange(range)
        insert(contentsOf: newElements, at: range.lowerBound)
    }

    // MARK: Collection

    /// The starting point of queries.
    public var _origin: _CollectionOrigin { _CollectionOrigin(managed.map { .collection($0) }) }

    /// Returns true if both are the same list, or have the same elements in memory.
    public static func == (left: List<Element>, right: List<Element>) -> Bool {
        left === right || left.isSame(as: right)
    }

    /// Whether the other list is equal; see `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? List<Element>).map { self == $0 } ?? false }

    /// Whether the object of the list was deleted, or its realm invalidated.
    public var isInvalidated: Bool { managed?.isInvalidated ?? false }
}

extension List: CopiedCollection {
    var inMemory: Any { List(elements) }

    func take(_ other: Any) {
        if let other = other as? List, other !== self { storage = .memory(other.elements) }
    }
}

extension List: _Persistable {
    /// Lists are stored without conversion.
    public typealias PersistedType = List<Element>
    /// The traits of the elements, in a list.
    public static var _traits: _PropertyTraits { Element._traits.inside(.list) }
    /// True: a property returns the same list as long as the object lives.
    public static var _isKept: Bool { true }
    /// Returns an empty list in memory.
    public static func _default() -> List<Element> { List() }
    /// Returns the list of a property.
    public static func _read(_ object: ObjectBase, _ index: Int32) -> List<Element> {
        object.place(index).map { List(ManagedCollection($0)) } ?? List()
    }
    /// Replaces the elements of a property's list with those of another list.
    public static func _write(_ object: ObjectBase, _ index: Int32, _ value: List<Element>) {
        guard let place = object.place(index) else { return }
        let list = List(ManagedCollection(place))
        guard list != value else { return }
        if let context = place.realm.creating, place.realm.updateEmbedded(value, place, context) { return }
        let elements = Array(value.existing)
        list.removeAll()
        list.append(objectsIn: elements)
    }
    /// Encodes the elements as a list.
    public func _encoded(_ context: _WriteContext) -> _EncodedValue? {
        _EncodedValue(.list(elements.map { $0._encoded(context)?.value ?? .null }))
    }
    /// Becomes a view of the list that was written.
    public func _adopt(_ place: _AdoptedPlace) {
        guard case .memory(let elements) = storage else { return }
        let managed = ManagedCollection(place.property)
        storage = .managed(managed)
        guard managed.holdsEmbedded else { return }
        for (index, element) in elements.enumerated() { managed.adopt(element, at: index) }
    }
    /// Accepts lists, sequences of values that elements can be made from, and null.
    public static func _converted(_ any: Any) -> List<Element>? {
        if let list = any as? List<Element> { return list }
        if isNull(any) { return List() }
        guard let values = anyElements(any) else { return nil }
        var elements: [Element] = []
        for value in values {
            guard let element = Element.made(of: value) else { return nil }
            elements.append(element)
        }
        return List(elements)
    }
}

/// Returns the elements of a sequence of any type; nil for other values, including strings.
func anyElements(_ any: Any) -> [Any]? {
    if any is String { return nil }
    if let values = any as? [Any] { return values }
    guard let sequence = any as? any Sequence else { return nil }
    return sequence.map { $0 as Any }
}
