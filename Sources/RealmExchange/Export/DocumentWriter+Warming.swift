internal import RealmLayout
internal import RealmReader

// The collections of a cluster's objects lie anywhere in the file: opened one by one, each waits for memory. Here the
// headers of what the next rows need are loaded in a loop without dependencies, so that the waits overlap.
extension DocumentWriter where Sink: ~Copyable {
    /// Loads the first word of each collection of `rows`. Damage is left to the real reading.
    @inline(never)
    mutating func warm(_ table: TablePlan, _ leaves: SlabView<FieldLeaf>, _ rows: Range<Int>) {
        for index in 0..<table.fieldCount where leaves[unchecked: index].step == .collection {
            for row in rows { warmth &+= space.word(at: leaves[unchecked: index].leaf.rawElement(at: row)) }
        }
    }
}
