internal import RealmLayout
internal import RealmReader

// The collections and long strings of a cluster's objects lie anywhere in the file: opened one by one, each waits for
// memory. Here the headers of what the next rows need are loaded in a loop without dependencies, so that the waits overlap.
extension DocumentWriter where Sink: ~Copyable {
    /// How many rows are prepared at once: enough to keep memory busy, few enough that nothing is pushed out of the cache
    /// again.
    static var warmedRows: Int { 64 }

    /// Loads the first word of each collection and long string of `rows`, and the identities of linked objects that are
    /// texts. Damage is left to the real reading.
    @inline(never)
    mutating func warm(_ table: TablePlan, _ leaves: SlabView<FieldLeaf>, _ rows: Range<Int>) {
        for index in 0..<table.fieldCount {
            switch leaves[unchecked: index].step {
            case .collection, .bigString:
                for row in rows { warmth &+= space.word(at: leaves[unchecked: index].leaf.rawElement(at: row)) }
            case .textLink:
                let position = fields[unchecked: leaves[unchecked: index].number].targetPosition
                for row in rows {
                    let text = textIdentity(of: leaves[unchecked: index].leaf.link(at: row), in: position)
                    texts[unchecked: Self.textIndex(index, row)] = text
                    if text.count > 0 { warmth &+= UInt64(text.byte(unchecked: 0)) }
                }
            default:
                break
            }
        }
    }

    /// Where the text of a row's link is kept while rows around it are written.
    @inline(__always)
    static func textIndex(_ field: Int, _ row: Int) -> Int { field &* warmedRows &+ row & (warmedRows &- 1) }

    /// Whether the identities of a field's targets are texts.
    func isTextLink(_ field: FieldPlan) -> Bool {
        guard field.shape == .value, field.form == .link, field.targetPosition >= 0 else { return false }
        let target = tables[unchecked: field.targetPosition]
        return target.primaryField >= 0 && fields[unchecked: target.firstField + target.primaryField].form == .string
    }

    /// The identity of an object when it is a text that costs nothing; no bytes when it is anything else, or not there.
    @inline(__always)
    private mutating func textIdentity(of target: ObjectKey?, in position: Int) -> ByteView {
        guard let target, !target.isUnresolved, let place = try? locator.place(of: target, in: position) else {
            return indexKeys[unchecked: 0].slice(unchecked: 0, count: 0)
        }
        let table = tables[unchecked: position]
        let leaf = place.firstLeaf &+ (table.isEmbedded ? table.primaryField : 0)
        let text: ByteView? =
            switch locator.leafView[unchecked: leaf].step {
            case .shortString: locator.leafView[unchecked: leaf].leaf.plainShortString(at: place.row)
            case .mediumString: locator.leafView[unchecked: leaf].leaf.plainMediumString(at: place.row)
            default: nil
            }
        guard let text, text.count < Self.paidBytes else {
            return indexKeys[unchecked: 0].slice(unchecked: 0, count: 0)
        }
        return text
    }
}
