internal import RealmLayout
internal import RealmReader
internal import RealmTransactions

/// Which objects of a class are modified by what changed between two versions: those that have other values, and those whose links lead
/// to such, over a few links.
struct AffectedObjects {
    private let changes: SnapshotChanges
    private let after: Snapshot
    /// Links that are followed.
    private static let depth = 4

    init(from before: Snapshot, to after: Snapshot) throws {
        changes = try after.changes(since: before)
        self.after = after
    }

    var isEmpty: Bool { changes.isEmpty }

    func table(_ name: String) -> ChangedTable? { changes.table(named: name) }

    /// The keys of the modified objects of a class.
    ///
    /// - Parameter properties: only objects of the class itself with other values of these count; nil for all, and what links lead to.
    func keys(of className: String, properties: Set<String>?) throws -> Set<ObjectKey> {
        if let properties {
            let modified = table(className)?.modified.filter { $0.properties.contains { properties.contains($0.name) } }
            return Set(modified?.map(\.key) ?? [])
        }
        var found: [String: Set<ObjectKey>] = [:]
        for table in changes.tables { found[table.name] = Set(table.modified.map(\.key)) }
        var edge = found
        for _ in 0..<Self.depth where !edge.isEmpty {
            var next: [String: Set<ObjectKey>] = [:]
            for (name, keys) in edge {
                let table = try after.table(named: name)
                for incoming in table.schema.incoming {
                    let origin = TableSchema.className(of: incoming.tableName)
                    for key in keys {
                        guard let object = try table.object(key) else { continue }
                        for owner in try object.backlinks(incoming)
                        where found[origin, default: []].insert(owner).inserted {
                            next[origin, default: []].insert(owner)
                        }
                    }
                }
            }
            edge = next
        }
        return found[className] ?? []
    }
}
