internal import RealmLayout
internal import RealmQuery
internal import RealmReader
internal import RealmTransactions
public import Dispatch

/// A `Map`, whatever its keys and values are.
///
/// ```swift
/// func longest<M: RealmKeyedCollection>(_ map: M) -> String? where M.Key == String { map.keys.max { $0.count < $1.count } }
/// print(longest(club.prices) ?? "none")
/// ```
public protocol RealmKeyedCollection<Key, Value>: Sequence, ThreadConfined, CustomStringConvertible {
    /// The type of the keys.
    associatedtype Key: _MapKey
    /// The type of the values.
    associatedtype Value: RealmCollectionValue
    /// The number of entries.
    var count: Int { get }
    /// All keys.
    var keys: [Key] { get }
    /// All values.
    var values: [Value] { get }
    /// What queries start from: the values as results.
    var _results: Results<Value> { get }
    /// The value of a key; setting nil removes the entry.
    subscript(key: Key) -> Value? { get set }
    /// Sets the value of a key.
    func updateValue(_ value: Value, forKey key: Key)
    /// Removes the entry with a key.
    func removeObject(for key: Key)
    /// Removes all entries.
    func removeAll()
    /// Whether something holds for an entry.
    func contains(where predicate: (_ key: Key, _ value: Value) -> Bool) -> Bool
    /// Calls a block with the map, and then each time that it has changed.
    func observe(
        keyPaths: [String]?, on queue: DispatchQueue?, _ block: @escaping (RealmMapChange<Self>) -> Void
    ) -> NotificationToken
}

extension Map: RealmKeyedCollection {
    /// What queries start from: the values as results.
    public var _results: Results<Value> {
        guard let managed else {
            Failure.stop("This method may only be called on RLMDictionary instances retrieved from an RLMRealm")
        }
        return Results(ResultSet(managed.realm, .collection(managed), Value.self))
    }

    /// The value of a key; nil where there is none.
    public func object(forKey key: Key) -> Value? { self[key] }

    /// Adds the entries of another map; for keys that are there already `combine` says the value.
    public func merge(
        _ other: Map<Key, Value>, uniquingKeysWith combine: (Value, Value) throws -> Value
    ) rethrows {
        try merge(other.asKeyValueSequence(), uniquingKeysWith: combine)
    }
}

// What is asked of the values of a map.
extension RealmKeyedCollection {
    /// The values, also in memory.
    fileprivate var collection: AnyRealmCollection<Value> {
        realm == nil ? AnyRealmCollection(List(values)) : AnyRealmCollection(_results)
    }

    /// The values for which a query in the language of predicates holds.
    public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Value> {
        _results.filter(RealmPredicate(format: predicateFormat, argumentArray: args))
    }
    /// The values for which a condition holds that is kept as a value.
    public func filter(_ predicate: RealmPredicate) -> Results<Value> { _results.filter(predicate) }
    /// The values for which a condition holds that is written in Swift.
    public func `where`(_ isIncluded: (Query<Value>) -> Query<Bool>) -> Results<Value> { _results.where(isIncluded) }
    /// The values in an order, the first descriptor first.
    public func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Value> where S.Element == SortDescriptor {
        _results.sorted(by: sortDescriptors)
    }
    /// The values in the order of what is at the end of a path.
    public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Value> {
        _results.sorted(byKeyPath: keyPath, ascending: ascending)
    }
    /// The values in their order.
    public func sorted(ascending: Bool = true) -> Results<Value> {
        Results(_results.found.adding(.sorted(ascending: ascending)))
    }
    /// The first of the values that are equal at the end of paths.
    public func distinct<S: Sequence>(by keyPaths: S) -> Results<Value> where S.Element == String {
        _results.distinct(by: keyPaths)
    }

