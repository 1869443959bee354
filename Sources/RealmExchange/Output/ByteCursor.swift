internal import RealmLayout

/// A position in a `ByteBuffer` for consecutive stores. The creator has reserved room for all of them and
/// `ByteBuffer.slack` bytes more, which stores may overwrite, so that short pieces can be copied in whole words.
@safe
struct ByteCursor {
    /// The next position.
    private(set) var next: UnsafeMutableRawPointer

    /// Creates a cursor at an address that the caller owns.
    @inline(__always)
    @unsafe
    init(_ next: UnsafeMutableRawPointer) { unsafe self.next = unsafe next }

    @inline(__always)
    mutating func store(_ byte: UInt8) {
        unsafe next.storeBytes(of: byte, as: UInt8.self)
        advance(1)
    }

    @inline(__always)
    mutating func store(_ word: UInt32) {
        unsafe next.storeBytes(of: word.littleEndian, as: UInt32.self)
        advance(4)
    }

    @inline(__always)
    mutating func store(_ word: UInt64) {
        unsafe next.storeBytes(of: word.littleEndian, as: UInt64.self)
        advance(8)
    }

    /// Stores the first `length` bytes, at most 8, of a little-endian word.
    @inline(__always)
    mutating func store(_ word: UInt64, length: Int) {
        unsafe next.storeBytes(of: word.littleEndian, as: UInt64.self)
        advance(length)
    }

    // MARK: Stores ahead; `advance` steps over them

    /// Stores a byte `offset` bytes ahead.
    @inline(__always)
    mutating func place(_ byte: UInt8, at offset: Int) {
        unsafe next.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
    }

