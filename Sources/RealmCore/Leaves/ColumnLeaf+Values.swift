public import RealmLayout

/// A blob in a leaf: usually contiguous bytes; values over 16 MB are split.
@usableFromInline
package struct Blob: Sendable {
    /// The bytes, or no bytes when the blob is split.
    @usableFromInline package let view: ByteView
    /// The node that lists the parts of a split blob.
    @usableFromInline package let parts: Ref?

    @inlinable
    init(view: ByteView, parts: Ref? = nil) {
        self.view = view
        self.parts = parts
    }
}

// Reads one value. Every `index` must be below `count`, which loops over a leaf prove once; the contents of the bytes
// are checked here.
extension ColumnLeaf {
    /// A non-nullable integer.
    @inlinable @inline(__always)
    package func int(at index: Int) -> Int64 { integers[unchecked: index] }

    /// A nullable integer.
    @inlinable @inline(__always)
    package func nullableInt(at index: Int) -> Int64? {
        nullableIntegers[unchecked: index]
    }

    /// A Bool.
    @inlinable @inline(__always)
    package func bool(at index: Int) -> Bool? {
        NullPattern.bool(integers[unchecked: index])
    }

    /// The bits of a Float.
    @inlinable @inline(__always)
    package func floatBits(at index: Int) -> UInt32? {
        NullPattern.float(bytes.uint32(unchecked: index &* 4))
    }

    /// The bits of a Double.
    @inlinable @inline(__always)
    package func doubleBits(at index: Int) -> UInt64? {
        NullPattern.double(bytes.uint64(unchecked: index &* 8))
    }

    /// Seconds since 1970 and nanoseconds of the same sign.
    @inlinable @inline(__always)
    package func timestamp(at index: Int) throws(FormatError) -> Timestamp? {
        switch timestamps[unchecked: index] {
        case .null: return nil
        case .value(let timestamp): return timestamp
        case .outOfRange: throw bad(index, "nanoseconds out of range")
        }
    }

    /// A decimal, widened to 128 bits.
    @inlinable @inline(__always)
    package func decimal(at index: Int) -> Decimal128Bits? {
        switch encoding {
        case .decimals128:
            return decimal128(at: index)
        case .decimals64:
            return StoredDecimal.decimal(bits64: bytes.uint64(unchecked: index &* 8))
        case .decimals32:
            return decimal32(at: index)
        case .zeroDecimals:
            return .zero
        default:
            return nil
        }
    }

    /// The bytes of an ObjectId.
    @inlinable @inline(__always)
    package func objectIdBytes(at index: Int) -> ByteView? { fixedBytes(at: index, .objectIds) }

    /// The bytes of a UUID.
    @inlinable @inline(__always)
    package func uuidBytes(at index: Int) -> ByteView? { fixedBytes(at: index, .uuids) }

    /// The bytes of an ObjectId or UUID.
    @inlinable @inline(__always)
    package func fixedBytes(at index: Int, _ blocks: FixedBlocks) -> ByteView? {
        blocks.value(at: index, unchecked: bytes)
    }

    /// The layout of the values in a leaf of ObjectIds or UUIDs.
    @inlinable package var fixedBlocks: FixedBlocks { encoding == .objectIds ? .objectIds : .uuids }

    /// The key of the linked object; less than -1 for a tombstone.
    @inlinable @inline(__always)
    package func link(at index: Int) -> ObjectKey? {
        let key = ObjectKey(integers[unchecked: index] &- bias)
        return key == .null ? nil : key
    }

    /// The ref of an object's collection; nil when it was never used and is therefore empty.
    @inlinable @inline(__always)
    package func collection(at index: Int) throws(FormatError) -> Ref? {
        switch Slot(integers[unchecked: index]) {
        case .empty: nil
        case .ref(let ref): ref
        case .tagged: throw bad(index, "a number where the ref of a collection should be")
        }
    }

    /// The object keys of a leaf of a list or set of links.
    @inlinable
    package var unbiasedLinks: IntegerVector { integers }

    /// An element of a leaf of refs as stored: a ref, 0, or a tagged number.
    @inlinable @inline(__always)
    package func rawElement(at index: Int) -> Int64 { integers[unchecked: index] }

    /// All elements as stored, for a leaf whose elements are numbers of an array.
    package var rawElements: [Int64] {
        var elements: [Int64] = []
        elements.reserveCapacity(count)
        integers.forEach(unchecked: 0, count: count) { elements.append($1) }
        return elements
    }

