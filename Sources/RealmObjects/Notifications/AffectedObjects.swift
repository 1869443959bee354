internal import RealmCore
internal import RealmLayout
internal import RealmStore

/// The objects modified between two versions: those with changed values, and those that link to them over a few links.
/// Results are cached, because several observers ask the same questions.
final class AffectedObjects {
    let before: Snapshot
    let after: Snapshot
    private let changes: [String: ChangedTable]
    /// Cached results.
    private var known: [Question: Set<ObjectKey>] = [:]
    /// Maximum number of links followed.
    private static let depth = 3

    private struct Question: Hashable {
        let className: String
        /// nil for all properties, and linked objects.
        let path: [String]?
    }

    init(from before: Snapshot, to after: Snapshot) throws {
        let tables = try after.changes(since: before).tables
        changes = Dictionary(tables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        (self.before, self.after) = (before, after)
    }

    func table(_ name: String) -> ChangedTable? { changes[name] }

    /// Whether an object of a class was inserted, deleted, or changed in one of the properties. True if the schema
    /// changed.
    func touches(_ className: String, _ properties: Set<String>) -> Bool {
        guard isOfSameSchema else { return true }
        guard let table = changes[className] else { return false }
        return !table.inserted.isEmpty || !table.deleted.isEmpty
            || table.modified.contains { $0.properties.contains { properties.contains($0.name) } }
    }

    /// Whether anything changed in a class, or in a class connected with it by any number of links in either direction.
    func touchesNeighbours(of className: String) -> Bool {
        guard isOfSameSchema else { return true }
        guard !changes.isEmpty else { return false }
        var found: Set<String> = [className]
        var edge = [className]
        while !edge.isEmpty {
            edge = edge.flatMap { neighbours[$0] ?? [] }.filter { found.insert($0).inserted }
        }
        // Mixed values can link to every class.
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

    /// Returns the names of an object's changed properties.
    func changedProperties(of key: ObjectKey, _ className: String) -> Set<String> {
        guard let modified = changes[className]?.modified else { return [] }
        let index = modified.partitioningIndex { $0.key >= key }
        guard index < modified.count, modified[index].key == key else { return [] }
        return Set(modified[index].properties.map(\.name))
    }

    /// Returns the keys of the modified objects of a class.
    ///
    /// - Parameter paths: the observed paths of property names; nil for all properties and linked objects.
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
                    // The requested class does not reach the rest within the maximum number of links.
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

    /// Returns the smallest number of links from a class to each class that it reaches within the maximum.
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

    /// Returns the objects with a change along a path.
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

    /// Returns the objects whose incoming links changed, and those linked from an object with a change along the path.
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

/// A step against the direction of links, in the notation of `ColumnNames`.
private struct BacklinkStep {
    /// The class that the links start from, and its property.
    let className: String
    let column: String

    init?(_ name: String) {
        let parts = name.split(separator: ".", maxSplits: 2)
        guard parts.count == 3, parts[0] == "@links" else { return nil }
        (className, column) = (String(parts[1]), String(parts[2]))
    }
}
