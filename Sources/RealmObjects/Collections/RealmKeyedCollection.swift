public import Dispatch
internal import RealmCore
internal import RealmLayout
internal import RealmQuery
internal import RealmStore

/// A `Map` with any types of keys and values.
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
    /// The values as results, for queries.
    var _results: Results<Value> { get }
    /// The value of a key. Setting nil removes the entry.
    subscript(key: Key) -> Value? { get set }
    /// Sets the value of a key.
    func updateValue(_ value: Value, forKey key: Key)
    /// Removes the entry with a key.
    func removeObject(for key: Key)
    /// Removes all entries.
    func removeAll()
    /// Whether an entry satisfies a predicate.
    func contains(where predicate: (_ key: Key, _ value: Value) -> Bool) -> Bool
    /// Calls a block with the map, and again after each change.
    func observe(
        keyPaths: [String]?, on queue: DispatchQueue?, _ block: @escaping (RealmMapChange<Self>) -> Void
    ) -> NotificationToken
}

extension Map: RealmKeyedCollection {
    /// The values as results, for queries.
    public var _results: Results<Value> {
        guard let managed else {
            Failure.stop("This method may only be called on RLMDictionary instances retrieved from an RLMRealm")
        }
        return Results(ResultSet(managed.realm, .collection(managed), Value.self))
    }

    /// Returns the value of a key; nil if there is none.
    public func object(forKey key: Key) -> Value? { self[key] }

    /// Adds the entries of another map. `combine` returns the value for keys that exist already.
    public func merge(
        _ other: Map<Key, Value>, uniquingKeysWith combine: (Value, Value) throws -> Value
    ) rethrows {
        try merge(other.asKeyValueSequence(), uniquingKeysWith: combine)
    }
}

// Queries and aggregates over the values of a map.
extension RealmKeyedCollection {
    /// The values as a collection, also of a map in memory.
    fileprivate var collection: AnyRealmCollection<Value> {
        realm == nil ? AnyRealmCollection(List(values)) : AnyRealmCollection(_results)
    }

    /// Returns the values that match a query in the predicate language.
    public func filter(_ predicateFormat: String, _ args: Any...) -> Results<Value> {
        _results.filter(RealmPredicate(format: predicateFormat, argumentArray: args))
    }
    /// Returns the values that match a predicate.
    public func filter(_ predicate: RealmPredicate) -> Results<Value> { _results.filter(predicate) }
    /// Returns the values that match a condition written in Swift.
    public func `where`(_ isIncluded: (Query<Value>) -> Query<Bool>) -> Results<Value> { _results.where(isIncluded) }
    /// Returns the values sorted by descriptors, in order of priority.
    public func sorted<S: Sequence>(by sortDescriptors: S) -> Results<Value> where S.Element == SortDescriptor {
        _results.sorted(by: sortDescriptors)
    }
    /// Returns the values sorted by the property at the end of a path.
    public func sorted(byKeyPath keyPath: String, ascending: Bool = true) -> Results<Value> {
        _results.sorted(byKeyPath: keyPath, ascending: ascending)
    }
    /// Returns the values sorted.
    public func sorted(ascending: Bool = true) -> Results<Value> {
        Results(_results.found.adding(.sorted(ascending: ascending)))
    }
    /// Returns the first of the values that are equal at the end of the given paths.
    public func distinct<S: Sequence>(by keyPaths: S) -> Results<Value> where S.Element == String {
        _results.distinct(by: keyPaths)
    }

    /// Returns the lowest value of a property; nil if there is none.
    public func min<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
        collection.min(ofProperty: property)
    }
    /// Returns the highest value of a property; nil if there is none.
    public func max<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
        collection.max(ofProperty: property)
    }
    /// Returns the sum of a property; zero without objects.
    public func sum<T: _HasPersistedType>(ofProperty property: String) -> T where T.PersistedType: AddableType {
        collection.sum(ofProperty: property)
    }
    /// Returns the average of a property; nil without objects.
    public func average<T: _HasPersistedType>(ofProperty property: String) -> T?
    where T.PersistedType: AddableType {
        collection.average(ofProperty: property)
    }

    /// Returns the value of a key, untyped.
    public func value(forKey key: String) -> Any? { Key(_text: key).flatMap { self[$0]?._dynamic } }
    /// Returns the value at the end of a path. The path begins with a key, or with an aggregate over the values:
    /// `@sum.self`.
    public func value(forKeyPath keyPath: String) -> Any? {
        if keyPath.first == "@" { return collection.value(forKeyPath: keyPath) }
        let parts = keyPath.split(separator: ".", maxSplits: 1).map(String.init)
        guard let first = parts.first, let value = value(forKey: first), parts.count > 1 else {
            return parts.first.flatMap { value(forKey: $0) }
        }
        return (value as? ObjectBase)?.value(forKeyPath: parts[1])
    }
    /// Sets the value of a key. Nil removes the entry.
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
    /// The type in the form that messages use.
    static var _typeText: String {
        let traits = _traits
        return traits.target.map { "\($0)" } ?? traits.type.description + (traits.isOptional ? "?" : "")
    }
}

