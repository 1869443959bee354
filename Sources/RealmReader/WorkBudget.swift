public import RealmLayout

/// A bound on the work of one walk.
///
/// Nodes form a strict tree, so that an intact file cannot make a walk visit more nodes, elements or bytes than it
/// has room for. A hostile file can: nodes that have several parents multiply at each level, and nodes of width 0
/// claim 16 million elements in 8 bytes. A depth limit does not stop that; this does.
@usableFromInline
package struct WorkBudget: Sendable {
    @usableFromInline var remaining: Int

    /// The most elements a byte of an intact file stands for: leaves of trees hold at most 1000 elements of width 0,
    /// for which leaf and parent take 12 bytes or more. Rounded up.
    static let elementsPerByte = 128

    /// A budget for one walk over things that occur once in `space`.
    package init(for space: NodeSpace) {
        remaining = space.bytes.count * Self.elementsPerByte + 1 << 20
    }

    /// Pays for one node of `count` elements or bytes.
    ///
    /// - Throws: `sharedNodes` when the budget is used up.
    @inlinable
    package mutating func spend(_ count: Int, at ref: Ref) throws(FormatError) {
        remaining &-= count &+ 8
        if remaining < 0 { throw Self.exhausted(ref) }
    }

    @usableFromInline
    @inline(never)
    static func exhausted(_ ref: Ref) -> FormatError {
        FormatError(
            .sharedNodes, at: ref.offset,
            "more nodes and elements than the file has room for: nodes are shared or form a cycle")
    }
}
