internal import RealmReader

/// An entry of the node that says what links and subtables lead to (Spec 100).
struct LegacySubspec: Sendable {
    /// What it is called.
    let name: String
    /// What the number in it means.
    let note: String?
    /// The name of the subtable whose spec it leads to.
    let subtable: String?

    /// The entries of all columns, in order.
    static func all(of spec: LegacySpec?, in snapshot: Snapshot) -> [LegacySubspec] {
        var entries: [LegacySubspec] = []
        for column in spec?.columns ?? [] {
            let table = column.table.map { snapshot.legacyTableName($0) }
            switch column.type {
            case .subtable where column.key == nil:
                entries.append(
                    LegacySubspec(name: "spec of \(column.name)", note: nil, subtable: column.name))
            case .link, .linkList:
                entries.append(LegacySubspec(name: "target of \(column.name)", note: table, subtable: nil))
            case .backLink:
                let link = snapshot.legacyOrigin(of: column)
                entries.append(LegacySubspec(name: "origin of backlinks", note: table, subtable: nil))
                entries.append(LegacySubspec(name: "column of backlinks", note: link, subtable: nil))
            default: break
            }
        }
        return entries
    }
}
