internal import CLibBSON
internal import RealmLayout

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Darwin
#endif

/// Bytes that grow at the end: what documents are written to before a destination takes them.
///
/// The only type of this target that touches memory. Room is reserved once for a value with its key, after which the
/// pieces are stored without further checks; there are always `slack` bytes behind the last one, so that short pieces
/// can be copied in whole words.
@safe
struct ByteBuffer: ~Copyable, @unchecked Sendable {
    /// Bytes behind the end that stores may overwrite.
    static let slack = 32

    private var base: UnsafeMutableRawPointer
    private var capacity: Int
    /// Number of bytes.
    private(set) var count = 0

    init(capacity: Int = 1 << 16) {
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

    /// Forgets the bytes from `length` on; a buffer that one large document blew up gives its memory back.
    mutating func truncate(to length: Int = 0) {
        count = min(count, length)
        let usual = 8 << 20
        if count == 0, capacity > usual { self = ByteBuffer(capacity: 1 << 20) }
    }

    // MARK: Stores; room must have been reserved

    @inline(__always)
    mutating func store(_ byte: UInt8) {
        unsafe base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
        count &+= 1
    }

    @inline(__always)
    mutating func store(_ word: UInt32) {
        unsafe base.storeBytes(of: word.littleEndian, toByteOffset: count, as: UInt32.self)
        count &+= 4
    }

    @inline(__always)
    mutating func store(_ word: UInt64) {
        unsafe base.storeBytes(of: word.littleEndian, toByteOffset: count, as: UInt64.self)
        count &+= 8
    }

    /// Stores the first `length` bytes, at most 8, of a little-endian word.
    @inline(__always)
    mutating func store(_ word: UInt64, length: Int) {
        unsafe base.storeBytes(of: word.littleEndian, toByteOffset: count, as: UInt64.self)
        count &+= length
    }

    // MARK: Stores ahead of the end; `advance` makes them part of the bytes

    /// Stores a byte `offset` bytes behind the end.
    @inline(__always)
    mutating func place(_ byte: UInt8, at offset: Int) {
        unsafe base.storeBytes(of: byte, toByteOffset: count &+ offset, as: UInt8.self)
    }

    /// Stores a little-endian word `offset` bytes behind the end.
    @inline(__always)
    mutating func place(_ word: UInt64, at offset: Int) {
        unsafe base.storeBytes(of: word.littleEndian, toByteOffset: count &+ offset, as: UInt64.self)
    }

    /// Stores sixteen bytes `offset` bytes behind the end.
    @inline(__always)
    mutating func place(_ bytes: SIMD16<UInt8>, at offset: Int) {
        unsafe base.storeBytes(of: bytes, toByteOffset: count &+ offset, as: SIMD16<UInt8>.self)
    }

    /// Moves the end behind bytes that were placed.
    @inline(__always)
    mutating func advance(_ bytes: Int) { count &+= bytes }

    // MARK: Copies; room must have been reserved

    /// Copies a prepared key, which has `slack` readable bytes behind it.
    @inline(__always)
    mutating func store(paddedKey key: ByteView) {
        let target = unsafe base + count
        unsafe target.storeBytes(of: key.base.loadUnaligned(as: SIMD16<UInt8>.self), as: SIMD16<UInt8>.self)
        if key.count > 16 { unsafe copyRest(of: key, to: target) }
        count &+= key.count
    }

    /// The same with another first byte.
    @inline(__always)
    mutating func store(paddedKey key: ByteView, firstByte: UInt8) {
        let target = unsafe base + count
        unsafe target.storeBytes(of: key.base.loadUnaligned(as: SIMD16<UInt8>.self), as: SIMD16<UInt8>.self)
        unsafe target.storeBytes(of: firstByte, as: UInt8.self)
        if key.count > 16 { unsafe copyRest(of: key, to: target) }
        count &+= key.count
    }

    @inline(never)
    @unsafe
    private func copyRest(of key: ByteView, to target: UnsafeMutableRawPointer) {
        unsafe (target + 16).copyMemory(from: key.base + 16, byteCount: key.count &- 16)
    }

    /// Copies bytes of any length.
    @inline(__always)
    mutating func store(_ bytes: ByteView) {
        let length = bytes.count
        let target = unsafe base + count
        count &+= length
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

    /// Copies bytes when all are below 0x80; stores nothing and returns false when one is not.
    @inline(__always)
    mutating func storeIfASCII(_ bytes: ByteView) -> Bool {
        let length = bytes.count
        let target = unsafe base + count
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
            // One, two or three bytes: the first, the middle and the last are all of them.
            let first = bytes.byte(unchecked: 0)
            let middle = bytes.byte(unchecked: length &>> 1)
            let last = bytes.byte(unchecked: length &- 1)
            guard (first | middle | last) < 0x80 else { return false }
            unsafe target.storeBytes(of: first, as: UInt8.self)
            unsafe target.storeBytes(of: middle, toByteOffset: length &>> 1, as: UInt8.self)
            unsafe target.storeBytes(of: last, toByteOffset: length &- 1, as: UInt8.self)
        }
        count &+= length
        return true
    }

    /// Copies text that is known at compile time.
    @inline(__always)
    mutating func store(_ text: StaticString) {
        let length = text.utf8CodeUnitCount
        unsafe (base + count).copyMemory(from: text.utf8Start, byteCount: length)
        count &+= length
    }

    // MARK: Appends; they reserve themselves

    @inline(__always)
    mutating func append(_ bytes: ByteView) {
        reserve(bytes.count)
        store(bytes)
    }

    mutating func append(_ bytes: [UInt8]) {
        reserve(bytes.count)
        unsafe bytes.withUnsafeBytes { source in
            guard let start = source.baseAddress else { return }
            store(unsafe ByteView(base: start, count: source.count))
        }
    }

    /// Appends a decimal as libbson spells it.
    mutating func append(decimalText value: Decimal128) {
        var decimal = bson_decimal128_t(low: value.low, high: value.high)
        let size = 43  // BSON_DECIMAL128_STRING
        unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: size) { text in
            guard let start = text.baseAddress else { return }
            unsafe bson_decimal128_to_string(&decimal, start)
            unsafe append(String(cString: start))
        }
    }

