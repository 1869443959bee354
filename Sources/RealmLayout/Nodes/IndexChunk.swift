/// The four-byte chunks into which search indexes split values (Spec 80).
@usableFromInline
package enum IndexChunk {
    /// The chunk that follows a full last chunk.
    package static var end: Int32 { 0x5800_0000 }

    /// The chunk at a position: the bytes, then an X, then zeros; 0 past the end and for null.
    ///
    /// - Parameters:
    ///   - count: the number of bytes of the value; nil for null.
    ///   - byte: the byte at an offset below `count`.
    @inlinable
    package static func at(_ position: Int, of count: Int?, _ byte: (Int) -> UInt8) -> Int32 {
        guard let count, position * 4 <= count else { return 0 }
        var bits: UInt32 = 0
        for index in (position * 4)..<(position * 4 + 4) {
            let next = index < count ? byte(index) : index == count ? UInt8(ascii: "X") : 0
            bits = bits << 8 | UInt32(next)
        }
        return Int32(bitPattern: bits)
    }

    /// The chunk at a position of bytes in memory; 0 for null.
    @inlinable @inline(__always)
    package static func at(_ position: Int, of bytes: ByteView?) -> Int32 {
        let start = position &* 4
        guard let bytes, start <= bytes.count else { return 0 }
        let left = bytes.count &- start
        if left >= 4 { return Int32(bitPattern: bytes.uint32(unchecked: start).byteSwapped) }
        let word = bytes.slice(unchecked: start, count: left).shortWord
        let end = UInt64(UInt8(ascii: "X")) &<< UInt64(truncatingIfNeeded: 8 &* left)
        return Int32(bitPattern: UInt32(truncatingIfNeeded: word | end).byteSwapped)
    }
}
