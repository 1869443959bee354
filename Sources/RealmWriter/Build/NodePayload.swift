internal import RealmLayout

/// What is put into a node before it is handed on.
@safe
struct NodePayload {
    private let base: UnsafeMutableRawPointer

    @inline(__always)
    private init(_ base: UnsafeMutableRawPointer) { unsafe self.base = unsafe base }

    /// The bytes of `array` from `offset` on; who stores there has made room for them.
    @inline(__always)
    init(_ array: UnsharedArray<UInt8>, from offset: Int) { self = array.payload(from: offset) }

    /// Stores a word at a byte offset that is inside.
    @inline(__always)
    func store<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number, at offset: Int) {
        unsafe base.storeBytes(of: number.littleEndian, toByteOffset: offset, as: Number.self)
    }

    /// Copies bytes to an offset where there is room for them.
    @inline(__always)
    func copy(_ view: ByteView, to offset: Int) {
        unsafe (base + offset).copyMemory(from: view.base, byteCount: view.count)
    }

    static func at(_ base: UnsafeMutableRawPointer) -> NodePayload { unsafe NodePayload(base) }

    /// Stores all elements of `values` in `width` bits each, which are as many as they need.
    func pack(_ values: UnsharedArray<Int64>, width: Int) {
        switch width {
        case 0: return
        case 8: unsafe values.store(as: UInt8.self, at: base)
        case 16: unsafe values.store(as: UInt16.self, at: base)
        case 32: unsafe values.store(as: UInt32.self, at: base)
        case 64: unsafe values.store(as: UInt64.self, at: base)
        default: packInWords(values, width: width)
        }
    }

    /// The same word by word: for widths below 8, and for few elements.
    @inline(__always)
    func packInWords(_ values: UnsharedArray<Int64>, width: Int) {
        guard width > 0 else { return }
        let mask: UInt64 = .max &>> UInt64(truncatingIfNeeded: 64 &- width)
        // As many as there are in a word: 64 / width is a power of two.
        var word: UInt64 = 0
        var shift = 0
        var offset = 0
        for value in values {
            word |= (UInt64(bitPattern: value) & mask) &<< UInt64(truncatingIfNeeded: shift)
            shift &+= width
            if shift == 64 {
                store(word, at: offset)
                (word, shift) = (0, 0)
                offset &+= 8
            }
        }
        if shift > 0 { store(word, at: offset) }
    }
}
