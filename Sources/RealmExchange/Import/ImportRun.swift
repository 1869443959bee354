internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// An import whose inputs and schema are known: collects the link targets, then writes all objects.
final class ImportRun {
    private let path: String
    private let schema: SchemaDefinition
    private let exact: ExactSchema?
    private let exactPath: String
    private let isWhole: Bool
    private let inputs: [ImportInput]
    private let skipped: [String]
    private let notes: [ImportReport.Note]
    private let indexLosses: [ImportReport.Loss]
    private let renamed: [ImportReport.Renaming]
    private let origin: ImportReport.SchemaOrigin
    private let missingPrimaryKeys: [ImportReport.MissingPrimaryKey]
    private let options: ImportOptions
    private let progress: (@Sendable (ImportProgress) -> Void)?
    private let plan: ImportPlan
    private let keys: IdentityKeys
    /// The object order of each table, initially ascending keys for all.
    private var orders: ByTable<ObjectOrder>

    init(
        _ catalog: ImportCatalog, _ options: ImportOptions, to path: String,
        _ progress: (@Sendable (ImportProgress) -> Void)?
    ) throws(ImportError) {
        schema = catalog.schema
        exact = catalog.exact
        (exactPath, isWhole) = (catalog.exactPath ?? "", catalog.isWhole)
        inputs = catalog.inputs
        skipped = catalog.skipped
        notes = catalog.notes
        indexLosses = catalog.losses
        renamed = catalog.renamed
        origin = catalog.origin
        missingPrimaryKeys = catalog.missingPrimaryKeys
        self.options = options
        self.progress = progress
        let links = exact?.unresolvedLinks ?? []
        let unresolved = Set(links.indices.filter { !links[$0].isEmpty })
        plan = ImportPlan(
            schema, keyEncoding: exact?.keyEncoding ?? .none, unresolved: unresolved, fieldNames: catalog.fieldNames)
        keys = IdentityKeys(plan, mostMemory: options.memoryOfKeys, beside: path)
        self.path = path
        orders = ByTable(repeating: .ascending, count: schema.tables.count)
        // Objects without an owner come after the others.
        for input in inputs where input.areOrphans {
            for position in input.positions { orders[position] = .any }
        }
        keys.collectAwaited = { [unowned self] position throws(ImportError) in
            try collect(ByTable(schema.positions.map { $0 == position }))
        }
    }

    /// Writes the file.
    func write(overwrite: Bool, key: EncryptionKey?) throws(ImportError) -> ImportReport {
        try collect(ByTable(schema.positions.map { keys.areCollected[$0] && !keys.areAwaited[$0] }))
        var isRehearsed = false
        while true {
            if Task.isCancelled { throw .cancelled }
            if keys.hasUnread {
                try collect(keys.isUnread)
                isRehearsed = false
                continue
            }
            let output = try importing { () throws(StorageError) in
                try DatabaseOutput(path: path, overwrite: overwrite, key: key)
            }
            do throws(ImportError) {
                if keys.needsRehearsal, !isRehearsed {
                    try rehearse()
                    isRehearsed = true
                }
                return try write(output)
            } catch {
                output.discard()
                if keys.hasUnread { continue }
                guard let table = tableOutOfOrder(error) else { throw error }
                orders[table] = .any
            }
        }
    }

    /// Processes all documents as if objects were written, and records their link targets.
    private func rehearse() throws(ImportError) {
        keys.begin(isRehearsal: true)
        let writer = try importing { () throws(WriteError) in try ObjectWriter(schema, to: nil, orders: orders) }
        let importer = ObjectImporter(plan, keys, exact, to: writer)
        let progress = progress
        for input in inputs { try importer.run(input.open()) { progress?(.rehearsed($0)) } }
        try keys.endRehearsal()
    }

    /// The table whose objects, contrary to assumption, did not come in the order of their keys.
    private func tableOutOfOrder(_ error: ImportError) -> TablePosition? {
        guard case .write(.misfit(let misfit)) = error, [.badObjectKey, .duplicateKey].contains(misfit.code),
            let name = misfit.table, let table = schema.position(ofTable: name),
            orders[table] == .ascending
        else { return nil }
        return table
    }

    /// Reads the identities of the objects of some tables, which may be link targets.
    private func collect(_ wanted: ByTable<Bool>) throws(ImportError) {
        let cursor = BSONCursor()
        keys.beginCollecting(wanted)
        for input in inputs where input.positions.contains(where: { wanted[$0] }) {
            try keys.collect(input.open(), cursor, wanted)
        }
        for (position, tombstones) in zip(schema.positions, exact?.tombstones ?? []) {
            for tombstone in tombstones {
                try withPrimaryKey(tombstone.primaryKey, cursor) { element, _ throws(ImportError) in
                    if wanted[position] { try keys.note(tombstone.key, element, position) }
                }
            }
        }
        try keys.endCollecting(wanted)
    }

