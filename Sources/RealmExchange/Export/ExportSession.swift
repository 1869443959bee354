internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// Collects the results of each class of one export.
struct ExportSession {
    private let exporter: Exporter
    private let tally: ObjectTally?
    private var losses = LossCounters()
    private var collections: [ExportReport.Collection] = []
    private var documentLosses: [ExportReport.Loss] = []
    private var omissions: [FormatError]
    private var failures: [ExportReport.Failure] = []
    private var unreadable = UnreadableValues()
    /// The positions of the tables that were exported completely.
    private(set) var exported: Set<TablePosition> = []
    /// The number of documents of each of them.
    private(set) var objects: [TableKey: Int] = [:]
    /// Links that the canonical profile could not write in their place.
    private(set) var unresolved: [UnresolvedLink] = []

    init(_ exporter: Exporter, _ positions: [TablePosition]) {
        self.exporter = exporter
        tally = exporter.tally(positions)
        omissions = exporter.snapshot.damage
    }

    /// Exports one table to the destination that `open` creates. Damage that cannot be left out is recorded, and the
    /// destination stays unfinished.
    ///
    /// - Parameter isStream: Whether output before the damage remains.
    /// - Throws: `StorageError`, `FormatError` with the code `fileChanged`, `CancellationError`.
    mutating func export(
        _ position: TablePosition, orphans: Bool = false, isStream: Bool = false,
        _ open: () throws(StorageError) -> any ByteDestination
    ) async throws {
        let schema = exporter.snapshot.cores[position].schema
        do {
            note(try await exporter.write(position, orphans: orphans, to: open(), tally), of: position, orphans)
        } catch let interruption as InterruptedExport {
            try note(interruption.error, schema)
            if isStream { note(interruption.outcome, schema, orphans) }
        } catch let error as FormatError {
            try note(error, schema)
        }
    }

    /// Records the results of a table that was exported completely.
    mutating func note(_ outcome: ClassOutcome, of position: TablePosition, _ orphans: Bool = false) {
        let schema = exporter.snapshot.cores[position].schema
        exported.insert(position)
        if !orphans { objects[schema.key] = outcome.objects }
        note(outcome, schema, orphans)
    }

    /// Whether the ownerless objects of the table at a position were exported.
    func hasOrphans(_ position: TablePosition) -> Bool {
        let name = exporter.snapshot.cores[position].schema.name
        return collections.contains { $0.areOrphans && $0.name == name }
    }

    private mutating func note(_ error: FormatError, _ schema: TableSchema) throws {
        // If the file changes, an error is no evidence of damage.
        try exporter.snapshot.checkUnchanged()
        failures.append(ExportReport.Failure(className: schema.name, error: error.at(table: schema.tableName)))
    }

    private mutating func note(_ outcome: ClassOutcome, _ schema: TableSchema, _ orphans: Bool) {
        unresolved += outcome.unresolved
        unreadable.add(outcome.unreadable)
        collections.append(
            ExportReport.Collection(
                name: schema.name, objects: outcome.objects, bytes: outcome.bytes, areOrphans: orphans))
        note(outcome.losses, schema)
    }

    /// Adds data outside of documents that could not be read.
    mutating func note(_ error: FormatError) { omissions.append(error) }

    /// Adds the losses of one table. Losses of embedded classes' fields may come from several tables.
    private mutating func note(_ other: LossCounters, _ schema: TableSchema) {
        for loss in other.sorted where loss.field < 0 {
            documentLosses.append(
                ExportReport.Loss(className: schema.name, property: nil, kind: loss.kind, count: loss.count))
        }
        losses.add(other)
    }

    /// The properties with other names in documents, for the exported classes and those embedded in them. In the
    /// canonical profile the sidecar has the names.
    private var renamedProperties: [ExportReport.Loss] {
        guard !exporter.options.isCanonical else { return [] }
        let cores = exporter.snapshot.cores
        var reached = exported
        var waiting = Array(exported)
        while let position = waiting.popLast() {
            for column in cores[position].columns {
                guard let target = column.target, cores[target].schema.kind == .embedded,
                    reached.insert(target).inserted
                else { continue }
                waiting.append(target)
            }
        }
        var losses: [ExportReport.Loss] = []
        for position in reached.inOrder() {
            let schema = cores[position].schema
            for (property, field) in zip(schema.properties, exporter.plan.fieldNames(ofTable: position))
            where property.name != field {
                let kind: LossKind = property.name == TableSchema.identityField ? .renamedProperty : .escapedProperty
                losses.append(
                    ExportReport.Loss(className: schema.name, property: property.name, kind: kind, count: 1))
            }
        }
        return losses
    }

    /// Adds embedded objects that are in no document, as returned by `Exporter.orphanCounts`.
    mutating func noteOrphans(_ counts: [(position: TablePosition, count: Result<Int, FormatError>)]) {
        for (position, count) in counts {
            let schema = exporter.snapshot.cores[position].schema
            switch count {
            case .success(let count):
                documentLosses.append(
                    ExportReport.Loss(className: schema.name, property: nil, kind: .orphanedObject, count: count))
            case .failure(let error):
                note(error.at(table: schema.tableName))
            }
        }
    }

    /// The tables with objects that are written only by an export of all tables.
    private var otherTables: [ExportReport.OtherTable] {
        guard exporter.options.classNames == nil, !exporter.options.includesSystemTables else { return [] }
        return exporter.snapshot.tables.compactMap { table in
            guard !table.schema.isClass, !TableSchema.isMadeByRealm(table.schema.tableName),
                let count = try? table.count, count > 0
            else { return nil }
            return ExportReport.OtherTable(name: table.schema.tableName, objects: count)
        }
    }

    /// The report so far; losses are in the order of classes and properties.
    var report: ExportReport {
        var report = ExportReport()
        report.collections = collections
        report.omissions = omissions
        report.failures = failures
        report.unreadableCount = unreadable.count
        report.unreadable = unreadable.sorted.map { ExportReport.Unreadable(error: $0.error, count: $0.count) }
        report.otherTables = otherTables
        for loss in losses.sorted where loss.field >= 0 {
            let (schema, property) = exporter.plan.property(ofField: loss.field)
            report.losses.append(
                ExportReport.Loss(className: schema.name, property: property.name, kind: loss.kind, count: loss.count))
        }
        report.losses += documentLosses + renamedProperties
        return report
    }
}

extension ExportPlan {
    /// The class and the property of the field with that number.
    func property(ofField number: Int) -> (TableSchema, StoredProperty) {
        var position = TablePosition(0)
        while position.number + 1 < tables.count, tables[position.next].firstField <= number {
            position = position.next
        }
        let schema = snapshot.cores[position].schema
        return (schema, schema.properties[number - tables[position].firstField])
    }
}