    /// Stores a little-endian word `offset` bytes ahead.
    @inline(__always)
    mutating func place(_ word: UInt64, at offset: Int) {
        unsafe next.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt64.self)
    }

    /// Stores sixteen bytes `offset` bytes ahead.
    @inline(__always)
    mutating func place(_ bytes: SIMD16<UInt8>, at offset: Int) {
        unsafe next.storeBytes(of: bytes, toByteOffset: offset, as: SIMD16<UInt8>.self)
    }

    /// Stores 64 bytes `offset` bytes ahead.
    @inline(__always)
    mutating func place(_ bytes: SIMD64<UInt8>, at offset: Int) {
        unsafe next.storeBytes(of: bytes, toByteOffset: offset, as: SIMD64<UInt8>.self)
    }

    /// Advances past placed bytes.
    @inline(__always)
    mutating func advance(_ bytes: Int) { unsafe next += bytes }

    // MARK: Copies

    /// Copies a prepared key, which has `slack` readable bytes after its end.
    @inline(__always)
    mutating func store(paddedKey key: ByteView) {
        place(paddedKey: key)
        advance(key.count)
    }

    /// Places a prepared key without advancing.
    @inline(__always)
    mutating func place(paddedKey key: ByteView) {
        place(key.vector(unchecked: 0), at: 0)
        if key.count > 16 { placeRest(of: key) }
    }

    /// Copies a prepared key with another first byte.
    @inline(__always)
    mutating func store(paddedKey key: ByteView, firstByte: UInt8) {
        place(key.vector(unchecked: 0), at: 0)
        place(firstByte, at: 0)
        if key.count > 16 { placeRest(of: key) }
        advance(key.count)
    }

    /// Copies the part of a key beyond its first 16 bytes.
    @inline(__always)
    private mutating func placeRest(of key: ByteView) {
        place(key.vector(unchecked: 16), at: 16)
        if key.count > 32 { unsafe Self.copyEnd(of: key, to: next) }
    }

    @inline(never)
    @unsafe
    private static func copyEnd(of key: ByteView, to target: UnsafeMutableRawPointer) {
        unsafe (target + 32).copyMemory(from: key.base + 32, byteCount: key.count &- 32)
    }

    /// Copies bytes of any length.
    @inline(__always)
    mutating func store(_ bytes: ByteView) {
        let length = bytes.count
        let target = unsafe next
        advance(length)
        if length >= 16 {
            if length <= 32 {
                unsafe target.storeBytes(of: bytes.base.loadUnaligned(as: SIMD16<UInt8>.self), as: SIMD16<UInt8>.self)
                unsafe target.storeBytes(
                    of: bytes.base.loadUnaligned(fromByteOffset: length &- 16, as: SIMD16<UInt8>.self),
                    toByteOffset: length &- 16, as: SIMD16<UInt8>.self)
            } else if length <= 64 {
                unsafe target.storeBytes(of: bytes.base.loadUnaligned(as: SIMD32<UInt8>.self), as: SIMD32<UInt8>.self)
                unsafe target.storeBytes(
                    of: bytes.base.loadUnaligned(fromByteOffset: length &- 32, as: SIMD32<UInt8>.self),
                    toByteOffset: length &- 32, as: SIMD32<UInt8>.self)
            } else {
                unsafe target.copyMemory(from: bytes.base, byteCount: length)
            }
        } else if length >= 8 {
            unsafe target.storeBytes(of: bytes.base.loadUnaligned(as: UInt64.self), as: UInt64.self)
            unsafe target.storeBytes(
                of: bytes.base.loadUnaligned(fromByteOffset: length &- 8, as: UInt64.self),
                toByteOffset: length &- 8, as: UInt64.self)
        } else if length >= 4 {
            unsafe target.storeBytes(of: bytes.base.loadUnaligned(as: UInt32.self), as: UInt32.self)
            unsafe target.storeBytes(
                of: bytes.base.loadUnaligned(fromByteOffset: length &- 4, as: UInt32.self),
                toByteOffset: length &- 4, as: UInt32.self)
        } else {
            var offset = 0
            while offset < length {
                unsafe target.storeBytes(
                    of: bytes.base.load(fromByteOffset: offset, as: UInt8.self), toByteOffset: offset, as: UInt8.self)
                offset &+= 1
            }
        }
    }

    /// Copies bytes if all are below 0x80. Otherwise stores nothing and returns false.
    @inline(__always)
    mutating func storeIfASCII(_ bytes: ByteView) -> Bool {
        let length = bytes.count
        let target = unsafe next
        let high: UInt64 = 0x8080_8080_8080_8080
        if length > 16 {
            guard bytes.isASCII else { return false }
            store(bytes)
            return true
        }
        if length >= 8 {
            let first = bytes.uint64(unchecked: 0)
            let last = bytes.uint64(unchecked: length &- 8)
            guard (first | last) & high == 0 else { return false }
            unsafe target.storeBytes(of: first, as: UInt64.self)
            unsafe target.storeBytes(of: last, toByteOffset: length &- 8, as: UInt64.self)
        } else if length >= 4 {
            let first = bytes.uint32(unchecked: 0)
            let last = bytes.uint32(unchecked: length &- 4)
            guard UInt64(first | last) & high == 0 else { return false }
            unsafe target.storeBytes(of: first, as: UInt32.self)
            unsafe target.storeBytes(of: last, toByteOffset: length &- 4, as: UInt32.self)
        } else if length > 0 {
            // For one to three bytes, the first, middle and last cover all.
            let first = bytes.byte(unchecked: 0)
            let middle = bytes.byte(unchecked: length &>> 1)
            let last = bytes.byte(unchecked: length &- 1)
            guard (first | middle | last) < 0x80 else { return false }
            unsafe target.storeBytes(of: first, as: UInt8.self)
            unsafe target.storeBytes(of: middle, toByteOffset: length &>> 1, as: UInt8.self)
            unsafe target.storeBytes(of: last, toByteOffset: length &- 1, as: UInt8.self)
        }
        advance(length)
        return true
    }

    /// Copies text known at compile time.
    @inline(__always)
    mutating func store(_ text: StaticString) {
        let length = text.utf8CodeUnitCount
        unsafe next.copyMemory(from: text.utf8Start, byteCount: length)
        advance(length)
    }
}

// Conversions between byte vector types that are distinct in the standard library but identical to the processor.
extension ByteBuffer {
    @inline(__always)
    static func bytes(_ words: SIMD2<UInt64>) -> SIMD16<UInt8> {
        unsafe unsafeBitCast(SIMD2(words.x.littleEndian, words.y.littleEndian), to: SIMD16<UInt8>.self)
    }

    @inline(__always)
    static func signed(_ bytes: SIMD16<UInt8>) -> SIMD16<Int8> {
        unsafe unsafeBitCast(bytes, to: SIMD16<Int8>.self)
    }

    /// 0xFF for true, 0 for false.
    @inline(__always)
    static func mask(_ mask: SIMDMask<SIMD16<Int8>>) -> SIMD16<UInt8> {
        unsafe unsafeBitCast(mask, to: SIMD16<UInt8>.self)
    }

    @inline(__always)
    static func isZero(_ bytes: SIMD16<UInt8>) -> Bool {
        let words = unsafe unsafeBitCast(bytes, to: SIMD2<UInt64>.self)
        return words.x | words.y == 0
    }
}
