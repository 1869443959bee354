internal import CLibBSON
package import RealmLayout

/// A growing byte buffer that documents are written to before a destination takes them.
///
/// Room is reserved once for a value with its key, or for several values, whose pieces are then stored without further
/// checks. There are always `slack` bytes beyond the end, so that short pieces can be copied in whole words.
///
/// `GrowingBytes` of `RealmStorage`, used for hashing, is separate: it needs neither slack nor cursors, and the loops
/// here are fast because they are compiled in one module with this type.
@safe
package struct ByteBuffer: ~Copyable, @unchecked Sendable {
    /// Bytes beyond the end that stores may overwrite.
    static let slack = 32

    private var base: UnsafeMutableRawPointer
    private var capacity: Int
    /// Number of bytes.
    private(set) var count = 0

    package init(capacity: Int = 1 << 16) {
        self.capacity = capacity
        unsafe base = UnsafeMutableRawPointer.allocate(byteCount: capacity + Self.slack, alignment: 16)
    }

    deinit { unsafe base.deallocate() }

    /// Makes room for `bytes` more.
    @inline(__always)
    mutating func reserve(_ bytes: Int) {
        if bytes > capacity &- count { grow(bytes) }
    }

    @inline(never)
    private mutating func grow(_ bytes: Int) {
        let wanted = max(capacity * 2, count + bytes)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: wanted + Self.slack, alignment: 16)
        unsafe larger.copyMemory(from: base, byteCount: count)
        unsafe base.deallocate()
        unsafe base = larger
        capacity = wanted
    }

    /// Discards the bytes from `length` on. An emptied buffer that had become unusually large releases its memory.
    mutating func truncate(to length: Int = 0) {
        count = min(count, length)
        let usual = 8 << 20
        if count == 0, capacity > usual { self = ByteBuffer(capacity: 1 << 20) }
    }

    // MARK: Stores; room must have been reserved

    /// The next position.
    @inline(__always)
    private var cursor: ByteCursor {
        get { unsafe ByteCursor(base + count) }
        set { count = offset(of: newValue) }
    }

    /// Makes room for `bytes` more and returns a cursor there, which a loop over many values can keep in a register.
    /// `end(at:)` commits the stored bytes.
    @inline(__always)
    mutating func cursor(reserving bytes: Int) -> ByteCursor {
        reserve(bytes)
        return cursor
    }

    /// Makes room for `bytes` more after a cursor of this buffer.
    @inline(__always)
    mutating func renew(_ cursor: inout ByteCursor, reserving bytes: Int) {
        guard bytes > capacity &- offset(of: cursor) else { return }
        end(at: cursor)
        cursor = self.cursor(reserving: bytes)
    }

    /// The number of bytes before a cursor.
    @inline(__always)
    func offset(of cursor: ByteCursor) -> Int { unsafe cursor.next - base }

    /// Moves the end to a cursor.
    @inline(__always)
    mutating func end(at cursor: ByteCursor) { self.cursor = cursor }

    @inline(__always)
    mutating func store(_ byte: UInt8) { cursor.store(byte) }

    @inline(__always)
    mutating func store(_ word: UInt32) { cursor.store(word) }

    @inline(__always)
    mutating func store(_ word: UInt64) { cursor.store(word) }

    /// Stores the first `length` bytes, at most 8, of a little-endian word.
    @inline(__always)
    mutating func store(_ word: UInt64, length: Int) { cursor.store(word, length: length) }

    /// Stores a byte `offset` bytes beyond the end; `advance` commits it.
    @inline(__always)
    mutating func place(_ byte: UInt8, at offset: Int) { cursor.place(byte, at: offset) }

    /// Stores a little-endian word `offset` bytes beyond the end.
    @inline(__always)
    mutating func place(_ word: UInt64, at offset: Int) { cursor.place(word, at: offset) }

    /// Stores sixteen bytes `offset` bytes beyond the end.
    @inline(__always)
    mutating func place(_ bytes: SIMD16<UInt8>, at offset: Int) { cursor.place(bytes, at: offset) }

    /// Moves the end past placed bytes.
    @inline(__always)
    mutating func advance(_ bytes: Int) { count &+= bytes }

    /// Copies a prepared key, which has `slack` readable bytes after its end.
    @inline(__always)
    mutating func store(paddedKey key: ByteView) { cursor.store(paddedKey: key) }

    /// Copies a prepared key with another first byte.
    @inline(__always)
    mutating func store(paddedKey key: ByteView, firstByte: UInt8) {
        cursor.store(paddedKey: key, firstByte: firstByte)
    }

    /// Copies bytes of any length.
    @inline(__always)
    mutating func store(_ bytes: ByteView) { cursor.store(bytes) }

    /// Copies bytes if all are below 0x80. Otherwise stores nothing and returns false.
    @inline(__always)
    mutating func storeIfASCII(_ bytes: ByteView) -> Bool { cursor.storeIfASCII(bytes) }

    /// Copies text known at compile time.
    @inline(__always)
    mutating func store(_ text: StaticString) { cursor.store(text) }

    // MARK: Appends; they reserve themselves

    @inline(__always)
    package mutating func append(_ bytes: ByteView) {
        reserve(bytes.count)
        store(bytes)
    }

    package mutating func append(_ bytes: [UInt8]) {
        reserve(bytes.count)
        unsafe bytes.withUnsafeBytes { source in
            guard let start = source.baseAddress else { return }
            store(unsafe ByteView(base: start, count: source.count))
        }
    }

    /// Appends a decimal in libbson's spelling.
    package mutating func append(decimalText value: Decimal128Bits) {
        var decimal = bson_decimal128_t(low: value.low, high: value.high)
        let size = 43  // BSON_DECIMAL128_STRING
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { text in
            guard let start = text.baseAddress else { return }
            unsafe bson_decimal128_to_string(&decimal, start)
            unsafe append(String(cString: start))
        }
    }

    package mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { source in
            guard let start = source.baseAddress else { return }
            append(unsafe ByteView(base: UnsafeRawPointer(start), count: source.count))
        }
    }

    // MARK: Patches

    /// Overwrites the byte at `offset`, which must be below `count`.
    @inline(__always)
    mutating func patch(_ byte: UInt8, at offset: Int) {
        unsafe base.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
    }

    /// Overwrites the 32-bit number at `offset`, which must be at least 4 below `count`.
    @inline(__always)
    mutating func patch(_ word: UInt32, at offset: Int) {
        unsafe base.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt32.self)
    }

    /// The bytes from `offset` on, valid until the buffer changes.
    package func view(from offset: Int = 0) -> ByteView {
        unsafe ByteView(base: UnsafeRawPointer(base) + offset, count: count - offset)
    }
}
