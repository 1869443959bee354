public import RealmLayout

/// A value for a property of a new object, with its exact type. Nothing is converted, so an int does not fit a double.
///
/// ```swift
/// let values: [NewValue] = [1, "x", true, .null, .float(1.5), .binary([1, 2]), ["k": 2.5]]
/// print(values.count)
/// ```
///
/// Literals represent ints, doubles, strings, bools, lists, dictionaries and null.
public enum NewValue: Sendable {
    /// Null.
    case null
    /// A 64-bit integer.
    case int(Int64)
    /// A bool.
    case bool(Bool)
    /// A string.
    case string(String)
    /// A string whose bytes are not well-formed UTF-8.
    case malformedString([UInt8])
    /// Binary data.
    case binary([UInt8])
    /// A point in time.
    case timestamp(Timestamp)
    /// An IEEE single.
    case float(Float)
    /// An IEEE double.
    case double(Double)
    /// A decimal with 34 digits.
    case decimal128(Decimal128Bits)
    /// An ObjectId.
    case objectId(ObjectID)
    /// A UUID.
    case uuid(UUIDBytes)
    /// A link to an object that was or will be added.
    case link(ObjectReference)
    /// A link to the object with this primary key, which was or will be added. Mixed values must name its class.
    indirect case primaryKeyLink(class: String?, NewValue)
    /// An embedded object.
    case embedded([String: NewValue])
    /// The elements of a list or set; duplicates in a set count once. In a Mixed, a list.
    case list([NewValue])
    /// The entries of a dictionary.
    case dictionary([NewEntry])

    /// Returns a link to the object of the property's class with this primary key.
    public static func link(primaryKey: NewValue) -> NewValue { .primaryKeyLink(class: nil, primaryKey) }

    /// Returns a link to the object of a class with this primary key.
    public static func link(_ className: String, primaryKey: NewValue) -> NewValue {
        .primaryKeyLink(class: className, primaryKey)
    }

    /// Returns a dictionary with string keys.
    public static func dictionary(_ entries: [String: NewValue]) -> NewValue {
        // The file has its own order; sorting makes errors reproducible.
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
    /// A string, malformed string or integer, according to the property; not an integer in a Mixed. Keys differ when
    /// their bytes do.
    public var key: NewValue
    /// The value.
    public var value: NewValue

    /// Creates an entry.
    public init(_ key: NewValue, _ value: NewValue) {
        self.key = key
        self.value = value
    }
}

/// Identifies an object of a new file, for links.
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
    /// The object's key; below -1 for a tombstone.
    public let key: ObjectKey

    /// Identifies an object by its key. It can be added later.
    public init(_ className: String, _ key: ObjectKey) {
        self.className = className
        self.key = key
    }
}

extension NewValue: ExpressibleByIntegerLiteral {
    /// Creates an int.
    public init(integerLiteral value: Int64) { self = .int(value) }
}

extension NewValue: ExpressibleByFloatLiteral {
    /// Creates a double.
    public init(floatLiteral value: Double) { self = .double(value) }
}

extension NewValue: ExpressibleByBooleanLiteral {
    /// Creates a bool.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension NewValue: ExpressibleByStringInterpolation {
    /// Creates a string.
    public init(stringLiteral value: String) { self = .string(value) }
}

extension NewValue: ExpressibleByNilLiteral {
    /// Creates null.
    public init(nilLiteral: ()) { self = .null }
}

extension NewValue: ExpressibleByArrayLiteral {
    /// Creates a list or set.
    public init(arrayLiteral elements: NewValue...) { self = .list(elements) }
}

extension NewValue: ExpressibleByDictionaryLiteral {
    /// Creates a dictionary.
    public init(dictionaryLiteral elements: (NewValue, NewValue)...) {
        self = .dictionary(elements.map { NewEntry($0.0, $0.1) })
    }
}
