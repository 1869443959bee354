internal import RealmLayout
internal import RealmReader
internal import RealmWriter

// Objects that others linked to before they existed.
extension WriteTransaction {
    /// Lets all links to the tombstone with a primary key, if there is one, lead to the object that has it now; the tombstone goes
    /// (Spec 50, 220).
    func resolveTombstone(
        _ primaryKey: IndexKeyBytes, as key: ObjectKey, of table: TableChanges
    ) throws(WriteError) {
        let found = try checked { () throws(FormatError) in try table.tombstone(primaryKey: primaryKey) }
        guard let tombstone = found else { return }
        try table.settleLinks(nodes, &released)
        for column in table.layout.columns where column.isBacklink {
            guard let stored = table.objects.slots[column.index] else { continue }
            let (cluster, row) = try place(of: tombstone, in: table)
            let space = space
            let values = try checked { () throws(FormatError) in try cluster.values(stored) }
            let element = values.numbers[row]
            let origins = try checked { () throws(FormatError) in try table.origins(element, in: space) }
            guard !origins.isEmpty else { continue }
            if let root = Slot(element).ref {
                try checked { () throws(FormatError) in
                    try released.add(tree: root, of: .int(nullable: false), in: space)
                }
            }
            values.set(row, number: 0)
            let origin = try self.table(column.oppositeTable)
            guard let index = origin.core.schema.properties.firstIndex(where: { $0.columnKey == column.oppositeColumn })
            else { continue }
            for source in Set(origins) {
                try removeLinks(
                    to: tombstone, of: table, from: ObjectKey(source), origin, index, replacedBy: key)
            }
            // As many backlinks as there were: a list may have a link several times.
            for source in origins {
                table.note(LinkChange(target: key, origin: ObjectKey(source), isAdded: true), in: column.index)
            }
        }
        let (cluster, row) = try place(of: tombstone, in: table)
        cluster.remove(row)
        table.forget(tombstone: primaryKey)
    }
}
