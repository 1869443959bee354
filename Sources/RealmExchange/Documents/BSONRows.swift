/// Contiguous memory for the rows of a block.
@safe
struct BSONRows: @unchecked Sendable, BitwiseCopyable {
    private let base: UnsafeMutableRawPointer
    /// Bytes per row.
    private let stride: Int

    /// Number of readable bytes beyond the last row, for copies in large steps.
    static var slack: Int { 320 }

    /// Allocates zeroed memory, which lives until `deallocate`.
    init(stride: Int) {
        self.stride = stride
        let size = stride * BSONBlock.mostRows + Self.slack
        unsafe base = .allocate(byteCount: size, alignment: 16)
        unsafe base.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    }

    @unsafe
    func deallocate() { unsafe base.deallocate() }

    /// Sets every row to these bytes, whose count must equal the stride.
    func fill(_ bytes: [UInt8]) {
        precondition(bytes.count == stride)
        for row in 0..<BSONBlock.mostRows {
            unsafe (base + row * stride).copyMemory(from: bytes, byteCount: stride)
        }
    }

    /// The slots of a column, which begin at `offset` in each row.
    @inline(__always)
    func slots(at offset: Int) -> BSONSlots { unsafe BSONSlots(base + offset, stride) }

    /// The beginning of a row.
    @inline(__always)
    func row(_ row: Int) -> BSONSlot { unsafe BSONSlot(base + row &* stride) }
}

/// The slots of a column. Each row's slot has the BSON bytes of its value, or the place where the value is found.
@safe
struct BSONSlots: @unchecked Sendable, BitwiseCopyable {
    /// Maximum size of a slot in bytes.
    static var size: Int { 16 }

    private let base: UnsafeMutableRawPointer
    private let stride: Int

    @unsafe
    init(_ base: UnsafeMutableRawPointer, _ stride: Int) {
        unsafe self.base = unsafe base
        self.stride = stride
    }

    @inline(__always)
    func store(_ low: UInt64, at row: Int) {
        unsafe base.storeBytes(of: low.littleEndian, toByteOffset: row &* stride, as: UInt64.self)
    }

    @inline(__always)
    func store(_ low: UInt64, _ high: UInt64, at row: Int) {
        store(low, at: row)
        unsafe base.storeBytes(of: high.littleEndian, toByteOffset: row &* stride &+ 8, as: UInt64.self)
    }

    /// Stores a place, to be read back by `load`.
    @inline(__always)
    func store<Place: BitwiseCopyable>(_ place: Place, at row: Int) {
        assert(MemoryLayout<Place>.size <= Self.size)
        unsafe base.storeBytes(of: place, toByteOffset: row &* stride, as: Place.self)
    }

    @inline(__always)
    func load<Place: BitwiseCopyable>(_ type: Place.Type, at row: Int) -> Place {
        unsafe base.loadUnaligned(fromByteOffset: row &* stride, as: type)
    }
}

/// One slot, or the beginning of a row of them.
@safe
struct BSONSlot: @unchecked Sendable, BitwiseCopyable {
    private let base: UnsafeRawPointer

    @unsafe
    init(_ base: UnsafeMutableRawPointer) { unsafe self.base = UnsafeRawPointer(base) }

    @unsafe
    private init(_ base: UnsafeRawPointer) { unsafe self.base = base }

    /// The slot of the column at `offset`.
    @inline(__always)
    func slot(at offset: Int) -> BSONSlot { unsafe BSONSlot(base + offset) }

    @inline(__always)
    func load<Place: BitwiseCopyable>(_ type: Place.Type) -> Place { unsafe base.loadUnaligned(as: type) }
}