    private func write(_ output: DatabaseOutput) throws(ImportError) -> ImportReport {
        keys.begin(isRehearsal: false)
        let writer = try importing { () throws(WriteError) in
            try ObjectWriter(schema, to: output, orders: orders, memory: options.memoryOfWriter)
        }
        let importer = ObjectImporter(plan, keys, exact, to: writer)
        let progress = progress
        for input in inputs {
            try importer.run(input.open()) { progress?(.written($0)) }
        }
        try writeTombstones(writer)
        let report = report(importer)
        guard options.allowsLosses || report.isComplete else {
            output.discard()
            throw .losses(report)
        }
        try importing { () throws(WriteError) in try writer.finish() }
        return report
    }

    private func writeTombstones(_ writer: ObjectWriter) throws(ImportError) {
        let cursor = BSONCursor()
        for (position, tombstones) in zip(schema.positions, exact?.tombstones ?? []) {
            for tombstone in tombstones {
                // A tombstone without incoming links has no meaning.
                guard writer.isLinked(position, tombstone: tombstone.key) else { continue }
                try withPrimaryKey(tombstone.primaryKey, cursor) { _, value throws(ImportError) in
                    try importing { () throws(WriteError) in
                        try writer.addTombstone(position, key: tombstone.key, primaryKey: value)
                    }
                }
            }
        }
    }

    /// Calls `body` with a primary key that a sidecar stores in canonical Extended JSON.
    private func withPrimaryKey(
        _ json: JSONValue, _ cursor: BSONCursor, _ body: (BSONElement, MixedValue) throws(ImportError) -> Void
    ) throws(ImportError) {
        let text = Array(JSONValue.object([("v", json)]).compact.utf8)
        try ByteView.with(text) { text throws(ImportError) in
            let document = try importing { () throws(DocumentError) in try ParsedDocument(extendedJSON: text) }
            let identity = try importing { () throws(DocumentError) -> BSONElement? in
                var place = try cursor.begin(0, document.view)
                guard let element = try cursor.next(&place) else { return nil }
                return try keys.unwrapped(element, cursor)
            }
            guard let element = identity else { return }
            let value: MixedValue =
                switch element.type {
                case .int64, .int32: .int(element.integer ?? 0)
                case .string: .string(element.value)
                case .objectId: .objectId(element.value)
                case .binary where element.subtype == 4 && element.value.count == 16: .uuid(element.value)
                case .binary: .string(element.value)
                default: .null
                }
            try body(element, value)
            withExtendedLifetime(document) {}
        }
    }

    /// A place in a text without known lines.
    private struct Place: Hashable {
        let file: String
        let offset: Int
    }

    /// The lines of the documents with losses, found in one pass over each file.
    private func lines(of entries: [ImportLosses.Entry]) -> [Place: Int] {
        var result: [Place: Int] = [:]
        for (name, entries) in Dictionary(grouping: entries.filter { $0.isText && $0.line == nil }, by: \.file) {
            let offsets = Set(entries.map(\.offset)).inOrder()
            for input in inputs {
                guard let text = try? input.opened(), text.name == name,
                    let places = try? LineFinder.places(of: offsets, in: text)
                else { continue }
                for (offset, place) in zip(offsets, places) { result[Place(file: name, offset: offset)] = place.line }
                break
            }
        }
        return result
    }

    private func report(_ importer: ObjectImporter) -> ImportReport {
        var report = ImportReport(
            schemaOrigin: origin, missingPrimaryKeys: missingPrimaryKeys, skipped: skipped, notes: notes,
            renamed: renamed)
        for (position, table) in zip(schema.positions, schema.tables) {
            report.tables.append(
                .init(name: table.name, isEmbedded: table.kind == .embedded, objects: importer.counts[position]))
        }
        let found = importer.losses.entries.inOrder { left, right in
            (left.key.table, left.key.property, left.key.kind.rawValue, left.key.field ?? "")
                < (right.key.table, right.key.property, right.key.kind.rawValue, right.key.field ?? "")
        }
        let lines = lines(of: found.map(\.value))
        for (key, entry) in found {
            let table = schema[key.table]
            report.losses.append(
                .init(
                    className: table.name,
                    property: key.property == .none ? key.field : table.properties[key.property].name, kind: key.kind,
                    count: entry.count, file: entry.file, document: entry.document, offset: entry.offset,
                    line: entry.line ?? lines[Place(file: entry.file, offset: entry.offset)],
                    value: entry.sample))
        }
        for (position, table) in zip(schema.positions, schema.tables) {
            guard let expected = exact?.objects[ExactName(table.tableName)], table.kind != .embedded,
                isWhole || inputs.contains(where: { $0.positions.contains(position) })
            else { continue }
            let leftOut = [ImportLossKind.missingIdentity, .duplicateIdentity].reduce(0) { sum, kind in
                sum + (importer.losses.entries[.init(table: position, property: .none, kind: kind)]?.count ?? 0)
            }
            let missing = expected - importer.counts[position] - leftOut
            guard missing > 0 else { continue }
            report.losses.append(
                .init(
                    className: table.name, property: nil, kind: .missingDocument, count: missing,
                    file: NativePath.shown(exactPath),
                    document: 0, offset: 0))
        }
        report.losses += indexLosses
        return report
    }
}
