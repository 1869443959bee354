/// The writable payload of a node under construction.
@safe
@usableFromInline
package struct NodePayload {
    @usableFromInline let base: UnsafeMutableRawPointer

    /// - Parameter base: the start of the payload; the caller has made room for all that it stores.
    @inlinable @inline(__always)
    @unsafe package init(_ base: UnsafeMutableRawPointer) { unsafe self.base = unsafe base }

    /// Calls `body` with the bytes of `words` from index `first` on, to be filled.
    package static func fill(_ words: inout [UInt64], from first: Int, _ body: (NodePayload) -> Void) {
        unsafe words.withUnsafeMutableBytes { bytes in
            precondition(first >= 0 && first * 8 <= bytes.count, "outside of the words")
            if let base = bytes.baseAddress { unsafe body(NodePayload(base + first * 8)) }
        }
    }

    /// Stores a number at a byte offset inside the payload.
    @inlinable @inline(__always)
    package func store<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number, at offset: Int) {
        unsafe base.storeBytes(of: number.littleEndian, toByteOffset: offset, as: Number.self)
    }

    /// Copies bytes to an offset where there is room for them.
    @inlinable @inline(__always)
    package func copy(_ view: ByteView, to offset: Int) {
        unsafe (base + offset).copyMemory(from: view.base, byteCount: view.count)
    }

    /// Stores all elements of `values` in `width` bits each, which must suffice.
    @inlinable
    package func pack(_ values: some Collection<Int64>, width: Int) {
        let isStored: Void? = values.withContiguousStorageIfAvailable { unsafe store($0, width: width) }
        if isStored == nil { packInWords(values, width: width) }
    }

    @inlinable
    func store(_ values: UnsafeBufferPointer<Int64>, width: Int) {
        switch width {
        case 8: unsafe store(values, as: UInt8.self)
        case 16: unsafe store(values, as: UInt16.self)
        case 32: unsafe store(values, as: UInt32.self)
        case 64: unsafe store(values, as: UInt64.self)
        default: unsafe packInWords(values, width: width)
        }
    }

    @inlinable @inline(__always)
    func store<Number: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
        _ values: UnsafeBufferPointer<Int64>, as type: Number.Type
    ) {
        let size = MemoryLayout<Number>.size
        for index in 0..<values.count {
            unsafe store(Number(truncatingIfNeeded: values[index]), at: index &* size)
        }
    }

    /// Packs word by word, for widths below 8 and for few elements.
    @inlinable @inline(__always)
    package func packInWords(_ values: some Collection<Int64>, width: Int) {
        guard width > 0 else { return }
        let mask: UInt64 = .max &>> UInt64(truncatingIfNeeded: 64 &- width)
        // Fills whole words: 64 / width is a power of two.
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
