internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// Writes the objects of a class as documents. This is the hot loop of every export.
///
/// Processes one cluster at a time: opens one leaf per field, then goes row by row, reading values in place and writing
/// each once. A writer belongs to one thread.
struct DocumentWriter<Sink: DocumentSink & ~Copyable>: ~Copyable {
    let plan: ExportPlan
    var sink: Sink
    var losses = LossCounters()
    var locator: ObjectLocator
    /// Links of the canonical profile that had to become null because their target was deleted.
    var unresolved: [UnresolvedLink] = []
    /// Whether unreadable values are recorded and left out instead of causing an error.
    var isTolerant = false
    /// The values left out, and the number of entirely unreadable objects in the current piece.
    var unreadable = UnreadableValues()
    var lostObjects = 0
    /// The object being read, where damage is recorded.
    var owner = ObjectKey.null
    /// The state before the current piece.
    var before: PieceStart?
    var budget: WorkBudget
    /// The budget for long values that intact files use repeatedly: see `pay(forRepeated:)`.
    var repeats: WorkBudget
    let space: NodeSpace
    /// The plan's fields, tables and keys; the plan keeps them alive.
    let fields: UncheckedSpan<ExportField>
    let tables: UncheckedSpan<TablePlan>
    let indexKeys: UncheckedSpan<ByteView>
    let keepsNulls: Bool
    let isCanonical: Bool
    /// Keeps prefetch loads from being optimised away.
    private var warmth: UInt64 = 0
    /// The fields of the current cluster whose values may be anywhere in the file.
    let scattered: UncheckedSpan<Int>
    private let ownedScattered: UncheckedArray<Int>
    let dictionaryKeys = DictionaryKeyMemo()
    /// The key of an array element beyond the prepared ones.
    var lateIndexKey = ScratchKey()
    /// Keeps the pages of an encrypted file.
    private let lease: OwnedLease?
    /// The leaves of the current cluster.
    private let leaves: UncheckedArray<OpenExportField>
    /// The text identities of link targets looked up for the next rows, `warmedRows` per field.
    let texts: UncheckedSpan<ByteView>
    private let ownedTexts: UncheckedArray<ByteView>

    init(_ plan: ExportPlan, _ sink: consuming Sink) {
        self.plan = plan
        self.sink = sink
        locator = ObjectLocator(plan)
        lease = plan.snapshot.data.pages.map { OwnedLease($0) }
        budget = WorkBudget(for: plan.space)
        repeats = WorkBudget(for: plan.space, passes: Self.repeats)
        space = plan.space
        fields = UncheckedSpan(plan.fields)
        tables = UncheckedSpan(plan.tables)
        indexKeys = UncheckedSpan(plan.indexKeys)
        keepsNulls = plan.keepsNulls
        isCanonical = plan.isCanonical
        // One more for the identity.
        leaves = UncheckedArray(count: plan.widestTable + 1)
        let noText = plan.idKey.slice(unchecked: 0, count: 0)
        ownedTexts = UncheckedArray(Array(repeating: noText, count: (plan.widestTable + 1) * Self.warmedRows))
        texts = UncheckedSpan(ownedTexts)
        ownedScattered = UncheckedArray(count: plan.widestTable + 1)
        scattered = UncheckedSpan(ownedScattered)
    }

    /// Writes the objects in `rows` of a cluster of the table at `position`.
    ///
    /// - Throws: `FormatError` with the path of the damage.
    mutating func write(_ cluster: Cluster, rows: Range<Int>, of position: TablePosition) throws(FormatError) {
        guard let lease else { return try writeAdmitted(cluster, rows: rows, of: position) }
        // A lease keeps all pages of an encrypted file that are used while it lasts. Anything found under one lease
        // must not be used under the next.
        var start = rows.lowerBound
        while start < rows.upperBound {
            let end = min(start + lease.rows, rows.upperBound)
            if !lease.resume() { locator.forget() }
            defer { lease.park() }
            try writeAdmitted(try cluster.current(in: space), rows: start..<end, of: position)
            start = end
        }
    }

    private mutating func writeAdmitted(
        _ cluster: Cluster, rows: Range<Int>, of position: TablePosition
    ) throws(FormatError) {
        let table = plan.tables[position]
        let hasIdentityLeaf = table.identity == .primaryKey && !table.isEmbedded
        let leafCount = try openLeaves(of: cluster, rows, table, position, hasIdentityLeaf)
        let leaves = UncheckedSpan(self.leaves)
        let fields = ObjectFields(leaves: leaves, first: 0, end: leafCount, position: position)
        if isTolerant { return try writeReadableRows(fields, cluster, rows) }
        try Sink.writeRows(&self, fields, cluster, rows)
    }

