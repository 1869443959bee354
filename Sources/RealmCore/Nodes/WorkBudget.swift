public import RealmLayout

/// A bound on the work of one walk.
///
/// Nodes form a strict tree, so an intact file cannot make a walk visit more bytes or elements than it has room for. A
/// hostile file can: nodes with several parents multiply at each level, and nodes of width 0 claim 16 million elements
/// in 8 bytes. A depth limit does not prevent that; a budget does. Nodes and blobs are charged in bytes; elements are
/// charged separately, because those of width 0 have no bytes.
@usableFromInline
package struct WorkBudget: Sendable {
    @usableFromInline var elements: Int
    @usableFromInline var bytes: Int

    /// The most elements per byte in an intact file: leaves of trees hold at most 1000 elements of width 0, for which
    /// leaf and parent take 9 bytes or more. Rounded up.
    static let elementsPerByte = 128
    /// Values in leaves are charged twice: with their leaf, and when their bytes are copied.
    static let bytesPerByte = 2

    /// The most elements to reserve capacity for before reading any, since a leaf's count may be wrong.
    static let largestReserve = 4096

    /// Makes a budget for a walk over things that occur once in `space`.
    ///
    /// - Parameter passes: the number of times that the walk may visit each thing.
    package init(for space: NodeSpace, passes: Int = 1) {
        elements = space.size &* Self.elementsPerByte &* passes
        bytes = space.size &* Self.bytesPerByte &* passes
    }

    /// Charges for `count` elements.
    ///
    /// - Throws: `sharedNodes` when the budget is exhausted.
    @inlinable
    package mutating func spend(_ count: Int, at ref: Ref) throws(FormatError) {
        elements &-= count
        if elements < 0 { throw Self.exhausted(ref) }
    }

    /// Charges for the bytes of a node and for its elements.
    ///
    /// - Throws: `sharedNodes` when the budget is exhausted.
    @inlinable
    package mutating func spend(_ node: Node, elements count: Int) throws(FormatError) {
        elements &-= count
        try spend(bytes: node.body.count, at: node.ref)
        if elements < 0 { throw Self.exhausted(node.ref) }
    }

    /// Charges the budget for elements and bytes; returns false instead of throwing when either is insufficient.
    @inlinable @inline(__always)
    package mutating func trySpend(_ count: Int, bytes size: Int) -> Bool {
        guard elements >= count, bytes >= size else { return false }
        elements &-= count
        bytes &-= size
        return true
    }

    /// Charges for `count` bytes.
    ///
    /// - Throws: `sharedNodes` when the budget is exhausted.
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
