public import RealmLayout

/// A Swift type into which stored values can be converted.
///
/// The suitable types of the standard library conform, as do arrays, sets, dictionaries and optionals of them. An enum
/// with raw values needs no code of its own:
///
/// ```swift
/// enum Size: String, StoredValueConvertible { case small, large }
/// print(try dog.get("size", as: Size.self))
/// ```
public protocol StoredValueConvertible {
    /// Converts a stored value; returns nil when it is of another type or out of range.
    ///
    /// - Throws: `FormatError` when further reading is needed, as for linked objects, and fails.
    init?(storedValue value: Value) throws(FormatError)
}

extension StoredValueConvertible where Self: RawRepresentable, RawValue: StoredValueConvertible {
    /// Makes the case with that raw value; nil when there is none.
    @inlinable
    public init?(storedValue value: Value) throws(FormatError) {
        guard let raw = try RawValue(storedValue: value) else { return nil }
        self.init(rawValue: raw)
    }
}

extension StoredValueConvertible where Self: FixedWidthInteger {
    /// Converts an integer in the range of the type.
    @inlinable
    public init?(storedValue value: Value) throws(FormatError) {
        guard case .int(let number) = value else { return nil }
        self.init(exactly: number)
    }
}

extension Int: StoredValueConvertible {}
extension Int8: StoredValueConvertible {}
extension Int16: StoredValueConvertible {}
extension Int32: StoredValueConvertible {}
extension Int64: StoredValueConvertible {}
extension UInt: StoredValueConvertible {}
extension UInt8: StoredValueConvertible {}
extension UInt16: StoredValueConvertible {}
extension UInt32: StoredValueConvertible {}
extension UInt64: StoredValueConvertible {}

extension Bool: StoredValueConvertible {
    /// Converts a truth value.
    @inlinable
    public init?(storedValue value: Value) throws(FormatError) {
        guard case .bool(let truth) = value else { return nil }
        self = truth
    }
}

extension Float: StoredValueConvertible {
    /// Converts a float.
    @inlinable
    public init?(storedValue value: Value) throws(FormatError) {
        guard case .float(let number) = value else { return nil }
        self = number
    }
}

extension Double: StoredValueConvertible {
    /// Converts a double, or a float, which is widened.
    @inlinable
    public init?(storedValue value: Value) throws(FormatError) {
        switch value {
        case .double(let number): self = number
        case .float(let number): self = Double(number)
        default: return nil
        }
    }
}

extension String: StoredValueConvertible {
    /// Converts a string that is well-formed UTF-8.
    @inlinable
    public init?(storedValue value: Value) throws(FormatError) {
        guard case .string(let text) = value else { return nil }
        self = text
    }
}

extension Timestamp: StoredValueConvertible {
    /// Converts a timestamp.
    @inlinable
    public init?(storedValue value: Value) throws(FormatError) {
        guard case .timestamp(let time) = value else { return nil }
        self = time
    }
}

extension ObjectID: StoredValueConvertible {
    /// Converts an ObjectId.
    @inlinable
    public init?(storedValue value: Value) throws(FormatError) {
        guard case .objectId(let id) = value else { return nil }
        self = id
    }
}

extension UUIDBytes: StoredValueConvertible {
    /// Converts a UUID.
    @inlinable
    public init?(storedValue value: Value) throws(FormatError) {
        guard case .uuid(let id) = value else { return nil }
        self = id
    }
}

extension Decimal128Bits: StoredValueConvertible {
    /// Converts a decimal.
    @inlinable
    public init?(storedValue value: Value) throws(FormatError) {
        guard case .decimal128(let number) = value else { return nil }
        self = number
    }
}

extension Value: StoredValueConvertible {
    /// Accepts every value unchanged.
    @inlinable
    public init?(storedValue value: Value) throws(FormatError) { self = value }
}

extension Link: StoredValueConvertible {
    /// Converts a link, without following it.
    @inlinable
    public init?(storedValue value: Value) throws(FormatError) {
        guard case .link(let link) = value else { return nil }
        self = link
    }
}

extension StoredObject: StoredValueConvertible {
    /// Converts an embedded object, or the target of a link; not a tombstone.
    @inlinable
    public init?(storedValue value: Value) throws(FormatError) {
        switch value {
        case .embedded(let object): self = object
        case .link(let link):
            guard let object = try link.object() else { return nil }
            self = object
        default: return nil
        }
    }
}

extension Optional: StoredValueConvertible where Wrapped: StoredValueConvertible {
    /// Converts null, and the values that the wrapped type accepts.
    @inlinable
    public init?(storedValue value: Value) throws(FormatError) {
        if case .null = value {
            self = .none
            return
        }
        guard let wrapped = try Wrapped(storedValue: value) else { return nil }
        self = wrapped
    }
}

extension Array: StoredValueConvertible where Element: StoredValueConvertible {
    /// Converts a list or a set, in file order; for `UInt8`, also binary data.
    @inlinable
    public init?(storedValue value: Value) throws(FormatError) {
        switch value {
        case .binary(let bytes):
            guard let bytes = bytes as? [Element] else { return nil }
            self = bytes
        case .list(let values), .set(let values):
            self = []
            reserveCapacity(values.count)
            for value in values {
                guard let element = try Element(storedValue: value) else { return nil }
                append(element)
            }
        default: return nil
        }
    }
}

extension Set: StoredValueConvertible where Element: StoredValueConvertible {
    /// Converts a set.
    @inlinable
    public init?(storedValue value: Value) throws(FormatError) {
        guard case .set(let values) = value else { return nil }
        self.init(minimumCapacity: values.count)
        for value in values {
            guard let element = try Element(storedValue: value) else { return nil }
            insert(element)
        }
    }
}

extension Dictionary: StoredValueConvertible where Key: StoredValueConvertible, Value: StoredValueConvertible {
    /// Converts a dictionary.
    @inlinable
    public init?(storedValue value: RealmCore.Value) throws(FormatError) {
        guard case .dictionary(let entries) = value else { return nil }
        self.init(minimumCapacity: entries.count)
        for entry in entries {
            guard let key = try Key(storedValue: entry.key), let value = try Value(storedValue: entry.value) else {
                return nil
            }
            self[key] = value
        }
    }
}
