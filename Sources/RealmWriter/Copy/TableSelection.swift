internal import RealmLayout
internal import RealmReader

/// Which tables of a file go into a new one with their objects, and which without.
///
/// With the chosen classes come the classes embedded in them, with the objects that belong to kept ones, and the schema version.
/// Classes that kept ones link to stay in the schema, so that the app's model still fits, but have no objects.
struct TableSelection {
    /// The tables that the new file has, in the order of the old one.
    let tables: [TablePosition]
    /// Whether objects are copied.
    private let isKept: ByTable<Bool>
    private let source: Snapshot
    /// Embedded objects inside each other; longer ways up are cycles.
    private static let longestWayUp = 1000

    /// All tables.
    init(_ source: Snapshot) {
        self.source = source
        tables = Array(source.cores.indices)
        isKept = ByTable(repeating: true, count: source.cores.count)
    }

    /// Some classes.
    ///
    /// - Parameter names: the full names of their tables.
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

    /// Whether the objects of the table are copied, all of them or those that belong to kept objects.
    func keeps(_ position: TablePosition) -> Bool { isKept[position] }

    /// Whether only some objects of the table are copied: embedded ones, which may belong to others.
    func isPartial(_ position: TablePosition) -> Bool {
        !isEverything && source.cores[position].schema.kind == .embedded
    }

    /// Whether an embedded object belongs to a kept object, itself or by the objects that it is in.
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

/// Links that are not in a new file because the class that they lead to was not chosen.
///
/// ```swift
/// for links in try await snapshot.rebuild(to: NewFile("dogs.realm"), classes: ["Dog"]) {
///     print(links.table, links.property, links.count)
/// }
/// ```
public struct OmittedLinks: Equatable, Sendable {
    /// The full name of the table where they start.
    public let table: String
    /// The property that held them.
    public let property: String
    /// The full name of the table that they led to.
    public let target: String
    /// How many there were. To-one links and values of dictionaries are null in the new file, elements of lists and sets are
    /// left out.
    public let count: Int
}
