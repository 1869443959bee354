internal import RealmLayout
internal import RealmReader

// Lists and linked objects lie anywhere in the file: reading them one by one, each read waits for memory. Here the
// first bytes of what the next rows need are loaded in a loop without dependencies, so that the waits overlap.
extension DocumentWriter where Sink: ~Copyable {
    /// Loads what collections and links of `rows` lead to. Damage is left to the real reading.
    @inline(never)
    mutating func warm(_ table: TablePlan, _ leaves: SlabView<ColumnLeaf>, _ rows: Range<Int>) {
        for index in 0..<table.fieldCount {
            let number = table.firstField &+ index
            switch fields[unchecked: number].step {
            case .collection: warmCollections(leaves[unchecked: index], rows)
            case .link: warmLinks(leaves[unchecked: index], rows, to: fields[unchecked: number].targetPosition)
            default: break
            }
        }
    }

    private mutating func warmCollections(_ leaf: ColumnLeaf, _ rows: Range<Int>) {
        var sum: UInt64 = 0
        for row in rows { sum &+= space.word(at: leaf.rawElement(at: row)) }
        warmth &+= sum
    }

    private mutating func warmLinks(_ leaf: ColumnLeaf, _ rows: Range<Int>, to position: Int) {
        let table = tables[unchecked: position]
        guard table.identity == .primaryKey, !table.isEmbedded else { return }
        var sum: UInt64 = 0
        for row in rows {
            guard let key = leaf.link(at: row), !key.isUnresolved,
                let place = (try? locator.place(of: key, in: position)).flatMap({ $0 })
            else { continue }
            sum &+= locator.leafView[unchecked: place.firstLeaf].firstBytes(at: place.row)
        }
        warmth &+= sum
    }
}
