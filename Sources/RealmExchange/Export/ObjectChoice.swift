package import RealmCore
package import RealmLayout

/// A part of a snapshot to export: whole classes, selected objects of others, and optionally the objects they link to.
package struct ObjectChoice {
    private let snapshot: Snapshot
    /// The classes exported in full.
    private var whole: Set<TablePosition> = []
    /// The objects of other classes in their order, and the same as sets.
    private var keys: [TablePosition: [ObjectKey]] = [:]
    private var known: [TablePosition: Set<ObjectKey>] = [:]
    /// The classes whose objects keep the order in which they were added.
    private var ordered: Set<TablePosition> = []

    package init(_ snapshot: Snapshot) { self.snapshot = snapshot }

    /// Adds all objects of a class.
    package mutating func add(_ table: Table) { whole.insert(table.position) }

    /// Adds objects of a class. An object that was added before keeps its position.
    ///
    /// - Parameter isOrdered: Whether to export them in this order, rather than in that of the file.
    package mutating func add(_ new: [ObjectKey], of table: Table, isOrdered: Bool) {
        if isOrdered { ordered.insert(table.position) }
        // A class without selected objects still counts as requested.
        for key in new { _ = add(key, at: table.position) }
        keys[table.position, default: []] += []
    }

    private mutating func add(_ key: ObjectKey, at position: TablePosition) -> Bool {
        guard !whole.contains(position), known[position, default: []].insert(key).inserted else { return false }
        keys[position, default: []].append(key)
        return true
    }

    /// Adds all objects reachable by links. Unreadable data is skipped here, and reported by the export.
    ///
    /// - Throws: `CancellationError` if the task was cancelled.
    package mutating func follow() throws {
        var links = FollowedLinks(snapshot)
        for position in whole { links.follow(allOf: snapshot.table(at: position)) }
        for (position, keys) in keys { links.follow(keys, of: snapshot.table(at: position)) }
        while !links.found.isEmpty {
            let found = links.found
            links.found = [:]
            for (position, targets) in found.inOrder(by: { $0.key < $1.key }) {
                try Task.checkCancellation()
                let table = snapshot.table(at: position)
                let new = targets.sorted().filter { key in
                    // A link may have no target.
                    ((try? table.object(key)) ?? nil) != nil && add(key, at: position)
                }
                links.follow(new, of: table)
            }
        }
    }

    /// The options for exporting this part.
    package func options(_ options: ExportOptions) -> ExportOptions {
        var options = options
        let schemas = snapshot.cores.mapped(\.schema)
        options.classNames = whole.union(keys.keys).inOrder().map { schemas[$0].name }
        for (position, keys) in keys where !whole.contains(position) {
            options.chosenObjects[schemas[position].name] = ordered.contains(position) ? keys : keys.sorted()
        }
        return options
    }
}

/// The targets of objects' links, including those in their embedded objects.
private struct FollowedLinks {
    /// The targets found, by class; embedded objects are not included.
    var found: [TablePosition: Set<ObjectKey>] = [:]
    private let snapshot: Snapshot
    /// The properties of each table that may contain links.
    private let properties: ByTable<[Int]>
    /// Embedded objects already visited: in a damaged file, one may contain itself.
    private var seen: [TablePosition: Set<ObjectKey>] = [:]

    init(_ snapshot: Snapshot) {
        self.snapshot = snapshot
        properties = snapshot.cores.mapped { core in
            core.schema.properties.indices.filter { [.link, .mixed].contains(core.schema.properties[$0].type) }
        }
    }

    mutating func follow(allOf table: Table) {
        guard !properties[table.position].isEmpty else { return }
        var cursor = table.objects
        while let object = try? cursor.next() { follow(object) }
    }

    mutating func follow(_ keys: [ObjectKey], of table: Table) {
        guard !properties[table.position].isEmpty else { return }
        for key in keys {
            if let object = (try? table.object(key)) ?? nil { follow(object) }
        }
    }

    private mutating func follow(_ object: StoredObject) {
        var waiting: [Value] = values(of: object)
        while let value = waiting.popLast() {
            switch value {
            case .link(let link):
                if !link.isUnresolved { found[link.table.position, default: []].insert(link.objectKey) }
            case .embedded(let inner):
                let isNew = seen[inner.table.position, default: []].insert(inner.key).inserted
                if isNew { waiting += values(of: inner) }
            case .list(let elements), .set(let elements): waiting += elements
            case .dictionary(let entries): waiting += entries.map(\.value)
            default: break
            }
        }
    }

    private func values(of object: StoredObject) -> [Value] {
        properties[object.table.position].compactMap { try? object.value(at: $0) }
    }
}
