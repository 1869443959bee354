internal import RealmCore
internal import RealmLayout
internal import RealmStore

/// A dictionary whose keys are strings.
///
/// ```swift
/// class Shelf: Object {
///     @Persisted var prices: Map<String, Double>
/// }
/// let shelf = Shelf()
/// shelf.prices["apple"] = 0.5
/// for entry in shelf.prices { print(entry.key, entry.value) }
/// ```
public final class Map<Key: _MapKey, Value: RealmCollectionValue> {
    typealias Entry = SingleMapEntry<Key, Value>

    private enum Storage {
        /// Entries by the bytes of their keys, which distinguish them in a file.
        case memory([ExactName: Entry])
        case managed(ManagedCollection)
        /// The value of every key of a probe.
        case probe(Value)
    }

    private var storage: Storage

    /// Creates an empty map in memory.
    public init() { storage = .memory([:]) }

    private init(_ entries: [ExactName: Entry]) { storage = .memory(entries) }

    /// Creates a map in memory. For entries with the same key, the first one is kept.
    init(_ entries: some Sequence<Entry>) { storage = .memory(Self.byKeys(entries)) }

    private static func byKeys(_ entries: some Sequence<Entry>) -> [ExactName: Entry] {
        Dictionary(entries.map { (ExactName($0.key._text), $0) }, uniquingKeysWith: { first, _ in first })
    }

    init(_ managed: ManagedCollection) { storage = .managed(managed.being(.dictionary(.string))) }

    private init(probe value: Value) { storage = .probe(value) }

    var managed: ManagedCollection? { if case .managed(let managed) = storage { managed } else { nil } }

    /// The map itself, whose entries are about to be written elsewhere.
    ///
    /// - Precondition: the map still exists.
    var existing: Map {
        managed?.checkExists()
        return self
    }

    private static func value(_ stored: RealmCore.Value, _ collection: ManagedCollection, _ key: String) -> Value {
        Value.shown(_StoredValue(stored, in: collection, at: .key(key)))
    }

    /// The entries. In memory they are sorted by key.
    private var entries: [Entry] {
        switch storage {
        case .memory(let entries): entries.values.sorted { $0.key._text < $1.key._text }
        case .managed(let managed):
            managed.entries.compactMap { entry in
                guard case .string(let text) = entry.key, let key = Key(_text: text) else { return nil }
                return SingleMapEntry(key: key, value: Self.value(entry.value, managed, text))
            }
        case .probe: []
        }
    }

    // MARK: Reading

    /// The number of entries.
    public var count: Int {
        switch storage {
        case .memory(let entries): entries.count
        case .managed(let managed): managed.count
        case .probe: 0
        }
    }

    /// Whether there are no entries.
    public var isEmpty: Bool { count == 0 }
    /// All keys.
    public var keys: [Key] { entries.map(\.key) }
    /// All values, in the order of the keys.
    public var values: [Value] { entries.map(\.value) }

    /// The value of a key. Setting nil removes the entry.
    public subscript(key: Key) -> Value? {
        get {
            switch storage {
            case .memory(let entries): return entries[ExactName(key._text)]?.value
            case .managed(let managed):
                let text = key._text
                return managed.value(ofKey: text).map { Self.value($0, managed, text) }
            case .probe(let value): return value
            }
        }
        set { if let newValue { updateValue(newValue, forKey: key) } else { removeObject(for: key) } }
    }

    /// The value of a key, or a default if there is none.
    public subscript(key: Key, default defaultValue: @autoclosure () -> Value) -> Value {
        get { self[key] ?? defaultValue() }
        set { updateValue(newValue, forKey: key) }
    }

    /// Returns an iterator over the current entries. Later changes do not affect it.
    public func makeIterator() -> RLMIterator<SingleMapEntry<Key, Value>> { RLMIterator(entries) }

    /// Returns the entries as pairs.
    public func asKeyValueSequence() -> [(key: Key, value: Value)] { entries.map { ($0.key, $0.value) } }

