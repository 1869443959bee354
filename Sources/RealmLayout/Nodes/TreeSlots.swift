// Nodes of trees: a few fixed slots, and one slot per child or entry.

/// The elements of an inner node of a B+tree: the starts of the children, the children, and the total count (Spec 40).
package struct TreeInnerSlots: Sendable {
    package let elements: IntegerVector

    /// - Returns: nil when there is no room for a child.
    package init?(_ elements: IntegerVector) {
        guard elements.count >= 3 else { return nil }
        self.elements = elements
    }

    package var childCount: Int { elements.count - 2 }

    /// The slot of a child, whose index the caller has proven to be below `childCount`.
    package func child(unchecked index: Int) -> Slot { Slot(elements[unchecked: index + 1]) }

    /// The starts of the children: a number when all children have that many elements, or a ref to the list of starts
    /// without the first.
    package var starts: Slot { Slot(elements[unchecked: 0]) }

    /// The number of elements in all children; nil when the slot is not a number.
    package var total: UInt64? { Slot(elements[unchecked: elements.count - 1]).number }
}

/// The elements of a leaf of a cluster tree: the object keys, and a leaf for each column index (Spec 50).
@usableFromInline
package struct ClusterSlots: Sendable, BitwiseCopyable {
    @usableFromInline package let elements: IntegerVector

    @inlinable
    package init(_ elements: IntegerVector) { self.elements = elements }

    /// The keys: a ref to a list of them, or the count N when they are 0 ..< N.
    @inlinable package var keys: Slot { Slot(elements.element(at: 0) ?? 0) }

    /// The number of columns that the node has room for.
    @inlinable package var columnCount: Int { elements.count - 1 }

    /// The leaf of the column with that index; empty when the node has no slot for it.
    @inlinable
    package func leaf(of column: ColumnIndex) -> Slot { Slot(elements.element(at: Self.element(of: column)) ?? 0) }

    /// The index of the element that holds a column's leaf; the first element holds the keys.
    @inlinable @inline(__always)
    package static func element(of column: ColumnIndex) -> Int { column.number &+ 1 }

    /// The column whose leaf is at an element index, which must not be 0.
    package static func column(ofElement index: Int) -> ColumnIndex { ColumnIndex(index - 1) }
}

/// The elements of a node of a search index: the list of chunks, and an entry or child for each chunk (Spec 80).
package struct IndexNodeSlots: Sendable {
    package let elements: IntegerVector
    /// The ref of the list of chunks.
    package let chunks: Ref

    /// - Returns: nil when there is no list of chunks.
    package init?(_ elements: IntegerVector) {
        guard let chunks = Slot(elements.element(at: 0) ?? 0).ref else { return nil }
        self.elements = elements
        self.chunks = chunks
    }

    /// The number of entries or children.
    package var count: Int { elements.count - 1 }

    /// The entry or child of a chunk, whose index the caller has proven to be below `count`.
    package func entry(unchecked index: Int) -> Slot { Slot(elements[unchecked: index + 1]) }
}