    /// The lowest value of a property; nil where there is none.
    public func min<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
        collection.min(ofProperty: property)
    }
    /// The highest value of a property; nil where there is none.
    public func max<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
        collection.max(ofProperty: property)
    }
    /// The sum of a property; zero without objects.
    public func sum<T: _HasPersistedType>(ofProperty property: String) -> T where T.PersistedType: AddableType {
        collection.sum(ofProperty: property)
    }
    /// The average of a property; nil without objects.
    public func average<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: AddableType {
        collection.average(ofProperty: property)
    }

    /// The value of a key as users see it where no type is known.
    public func value(forKey key: String) -> Any? { Key(_text: key).flatMap { self[$0]?._dynamic } }
    /// The value at the end of a path, which begins with a key, or with an operator that is calculated of the values: `@sum.self`.
    public func value(forKeyPath keyPath: String) -> Any? {
        if keyPath.first == "@" { return collection.value(forKeyPath: keyPath) }
        let parts = keyPath.split(separator: ".", maxSplits: 1).map(String.init)
        guard let first = parts.first, let value = value(forKey: first), parts.count > 1 else {
            return parts.first.flatMap { value(forKey: $0) }
        }
        return (value as? ObjectBase)?.value(forKeyPath: parts[1])
    }
    /// Sets the value of a key; nil removes the entry.
    public func setValue(_ value: Any?, forKey key: String) {
        guard let key = Key(_text: key) else { return }
        guard let value, !isNull(value) else { return removeObject(for: key) }
        guard let converted = Value.made(of: value) else {
            Failure.stop("Invalid value '\(value)' of type '\(type(of: value))' for a Map<\(Key.self), \(Value.self)>")
        }
        updateValue(converted, forKey: key)
    }
}

extension RealmCollectionValue {
    /// The type as messages have it.
    static var _typeText: String {
        let traits = _traits
        return traits.target.map { "\($0)" } ?? traits.type.description + (traits.isOptional ? "?" : "")
    }
}

extension RealmKeyedCollection where Value.PersistedType: MinMaxType {
    /// The lowest of the values; nil without any.
    public func min() -> Value? { collection.min() }
    /// The highest of the values; nil without any.
    public func max() -> Value? { collection.max() }
}

extension RealmKeyedCollection where Value.PersistedType: AddableType {
    /// The sum of the values; no mixed values are the integer 0, as a list of them is in no realm.
    public func sum() -> Value { List(values).sum() }
    /// The average of the values; nil without any.
    public func average<T: _HasPersistedType>() -> T? where T.PersistedType: AddableType { collection.average() }
}

extension RealmKeyedCollection {
    /// Calls a block with the map, and then each time that it has changed.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (RealmMapChange<Self>) -> Void
    ) -> NotificationToken {
        // Of the two the one of the protocol, which has no defaults.
        observe(keyPaths: keyPaths, on: queue, block)
    }
}

