internal import RealmLayout
internal import RealmReader
internal import RealmWriter

// Objects that others linked to before they existed.
extension WriteTransaction {
    /// Lets all links to the tombstone with a primary key, if there is one, lead to the object that has it now; the tombstone goes
    /// (Spec 50, 220).
    func resolveTombstone(
        _ primaryKey: IndexKeyBytes, as key: ObjectKey, of table: MutableTable
    ) throws(WriteError) {
        let found = try checked { () throws(FormatError) in try table.tombstone(primaryKey: primaryKey) }
        guard let tombstone = found else { return }
        try table.settleLinks(nodes, &released)
        // It goes with the last link.
        guard try table.tombstones?.find(tombstone) != nil else { return table.forget(tombstone: primaryKey) }
        try takeBacklinks(of: tombstone, in: table) { column, origins, origin, index throws(WriteError) in
            for source in Set(origins) {
                try removeLinks(to: tombstone, of: table, from: ObjectKey(source), origin, index, replacedBy: key)
            }
            // As many backlinks as there were: a list may have a link several times.
            for source in origins {
                table.note(LinkChange(target: key, origin: ObjectKey(source), isAdded: true), in: column)
            }
        }
        let (cluster, row) = try place(of: tombstone, in: table)
        cluster.remove(row)
        table.forget(tombstone: primaryKey)
    }
}
