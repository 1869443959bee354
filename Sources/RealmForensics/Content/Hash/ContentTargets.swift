internal import RealmCore
internal import RealmLayout

/// Finds objects by key, for links that are written by primary key and for embedded objects.
///
/// Caches a few clusters of each table: link targets mostly lie in few clusters, and embedded objects mostly lie near
/// those of the previous object.
struct ContentTargets {
    /// A found object: its row and the leaves of its fields. Includes all fields of an embedded object, and only the
    /// primary key of other objects.
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

    private let plan: HashPlan
    /// Cached clusters of each table searched so far, addressed by the upper bits of keys. A class mostly links to few
    /// others, however many there are.
    private var entries: [[Entry?]] = []
    private var numbers: [TablePosition: Int] = [:]
    /// The table searched last, and its number.
    private var last: (position: TablePosition, number: Int)?

    init(_ plan: HashPlan) { self.plan = plan }

    /// Drops all clusters. Those of an encrypted file are valid only during the lease they were found with.
    mutating func forget() {
        entries = []
        numbers = [:]
        last = nil
    }

    private mutating func number(of position: TablePosition) -> Int {
        if let last, last.position == position { return last.number }
        let number = numbers[position] ?? entries.count
        if number == entries.count {
            numbers[position] = number
            entries.append(Array(repeating: nil, count: Self.entriesPerTable))
        }
        last = (position, number)
        return number
    }

    /// Returns the place of an object; nil if it does not exist.
    ///
    /// - Throws: Errors of opening clusters and leaves.
    mutating func place(of key: ObjectKey, in position: TablePosition) throws(FormatError) -> Place? {
        let number = number(of: position)
        let wanted = UInt64(bitPattern: key.value)
        // Hashed keys differ only in their upper bits.
        let hash = ((wanted &>> 8) &* 0x9E37_79B9_7F4A_7C15) &>> 58
        let slot = Int(truncatingIfNeeded: hash)
        if let entry = entries[number][slot], entry.firstKey <= wanted, wanted <= entry.lastKey {
            return entry.cluster.row(of: key).map { Place(row: $0, fields: entry.fields) }
        }
        let entry = try open(key, position)
        entries[number][slot] = entry
        return entry.cluster.row(of: key).map { Place(row: $0, fields: entry.fields) }
    }

    private func open(_ key: ObjectKey, _ position: TablePosition) throws(FormatError) -> Entry {
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
