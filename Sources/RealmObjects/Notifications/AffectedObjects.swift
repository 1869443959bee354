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
    /// - Parameter paths: the properties that count, each the last name of a path; nil for all, and what links lead to.
    func keys(of className: String, along paths: [[String]]?) throws -> Set<ObjectKey> {
        if let paths {
            return try paths.reduce(into: []) { $0.formUnion(try keys(of: className, path: $1[...])) }
        }
        var found: [String: Set<ObjectKey>] = [:]
        for table in changes.tables { found[table.name] = Set(table.modified.map(\.key)) }
        var edge = found
        for _ in 0..<Self.depth where !edge.isEmpty {
            var next: [String: Set<ObjectKey>] = [:]
            for (name, keys) in edge {
                let table = try after.table(named: name)
                for incoming in table.schema.incoming {
                    let origin = TableName.className(of: incoming.tableName)
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

    /// The objects from which a path leads over a property that has another value.
    private func keys(of className: String, path: ArraySlice<String>) throws -> Set<ObjectKey> {
        guard let name = path.first else { return [] }
        let changed = table(className)?.modified.filter { $0.properties.contains { $0.name == name } }
        var found = Set(changed?.map(\.key) ?? [])
        let rest = path.dropFirst()
        let schema = try after.table(named: className).schema
        guard !rest.isEmpty, let target = schema.property(named: name)?.target else { return found }
        let linked = TableName.className(of: target)
        let table = try after.table(named: linked)
        guard
            let incoming = table.schema.incoming.first(where: {
                $0.tableName == schema.tableName && $0.propertyName == name
            })
        else { return found }
        for key in try keys(of: linked, path: rest) {
            if let object = try table.object(key) { found.formUnion(try object.backlinks(incoming)) }
        }
        return found
    }
}
