internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// Iterates over the objects of a table in key order and writes each one as content bytes.
///
/// Works in batches of rows of one cluster; their bytes are contiguous and valid until the next batch.
struct ContentCursor: ~Copyable {
    /// An object of the current batch.
    struct Record {
        let key: ObjectKey
        /// Offset of its first byte in the batch.
        let start: Int
    }

    private let plan: HashPlan
    private let position: TablePosition
    private let fields: [ContentField]
    /// Whether a record begins with the object's identity (Spec 170).
    private let hasIdentity: Bool
    private var writer: ContentWriter
    private var clusters: ClusterCursor?
    private var cluster: Cluster?
    private var nextRow = 0
    /// Read lease for the pages of an encrypted file.
    private let lease: OwnedLease?
    /// The objects of the current batch.
    private(set) var records: [Record] = []
    /// Offsets of values, one for each field of each record, in order; empty unless requested.
    private(set) var valueStarts: [Int] = []
    private let notesValues: Bool

    /// Size in bytes at which a batch ends.
    private static let batchBytes = 1 << 18

    /// Creates a cursor before the first object.
    ///
    /// - Parameters:
    ///   - tree: The objects of the table at `position`, or its tombstones, whose only content is the primary key.
    ///   - notesValues: Whether to record `valueStarts`.
    init(
        _ plan: HashPlan, _ position: TablePosition, tree: ClusterTree?, isTombstones: Bool = false,
        notesValues: Bool = false
    ) {
        self.plan = plan
        self.position = position
        self.notesValues = notesValues
        let table = plan.tables[position]
        fields = isTombstones ? table.primaryField.map { [$0] } ?? [] : table.fields
        hasIdentity = plan.identity == .primaryKey
        writer = ContentWriter(plan)
        lease = plan.snapshot.data.pages.map { OwnedLease($0) }
        clusters = tree.map { ClusterCursor($0) }
    }

    /// The bytes of the current batch; valid until the next one.
    var view: ByteView { writer.bytes.view }

    /// Returns the bytes of a record.
    func view(of index: Int) -> ByteView {
        let end = index + 1 < records.count ? records[index + 1].start : view.count
        return view.slice(unchecked: records[index].start, count: end - records[index].start)
    }

    /// Returns the bytes of one value of a record.
    func value(_ field: Int, of index: Int) -> ByteView {
        let number = index * fields.count + field
        let end =
            if field + 1 < fields.count {
                valueStarts[number + 1]
            } else if index + 1 < records.count {
                records[index + 1].start
            } else {
                view.count
            }
        return view.slice(unchecked: valueStarts[number], count: end - valueStarts[number])
    }

    /// Writes the next batch of objects.
    ///
    /// - Returns: False after the last object.
    /// - Throws: `FormatError` with the path of the damaged part.
    mutating func next() throws(FormatError) -> Bool {
        writer.bytes.truncate()
        records.removeAll(keepingCapacity: true)
        valueStarts.removeAll(keepingCapacity: true)
        if let lease, !lease.resume() { writer.targets.forget() }
        defer { lease?.park() }
        do throws(FormatError) {
            if let cluster, nextRow < cluster.count {
                self.cluster = try cluster.current(in: writer.space)
            } else {
                cluster = try clusters?.next()
                nextRow = 0
            }
            guard let cluster else { return false }
            try write(cluster)
        } catch {
            throw error.at(table: plan.tables[position].schema.tableName)
        }
        return true
    }

    private mutating func write(_ cluster: Cluster) throws(FormatError) {
        var open: [OpenField] = []
        open.reserveCapacity(fields.count)
        for field in fields {
            do throws(FormatError) {
                open.append(OpenField(field, try cluster.leaf(of: field.column, in: writer.space)))
            } catch {
                // A damaged leaf affects all remaining rows; the error names the first of them.
                throw error.at(property: name(of: field), objectKey: cluster.key(unchecked: nextRow))
            }
        }
        let primary = try hasIdentity ? openPrimaryKey(cluster) : nil
        let end = min(cluster.count, nextRow + (lease?.rows ?? cluster.count))
        while nextRow < end, writer.bytes.count < Self.batchBytes {
            try write(cluster.key(unchecked: nextRow), nextRow, open, primary)
            nextRow += 1
        }
    }

    private func openPrimaryKey(_ cluster: Cluster) throws(FormatError) -> OpenField? {
        guard let field = plan.tables[position].primaryField else { return nil }
        return OpenField(field, try cluster.leaf(of: field.column, in: writer.space))
    }

    @inline(__always)
    private mutating func write(
        _ key: ObjectKey, _ row: Int, _ open: [OpenField], _ primary: OpenField?
    ) throws(FormatError) {
        records.append(Record(key: key, start: writer.bytes.count))
        var index = 0
        do throws(FormatError) {
            if hasIdentity {
                if let primary {
                    try writer.write(primary, row, depth: 0)
                } else {
                    writer.append(.int, key.value)
                }
            } else {
                writer.bytes.append(ContentMark.object, key.value)
            }
            while index < open.count {
                if notesValues { valueStarts.append(writer.bytes.count) }
                try writer.write(open[index], row, depth: 0)
                index &+= 1
            }
        } catch {
            throw error.at(
                table: plan.tables[position].schema.tableName,
                property: index < fields.count ? name(of: fields[index]) : nil, objectKey: key)
        }
    }

    private func name(of field: ContentField) -> String {
        plan.tables[position].schema.properties[field.property].name
    }
}