    /// Writes objects row by row.
    mutating func writeRows(
        _ fields: ObjectFields, _ cluster: Cluster, _ rows: Range<Int>
    ) throws(FormatError) {
        let (leaves, leafCount, table) = (fields.leaves, fields.end, tables[unchecked: fields.position])
        let scatteredCount = noteScattered(leafCount, leaves)
        for row in rows.prefix(Self.rowsAhead) { sendFor(row, leaves, count: scatteredCount) }
        for row in rows {
            if row &+ Self.rowsAhead < rows.upperBound { sendFor(row &+ Self.rowsAhead, leaves, count: scatteredCount) }
            if (row &- rows.lowerBound) % Self.warmedRows == 0 {
                warm(leafCount, leaves, row..<min(row &+ Self.warmedRows, rows.upperBound))
            }
            let key = cluster.key(unchecked: row)
            let mark = sink.beginRecord()
            if table.identity == .objectKey, !table.isEmbedded { sink.int(plan.idKey, key.value) }
            try writeFields(fields, row, owner: key, depth: 1)
            if isCanonical, table.isEmbedded || table.identity == .primaryKey { sink.objectKey(key) }
            sink.endRecord(mark)
            try check(size: sink.buffer.count &- mark, fields.position, key)
        }
    }

    /// Opens the leaves of a cluster: that of the identity if it is a primary key, then those of all written fields. A
    /// primary key called `_id` is not written a second time.
    ///
    /// - Returns: The number of leaves.
    private mutating func openLeaves(
        of cluster: Cluster, _ rows: Range<Int>, _ table: TablePlan, _ position: TablePosition, _ hasIdentityLeaf: Bool
    ) throws(FormatError) -> Int {
        var count = hasIdentityLeaf ? 1 : 0
        plan.sendForLeaves(of: cluster, table.firstField, count: table.fieldCount)
        for index in 0..<table.fieldCount {
            let number = table.firstField &+ index
            let field = fields[unchecked: number]
            let isIdentity = hasIdentityLeaf && index == table.primaryField
            do {
                let leaf = try cluster.leaf(of: plan.columns[number], in: space)
                warmth &+= leaf.warm()
                if isIdentity {
                    leaves[0] = OpenExportField(
                        identity: field, number, leaf, key: plan.idKey, countsLoss: table.isPrimaryKeyIdentity)
                    if table.isPrimaryKeyIdentity { continue }
                }
                leaves[count] = OpenExportField(number, field, leaf, readsAhead: !isTolerant)
                count += 1
            } catch {
                let nowhere = try note(lostLeaf: error, position, index: index, cluster, rows)
                if isIdentity {
                    leaves[0] = OpenExportField(lost: number, field, nowhere, key: plan.idKey)
                    if table.isPrimaryKeyIdentity { continue }
                }
                leaves[count] = OpenExportField(lost: number, field, nowhere)
                count += 1
            }
        }
        return count
    }

    /// Writes the fields of an object in order.
    @inline(never)
    mutating func writeFields(
        _ fields: ObjectFields, _ row: Int, owner: ObjectKey, depth: Int
    ) throws(FormatError) {
        var index = fields.first
        do throws(FormatError) {
            while index < fields.end {
                try write(fields.leaves, index, row: row, owner: owner, depth: depth)
                index &+= 1
            }
        } catch {
            try fail(error, fields, index, owner)
        }
    }

    /// Throws an error with its place. Separate, to keep the caller's stack frame small.
    @inline(never)
    private func fail(_ error: FormatError, _ fields: ObjectFields, _ index: Int, _ owner: ObjectKey)
        throws(FormatError)
    {
        throw located(error, fields, field: index, owner)
    }

    /// Checks the size of a document.
    @inline(__always)
    mutating func check(size: Int, _ position: TablePosition, _ key: ObjectKey) throws(FormatError) {
        guard size > Self.mongoDocumentLimit else { return }
        guard size <= Int(Int32.max) else {
            throw located(
                FormatError(.badValue, "a document of \(size) bytes; BSON ends at 2 GiB"), position, field: -1, key)
        }
        if plan.isForMongo { losses.count(.oversizeDocument, field: -1) }
    }

    private static var mongoDocumentLimit: Int { 16 << 20 }

    /// The error with the class, property and object in its path.
    @inline(never)
    func located(_ error: FormatError, _ fields: ObjectFields, field index: Int, _ owner: ObjectKey) -> FormatError {
        let field = fields.leaves[unchecked: index].number &- tables[unchecked: fields.position].firstField
        return located(error, fields.position, field: field, owner)
    }

    /// The error with the table, property and object in its path.
    @inline(never)
    func located(_ error: FormatError, _ position: TablePosition, field: Int, _ key: ObjectKey?) -> FormatError {
        let schema = plan.snapshot.cores[position].schema
        let property = schema.properties.indices.contains(field) ? schema.properties[field].name : nil
        return error.at(table: schema.tableName, property: property, objectKey: key)
    }
}

/// A link that the canonical profile cannot write in its place.
struct UnresolvedLink: Sendable {
    /// The object with the link, and the field's number in the plan.
    let owner: ObjectKey
    let field: Int
    /// The tombstone, and the position of its table.
    let target: ObjectKey
    let position: TablePosition
}
