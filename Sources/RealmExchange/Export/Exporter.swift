public import RealmCore
internal import RealmLayout
internal import RealmStorage

/// Exports the classes of a snapshot as documents.
///
/// ```swift
/// let snapshot = try RealmDatabase(path: "kennel.realm").snapshot()
/// let report = try await Exporter(snapshot).export(toFolder: "dump", database: "kennel")
/// for loss in report.losses { print(loss) }
/// ```
public struct Exporter: Sendable {
    /// The snapshot to export.
    public let snapshot: Snapshot
    /// The options of the export.
    public let options: ExportOptions
    /// Called with the number of written objects and the total from time to time.
    public var progress: (@Sendable (_ written: Int, _ total: Int) -> Void)?

    /// The paths of the input files. An export that would overwrite one of them fails, even if it may replace files.
    package var inputPaths: [String] = []

    /// Maximum permissions of the output files: the export of a private file is private.
    package var permissions: UInt32 = 0o666
    /// Permissions of the output folders.
    var folderPermissions: UInt32 { permissions | (permissions >> 2) & 0o111 | 0o700 }

    let plan: ExportPlan

    /// Prepares an export.
    public init(_ snapshot: Snapshot, _ options: ExportOptions = ExportOptions()) {
        self.snapshot = snapshot
        self.options = options
        let isBSON = options.format == .bson
        plan = ExportPlan(
            snapshot, isCanonical: options.isCanonical,
            keepsNulls: options.keepsNulls || options.isCanonical || options.format.isTable,
            onDamage: options.onDamage, isForMongo: isBSON && !options.isCanonical,
            escapesDollar: options.escapesDollar, turnsGuids: options.turnsGuids,
            preparedKey: isBSON ? BSONSink.preparedKey : JSONSink.preparedKey,
            preparedIndex: isBSON ? BSONSink.preparedIndex : JSONSink.preparedIndex)
    }

    /// The tables that become collections of their own.
    ///
    /// - Throws: `noSuchTable` for a class that does not exist or is embedded.
    func exportedPositions() throws(FormatError) -> [TablePosition] {
        guard let names = options.classNames else {
            return snapshot.cores.indices.filter { position in
                let schema = snapshot.cores[position].schema
                return schema.kind != .embedded && (schema.isClass || options.includesSystemTables)
            }
        }
        var positions: Set<TablePosition> = []
        for name in names { positions.insert(try exportedPosition(named: name)) }
        return positions.inOrder()
    }

    /// The table of that name that becomes a collection of its own.
    func exportedPosition(named name: String) throws(FormatError) -> TablePosition {
        let table = try snapshot.table(named: name)
        guard table.schema.kind != .embedded else {
            throw FormatError(
                .noSuchTable, "\(name) is an embedded class: its objects are in the documents of their owners")
        }
        return table.position
    }

    /// Writes the objects of one table to `destination`, and completes it.
    func write(
        _ position: TablePosition, orphans: Bool = false, to destination: any ByteDestination, _ tally: ObjectTally?
    ) async throws -> ClassOutcome {
        if let header = header(ofTable: position) { try destination.write(bytes: header) }
        let outcome = try await sinks().export(position, orphans: orphans, of: self, to: destination) { tally?.add($0) }
        if let end = end(afterObjects: outcome.objects) { try destination.write(text: end) }
        // Output is moved into place only if all of it was read from one commit.
        try snapshot.checkUnchanged()
        try destination.finish()
        return outcome
    }

    /// The objects to export from the table at a position, in their order; nil for all.
    func chosenKeys(at position: TablePosition) -> [ObjectKey]? {
        options.chosenObjects.isEmpty ? nil : options.chosenObjects[snapshot.cores[position].schema.name]
    }

    /// Counts objects of all collections for the progress.
    func tally(_ positions: [TablePosition]) -> ObjectTally? {
        ObjectTally(
            total: positions.reduce(0) { total, position in
                total + (chosenKeys(at: position)?.count ?? (try? snapshot.table(at: position).count) ?? 0)
            }, progress)
    }
}

extension ExportOptions {
    var isCanonical: Bool { profile == .canonical }

    /// Whether a leading `$` of a name or key is escaped. Readers of Extended JSON interpret `$oid` and the like as
    /// types, and readers of the canonical profile interpret `$realm` as a wrapper. Plain JSON, CSV and MongoDB's BSON
    /// have no such keys.
    var escapesDollar: Bool { format == .ejson || (isCanonical && format == .bson) }

    var jsonStyle: JSONStyle {
        guard format == .ejson else { return .plain }
        return extendedJSONForm == .canonical || isCanonical ? .canonical : .relaxed
    }

    /// The extension of document files.
    var fileEnding: String {
        switch format {
        case .bson: "bson"
        case .ejson, .json: isJSONArray ? "json" : "jsonl"
        case .csv: "csv"
        case .tsv: "tsv"
        }
    }
}

extension ExportPlan {
    /// The names of a table's fields in documents, in the order of its properties.
    func fieldNames(ofTable position: TablePosition) -> [String] {
        let table = tables[position]
        return Array(fieldNames[table.firstField..<(table.firstField + table.fieldCount)])
    }

    /// The names of a table's fields in documents, without the identity itself.
    func columnNames(of table: TablePlan) -> [String] {
        (0..<table.fieldCount).compactMap { index in
            index == table.primaryField && table.isPrimaryKeyIdentity ? nil : fieldNames[table.firstField + index]
        }
    }
}

extension ByteDestination {
    /// Writes an array of bytes.
    func write(bytes: [UInt8]) throws(StorageError) {
        try ByteView.with(bytes) { view throws(StorageError) in try write(view) }
    }

    /// Writes text.
    func write(text: String) throws(StorageError) { try write(bytes: Array(text.utf8)) }
}
