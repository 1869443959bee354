public import RealmLayout
public import RealmReader

/// A Swift type whose values can be put into a file: the other side of `StoredValueConvertible`.
///
/// The types of the standard library that fit conform, and so do arrays, sets, dictionaries and optionals of them, and what is read
/// from a file. Each becomes a value of one type: integers of every width an int, a `Double` a double. An enum with raw values needs
/// no code of its own:
///
/// ```swift
/// enum Size: String, NewValueConvertible { case small, large }
/// let builder = try RealmBuilder(schema, at: NewFile("new.realm"))
/// let (name, age, size) = ("Rex", UInt8(3), Size.large)
/// try builder.add("Dog", ["name": name, "age": age, "size": size])
/// ```
public protocol NewValueConvertible {
    /// The value for a file.
    ///
    /// - Throws: `WriteError.misfit` when there is no such value, `WriteError.source` when what it is read from is damaged.
    func newValue() throws(WriteError) -> NewValue
}

extension NewValueConvertible where Self: RawRepresentable, RawValue: NewValueConvertible {
    /// The raw value.
    public func newValue() throws(WriteError) -> NewValue { try rawValue.newValue() }
}

extension NewValueConvertible where Self: FixedWidthInteger {
    /// An int.
    ///
    /// - Throws: `notRepresentable` beyond 64 bits with a sign.
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
    /// A truth value.
    public func newValue() -> NewValue { .bool(self) }
}

extension Float: NewValueConvertible {
    /// A float.
    public func newValue() -> NewValue { .float(self) }
}

extension Double: NewValueConvertible {
    /// A double.
    public func newValue() -> NewValue { .double(self) }
}

extension String: NewValueConvertible {
    /// A string.
    public func newValue() -> NewValue { .string(self) }
}

extension Substring: NewValueConvertible {
    /// A string.
    public func newValue() -> NewValue { .string(String(self)) }
}

extension Timestamp: NewValueConvertible {
    /// A timestamp.
    public func newValue() -> NewValue { .timestamp(self) }
}

extension ObjectID: NewValueConvertible {
    /// An ObjectId.
    public func newValue() -> NewValue { .objectId(self) }
}

extension UUIDBytes: NewValueConvertible {
    /// A UUID.
    public func newValue() -> NewValue { .uuid(self) }
}

extension Decimal128Bits: NewValueConvertible {
    /// A decimal.
    public func newValue() -> NewValue { .decimal128(self) }
}

extension NewValue: NewValueConvertible {
    /// The value itself.
    public func newValue() -> NewValue { self }
}

extension ObjectReference: NewValueConvertible {
    /// A link to the object.
    public func newValue() -> NewValue { .link(self) }
}

extension Optional: NewValueConvertible where Wrapped: NewValueConvertible {
    /// The value, or null.
    public func newValue() throws(WriteError) -> NewValue {
        guard let value = self else { return .null }
        return try value.newValue()
    }
}

extension Array: NewValueConvertible where Element: NewValueConvertible {
    /// A list or set; of `UInt8` binary data.
    public func newValue() throws(WriteError) -> NewValue {
        if let bytes = self as? [UInt8] { return .binary(bytes) }
        return try .elements(self)
    }
}

extension Set: NewValueConvertible where Element: NewValueConvertible {
    /// A set.
    public func newValue() throws(WriteError) -> NewValue { try .elements(self) }
}

extension Dictionary: NewValueConvertible where Key: NewValueConvertible, Value: NewValueConvertible {
    /// A dictionary.
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
        // The order is that of the file all the same; this one makes errors the same each time.
        return .dictionary(entries.sorted { $0.key.text.utf8.lexicographicallyPrecedes($1.key.text.utf8) })
    }
}

extension NewValue {
    /// A list of what elements are.
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
    /// The same error as seen from the object or collection around the value: with a longer path.
    package func inside(_ component: String) -> WriteError {
        switch self {
        case .misfit(let misfit): .misfit(misfit.inside(component))
        default: self
        }
    }
}