    /// Whether an entry satisfies a predicate.
    public func contains(where predicate: (_ key: Key, _ value: Value) -> Bool) -> Bool {
        entries.contains { predicate($0.key, $0.value) }
    }

    // MARK: Changes

    /// Sets the value of a key.
    ///
    /// - Precondition: in a realm, the key does not begin with `$` and contains no dots.
    public func updateValue(_ value: Value, forKey key: Key) {
        switch storage {
        case .memory(var entries):
            storage = .memory([:])
            entries[ExactName(key._text)] = SingleMapEntry(key: key, value: value)
            storage = .memory(entries)
        case .managed(let managed):
            if managed.isEmbedded(value, managed.value(ofKey: key._text)) { return }
            managed.realm.writeElement(value) { transaction, stored throws(WriteError) in
                try managed.dictionary(transaction).set(.string(MapKeys.checked(key._text)), stored)
            }
            managed.noteReplaced(.key(key._text))
            managed.adopt(value, atKey: key._text)
        case .probe: break
        }
    }

    /// Removes the entry with a key.
    public func removeObject(for key: Key) {
        switch storage {
        case .memory(var entries):
            storage = .memory([:])
            entries[ExactName(key._text)] = nil
            storage = .memory(entries)
        case .managed(let managed):
            managed.realm.modify { transaction throws(WriteError) in
                _ = try managed.dictionary(transaction).remove(key: .string(key._text))
            }
            managed.noteReplaced(.key(key._text))
        case .probe: break
        }
    }

    /// Removes all entries.
    public func removeAll() {
        switch storage {
        case .memory: storage = .memory([:])
        case .managed(let managed):
            managed.realm.modify { transaction throws(WriteError) in try managed.dictionary(transaction).removeAll() }
            managed.noteEmptied()
        case .probe: break
        }
    }

    /// Adds the entries of a sequence. `combine` returns the value for keys that exist already.
    public func merge<S: Sequence>(
        _ sequence: S, uniquingKeysWith combine: (Value, Value) throws -> Value
    ) rethrows where S.Element == (key: Key, value: Value) {
        for (key, value) in sequence {
            try updateValue(self[key].map { try combine($0, value) } ?? value, forKey: key)
        }
    }

    // MARK: Thread confinement

    /// The realm of a managed map.
    public var realm: Realm? { managed.map { Realm($0.realm) } }
    /// Whether the object of the map was deleted, or its realm invalidated.
    public var isInvalidated: Bool { managed?.isInvalidated ?? false }
    /// Whether the map belongs to a frozen realm.
    public var isFrozen: Bool { managed?.realm.isFrozen ?? false }
}

/// An entry of a `Map`.
///
/// ```swift
/// for entry in club.prices where entry.value > 10 { print(entry.key) }
/// ```
public struct SingleMapEntry<Key: _MapKey, Value: RealmCollectionValue>: Hashable {
    /// The key.
    public var key: Key
    /// The value.
    public var value: Value
}

extension Map: Equatable {
    /// Whether the other map is equal; see `==`.
    public func isEqual(_ object: Any?) -> Bool { (object as? Map<Key, Value>).map { self == $0 } ?? false }

    /// Returns true if both are the same map, or have the same entries in memory.
    public static func == (left: Map<Key, Value>, right: Map<Key, Value>) -> Bool {
        if left === right { return true }
        return switch (left.storage, right.storage) {
        case (.managed(let managed), .managed(let other)): managed.isSame(as: other)
        case (.memory(let entries), .memory(let others)): entries == others
        default: false
        }
    }
}

extension Map: CopiedCollection {
    private var inKeys: [ExactName: Entry] {
        if case .memory(let entries) = storage { entries } else { Self.byKeys(entries) }
    }

    var inMemory: Any { Map(inKeys) }

    func take(_ other: Any) {
        if let other = other as? Map, other !== self { storage = .memory(other.inKeys) }
    }
}

