internal import RealmCore
internal import RealmLayout

// Objects that were linked to before they existed.
extension WriteTransaction {
    /// Redirects all links to the tombstone of a primary key, if there is one, to the object that has this key now, and
    /// removes the tombstone (Spec 50, 220).
    func resolveTombstone(
        _ primaryKey: IndexKeyBytes, as key: ObjectKey, of table: MutableTable
    ) throws {
        let found = try table.tombstone(primaryKey: primaryKey)
        guard let tombstone = found else { return }
        try table.settleLinks(nodes, &released)
        // The tombstone disappears with its last link.
        guard try table.tombstones?.find(tombstone) != nil else { return table.forget(tombstone: primaryKey) }
        try takeBacklinks(of: tombstone, in: table) { column, origins, origin, index in
            for source in Set(origins) {
                try removeLinks(to: tombstone, of: table, from: ObjectKey(source), origin, index, replacedBy: key)
            }
            // The same number of backlinks as before: a list may contain a link several times.
            for source in origins {
                table.note(LinkChange(target: key, origin: ObjectKey(source), isAdded: true), in: column)
            }
        }
        let (cluster, row) = try place(of: tombstone, in: table)
        cluster.remove(row)
        table.forget(tombstone: primaryKey)
    }
}
