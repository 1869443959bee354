internal import RealmLayout
internal import RealmReader
internal import RealmTransactions

/// Which objects of a class are modified by what changed between two versions: those that have other values, and those whose links lead
/// to such, over a few links. What one observer asks for, others ask for too: it is found once.
final class AffectedObjects {
    let before: Snapshot
    let after: Snapshot
    private let changes: [String: ChangedTable]
    /// What was asked for already.
    private var known: [Question: Set<ObjectKey>] = [:]
    /// Links that are followed.
    private static let depth = 3

    private struct Question: Hashable {
        let className: String
        /// Nil for all properties, and what links lead to.
        let path: [String]?
    }

    init(from before: Snapshot, to after: Snapshot) throws {
        let tables = try after.changes(since: before).tables
        changes = Dictionary(tables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        (self.before, self.after) = (before, after)
    }

    func table(_ name: String) -> ChangedTable? { changes[name] }

    /// Whether an object of a class came or went, or has another value in one of some properties; or whether classes themselves have changed.
    func touches(_ className: String, _ properties: Set<String>) -> Bool {
        guard isOfSameSchema else { return true }
        guard let table = changes[className] else { return false }
        return !table.inserted.isEmpty || !table.deleted.isEmpty
            || table.modified.contains { $0.properties.contains { properties.contains($0.name) } }
    }

    /// Whether anything has changed in a class, or in one that links connect with it, over however many and in whichever direction.
    func touchesNeighbours(of className: String) -> Bool {
        guard isOfSameSchema else { return true }
        guard !changes.isEmpty else { return false }
        var found: Set<String> = [className]
        var edge = [className]
        while !edge.isEmpty {
            edge = edge.flatMap { neighbours[$0] ?? [] }.filter { found.insert($0).inserted }
        }
        // Mixed values can lead to all classes.
        let leadsAnywhere = after.schema.classes.contains { table in
            found.contains(table.name) && table.properties.contains { $0.type == .mixed }
        }
        return leadsAnywhere || changes.keys.contains { found.contains($0) }
    }

    private lazy var isOfSameSchema = before.schema == after.schema

    /// The classes that links of a class lead to, and those whose links lead to it.
    private lazy var neighbours: [String: Set<String>] = {
        var neighbours = targets
        for (origin, targets) in targets { for target in targets { neighbours[target, default: []].insert(origin) } }
        return neighbours
    }()

    /// The names of an object's properties that have other values.
    func changedProperties(of key: ObjectKey, _ className: String) -> Set<String> {
        guard let modified = changes[className]?.modified else { return [] }
        let index = modified.partitioningIndex { $0.key >= key }
        guard index < modified.count, modified[index].key == key else { return [] }
        return Set(modified[index].properties.map(\.name))
    }

    /// The keys of the modified objects of a class.
    ///
    /// - Parameter paths: the properties that count, each the last name of a path; nil for all, and what links lead to.
    func keys(of className: String, along paths: [[String]]?) throws -> Set<ObjectKey> {
        guard let paths else { return try keys(Question(className: className, path: nil)) }
        return try paths.reduce(into: []) { found, path in
            let more = try keys(Question(className: className, path: path))
            found = found.isEmpty ? more : found.union(more)
        }
    }

    private func keys(_ question: Question) throws -> Set<ObjectKey> {
        if let keys = known[question] { return keys }
        let keys =
            if let path = question.path {
                try keys(of: question.className, path: path[...])
            } else {
                try keysOverLinks(to: question.className)
            }
        known[question] = keys
        return keys
    }

    private func keysOverLinks(to className: String) throws -> Set<ObjectKey> {
        let distances = distances(from: className)
        var found: [String: Set<ObjectKey>] = [:]
        for table in changes.values where distances[table.name] != nil {
            found[table.name] = Set(table.modified.map(\.key))
        }
        var edge = found
        for step in 1...Self.depth where !edge.isEmpty {
            var next: [String: Set<ObjectKey>] = [:]
            for (name, keys) in edge {
                let table = try after.table(named: name)
                for incoming in table.schema.incoming {
                    let origin = TableName.className(of: incoming.tableName)
                    // Others are on no way from the class that is asked for.
                    guard let distance = distances[origin], distance + step <= Self.depth else { continue }
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

    /// How many links lead at least from a class to those that links lead to at all, over as many as are followed.
    private func distances(from className: String) -> [String: Int] {
        var distances = [className: 0]
        var edge = [className]
        for distance in 1...Self.depth {
            edge = edge.flatMap { targets[$0] ?? [] }.filter { distances[$0] == nil }
            for name in edge { distances[name] = distance }
        }
        return distances
    }

    /// The classes that links of a class lead to.
    private lazy var targets: [String: Set<String>] = {
        var targets: [String: Set<String>] = [:]
        for target in after.schema.classes {
            for incoming in target.incoming {
                targets[TableName.className(of: incoming.tableName), default: []].insert(target.name)
            }
        }
        return targets
    }()

    /// The objects from which a path leads over a property that has another value.
    private func keys(of className: String, path: ArraySlice<String>) throws -> Set<ObjectKey> {
        guard let name = path.first else { return [] }
        if let link = BacklinkStep(name) { return try keys(linkedBy: link, path: path.dropFirst()) }
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

    /// The objects that other links lead to than before, or that are linked from one from which a path leads over a property that has
    /// another value.
    private func keys(linkedBy link: BacklinkStep, path: ArraySlice<String>) throws -> Set<ObjectKey> {
        var found: Set<ObjectKey> = []
        if let table = table(link.className) {
            let modified = table.modified.filter { $0.properties.contains { $0.name == link.column } }.map(\.key)
            for key in modified + table.deleted { found.formUnion(try targets(of: key, link, in: before)) }
            for key in modified + table.inserted { found.formUnion(try targets(of: key, link, in: after)) }
        }
        for key in try keys(of: link.className, path: path) { found.formUnion(try targets(of: key, link, in: after)) }
        return found
    }

    private func targets(of key: ObjectKey, _ link: BacklinkStep, in snapshot: Snapshot) throws -> [ObjectKey] {
        let table = try snapshot.table(named: link.className)
        guard let column = table.schema.properties.firstIndex(where: { $0.name == link.column }),
            let value = try table.object(key)?.value(at: column)
        else { return [] }
        return switch value {
        case .list(let elements), .set(let elements): elements.compactMap(\.linkedKey)
        case .dictionary(let entries): entries.compactMap(\.value.linkedKey)
        default: value.linkedKey.map { [$0] } ?? []
        }
    }
}

/// Links against their direction, as `ColumnNames` writes them.
private struct BacklinkStep {
    /// The class that they start from, and its property.
    let className: String
    let column: String

    init?(_ name: String) {
        let parts = name.split(separator: ".", maxSplits: 2)
        guard parts.count == 3, parts[0] == "@links" else { return nil }
        (className, column) = (String(parts[1]), String(parts[2]))
    }
}
