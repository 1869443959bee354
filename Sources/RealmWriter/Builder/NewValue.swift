public import RealmLayout
public import RealmReader

/// A value for a property of a new object, with its exact type: nothing is converted, so that an int does not fit a double.
///
/// ```swift
/// let values: [NewValue] = [1, "x", true, .null, .float(1.5), .binary([1, 2]), ["k": 2.5]]
/// print(values.count)
/// ```
///
/// Literals stand for ints, doubles, strings, truth values, lists, dictionaries and null.
public enum NewValue: Sendable {
    /// No value.
    case null
    /// A 64-bit integer.
    case int(Int64)
    /// A truth value.
    case bool(Bool)
    /// Text.
    case string(String)
    /// A string whose bytes are not well-formed UTF-8.
    case malformedString([UInt8])
    /// Bytes.
    case binary([UInt8])
    /// A point in time.
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
    /// A link to an object that was added, or that will be.
    case link(ObjectReference)
    /// A link to the object with that primary key, whether it was added already or will be. Mixed values name its class.
    indirect case primaryKeyLink(class: String?, NewValue)
    /// An object that lives inside this one.
    case embedded([String: NewValue])
    /// The elements of a list or set; of a set each counts once. In a Mixed a list.
    case list([NewValue])
    /// The entries of a dictionary.
    case dictionary([NewEntry])

    /// A link to the object of the property's class that has that primary key.
    public static func link(primaryKey: NewValue) -> NewValue { .primaryKeyLink(class: nil, primaryKey) }

    /// A link to the object of a class that has that primary key.
    public static func link(_ className: String, primaryKey: NewValue) -> NewValue {
        .primaryKeyLink(class: className, primaryKey)
    }

    /// A dictionary with strings as keys.
    public static func dictionary(_ entries: [String: NewValue]) -> NewValue {
        // The order is that of the file all the same; this one makes errors the same each time.
        .dictionary(
            entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
                .map { NewEntry(.string($0.key), $0.value) })
    }
}

/// An entry of a new dictionary.
///
/// ```swift
/// let ratings = NewValue.dictionary([NewEntry("best", 5), NewEntry("worst", 1)])
/// print(ratings)
/// ```
public struct NewEntry: Sendable {
    /// A string, malformed string or integer, as the property says; in a Mixed no integer. Keys are different when their
    /// bytes are.
    public var key: NewValue
    /// The value.
    public var value: NewValue

    /// Makes an entry.
    public init(_ key: NewValue, _ value: NewValue) {
        self.key = key
        self.value = value
    }
}

/// An object of a new file: what links lead to.
///
/// ```swift
/// try await store.write { transaction in
///     let rex = try transaction.add("Dog", ["_id": 3, "name": "Rex"])
///     try transaction.set(rex, "name", "Max")
/// }
/// ```
public struct ObjectReference: Hashable, Sendable {
    /// The name of the class, or the full name of another table.
    public let className: String
    /// The object's key; that of a tombstone is below -1.
    public let key: ObjectKey

    /// Names an object by its key. It can be added later.
    public init(_ className: String, _ key: ObjectKey) {
        self.className = className
        self.key = key
    }
}

extension NewValue: ExpressibleByIntegerLiteral {
    /// An int.
    public init(integerLiteral value: Int64) { self = .int(value) }
}

extension NewValue: ExpressibleByFloatLiteral {
    /// A double.
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension NewValue: ExpressibleByBooleanLiteral {
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension NewValue: ExpressibleByStringInterpolation {
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension NewValue: ExpressibleByNilLiteral {
    /// Null.
    public init(nilLiteral: ()) { self = .null }
}

extension NewValue: ExpressibleByArrayLiteral {
    /// A list or set.
    public init(arrayLiteral elements: NewValue...) { self = .list(elements) }
}

extension NewValue: ExpressibleByDictionaryLiteral {
    /// A dictionary.
    public init(dictionaryLiteral elements: (NewValue, NewValue)...) {
        self = .dictionary(elements.map { NewEntry($0.0, $0.1) })
    }
}
