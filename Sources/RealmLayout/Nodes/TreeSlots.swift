// The nodes of trees: a few slots of their own, and a slot for each of what is below them.

/// The elements of an inner node of a B+tree: where children begin, the children, and the elements of all (Spec 40).
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

    /// Where children begin: a number for as many elements in each, a ref of a list of the places of all but the first.
    package var starts: Slot { Slot(elements[unchecked: 0]) }

    /// The elements in all children; nil where no number says so.
    package var total: UInt64? { Slot(elements[unchecked: elements.count - 1]).number }
}

/// The elements of a leaf of a cluster tree: the object keys, and a leaf for each column index (Spec 50).
@usableFromInline
package struct ClusterSlots: Sendable, BitwiseCopyable {
    @usableFromInline package let elements: IntegerVector

    @inlinable
    package init(_ elements: IntegerVector) { self.elements = elements }

    /// The keys: a ref of a list of them, or a number for as many from 0 on.
    @inlinable package var keys: Slot { Slot(elements.element(at: 0) ?? 0) }

    /// How many columns there is room for.
    @inlinable package var columnCount: Int { elements.count - 1 }

    /// The leaf of the column with that index; empty where there is no room for one.
    @inlinable
    package func leaf(of column: ColumnIndex) -> Slot { Slot(elements.element(at: Self.element(of: column)) ?? 0) }

    /// Which element is the leaf of a column: the first is the keys.
    @inlinable @inline(__always)
    package static func element(of column: ColumnIndex) -> Int { column.number &+ 1 }

    /// The column whose leaf an element is: any but the first.
    package static func column(ofElement index: Int) -> ColumnIndex { ColumnIndex(index - 1) }
}

/// The elements of a node of a search index: the list of chunks, and an entry or child for each of them (Spec 80).
package struct IndexNodeSlots: Sendable {
    package let elements: IntegerVector
    /// Where the list of chunks is.
    package let chunks: Ref

    /// - Returns: nil when there is no list of chunks.
    package init?(_ elements: IntegerVector) {
        guard let chunks = Slot(elements.element(at: 0) ?? 0).ref else { return nil }
        self.elements = elements
        self.chunks = chunks
    }

    /// Entries or children.
    package var count: Int { elements.count - 1 }

    /// The entry or child of a chunk, whose index the caller has proven to be below `count`.
    package func entry(unchecked index: Int) -> Slot { Slot(elements[unchecked: index + 1]) }
}
