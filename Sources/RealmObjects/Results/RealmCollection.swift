internal import RealmCore
internal import RealmLayout
internal import RealmQuery

/// A value that belongs to one thread, queue or actor.
///
/// ```swift
/// func snapshot<T: ThreadConfined>(_ value: T) -> T { value.isFrozen ? value : value.freeze() }
/// let puppies = snapshot(realm.objects(Dog.self).where { $0.age < 2 })
/// print(puppies.isFrozen)
/// ```
public protocol ThreadConfined {
    /// The realm; nil for unmanaged values.
    var realm: Realm? { get }
    /// Whether it no longer exists.
    var isInvalidated: Bool { get }
    /// Whether it is immutable, and may be read on any thread.
    var isFrozen: Bool { get }
    /// Returns its counterpart in another realm of the database; nil if it no longer exists.
    func _inRealm(_ realm: Realm) -> Self?
}

/// The starting point of queries on a collection.
public struct _CollectionOrigin {
    let source: ResultSet.Source?
    let set: ResultSet?

    init(_ source: ResultSet.Source?, _ set: ResultSet? = nil) { (self.source, self.set) = (source, set) }

    var realm: RealmInstance? {
        switch source {
        case nil: nil
        case .table(let binding): binding.realm
        case .collection(let collection): collection.realm
        case .linking(let place, _, _): place.realm
        }
    }
}

/// `Results`, `List`, `MutableSet` and `LinkingObjects`: collections in a realm that can be queried.
///
/// ```swift
/// func names<C: RealmCollection>(_ dogs: C) -> [String] where C.Element == Dog { dogs.map(\.name) }
/// print(names(realm.objects(Dog.self)), names(person.dogs))
/// ```
public protocol RealmCollection<Element>: RandomAccessCollection, Equatable, CustomStringConvertible, ThreadConfined
where Element: RealmCollectionValue, Index == Int, Iterator == RLMIterator<Element> {
    /// The element type, as older code names it: `where C.ElementType == Dog`.
    typealias ElementType = Element
    /// The starting point of queries.
    var _origin: _CollectionOrigin { get }
}

/// No requirement at all; RealmSwift needs it to wrap collections of any type, `C: RealmCollection & _ObjcBridgeable`.
public typealias _ObjcBridgeable = Any

extension RealmCollection {
    /// Zero.
    public var startIndex: Int { 0 }
    /// The number of elements.
    public var endIndex: Int { count }
    /// The next index.
    public func index(after index: Int) -> Int { index + 1 }
    /// The previous index.
    public func index(before index: Int) -> Int { index - 1 }
    /// The realm; nil for an unmanaged collection.
    public var realm: Realm? { _origin.realm.map { Realm($0) } }
    /// Whether the collection is immutable, and may be read on any thread.
    public var isFrozen: Bool { _origin.realm?.isFrozen ?? false }

    var resultSet: ResultSet {
        if let set = _origin.set { return set }
        guard let source = _origin.source, let realm = _origin.realm else {
            // Nothing links to an unmanaged object; its linking objects can be queried all the same.
            if self is any AnyLinkingObjects, let type = Element._traits.target {
                let state = MemoryMatching.realm(of: type).state
                return ResultSet(state, .table(state.binding(of: type)), Element.self)
            }
            Failure.stop("This method may only be called on RLMArray instances retrieved from an RLMRealm")
        }
        return ResultSet(realm, source, Element.self)
    }

    /// Returns the index of an element; nil if it is missing.
    public func index(of object: Element) -> Int? {
        if let object = object as? ObjectBase, let realm = _origin.realm { return index(of: object, in: realm) }
        let isInRealm = _origin.realm != nil
        // Iteration reads the elements only once.
        for (index, element) in enumerated()
        where isInRealm ? element.isSameInRealm(object) : element.isSameElement(object) { return index }
        return nil
    }

    private func index(of object: ObjectBase, in realm: RealmInstance) -> Int? {
        let set = resultSet
        guard object.boundRealm?.isSame(as: realm) ?? false, object.binding?.position == set.binding?.position,
            !object.isInvalidated
        else { return nil }
        return set.index(of: object.key)
    }

    /// Returns the elements at some indexes, in the order of the indexes.
    public func objects(at indexes: some Sequence<Int>) -> [Element] { Set(indexes).sorted().map { self[$0] } }

    // MARK: Queries

    /// Returns the elements that match a query in the predicate language.
    ///
    /// ```swift
    /// let dogs = realm.objects(Dog.self).filter("age > %@ AND name BEGINSWITH[c] 'r'", 3)
    /// print(dogs.count)
    /// ```
    ///
    /// - Precondition: the text is a query, and fits the class.
    public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Element> {
        filter(RealmPredicate(format: predicateFormat, argumentArray: args))
    }

    /// Returns the elements that match a predicate.
    ///
    /// - Precondition: the predicate fits the class.
    public func filter(_ predicate: RealmPredicate) -> Results<Element> {
        let set = resultSet
        let asked = predicate.content
        set.realm.checkOrigin(of: asked.databases)
        return Results(set.filtered(ColumnNames(set.binding?.model).renamed(asked), asked.arguments))
    }

    /// Returns the elements that meet a condition written in Swift.
    ///
    /// ```swift
    /// let dogs = realm.objects(Dog.self).where { $0.age > 3 && $0.name.starts(with: "R") }
    /// print(dogs.count)
    /// ```
    public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element> {
        let (query, arguments, databases) = isIncluded(Query()).compiled
        let set = resultSet
        set.realm.checkOrigin(of: databases)
        return Results(set.filtered(query, arguments))
    }

