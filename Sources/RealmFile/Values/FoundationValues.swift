#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A Swift type that stored values can be converted to and from.
///
/// ```swift
/// enum Size: Int, RealmConvertible { case small, large }
/// print(try dog.get("size", as: Size.self))
/// ```
public typealias RealmConvertible = StoredValueConvertible & NewValueConvertible

extension Timestamp {
    /// The time as a `Date`, which is a double: precise to about 200 nanoseconds for present-day dates.
    public var date: Date {
        Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1_000_000_000)
    }

    /// Creates a timestamp from a date, rounded to the nearest nanosecond; nil if its seconds exceed 64 bits.
    public init?(_ date: Date) {
        let time = date.timeIntervalSince1970
        let whole = time.rounded(.towardZero)
        guard let seconds = Int64(exactly: whole) else { return nil }
        let nanoseconds = Int64(((time - whole) * 1_000_000_000).rounded())
        // Rounding may have reached a whole second.
        let carry = nanoseconds / 1_000_000_000
        self.init(seconds: seconds + carry, nanoseconds: nanoseconds - carry * 1_000_000_000)
    }
}

extension UUIDBytes {
    /// The UUID as Foundation's type.
    public var uuid: UUID? {
        UUID(uuid: unsafe unsafeBitCast((high.bigEndian, low.bigEndian), to: uuid_t.self))
    }

    /// Creates the bytes from Foundation's UUID.
    public init(_ uuid: UUID) {
        let (high, low) = unsafe unsafeBitCast(uuid.uuid, to: (UInt64, UInt64).self)
        self.init(high: high.bigEndian, low: low.bigEndian)
    }
}

extension Date: StoredValueConvertible {
    /// Converts from a timestamp.
    public init?(storedValue value: Value) throws(FormatError) {
        guard case .timestamp(let time) = value else { return nil }
        self = time.date
    }
}

extension Date: NewValueConvertible {
    /// Converts to a timestamp.
    ///
    /// - Throws: `notRepresentable` if the seconds of the date exceed 64 bits.
    public func newValue() throws(WriteError) -> NewValue {
        if let time = Timestamp(self) { return .timestamp(time) }
        throw .misfit(InvalidValue(.notRepresentable, "the date is beyond all timestamps"))
    }
}

extension UUID: StoredValueConvertible {
    /// Converts from a UUID.
    public init?(storedValue value: Value) throws(FormatError) {
        guard case .uuid(let id) = value, let uuid = id.uuid else { return nil }
        self = uuid
    }
}

extension UUID: NewValueConvertible {
    /// Converts to a UUID.
    public func newValue() -> NewValue { .uuid(UUIDBytes(self)) }
}

extension Data: StoredValueConvertible {
    /// Converts from binary data.
    public init?(storedValue value: Value) throws(FormatError) {
        guard case .binary(let bytes) = value else { return nil }
        self = Data(bytes)
    }
}

extension Data: NewValueConvertible {
    /// Converts to binary data.
    public func newValue() -> NewValue { .binary(Array(self)) }
}

extension URL: StoredValueConvertible {
    /// Converts from a string that is a URL.
    public init?(storedValue value: Value) throws(FormatError) {
        guard case .string(let text) = value else { return nil }
        self.init(string: text)
    }
}

extension URL: NewValueConvertible {
    /// Converts to the text of the URL.
    public func newValue() -> NewValue { .string(absoluteString) }
}

extension Decimal: StoredValueConvertible {
    /// Converts from a decimal of at most 38 digits that is neither infinite nor NaN.
    public init?(storedValue value: Value) throws(FormatError) {
        guard case .decimal128(let number) = value else { return nil }
        self.init(string: number.description)
    }
}

extension Decimal: NewValueConvertible {
    /// Converts to a decimal.
    ///
    /// - Throws: `notRepresentable` for a number of more than 34 digits.
    public func newValue() throws(WriteError) -> NewValue {
        if let number = Decimal128Bits(description) { return .decimal128(number) }
        throw .misfit(InvalidValue(.notRepresentable, "\(self) has more than the 34 digits of a decimal128"))
    }
}

extension RealmDatabase {
    /// Opens the file at a file URL.
    ///
    /// - Throws: as `init(path:)` and `init(path:key:decryptedLimit:)`.
    public convenience init(url: URL, key: EncryptionKey? = nil) throws {
        if let key { try self.init(path: url.path, key: key) } else { try self.init(path: url.path) }
    }
}
