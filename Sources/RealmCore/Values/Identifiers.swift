package import RealmLayout

/// The 12 bytes of an ObjectId.
///
/// ```swift
/// print(ObjectID("507f1f77bcf86cd799439011")?.bytes ?? [])
/// ```
public struct ObjectID: Hashable, Sendable, CustomStringConvertible {
    /// The first eight bytes and the last four, in big-endian order; stored inline, without heap memory.
    package let high: UInt64
    package let low: UInt32

    package init(high: UInt64, low: UInt32) { (self.high, self.low) = (high, low) }

    /// - Parameter bytes: 12 bytes.
    package init(_ bytes: ByteView) {
        self.init(high: bytes.uint64(unchecked: 0).byteSwapped, low: bytes.uint32(unchecked: 8).byteSwapped)
    }

    /// Makes an ObjectId from 12 bytes; nil for any other number.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 12 else { return nil }
        self = ByteView.with(bytes) { Self($0) }
    }

    /// Makes an ObjectId from 24 hexadecimal digits; nil for other text.
    public init?(_ text: String) {
        guard let bytes = Hexadecimal.bytes(text.utf8) else { return nil }
        self.init(bytes)
    }

    /// The bytes in the order of the text.
    public var bytes: [UInt8] { withBytes { $0.bytes } }

    /// Calls `body` with a view of the bytes that is valid during the call only.
    package func withBytes<R>(_ body: (ByteView) -> R) -> R {
        unsafe withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { words in
            guard let base = words.baseAddress else { return body(.empty) }
            return unsafe body(ByteView(base: base, count: 12))
        }
    }

    /// 24 hexadecimal digits.
    public var description: String { Hexadecimal.text(bytes) }
}

/// The 16 bytes of a UUID.
///
/// ```swift
/// print(UUIDBytes(UUID()))
/// ```
public struct UUIDBytes: Hashable, Sendable, CustomStringConvertible {
    /// The first eight bytes and the last eight, in big-endian order.
    package let high: UInt64
    package let low: UInt64

    package init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// - Parameter bytes: 16 bytes.
    package init(_ bytes: ByteView) {
        self.init(high: bytes.uint64(unchecked: 0).byteSwapped, low: bytes.uint64(unchecked: 8).byteSwapped)
    }

    /// Makes a UUID from 16 bytes; nil for any other number.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self = ByteView.with(bytes) { Self($0) }
    }

    /// Makes a UUID from its usual text, five groups of hexadecimal digits; nil for other text.
    public init?(_ text: String) {
        guard let bytes = Hexadecimal.uuidBytes(text.utf8) else { return nil }
        self.init(bytes)
    }

    /// The bytes in the order of the text.
    public var bytes: [UInt8] { withBytes { $0.bytes } }

    /// Calls `body` with a view of the bytes that is valid during the call only.
    package func withBytes<R>(_ body: (ByteView) -> R) -> R {
        unsafe withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { words in
            guard let base = words.baseAddress else { return body(.empty) }
            return unsafe body(ByteView(base: base, count: 16))
        }
    }

    /// The usual form of five groups of lowercase hexadecimal digits.
    public var description: String { Hexadecimal.uuidText(bytes) }
}
