internal import RealmLayout

/// A SHA-256 of content.
public struct ContentDigest: Hashable, Sendable, CustomStringConvertible {
    /// The 32 bytes.
    public let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// 64 hexadecimal digits.
    public var description: String { Hexadecimal.text(bytes) }
}
