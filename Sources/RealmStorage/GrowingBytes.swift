package import RealmLayout
internal import RealmSystem

/// A byte buffer that grows at the end, in which data is assembled for hashing or comparing.
@safe
package struct GrowingBytes: ~Copyable, @unchecked Sendable {
    @usableFromInline var base: UnsafeMutableRawPointer
    @usableFromInline var capacity: Int
    /// The number of bytes.
    @usableFromInline package private(set) var count = 0

    private static let firstCapacity = 1 << 12
    /// The capacity that an emptied buffer may keep.
    private static let keptCapacity = 8 << 20

    /// Creates an empty buffer.
    package init() {
        capacity = Self.firstCapacity
        unsafe base = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
    }

    deinit { unsafe base.deallocate() }

    /// The bytes; valid until the next change.
    package var view: ByteView { unsafe ByteView(base: UnsafeRawPointer(base), count: count) }

    @inlinable @inline(__always)
    mutating func reserve(_ bytes: Int) {
        if bytes > capacity &- count { grow(bytes) }
    }

    @usableFromInline
    @inline(never)
    mutating func grow(_ bytes: Int) {
        let wanted = max(capacity * 2, count + bytes)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: wanted, alignment: 16)
        unsafe larger.copyMemory(from: base, byteCount: count)
        unsafe base.deallocate()
        unsafe base = larger
        capacity = wanted
    }

    /// Removes the bytes from `length` on. An empty buffer releases memory beyond `keptCapacity`.
    package mutating func truncate(to length: Int = 0) {
        count = min(count, length)
        if count == 0, capacity > Self.keptCapacity { self = GrowingBytes() }
    }

    /// Appends a byte.
    @inlinable @inline(__always)
    package mutating func append(_ byte: UInt8) {
        reserve(1)
        unsafe base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        advance(1)
    }

    /// Appends a little-endian number.
    @inlinable @inline(__always)
    package mutating func append(_ number: some FixedWidthInteger & BitwiseCopyable) {
        append(word: number.littleEndian)
    }

    /// Appends a byte and a little-endian number.
    @inlinable @inline(__always)
    package mutating func append(_ byte: UInt8, _ number: some FixedWidthInteger & BitwiseCopyable) {
        append(byte)
        append(word: number.littleEndian)
    }

    @inlinable @inline(__always)
    mutating func append(word: some BitwiseCopyable) {
        let size = MemoryLayout.size(ofValue: word)
        reserve(size)
        unsafe base.storeBytes(of: word, toByteOffset: count, as: type(of: word))
        advance(size)
    }

    /// Appends the bytes of a view, which must not be a view of this buffer.
    @inlinable @inline(__always)
    package mutating func append(_ bytes: ByteView) {
        reserve(bytes.count)
        unsafe (base + count).copyMemory(from: bytes.base, byteCount: bytes.count)
        advance(bytes.count)
    }

    /// Appends bytes.
    package mutating func append(_ bytes: [UInt8]) {
        reserve(bytes.count)
        unsafe bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            unsafe (base + count).copyMemory(from: start, byteCount: bytes.count)
        }
        advance(bytes.count)
    }

    @usableFromInline
    @inline(__always)
    mutating func advance(_ bytes: Int) { count &+= bytes }

    /// Replaces eight existing bytes at `offset`.
    package mutating func patch(_ number: UInt64, at offset: Int) {
        unsafe base.storeBytes(of: number.littleEndian, toByteOffset: offset, as: UInt64.self)
    }

    /// Sorts pieces at the end by their bytes, compared as unsigned numbers from the first one on.
    ///
    /// - Parameter starts: the offsets of the pieces, ascending; the last piece ends at the end of the buffer.
    package mutating func sortPieces(_ starts: [Int]) {
        guard let first = starts.first, starts.count > 1 else { return }
        let view = self.view
        func piece(_ index: Int) -> ByteView {
            let end = index + 1 < starts.count ? starts[index + 1] : view.count
            return view.slice(unchecked: starts[index], count: end - starts[index])
        }
        func isSmaller(_ left: Int, _ right: Int) -> Bool { Self.compare(piece(left), piece(right)) < 0 }
        guard !(1..<starts.count).allSatisfy({ !isSmaller($0, $0 - 1) }) else { return }
        var sorted = GrowingBytes()
        for index in starts.indices.sorted(by: isSmaller) { sorted.append(piece(index)) }
        unsafe (base + first).copyMemory(from: sorted.base, byteCount: sorted.count)
    }

    /// Compares two runs of bytes; negative, 0 or positive. If one is a prefix of the other, the shorter one comes
    /// first.
    package static func compare(_ left: ByteView, _ right: ByteView) -> Int {
        let order = unsafe memcmp(left.base, right.base, min(left.count, right.count))
        return order != 0 ? Int(order) : left.count - right.count
    }
}
