internal import RealmLayout

/// Finds objects by key, for links that are written by primary key and for embedded objects.
///
/// Keeps a few clusters of each table: objects that are linked to lie mostly in few clusters, and embedded objects beside
/// those of the object before.
struct ContentTargets {
    /// A found object: its row, and the leaves of its fields: of an embedded object all, of others the primary key.
    struct Place {
        let row: Int
        let fields: [OpenField]
    }

    private struct Entry {
        let firstKey: UInt64
        let lastKey: UInt64
        let cluster: Cluster
        let fields: [OpenField]
    }

    private static let entriesPerTable = 64

    private let plan: ContentPlan
    /// Addressed by the upper bits of keys; none for tables that nothing was looked for in.
    private var entries: [[Entry?]]

    init(_ plan: ContentPlan) {
        self.plan = plan
        entries = Array(repeating: [], count: plan.tables.count)
    }

    /// Forgets all clusters: those of an encrypted file stay only as long as the lease they were found with.
    mutating func forget() {
        for position in entries.indices where !entries[position].isEmpty { entries[position] = [] }
    }

    /// The place of an object; nil when there is none.
    ///
    /// - Throws: what opening clusters and leaves throws.
    mutating func place(of key: ObjectKey, in position: Int) throws(FormatError) -> Place? {
        if entries[position].isEmpty {
            entries[position] = Array(repeating: nil, count: Self.entriesPerTable)
        }
        let wanted = UInt64(bitPattern: key.value)
        // Keys of objects with hashed keys differ in their upper bits alone.
        let hash = ((wanted &>> 8) &* 0x9E37_79B9_7F4A_7C15) &>> 58
        let slot = Int(truncatingIfNeeded: hash)
        if let entry = entries[position][slot], entry.firstKey <= wanted, wanted <= entry.lastKey {
            return entry.cluster.row(of: key).map { Place(row: $0, fields: entry.fields) }
        }
        let entry = try open(key, position)
        entries[position][slot] = entry
        return entry.cluster.row(of: key).map { Place(row: $0, fields: entry.fields) }
    }

    private func open(_ key: ObjectKey, _ position: Int) throws(FormatError) -> Entry {
        let space = plan.snapshot.space
        let table = plan.tables[position]
        let location = try table.core.objects.location(of: key)
        let cluster = try Cluster(space.node(at: location.ref), keyOffset: location.keyOffset, in: space)
        var fields: [OpenField] = []
        if table.isEmbedded {
            for field in table.fields { fields.append(OpenField(field, try cluster.leaf(of: field.column, in: space))) }
        } else if let field = table.primaryField {
            fields.append(OpenField(field, try cluster.leaf(of: field.column, in: space)))
        }
        return Entry(firstKey: location.firstKey, lastKey: location.lastKey, cluster: cluster, fields: fields)
    }
}