    mutating func append(_ text: String) {
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

    /// Overwrites the 32-bit number at `offset`, which must be 4 or more below `count`.
    @inline(__always)
    mutating func patch(_ word: UInt32, at offset: Int) {
        unsafe base.storeBytes(of: word.littleEndian, toByteOffset: offset, as: UInt32.self)
    }

    /// The bytes from `offset` on, valid until the buffer is changed.
    func view(from offset: Int = 0) -> ByteView {
        unsafe ByteView(base: UnsafeRawPointer(base) + offset, count: count - offset)
    }
}

// Vectors of bytes, whose types the standard library tells apart where the processor does not.
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

/// Fixed memory for values without references, addressed by index and used in place.
@safe
final class Slab<Element: BitwiseCopyable>: @unchecked Sendable {
    fileprivate let base: UnsafeMutablePointer<Element>
    let count: Int

    /// Memory whose elements must be written before they are read; pages that never are cost nothing.
    init(count: Int) {
        self.count = count
        let size = max(count, 1) * MemoryLayout<Element>.stride
        let memory = unsafe malloc(size) ?? .allocate(byteCount: size, alignment: 16)
        unsafe base = memory.bindMemory(to: Element.self, capacity: max(count, 1))
    }

    /// Memory full of zero bytes, which must be a meaningful element.
    init(zeroed count: Int) {
        self.count = count
        let size = max(count, 1) * MemoryLayout<Element>.stride
        let memory = unsafe calloc(1, size) ?? .allocate(byteCount: size, alignment: 16)
        unsafe base = memory.bindMemory(to: Element.self, capacity: max(count, 1))
    }

    convenience init(_ elements: [Element]) {
        self.init(count: elements.count)
        unsafe elements.withUnsafeBufferPointer { source in
            guard let start = source.baseAddress else { return }
            unsafe base.initialize(from: start, count: source.count)
        }
    }

    deinit { unsafe free(base) }

    @inline(__always)
    subscript(index: Int) -> Element {
        unsafeAddress {
            precondition(index >= 0 && index < count)
            return unsafe UnsafePointer(base + index)
        }
        unsafeMutableAddress {
            precondition(index >= 0 && index < count)
            return unsafe base + index
        }
    }
}

extension ByteView {
    /// Sends for the memory of a byte, which nobody waits for. Any offset will do.
    @inline(__always)
    func prefetch(_ offset: Int) {
        guard offset >= 0, offset < count else { return }
        unsafe realmfile_prefetch(base + offset)
    }
}

/// The elements of a slab without the slab, which its user keeps alive: one load less for each access.
@safe
struct SlabView<Element: BitwiseCopyable>: @unchecked Sendable, BitwiseCopyable {
    private let base: UnsafeMutablePointer<Element>

    /// Views all elements of `slab`.
    init(_ slab: Slab<Element>) { unsafe base = slab.base }

    /// The element at an index that the caller has proven to be inside.
    @inline(__always)
    subscript(unchecked index: Int) -> Element {
        unsafeAddress { unsafe UnsafePointer(base + index) }
        nonmutating unsafeMutableAddress { unsafe base + index }
    }

    /// Sends for the memory of an element, which nobody waits for.
    @inline(__always)
    func prefetch(_ index: Int) { unsafe realmfile_prefetch(base + index) }
}

/// Room for one key at a time.
@safe
struct ScratchKey: ~Copyable, @unchecked Sendable {
    private var buffer = ByteBuffer(capacity: 64)

    /// Copies `bytes`; the view is valid until the next call.
    mutating func prepare(_ bytes: [UInt8]) -> ByteView {
        buffer.truncate()
        buffer.append(bytes)
        return buffer.view()
    }
}

/// Short byte strings side by side in memory of their own, with room for whole-word copies behind each.
@safe
final class KeyTable: @unchecked Sendable {
    private var blocks: [KeyBlock] = []

    /// Copies `bytes`; the view is valid for as long as the table lives.
    func add(_ bytes: [UInt8]) -> ByteView {
        let size = (bytes.count + 15) / 16 * 16 + ByteBuffer.slack
        let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
        unsafe block.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        unsafe bytes.withUnsafeBytes { source in
            guard let start = source.baseAddress else { return }
            unsafe block.copyMemory(from: start, byteCount: source.count)
        }
        blocks.append(unsafe KeyBlock(start: block))
        return unsafe ByteView(base: UnsafeRawPointer(block), count: bytes.count)
    }

    /// Calls `body` with a view of `bytes` with room behind, valid during the call only.
    static func with<R>(_ bytes: [UInt8], _ body: (ByteView) -> R) -> R {
        let table = KeyTable()
        return withExtendedLifetime(table) { body(table.add(bytes)) }
    }

    deinit {
        for block in blocks { block.deallocate() }
    }

    @safe
    private struct KeyBlock {
        let start: UnsafeMutableRawPointer

        func deallocate() { unsafe start.deallocate() }
    }
}
