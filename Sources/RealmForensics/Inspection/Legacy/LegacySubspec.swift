internal import RealmCore

/// An entry of the node that describes link targets and subtables (Spec 100).
struct LegacySubspec: Sendable {
    /// The entry's name.
    let name: String
    /// The meaning of its number.
    let note: String?
    /// The name of the subtable whose spec it refers to.
    let subtable: String?

    /// Returns the entries of all columns, in order.
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
