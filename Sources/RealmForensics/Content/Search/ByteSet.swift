/// A set of bytes.
package struct ByteSet: Equatable, Sendable {
    private var words = SIMD4<UInt64>()

    package init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { insert(byte) }
    }

    package init(_ characters: String) { self.init(characters.utf8) }

    package mutating func insert(_ byte: UInt8) { words[Int(byte &>> 6)] |= 1 &<< UInt64(byte & 63) }

    package func contains(_ byte: UInt8) -> Bool { words[Int(byte &>> 6)] &>> UInt64(byte & 63) & 1 != 0 }

    /// Whether there is a byte in both sets.
    package func overlaps(_ other: ByteSet) -> Bool { words & other.words != SIMD4() }

    static let digits = ByteSet("0123456789")
}
