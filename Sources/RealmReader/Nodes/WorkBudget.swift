public import RealmLayout

/// A bound on the work of one walk.
///
/// Nodes form a strict tree, so that an intact file cannot make a walk visit more bytes or elements than it has room
/// for. A hostile file can: nodes that have several parents multiply at each level, and nodes of width 0 claim
/// 16 million elements in 8 bytes. A depth limit does not stop that; this does. Nodes and blobs are paid in bytes,
/// elements apart from that, because those of width 0 have no bytes.
@usableFromInline
package struct WorkBudget: Sendable {
    @usableFromInline var elements: Int
    @usableFromInline var bytes: Int

    /// The most elements a byte of an intact file stands for: leaves of trees hold at most 1000 elements of width 0,
    /// for which leaf and parent take 9 bytes or more. Rounded up.
    static let elementsPerByte = 128
    /// Values in leaves are paid twice: with their leaf, and when their bytes are copied.
    static let bytesPerByte = 2

    /// Elements to make room for before one of them was read: what leaves say may be wrong.
    static let largestReserve = 4096

    /// A budget for a walk over things that occur once in `space`.
    ///
    /// - Parameter passes: how often the walk may come to each thing.
    package init(for space: NodeSpace, passes: Int = 1) {
        elements = space.size &* Self.elementsPerByte &* passes
        bytes = space.size &* Self.bytesPerByte &* passes
    }

    /// Pays for `count` elements.
    ///
    /// - Throws: `sharedNodes` when the budget is used up.
    @inlinable
    package mutating func spend(_ count: Int, at ref: Ref) throws(FormatError) {
        elements &-= count
        if elements < 0 { throw Self.exhausted(ref) }
    }

    /// Pays for the bytes of a node, and for the elements that it stands for.
    ///
    /// - Throws: `sharedNodes` when the budget is used up.
    @inlinable
    package mutating func spend(_ node: Node, elements count: Int) throws(FormatError) {
        elements &-= count
        try spend(bytes: node.body.count, at: node.ref)
        if elements < 0 { throw Self.exhausted(node.ref) }
    }

    /// Pays for elements and bytes, unless the budget has not enough of both: for who leaves the error to others.
    @inlinable @inline(__always)
    package mutating func trySpend(_ count: Int, bytes size: Int) -> Bool {
        guard elements >= count, bytes >= size else { return false }
        elements &-= count
        bytes &-= size
        return true
    }

    /// Pays for `count` bytes.
    ///
    /// - Throws: `sharedNodes` when the budget is used up.
    @inlinable
    package mutating func spend(bytes count: Int, at ref: Ref) throws(FormatError) {
        bytes &-= count
        if bytes < 0 { throw Self.exhausted(ref) }
    }

    @usableFromInline
    @inline(never)
    static func exhausted(_ ref: Ref) -> FormatError {
        FormatError(
            .sharedNodes, at: ref.offset,
            "more nodes and elements than the file has room for: nodes are shared or form a cycle")
    }
}
