public import RealmLayout

/// A Swift type whose values can be stored in a file: the counterpart of `StoredValueConvertible`.
///
/// Suitable types of the standard library conform, as do arrays, sets, dictionaries and optionals of them, and values
/// read from a file. Each type maps to one stored type: integers of every width to int, `Double` to double. An enum
/// with raw values needs no code of its own:
///
/// ```swift
/// enum Size: String, NewValueConvertible { case small, large }
/// let builder = try RealmBuilder(schema, at: NewFile("new.realm"))
/// let (name, age, size) = ("Rex", UInt8(3), Size.large)
/// try builder.add("Dog", ["name": name, "age": age, "size": size])
/// ```
public protocol NewValueConvertible {
    /// Returns the value for a file.
    ///
    /// - Throws: `WriteError.misfit` when the value cannot be represented, `WriteError.source` when its source file is
    ///   damaged.
    func newValue() throws(WriteError) -> NewValue
}

extension NewValueConvertible where Self: RawRepresentable, RawValue: NewValueConvertible {
    /// Returns the raw value.
    public func newValue() throws(WriteError) -> NewValue { try rawValue.newValue() }
}

extension NewValueConvertible where Self: FixedWidthInteger {
    /// Returns an int.
    ///
    /// - Throws: `notRepresentable` beyond signed 64 bits.
    public func newValue() throws(WriteError) -> NewValue {
        guard let number = Int64(exactly: self) else {
            throw .misfit(InvalidValue(.notRepresentable, "\(self) is more than an int of 64 bits holds"))
        }
        return .int(number)
    }
}

extension Int: NewValueConvertible {}
extension Int8: NewValueConvertible {}
extension Int16: NewValueConvertible {}
extension Int32: NewValueConvertible {}
extension Int64: NewValueConvertible {}
extension UInt: NewValueConvertible {}
extension UInt8: NewValueConvertible {}
extension UInt16: NewValueConvertible {}
extension UInt32: NewValueConvertible {}
extension UInt64: NewValueConvertible {}

extension Bool: NewValueConvertible {
    /// Returns a bool.
    public func newValue() -> NewValue { .bool(self) }
}

extension Float: NewValueConvertible {
    /// Returns a float.
    public func newValue() -> NewValue { .float(self) }
}

extension Double: NewValueConvertible {
    /// Returns a double.
    public func newValue() -> NewValue { .double(self) }
}

extension String: NewValueConvertible {
    /// Returns a string.
    public func newValue() -> NewValue { .string(self) }
}

extension Substring: NewValueConvertible {
    /// Returns a string.
    public func newValue() -> NewValue { .string(String(self)) }
}

extension Timestamp: NewValueConvertible {
    /// Returns a timestamp.
    public func newValue() -> NewValue { .timestamp(self) }
}

extension ObjectID: NewValueConvertible {
    /// Returns an ObjectId.
    public func newValue() -> NewValue { .objectId(self) }
}

extension UUIDBytes: NewValueConvertible {
    /// Returns a UUID.
    public func newValue() -> NewValue { .uuid(self) }
}

extension Decimal128Bits: NewValueConvertible {
    /// Returns a decimal.
    public func newValue() -> NewValue { .decimal128(self) }
}

extension NewValue: NewValueConvertible {
    /// Returns the value itself.
    public func newValue() -> NewValue { self }
}

extension ObjectReference: NewValueConvertible {
    /// Returns a link to the object.
    public func newValue() -> NewValue { .link(self) }
}

extension Optional: NewValueConvertible where Wrapped: NewValueConvertible {
    /// Returns the value, or null.
    public func newValue() throws(WriteError) -> NewValue {
        guard let value = self else { return .null }
        return try value.newValue()
    }
}

extension Array: NewValueConvertible where Element: NewValueConvertible {
    /// Returns a list or set; binary data for arrays of `UInt8`.
    public func newValue() throws(WriteError) -> NewValue {
        if let bytes = self as? [UInt8] { return .binary(bytes) }
        return try .elements(self)
    }
}

extension Set: NewValueConvertible where Element: NewValueConvertible {
    /// Returns a set.
    public func newValue() throws(WriteError) -> NewValue { try .elements(self) }
}

extension Dictionary: NewValueConvertible where Key: NewValueConvertible, Value: NewValueConvertible {
    /// Returns a dictionary.
    public func newValue() throws(WriteError) -> NewValue {
        var entries: [NewEntry] = []
        for (key, value) in self {
            let newKey = try key.newValue()
            do throws(WriteError) {
                entries.append(NewEntry(newKey, try value.newValue()))
            } catch {
                throw error.inside("[\(newKey.text)]")
            }
        }
        // The file has its own order; sorting makes errors reproducible.
        return .dictionary(entries.sorted { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) })
    }
}

extension NewValue {
    /// Returns a list of the converted elements.
    fileprivate static func elements(_ elements: some Collection<some NewValueConvertible>) throws(WriteError)
        -> NewValue
    {
        var values: [NewValue] = []
        values.reserveCapacity(elements.count)
        for element in elements {
            do throws(WriteError) { values.append(try element.newValue()) } catch {
                throw error.inside("[\(values.count)]")
            }
        }
        return .list(values)
    }
}

extension WriteError {
    /// Returns the error with its path extended by the surrounding object or collection.
    package func inside(_ component: String) -> WriteError {
        switch self {
        case .misfit(let misfit): .misfit(misfit.inside(component))
        default: self
        }
    }
}
