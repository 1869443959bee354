public import RealmLayout
public import RealmStorage

/// The strings of a leaf of short ones, without what other encodings need (Spec 30).
@usableFromInline
package struct ShortStrings: Sendable, BitwiseCopyable {
    @usableFromInline package let count: Int
    /// Bytes a string, with padding.
    @usableFromInline package let width: Int
    @usableFromInline let bytes: ByteView

    @inlinable @inline(__always)
    init(count: Int, width: Int, bytes: ByteView) {
        self.count = count
        self.width = width
        self.bytes = bytes
    }

    /// The strings of a node; nil when it is not a leaf of short ones.
    @inlinable @inline(__always)
    package init?(_ node: Node) {
        guard !node.header.isInner, !node.header.hasRefs, node.header.widthType == .multiply else { return nil }
        self.init(count: node.count, width: node.header.width, bytes: node.payload)
    }

    /// The bytes of the string at `index`, which must be below `count`; nil for null and for damage, which
    /// `ColumnLeaf.string(at:in:)` tells apart.
    @inlinable @inline(__always)
    package func plainString(at index: Int) -> ByteView? {
        guard width > 0 else { return nil }
        let start = index &* width
        let length = ShortString.length(lastByte: bytes.byte(unchecked: start &+ width &- 1), width: width)
        return length >= 0 ? bytes.slice(unchecked: start, count: length) : nil
    }
}

extension ShortStrings {
    /// Bytes of all strings, with padding.
    package var size: Int { bytes.count }

    /// Whether there is no byte beyond ASCII in any of them.
    @inlinable @inline(__always)
    package var areASCII: Bool { bytes.isASCII }

    /// The element at `index`, which must be below `count`, with its padding, in words; nil for those of other sizes than 4,
    /// 8, and 16 bytes. What a string is follows from these and from the size.
    @inlinable @inline(__always)
    package func words(at index: Int) -> (first: UInt64, last: UInt64)? {
        let start = index &* width
        switch width {
        case 4: return (UInt64(bytes.uint32(unchecked: start)), 0)
        case 8: return (bytes.uint64(unchecked: start), 0)
        case 16: return (bytes.uint64(unchecked: start), bytes.uint64(unchecked: start &+ 8))
        default: return nil
        }
    }

    /// Strings of less bytes are copied in whole steps.
    @inlinable package static var longestCopied: Int { 64 }

    /// The bytes that are read to copy a string of `count` bytes, less than 64.
    @inlinable @inline(__always)
    package static func copied(_ count: Int) -> Int { count <= 16 ? 16 : count <= 32 ? 32 : 64 }

    /// Whether all strings may be copied in such steps, with what is read behind the last of them.
    @inlinable @inline(__always)
    package func canCopy(in space: NodeSpace) -> Bool {
        width >= 16 || (!space.gate.isClosed && bytes.extends(to: bytes.count &+ 16, in: space.bytes))
    }
}

extension BPlusTree {
    /// The strings of a list with a single leaf of short ones, without opening it as a leaf of any type.
    ///
    /// - Returns: nil when the tree is of any other form.
    /// - Throws: what opening a node throws, `sharedNodes`.
    @inlinable @inline(__always)
    package static func singleShortStrings(
        at root: Ref, in space: NodeSpace, _ budget: inout WorkBudget
    ) throws(FormatError) -> ShortStrings? {
        let node = try space.node(at: root)
        guard let strings = ShortStrings(node) else { return nil }
        try budget.spend(node, elements: node.count)
        return strings
    }
}
