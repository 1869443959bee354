internal import RealmLayout

/// Selects the tables to copy into a new file, with or without their objects.
///
/// The chosen classes include the classes embedded in them, with the objects owned by kept ones, and the schema
/// version. Classes that kept ones link to stay in the schema, so that the app's model still fits, but have no
/// objects.
struct TableSelection {
    /// The tables of the new file, in the order of the old one.
    let tables: [TablePosition]
    /// Whether objects of each table are copied.
    private let isKept: ByTable<Bool>
    private let source: Snapshot
    /// Maximum depth of embedded objects; longer paths to the owner are cycles.
    private static let longestWayUp = 1000

    /// Selects all tables.
    init(_ source: Snapshot) {
        self.source = source
        tables = Array(source.cores.indices)
        isKept = ByTable(repeating: true, count: source.cores.count)
    }

    /// Selects some classes.
    ///
    /// - Parameter names: The full names of their tables.
    init(_ source: Snapshot, tables names: Set<String>) {
        self.source = source
        var kept = ByTable(repeating: false, count: source.cores.count)
        var inSchema = kept
        var queue: [TablePosition] = []
        for (position, core) in source.cores.indexed
        where names.contains(core.schema.tableName) || core.schema.tableName == SchemaDefinition.metadataTable {
            kept[position] = true
            queue.append(position)
        }
        while let position = queue.popLast() {
            inSchema[position] = true
            for (property, column) in zip(source.cores[position].schema.properties, source.cores[position].columns) {
                guard let target = column.target else { continue }
                if kept[position], property.isTargetEmbedded, !kept[target] {
                    kept[target] = true
                    queue.append(target)
                } else if !inSchema[target] {
                    inSchema[target] = true
                    queue.append(target)
                }
            }
        }
        isKept = kept
        tables = inSchema.indices.filter { inSchema[$0] }
    }

    /// Whether everything is copied.
    var isEverything: Bool { !isKept.contains(false) }

    /// Whether objects of the table are copied: all of them, or those owned by kept objects.
    func keeps(_ position: TablePosition) -> Bool { isKept[position] }

    /// Whether only some objects of the table are copied: embedded ones, which may have other owners.
    func isPartial(_ position: TablePosition) -> Bool {
        !isEverything && source.cores[position].schema.kind == .embedded
    }

    /// Whether an embedded object is owned by a kept object, directly or through other embedded objects.
    func keeps(_ key: ObjectKey, in position: TablePosition) throws(FormatError) -> Bool {
        var (position, key) = (position, key)
        for _ in 0..<Self.longestWayUp {
            let core = source.cores[position]
            guard core.schema.kind == .embedded else { return isKept[position] }
            guard let object = try source.table(at: position).object(key), let owner = try owner(of: object, core)
            else { return false }
            (position, key) = owner
        }
        return false
    }

    private func owner(of object: StoredObject, _ core: TableDescription) throws(FormatError) -> (
        TablePosition, ObjectKey
    )? {
        for (number, incoming) in core.schema.incoming.enumerated() {
            guard let origin = core.backlinkColumns[number].target else { continue }
            if let key = try object.backlinks(incoming).first { return (origin, key) }
        }
        return nil
    }
}

/// Links that are omitted from a new file because their target class was not selected.
///
/// ```swift
/// for links in try await snapshot.rebuild(to: NewFile("dogs.realm"), classes: ["Dog"]) {
///     print(links.table, links.property, links.count)
/// }
/// ```
public struct OmittedLinks: Equatable, Sendable {
    /// The full name of the table where the links start.
    public let table: String
    /// The property that contained the links.
    public let property: String
    /// The full name of the target table.
    public let target: String
    /// Number of omitted links. To-one links and values of dictionaries are null in the new file; elements of lists
    /// and sets are removed.
    public let count: Int
}