    /// Returns the index of the first element that matches a query.
    public func index(matching predicateFormat: String, _ args: Any...) -> Int? {
        index(matching: RealmPredicate(format: predicateFormat, argumentArray: args))
    }

    /// Returns the index of the first element that matches a predicate.
    public func index(matching predicate: RealmPredicate) -> Int? {
        let asked = predicate.content
        guard let set = _origin.realm == nil ? nil : resultSet else {
            let type = Element._traits.target
            let names = ColumnNames(type.map { ModelClass.of($0) })
            return MemoryMatching(type, names.renamed(asked), asked.arguments).firstIndex(in: self)
        }
        set.realm.checkOrigin(of: asked.databases)
        let query = ColumnNames(set.binding?.model).renamed(asked)
        return firstIndex(set, set.adding(.query(query, asked.arguments)))
    }

    /// Returns the index of the first element that meets a condition.
    public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
        let (query, arguments, databases) = isIncluded(Query()).compiled
        guard let set = _origin.realm == nil ? nil : resultSet else {
            return MemoryMatching(Element._traits.target, query, arguments).firstIndex(in: self)
        }
        set.realm.checkOrigin(of: databases)
        return firstIndex(set, set.adding(.query(query, arguments)))
    }

    private func firstIndex(_ set: ResultSet, _ found: ResultSet) -> Int? {
        found.first?.linkedKey.flatMap { set.index(of: $0) }
    }

    /// Returns the elements sorted by descriptors, the most significant first.
    public func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Element> where S.Element == SortDescriptor {
        let (set, descriptors) = (resultSet, Array(sortDescriptors))
        guard let first = descriptors.first else { return Results(set) }
        guard let binding = set.binding else {
            set.checkSelf(descriptors.map(\.keyPath))
            return Results(set.adding(.sorted(ascending: first.ascending)))
        }
        let names = ColumnNames(binding.model)
        let keys = descriptors.map { SortKey(path: names.sortPath($0.keyPath), ascending: $0.ascending) }
        return Results(set.adding(.query(ObjectQuery(.constant(true), steps: [.sort(keys)]), [])))
    }

    /// Returns the elements sorted by the value at the end of a path.
    public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Element> {
        sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
    }

    /// Returns the elements sorted by the value of a key path.
    public func sorted<Value>(by keyPath: KeyPath<Element, Value>, ascending: Bool = true) -> Results<Element>
    where Element: ObjectBase {
        sorted(by: [SortDescriptor(keyPath: keyPath, ascending: ascending)])
    }

    /// Returns the first of the elements that have equal values at the end of paths.
    public func distinct<S: Sequence>(by keyPaths: S) -> Results<Element> where S.Element == String {
        let (set, keyPaths) = (resultSet, Array(keyPaths))
        guard !keyPaths.isEmpty else { return Results(set) }
        guard let binding = set.binding else {
            set.checkSelf(keyPaths)
            return Results(set.adding(.distinct))
        }
        let names = ColumnNames(binding.model)
        let paths = keyPaths.map { names.sortPath($0) }
        return Results(set.adding(.query(ObjectQuery(.constant(true), steps: [.distinct(paths)]), [])))
    }

    /// Returns the first of the elements that have equal values for key paths.
    public func distinct<S: Sequence>(by keyPaths: S) -> Results<Element>
    where S.Element == PartialKeyPath<Element>, Element: ObjectBase {
        distinct(by: keyPaths.map { KeyPathRecorder.name($0, Element.self) })
    }

    /// Returns the values of a property of all objects; for values, `self` stands for the values.
    public func value(forKey key: String) -> [Any] {
        map { element -> Any in
            guard let object = element as? ObjectBase else { return element._dynamic ?? Optional<Any>.none as Any }
            return (key == "self" ? object : object.dynamicValue(key)) ?? Optional<Any>.none as Any
        }
    }

    /// Sets a property of all objects; for a list of values, `self` sets all of them.
    ///
    /// - Precondition: the property exists, and the value fits.
    public func setValue(_ value: Any?, forKey key: String) {
        if Element._traits.type != .object {
            guard key == "self", let list = self as? List<Element> else {
                Failure.stop("'\(key)' cannot be set for the elements of a collection of '\(Element._typeText)'.")
            }
            return list.setAll(value)
        }
        for element in self { (element as? ObjectBase)?.setDynamicValue(key, value) }
    }
}

extension RealmCollection where Element.PersistedType: SortableType {
    /// Returns the values in their order.
    public func sorted(ascending: Bool = true) -> Results<Element> {
        Results(resultSet.adding(.sorted(ascending: ascending)))
    }

    /// Returns the first of equal values.
    public func distinct() -> Results<Element> { Results(resultSet.adding(.distinct)) }
}

extension RealmCollectionValue {
    /// Whether both are equal, or the same object; texts are compared by their bytes.
    func isSameElement(_ other: Self) -> Bool {
        switch Self._traits.type {
        case .object: return (self as? ObjectBase)?.isSame(as: other as? ObjectBase) ?? (self == other)
        case .any:
            switch (self as? AnyRealmValue, other as? AnyRealmValue) {
            case (.object(let object), .object(let other)): return object.isSame(as: other)
            case (.string(let text), .string(let other)): return text.utf8.elementsEqual(other.utf8)
            default: return self == other
            }
        case .string: return storedValue(self) == storedValue(other)
        default: return self == other
        }
    }

    /// Whether both are the same element of a collection of a realm, in which the type of a number does not matter.
    func isSameInRealm(_ other: Self) -> Bool {
        guard Self._traits.type == .any, let number = storedValue(self)?.number,
            let other = storedValue(other)?.number
        else { return isSameElement(other) }
        return number.order(other) == 0
    }
}