    /// The bytes of a string, without the terminating zero.
    @inlinable @inline(__always)
    package func string(at index: Int, in space: NodeSpace) throws(FormatError) -> ByteView? {
        guard encoding == .shortStrings, !isEnumerated else { return try otherString(at: index, in: space) }
        return try shortString(index)
    }

    /// The result for a null string.
    @inlinable
    var absent: ByteView? { nullIsEmpty ? .empty : nil }

    @inlinable @inline(__always)
    func shortString(_ index: Int) throws(FormatError) -> ByteView? {
        let width = Int(truncatingIfNeeded: parameter)
        guard width > 0 else { return absent }
        let start = index &* width
        let last = bytes.byte(unchecked: start &+ width &- 1)
        let length = ShortString.length(lastByte: last, width: width)
        guard length >= 0 else {
            if length == ShortString.nullLength { return absent }
            throw bad(index, "the last byte of a short string is \(last), the width \(width)")
        }
        return bytes.slice(unchecked: start, count: length)
    }

    @usableFromInline
    func otherString(at element: Int, in space: NodeSpace) throws(FormatError) -> ByteView? {
        var index = element
        if isEnumerated {
            index = Int(truncatingIfNeeded: indexes[unchecked: element])
            guard index >= 0, index < distinctCount else { throw bad(element, "no such distinct string: \(index)") }
        }
        switch encoding {
        case .shortStrings:
            return try shortString(index)
        case .mediumStrings:
            guard !mediumValues.isNull(unchecked: index) else { return absent }
            let value = try mediumValue(index)
            // Some very old files lack the zero of empty strings.
            if value.count == 0, nullIsEmpty { return .empty }
            guard value.count > 0 else { throw bad(element, "a string without its terminating zero") }
            return value.slice(unchecked: 0, count: value.count &- 1)
        case .bigStrings:
            guard let blob = try bigBlob(index, in: space) else { return absent }
            guard blob.parts == nil, blob.view.count > 0 else {
                throw bad(element, "a string without its terminating zero")
            }
            return blob.view.slice(unchecked: 0, count: blob.view.count &- 1)
        default:
            throw bad(element, "not a string")
        }
    }

    /// The bytes of a binary.
    @inlinable @inline(__always)
    package func binary(at index: Int, in space: NodeSpace) throws(FormatError) -> Blob? {
        if encoding == .bigBinaries { return try bigBlob(index, in: space) ?? absentBlob }
        guard !mediumValues.isNull(unchecked: index) else { return absentBlob }
        return Blob(view: try mediumValue(index))
    }

    /// The result for a null binary.
    @inlinable
    var absentBlob: Blob? { nullIsEmpty ? Blob(view: .empty) : nil }

    /// The bytes of element `index` of a medium leaf.
    @inlinable
    func mediumValue(_ index: Int) throws(FormatError) -> ByteView {
        let (values, bounds) = (mediumValues, mediumValues.bounds(unchecked: index))
        guard let value = values.slice(bounds) else {
            throw bad(
                index, "the range \(bounds.start)..<\(bounds.end) is not inside the \(bytes.count) bytes of the leaf")
        }
        return value
    }

    @inlinable
    func bigBlob(_ index: Int, in space: NodeSpace) throws(FormatError) -> Blob? {
        switch Slot(integers[unchecked: index]) {
        case .empty: return nil
        case .tagged: throw bad(index, "a number where the ref of a blob should be")
        case .ref(let ref):
            let node = try space.node(at: ref)
            if node.header.isContext { return Blob(view: .empty, parts: ref) }
            guard node.isBlob else { throw node.unexpected("a blob") }
            return Blob(view: node.payload)
        }
    }
}

extension NodeSpace {
    /// The joined bytes of a blob that is split into parts.
    ///
    /// - Throws: `badLeaf` when the parts exceed the size of the file.
    package func joinedBytes(ofPartsAt ref: Ref) throws(FormatError) -> [UInt8] {
        let parts = try node(at: ref).refs()
        var bytes: [UInt8] = []
        for index in 0..<parts.count {
            guard case .ref(let part) = Slot(parts[unchecked: index]) else {
                throw FormatError(.badLeaf, at: ref.offset, "part \(index) of a split blob is missing")
            }
            let node = try node(at: part)
            guard node.isBlob else { throw node.unexpected("a blob") }
            guard bytes.count + node.count <= self.bytes.count else {
                throw FormatError(.sharedNodes, at: ref.offset, "the parts of a split blob are larger than the file")
            }
            bytes += node.payload.bytes
        }
        return bytes
    }
}