extension Map: _Persistable {
    /// Maps are stored without conversion.
    public typealias PersistedType = Map<Key, Value>
    /// The traits of the values, in a dictionary.
    public static var _traits: _PropertyTraits { Value._traits.inside(.dictionary(.string)) }
    /// True: a property returns the same map as long as the object lives.
    public static var _isKept: Bool { true }
    /// Returns an empty map in memory.
    public static func _default() -> Map<Key, Value> { Map() }
    /// Returns the map of a property.
    public static func _read(_ object: ObjectBase, _ index: Int32) -> Map<Key, Value> {
        object.place(index).map { Map(ManagedCollection($0)) } ?? Map()
    }
    /// Replaces the entries of a property's map with those of another map.
    public static func _write(_ object: ObjectBase, _ index: Int32, _ value: Map<Key, Value>) {
        guard let place = object.place(index) else { return }
        let map = Map(ManagedCollection(place))
        guard map != value else { return }
        if let context = place.realm.creating, place.realm.updateEmbedded(value, place, context) { return }
        let entries = value.existing.entries
        if !place.realm.keepsWhatIsThere { map.removeAll() }
        for entry in entries { map.updateValue(entry.value, forKey: entry.key) }
    }
    /// Encodes the entries as a dictionary.
    public func _encoded(_ context: _WriteContext) -> _EncodedValue? {
        _EncodedValue(
            .dictionary(
                entries.map { entry in
                    NewEntry(.string(MapKeys.checked(entry.key._text)), entry.value._encoded(context)?.value ?? .null)
                }))
    }
    /// Becomes a view of the map that was written.
    public func _adopt(_ place: _AdoptedPlace) {
        guard case .memory(let entries) = storage else { return }
        let managed = ManagedCollection(place.property)
        storage = .managed(managed)
        guard managed.holdsEmbedded else { return }
        for (index, entry) in managed.entries.enumerated() {
            guard case .string(let text) = entry.key, let known = entries[ExactName(text)] else { continue }
            managed.adopt(known.value, at: index)
        }
    }
    /// Accepts maps, dictionaries of values that map values can be made from, and null.
    public static func _converted(_ any: Any) -> Map<Key, Value>? {
        if let map = any as? Map<Key, Value> { return map }
        if let entry = any as? ProbedEntry { return Value._converted(entry.value).map { Map(probe: $0) } }
        if isNull(any) { return Map() }
        guard let values = RealmObjects.anyEntries(any) else { return nil }
        var entries: [Entry] = []
        for (text, value) in values {
            guard let key = Key(_text: text), let converted = Value.made(of: value) else { return nil }
            entries.append(SingleMapEntry(key: key, value: converted))
        }
        return Map(entries)
    }
}

/// The rules for dictionary keys in a realm, which are those of MongoDB documents.
enum MapKeys {
    /// Returns the key, which is about to be written.
    ///
    /// - Precondition: the key does not begin with a dollar sign and contains no dots.
    static func checked(_ text: String) -> String {
        if text.utf8.first == UInt8(ascii: "$") { Failure.stop("Dictionary::insert: key must not start with '$'") }
        if text.utf8.contains(UInt8(ascii: ".")) { Failure.stop("Dictionary::insert: key must not contain '.'") }
        return text
    }
}

/// The value of every key in the map of a probe.
struct ProbedEntry {
    let value: ObjectBase
}

/// Returns the entries of a dictionary or map of any type; nil for other values.
func anyEntries(_ any: Any) -> [(key: String, value: Any)]? {
    (any as? [String: Any]).map { Array($0) } ?? (any as? any AnyKeyed)?.anyEntries
}

/// A `Map` of any type.
private protocol AnyKeyed {
    var anyEntries: [(key: String, value: Any)] { get }
}

extension Map: AnyKeyed {
    fileprivate var anyEntries: [(key: String, value: Any)] { entries.map { ($0.key._text, $0.value as Any) } }
}
