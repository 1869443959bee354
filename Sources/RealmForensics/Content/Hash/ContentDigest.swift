internal import RealmLayout

/// A SHA-256 digest of content.
///
/// ```swift
/// print(try snapshot.contentHash().total == database.snapshot(.otherSlot).contentHash().total)
/// ```
public struct ContentDigest: Hashable, Sendable, CustomStringConvertible {
    /// The 32 bytes.
    public let bytes: [UInt8]

    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// 64 hexadecimal digits.
    public var description: String { Hexadecimal.text(bytes) }
}
