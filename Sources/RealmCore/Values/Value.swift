public import RealmLayout

/// A value of a property, or an element of a collection, with its exact type.
///
/// ```swift
/// switch try person["name"] {
/// case .string(let name): print(name)
/// case .null: print("without a name")
/// case let other: print("not a string:", other)
/// }
/// ```
///
/// Values are equal when they are stored identically: strings byte by byte, floating-point numbers bit by bit.
public enum Value: Sendable {
    /// No value.
    case null
    /// A 64-bit integer; every integer type of the SDKs.
    case int(Int64)
    /// A truth value.
    case bool(Bool)
    /// Text.
    case string(String)
    /// A string whose bytes are not well-formed UTF-8, unchanged.
    case malformedString([UInt8])
    /// Bytes.
    case binary([UInt8])
    /// A point in time, to the nanosecond.
    case timestamp(Timestamp)
    /// An IEEE single.
    case float(Float)
    /// An IEEE double.
    case double(Double)
    /// A decimal of 34 digits.
    case decimal128(Decimal128Bits)
    /// An ObjectId.
    case objectId(ObjectID)
    /// A UUID.
    case uuid(UUIDBytes)
    /// A link to a top-level object, or to a tombstone.
    case link(Link)
    /// An embedded object, owned by this one.
    case embedded(StoredObject)
    /// A list.
    case list([Value])
    /// A set, in file order.
    case set([Value])
    /// A dictionary, in file order.
    case dictionary([DictionaryEntry])
}

/// A key of a dictionary and its value.
///
/// ```swift
/// if case .dictionary(let entries) = try person["ratings"] {
///     for entry in entries { print(entry.key, entry.value) }
/// }
/// ```
public struct DictionaryEntry: Hashable, Sendable {
    /// A string, malformed string, or integer.
    public let key: Value
    /// The value.
    public let value: Value

    /// Makes an entry.
    public init(key: Value, value: Value) {
        self.key = key
        self.value = value
    }
}

/// A link: the identity of its target, without following it.
///
/// ```swift
/// if case .link(let link) = try person["best"], let dog = try link.object() { print(dog) }
/// ```
public struct Link: Sendable {
    private let target: LinkResolver
    /// The key of the object; less than -1 for a tombstone.
    public let objectKey: ObjectKey

    init(_ target: LinkResolver, _ objectKey: ObjectKey) {
        self.target = target
        self.objectKey = objectKey
    }

    package init(table: Table, objectKey: ObjectKey) { self.init(LinkResolver(table), objectKey) }

    /// The table of the object.
    public var table: Table { target.table }

    /// Whether the object does not exist (yet, or any more).
    public var isUnresolved: Bool { objectKey.isUnresolved }

    /// Returns the linked object; nil for a tombstone.
    ///
    /// - Throws: `noSuchObject` when the file has no object with that key, and errors from reading.
    public func object() throws(FormatError) -> StoredObject? {
        guard !isUnresolved else { return nil }
        guard let object = try target.object(objectKey) else {
            throw FormatError(.noSuchObject, "a link leads to the object \(objectKey), which does not exist")
                .at(table: table.schema.tableName)
        }
        return object
    }

    /// Returns the primary key of the linked object, or of the tombstone; nil when the class has none or the object
    /// does not exist.
    public func primaryKey() throws(FormatError) -> Value? {
        let found = isUnresolved ? try table.tombstone(objectKey) : try target.object(objectKey)
        return try found?.primaryKey
    }
}
