#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A Swift type that values of a file can be had as, and that can be put into one.
///
/// ```swift
/// enum Size: Int, RealmConvertible { case small, large }
/// print(try dog.get("size", as: Size.self))
/// ```
public typealias RealmConvertible = StoredValueConvertible & NewValueConvertible

extension Timestamp {
    /// The time as Foundation has it: to about 200 nanoseconds in our years, as a `Date` is a double.
    public var date: Date {
        Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1_000_000_000)
    }

    /// The time of a date, to the nanosecond that is nearest; nil for one that is beyond all seconds of 64 bits.
    public init?(_ date: Date) {
        let time = date.timeIntervalSince1970
        let whole = time.rounded(.towardZero)
        guard let seconds = Int64(exactly: whole) else { return nil }
        let nanoseconds = Int64(((time - whole) * 1_000_000_000).rounded())
        // What rounds to a whole second is one.
        let carry = nanoseconds / 1_000_000_000
        self.init(seconds: seconds + carry, nanoseconds: nanoseconds - carry * 1_000_000_000)
    }
}

extension UUIDBytes {
    /// The UUID as Foundation has it.
    public var uuid: UUID? {
        UUID(uuid: unsafe unsafeBitCast((high.bigEndian, low.bigEndian), to: uuid_t.self))
    }

    /// The bytes of a UUID.
    public init(_ uuid: UUID) {
        let (high, low) = unsafe unsafeBitCast(uuid.uuid, to: (UInt64, UInt64).self)
        self.init(high: high.bigEndian, low: low.bigEndian)
    }
}

extension Date: StoredValueConvertible {
    /// Takes a timestamp.
    public init?(storedValue value: Value) throws(FormatError) {
        guard case .timestamp(let time) = value else { return nil }
        self = time.date
    }
}

extension Date: NewValueConvertible {
    /// A timestamp.
    ///
    /// - Throws: `notRepresentable` for a date that is beyond all seconds of 64 bits.
    public func newValue() throws(WriteError) -> NewValue {
        if let time = Timestamp(self) { return .timestamp(time) }
        throw .misfit(InvalidValue(.notRepresentable, "the date is beyond all timestamps"))
    }
}

extension UUID: StoredValueConvertible {
    /// Takes a UUID.
    public init?(storedValue value: Value) throws(FormatError) {
        guard case .uuid(let id) = value, let uuid = id.uuid else { return nil }
        self = uuid
    }
}

extension UUID: NewValueConvertible {
    /// A UUID.
    public func newValue() -> NewValue { .uuid(UUIDBytes(self)) }
}

extension Data: StoredValueConvertible {
    /// Takes binary data.
    public init?(storedValue value: Value) throws(FormatError) {
        guard case .binary(let bytes) = value else { return nil }
        self = Data(bytes)
    }
}

extension Data: NewValueConvertible {
    /// Binary data.
    public func newValue() -> NewValue { .binary(Array(self)) }
}

extension URL: StoredValueConvertible {
    /// Takes a string that is a URL.
    public init?(storedValue value: Value) throws(FormatError) {
        guard case .string(let text) = value else { return nil }
        self.init(string: text)
    }
}

extension URL: NewValueConvertible {
    /// The text of the URL.
    public func newValue() -> NewValue { .string(absoluteString) }
}

extension Decimal: StoredValueConvertible {
    /// Takes a decimal that is a number of at most 38 digits; no infinity, no NaN.
    public init?(storedValue value: Value) throws(FormatError) {
        guard case .decimal128(let number) = value else { return nil }
        self.init(string: number.description)
    }
}

extension Decimal: NewValueConvertible {
    /// A decimal.
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