extension RealmKeyedCollection where Value.PersistedType: MinMaxType {
    /// Returns the lowest value; nil if there is none.
    public func min() -> Value? { collection.min() }
    /// Returns the highest value; nil if there is none.
    public func max() -> Value? { collection.max() }
}

extension RealmKeyedCollection where Value.PersistedType: AddableType {
    /// Returns the sum of the values. The sum of no mixed values is the integer 0, as for a list in memory.
    public func sum() -> Value { List(values).sum() }
    /// Returns the average of the values; nil without values.
    public func average<T: _HasPersistedType>() -> T? where T.PersistedType: AddableType { collection.average() }
}

extension RealmKeyedCollection {
    /// Calls a block with the map, and again after each change.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (RealmMapChange<Self>) -> Void
    ) -> NotificationToken {
        // Calls the protocol's own requirement, which has no default arguments.
        observe(keyPaths: keyPaths, on: queue, block)
    }
}

extension Map {
    /// Calls a block with the map, and again after each change.
    ///
    /// - Parameters:
    ///   - keyPaths: the properties of the objects to observe; nil for all.
    ///   - queue: the queue to call the block on; nil for the realm's own thread, queue or actor.
    ///   - block: called with each change.
    /// - Returns: a token that keeps the observation active.
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

    /// Returns a function that reports the initial state of the map, and then its changes.
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
                func ordered(_ keys: [RealmCore.Value]) -> [Key] {
                    keys.compactMap { Self.key($0) }.sorted { $0._text < $1._text }
                }
                block(
                    .update(
                        self, deletions: ordered(deletions), insertions: ordered(insertions),
                        modifications: ordered(modifications.map(\.key))))
            }
        }
    }

    private static func key(_ stored: RealmCore.Value) -> Key? {
        if case .string(let text) = stored { Key(_text: text) } else { nil }
    }

    /// Returns the values by key, without keys that `Key` cannot represent.
    private static func values(_ entries: ArraySlice<DictionaryEntry>) -> [RealmCore.Value: RealmCore.Value] {
        Dictionary(
            entries.lazy.filter { key($0.key) != nil }.map { ($0.key, $0.value) },
            uniquingKeysWith: { first, _ in first })
    }
}

extension Map where Value: OptionalProtocol, Value.Wrapped: ObjectBase {
    /// Calls a block with the map, and again after each change at the given key paths.
    public func observe(
        keyPaths: [PartialKeyPath<Value.Wrapped>], on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmMapChange<Map<Key, Value>>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: keyPaths.map { KeyPathRecorder.name($0, Value.Wrapped.self) }, on: queue, block)
    }
}

extension RealmKeyedCollection where Value: OptionalProtocol, Value.Wrapped: ObjectBase {
    /// Returns the lowest value of a property; nil if there is none.
    public func min<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T?
    where T.PersistedType: MinMaxType { min(ofProperty: KeyPathRecorder.name(keyPath, Value.Wrapped.self)) }
    /// Returns the highest value of a property; nil if there is none.
    public func max<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T?
    where T.PersistedType: MinMaxType { max(ofProperty: KeyPathRecorder.name(keyPath, Value.Wrapped.self)) }
    /// Returns the sum of a property; zero without objects.
    public func sum<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T
    where T.PersistedType: AddableType { sum(ofProperty: KeyPathRecorder.name(keyPath, Value.Wrapped.self)) }
    /// Returns the average of a property; nil without objects.
    public func average<T: _HasPersistedType>(of keyPath: KeyPath<Value.Wrapped, T>) -> T?
    where T.PersistedType: AddableType { average(ofProperty: KeyPathRecorder.name(keyPath, Value.Wrapped.self)) }
    /// Returns the objects sorted by the value at a key path.
    public func sorted<V>(by keyPath: KeyPath<Value.Wrapped, V>, ascending: Bool = true) -> Results<Value> {
        sorted(byKeyPath: KeyPathRecorder.name(keyPath, Value.Wrapped.self), ascending: ascending)
    }
}
