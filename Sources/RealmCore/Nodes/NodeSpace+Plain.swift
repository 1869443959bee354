public import RealmLayout
public import RealmStorage

// Opens nodes of one kind in loops over many. Returns nil without an error for damaged nodes and those of another kind;
// `node(at:)` and its callers report the reason.
extension NodeSpace {
    /// The elements of a leaf of packed integers.
    ///
    /// - Parameter hasRefs: whether elements may be refs.
    /// - Returns: nil when there is no such leaf.
    @inlinable @inline(__always)
    package func plainIntegers(at ref: Ref, hasRefs: Bool) -> IntegerVector? {
        guard let header = plainHeader(at: ref, hasRefs: hasRefs, .bits) else { return nil }
        let (width, count) = (header.width, header.count)
        // If there is room for the widest elements, those of any width fit.
        let isFarFromEnd = !gate.isClosed && count &* 8 <= bytes.count &- ref.offset &- NodeHeader.size
        let size = isFarFromEnd ? 0 : ((count &* width &+ 63) &>> 6) &<< 3
        guard let payload = plainPayload(at: ref, size: size) else { return nil }
        return IntegerVector(width: width, count: count, payload: payload)
    }

    /// The strings of a leaf of short strings; nil when there is no such leaf.
    @inlinable @inline(__always)
    package func plainShortStrings(at ref: Ref) -> ShortStrings? {
        guard let header = plainHeader(at: ref, hasRefs: false, .multiply) else { return nil }
        let (width, count) = (header.width, header.count)
        let size = count &* width
        guard let payload = plainPayload(at: ref, size: (size &+ 7) & ~7) else { return nil }
        return ShortStrings(count: count, width: width, bytes: payload.slice(unchecked: 0, count: size))
    }

    /// The string in a node of its own; nil when there is none, when the file is encrypted, or when the string is short
    /// but cannot be copied in whole steps.
    @inlinable @inline(__always)
    package func plainText(at ref: Ref) -> ByteView? {
        guard !gate.isClosed, let header = plainHeader(at: ref, hasRefs: false, .ignore), !header.isContext else {
            return nil
        }
        let count = header.count
        guard count > 0, let payload = plainPayload(at: ref, size: (count &+ 7) & ~7)
        else { return nil }
        // A string is followed by a zero.
        let text = payload.slice(unchecked: 0, count: count &- 1)
        let isShort = text.count < ShortStrings.longestCopied
        return isShort && !text.extends(to: ShortStrings.longestCopied, in: bytes) ? nil : text
    }

    /// The header of a leaf of one kind; nil when there is none.
    @inlinable @inline(__always)
    func plainHeader(at ref: Ref, hasRefs: Bool, _ type: NodeHeader.WidthType) -> NodeHeader? {
        guard isPlace(ref.offset), !gate.isClosed || admits(ref.offset) else { return nil }
        // Flags and count are in the second half; 64-bit constants take twice the code.
        let header = NodeHeader(word: UInt64(bytes.uint32(unchecked: ref.offset &+ 4)) &<< 32)
        let kind = NodeHeader.Mask.inner | NodeHeader.Mask.hasRefs | NodeHeader.Mask.widthType
        let expected = type.rawValue &<< 3 | (hasRefs ? NodeHeader.Mask.hasRefs : 0)
        return header.flags & kind == expected ? header : nil
    }

    /// - Parameter size: bytes with padding.
    @inlinable @inline(__always)
    func plainPayload(at ref: Ref, size: Int) -> ByteView? {
        guard size <= bytes.count &- ref.offset &- NodeHeader.size,
            !gate.isClosed || admits(ref.offset, NodeHeader.size &+ size)
        else { return nil }
        return bytes.slice(unchecked: ref.offset &+ NodeHeader.size, count: size)
    }

    @usableFromInline
    @inline(never)
    func admits(_ offset: Int) -> Bool { (try? gate.admit(offset, NodeHeader.size)) != nil }

    @usableFromInline
    @inline(never)
    func admits(_ offset: Int, _ count: Int) -> Bool {
        (try? gate.admit(offset, count, after: NodeHeader.size)) != nil
    }
}

extension IntegerVector {
    /// Element `index`, which the caller has proven to be below `count`, as a ref; not a valid node position if it is
    /// not a ref.
    @inlinable @inline(__always)
    package func ref(unchecked index: Int) -> Ref {
        // Refs of most files have 32 bits.
        Ref(Int(truncatingIfNeeded: width == 32 ? int32(unchecked: index) : self[unchecked: index]))
    }
}