extension Map {
    /// Calls a block with the map, and then each time that it has changed.
    ///
    /// - Parameters:
    ///   - keyPaths: the properties of objects that count; nil for all.
    ///   - queue: where the block is called; nil for where the realm belongs.
    ///   - block: is told of changes.
    /// - Returns: what keeps the observer going.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmMapChange<Map<Key, Value>>) -> Void
    ) -> NotificationToken {
        guard let managed else { Failure.stop(Failure.notManagedCollection) }
        guard !managed.realm.isFrozen else { Failure.stop(Failure.notObservable) }
        if let queue { return managed.realm.observe(self, on: queue) { $0.observe(keyPaths: keyPaths, block) } }
        let tell = teller(managed, keyPaths)
        let token = managed.realm.observers.add { tell($0, $1, block) }
        managed.realm.scheduleTelling()
        return token
    }

    /// Tells of the map, first of what it is, then of what has changed.
    func teller(_ managed: ManagedCollection, _ keyPaths: [String]?) -> Teller<RealmMapChange<Map<Key, Value>>> {
        let told = ToldState<[DictionaryEntry]>()
        let keyPaths = ColumnNames(_results.found.binding?.model).observed(keyPaths)
        return { [self] realm, silently, block in
            told.next(realm, silently: silently) { _ in
                managed.entries
            } initial: { _ in
                block(.initial(self))
            } update: { before, snapshot, now in
                let modified = _results.found.modified(since: snapshot, in: realm, keyPaths)
                func isModified(_ entry: DictionaryEntry) -> Bool {
                    entry.value.linkedKey.map { modified.contains(.object($0)) } ?? false
                }
                let ends = CommonEnds(before, now) { $0.key == $1.key && ElementIdentity.areSame($0.value, $1.value) }
                let (old, new) = (Self.values(before[ends.before]), Self.values(now[ends.now]))
                let deletions = old.keys.filter { new[$0] == nil }
                let insertions = new.keys.filter { old[$0] == nil }
                var modifications = now[ends.now].filter { entry in
                    guard let old = old[entry.key] else { return false }
                    return !ElementIdentity.areSame(old, entry.value) || isModified(entry)
                }
                if !modified.isEmpty {
                    modifications += now[..<ends.now.lowerBound].filter(isModified)
                    modifications += now[ends.now.upperBound...].filter(isModified)
                }
                guard !deletions.isEmpty || !insertions.isEmpty || !modifications.isEmpty else { return }
                func ordered(_ keys: [RealmReader.Value]) -> [Key] {
                    keys.compactMap { Self.key($0) }.sorted { $0._text < $1._text }
                }
                block(
                    .update(
                        self, deletions: ordered(deletions), insertions: ordered(insertions),
                        modifications: ordered(modifications.map(\.key))))
            }
        }
    }

    private static func key(_ stored: RealmReader.Value) -> Key? {
        if case .string(let text) = stored { Key(_text: text) } else { nil }
    }

    /// The values by their keys, those that the type of the keys has.
    private static func values(_ entries: ArraySlice<DictionaryEntry>) -> [RealmReader.Value: RealmReader.Value] {
        Dictionary(
            entries.lazy.filter { key($0.key) != nil }.map { ($0.key, $0.value) },
            uniquingKeysWith: { first, _ in first })
    }
}

extension Map where Value: OptionalProtocol, Value.Wrapped: ObjectBase {
    /// Calls a block with the map, and then each time that it has changed, where key paths lead to.
    public func observe(
        keyPaths: [PartialKeyPath<Value.Wrapped>], on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmMapChange<Map<Key, Value>>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: keyPaths.map { KeyPathRecorder.name($0, Value.Wrapped.self) }, on: queue, block)
    }
}

extension RealmKeyedCollection where Value: OptionalProtocol, Value.Wrapped: ObjectBase {
    /// The lowest value of a property; nil where there is none.
    public func min<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T?
    where T.PersistedType: MinMaxType { min(ofProperty: KeyPathRecorder.name(keyPath, Value.Wrapped.self)) }
    /// The highest value of a property; nil where there is none.
    public func max<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T?
    where T.PersistedType: MinMaxType { max(ofProperty: KeyPathRecorder.name(keyPath, Value.Wrapped.self)) }
    /// The sum of a property; zero without objects.
    public func sum<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T
    where T.PersistedType: AddableType { sum(ofProperty: KeyPathRecorder.name(keyPath, Value.Wrapped.self)) }
    /// The average of a property; nil without objects.
    public func average<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T?
    where T.PersistedType: AddableType { average(ofProperty: KeyPathRecorder.name(keyPath, Value.Wrapped.self)) }
    /// The objects in the order of the value that a key path leads to.
    public func sorted<V>(by keyPath: KeyPath<Value.Wrapped, V>, ascending: Bool = true) -> Results<Value> {
        sorted(byKeyPath: KeyPathRecorder.name(keyPath, Value.Wrapped.self), ascending: ascending)
    }
}
