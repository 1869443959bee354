/// A borrowed range of bytes: the only type of this target that touches memory.
///
/// Its creator proves once that `count` bytes from `base` on are readable and remain readable while the view is used.
/// Every access after that is checked against `count`, or has the label `unchecked` and relies on a bound that the
/// caller has proven. A view keeps nothing alive: the code that hands one out must retain the owner of the bytes
/// (`RealmStorage.ByteSource`) while the view is in use. Views can therefore be stored in arrays and copied without
/// reference counting on the hot path.
@safe
@usableFromInline
package struct ByteView: @unchecked Sendable, BitwiseCopyable {
    @usableFromInline package let base: UnsafeRawPointer
    /// Number of bytes.
    @usableFromInline package let count: Int

    /// Makes a view of the `count` bytes at `base`.
    @inlinable
    @unsafe
    package init(base: UnsafeRawPointer, count: Int) {
        unsafe self.base = unsafe base
        self.count = count
    }

    /// Eight zero bytes that live as long as the process: the payload of nodes without one.
    @usableFromInline package static let zeroWord: ByteView = {
        let word = UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8)
        unsafe word.initializeMemory(as: UInt8.self, repeating: 0, count: 8)
        return unsafe ByteView(base: UnsafeRawPointer(word), count: 8)
    }()

    /// No bytes.
    @usableFromInline package static let empty = zeroWord.slice(unchecked: 0, count: 0)

    /// Copies `bytes` into newly allocated memory, which `deallocateCopy` frees.
    package static func copy(of bytes: [UInt8]) -> ByteView {
        unsafe bytes.withUnsafeBytes { unsafe copy(of: $0) }
    }

    /// Copies `words`, in this machine's byte order, into newly allocated memory, which `deallocateCopy` frees.
    ///
    /// - Parameter words: numbers whose bytes are in little-endian order.
    package static func copy(ofWords words: [UInt64]) -> ByteView {
        unsafe words.withUnsafeBytes { unsafe copy(of: $0) }
    }

    @unsafe
    private static func copy(of bytes: UnsafeRawBufferPointer) -> ByteView {
        guard bytes.count > 0 else { return .empty }
        let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes.count, alignment: 16)
        unsafe UnsafeMutableRawBufferPointer(start: memory, count: bytes.count).copyMemory(from: bytes)
        return unsafe ByteView(base: UnsafeRawPointer(memory), count: bytes.count)
    }

    /// Frees the memory of `copy(of:)` or `copy(ofWords:)`; no view of it may be used after that.
    @unsafe
    package func deallocateCopy() {
        guard count > 0 else { return }
        unsafe base.deallocate()
    }

    /// The offset of the first byte in another view; nil when this one is not a part of it.
    package func offset(in whole: ByteView) -> Int? {
        let distance = unsafe UInt(bitPattern: base) &- UInt(bitPattern: whole.base)
        guard count <= whole.count, distance <= UInt(whole.count - count) else { return nil }
        return Int(distance)
    }

    /// The bytes `offset ..< offset + count`, or nil when they are not all inside this view.
    @inlinable
    package func slice(at offset: Int, count: Int) -> ByteView? {
        guard offset >= 0, count >= 0, offset <= self.count, count <= self.count - offset else { return nil }
        return slice(unchecked: offset, count: count)
    }

    /// The bytes `offset ..< offset + count`, which the caller has proven to be inside.
    @inlinable @inline(__always)
    package func slice(unchecked offset: Int, count: Int) -> ByteView {
        unsafe ByteView(base: base + offset, count: count)
    }

    /// Whether the first `count` bytes from this view's start lie inside another view.
    @inlinable @inline(__always)
    package func extends(to count: Int, in other: ByteView) -> Bool {
        unsafe base >= other.base && base + count <= other.base + other.count
    }

    /// Whether both views begin at the same address.
    package func begins(with other: ByteView) -> Bool { unsafe base == other.base }

    /// The byte at `offset`; traps outside the view (a caller's mistake, never a file's).
    @inlinable
    package subscript(offset: Int) -> UInt8 {
        precondition(offset >= 0 && offset < count, "byte offset outside the view")
        return byte(unchecked: offset)
    }

    /// The byte at `offset`, which the caller has proven to be inside.
    @inlinable @inline(__always)
    package func byte(unchecked offset: Int) -> UInt8 {
        unsafe base.load(fromByteOffset: offset, as: UInt8.self)
    }

    /// The little-endian 16-bit number at `offset`, whose bytes the caller has proven to be inside.
    @inlinable @inline(__always)
    package func uint16(unchecked offset: Int) -> UInt16 {
        UInt16(littleEndian: unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    /// The little-endian 32-bit number at `offset`, whose bytes the caller has proven to be inside.
    @inlinable @inline(__always)
    package func uint32(unchecked offset: Int) -> UInt32 {
        UInt32(littleEndian: unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    /// The little-endian 64-bit number at `offset`, whose bytes the caller has proven to be inside.
    @inlinable @inline(__always)
    package func uint64(unchecked offset: Int) -> UInt64 {
        UInt64(littleEndian: unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// The sixteen bytes from `offset` on, which the caller has proven to be inside.
    @inlinable @inline(__always)
    package func vector(unchecked offset: Int) -> SIMD16<UInt8> {
        unsafe base.loadUnaligned(fromByteOffset: offset, as: SIMD16<UInt8>.self)
    }

    /// All bytes of a view of fewer than eight bytes, as a little-endian number.
    @inlinable @inline(__always)
    package var shortWord: UInt64 {
        if count >= 4 {
            // The second half overlaps the first with the same bits.
            let last = UInt64(truncatingIfNeeded: count &- 4)
            return UInt64(uint32(unchecked: 0)) | UInt64(uint32(unchecked: count &- 4)) &<< (last &* 8)
        }
        guard count > 0 else { return 0 }
        // For one, two or three bytes, the first, middle and last cover all of them.
        let middle = UInt64(truncatingIfNeeded: count &>> 1)
        let last = UInt64(truncatingIfNeeded: count &- 1)
        return UInt64(byte(unchecked: 0)) | UInt64(byte(unchecked: count &>> 1)) &<< (middle &* 8)
            | UInt64(byte(unchecked: count &- 1)) &<< (last &* 8)
    }

    /// Whether all bytes are zero.
    package var isZero: Bool {
        var offset = 0
        while offset &+ 8 <= count {
            if uint64(unchecked: offset) != 0 { return false }
            offset &+= 8
        }
        return slice(unchecked: offset, count: count &- offset).shortWord == 0
    }

    /// The offset of the first byte with this value at or after `start`; nil when there is none.
    package func firstIndex(of value: UInt8, from start: Int) -> Int? {
        var offset = start
        while offset < count {
            if byte(unchecked: offset) == value { return offset }
            offset &+= 1
        }
        return nil
    }

    /// A copy of the bytes.
    package var bytes: [UInt8] {
        unsafe [UInt8](UnsafeRawBufferPointer(start: base, count: count))
    }

    /// Appends a copy of the bytes to an array.
    @inlinable @inline(__always)
    package func append(to array: inout [UInt8]) {
        unsafe array.append(contentsOf: UnsafeRawBufferPointer(start: base, count: count))
    }

    /// The bytes as text, or nil when they are not well-formed UTF-8.
    ///
    /// Avoids `String(validating:)`, which looks up types at run time under locks that all threads share.
    package var string: String? {
        let isASCII = isASCII
        guard isASCII || isValidUTF8 else { return nil }
        guard #available(macOS 26, iOS 26, *) else { return repairedString }
        // The bytes are already validated, so they are not checked again.
        let bytes = unsafe Span(_unsafeStart: base.assumingMemoryBound(to: UInt8.self), count: count)
        return unsafe String(copying: UTF8Span(unchecked: bytes, isKnownASCII: isASCII))
    }

    /// The bytes as text; each maximal ill-formed part of the UTF-8 becomes U+FFFD.
    package var repairedString: String {
        unsafe String(decoding: UnsafeRawBufferPointer(start: base, count: count), as: UTF8.self)
    }

    /// Whether both views hold the same bytes.
    package func elementsEqual(_ other: ByteView) -> Bool {
        guard count == other.count else { return false }
        guard count >= 8 else { return shortWord == other.shortWord }
        // The last word overlaps the previous one.
        let last = count &- 8
        var offset = 0
        while offset < last {
            if uint64(unchecked: offset) != other.uint64(unchecked: offset) { return false }
            offset &+= 8
        }
        return uint64(unchecked: last) == other.uint64(unchecked: last)
    }

    /// Compares the bytes as unsigned numbers: negative when these come first, 0 when equal. A prefix comes before the
    /// whole.
    package func order(_ other: ByteView) -> Int {
        var offset = 0
        let common = min(count, other.count)
        while offset + 8 <= common {
            let (left, right) = (uint64(unchecked: offset), other.uint64(unchecked: offset))
            if left != right { return left.byteSwapped < right.byteSwapped ? -1 : 1 }
            offset += 8
        }
        while offset < common {
            let (left, right) = (byte(unchecked: offset), other.byte(unchecked: offset))
            if left != right { return left < right ? -1 : 1 }
            offset += 1
        }
        return count < other.count ? -1 : count == other.count ? 0 : 1
    }

    /// Calls `body` with a view of `bytes` that is valid during the call only.
    package static func with<R, E: Error>(_ bytes: [UInt8], _ body: (ByteView) throws(E) -> R) throws(E) -> R {
        let copy = copy(of: bytes)
        defer { unsafe copy.deallocateCopy() }
        return try body(copy)
    }
}

/// The start of a range of 8-byte words whose length the user knows. Half the size of a view, for structures that are
/// kept in large numbers.
@safe
@usableFromInline
struct UnsafeWords: @unchecked Sendable, BitwiseCopyable {
    @usableFromInline let base: UnsafeRawPointer

    @inlinable @inline(__always)
    init(_ view: ByteView) { unsafe base = view.base }

    /// The eight bytes at a byte offset, which the caller has proven to be inside.
    @inlinable @inline(__always)
    func view(at offset: Int) -> ByteView { unsafe ByteView(base: base + offset, count: 8) }

    /// The little-endian word at a byte offset, which the caller has proven to be inside.
    @inlinable @inline(__always)
    subscript(offset: Int) -> UInt64 {
        UInt64(littleEndian: unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// A byte, or a little-endian number of 16 or 32 bits, at a byte offset that the caller has proven to be inside.
    @inlinable @inline(__always)
    func byte(at offset: Int) -> UInt8 { unsafe base.load(fromByteOffset: offset, as: UInt8.self) }

    @inlinable @inline(__always)
    func uint16(at offset: Int) -> UInt16 {
        UInt16(littleEndian: unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    @inlinable @inline(__always)
    func uint32(at offset: Int) -> UInt32 {
        UInt32(littleEndian: unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }
}
