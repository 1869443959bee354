internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// The inputs of an import, and the schema of its output.
struct ImportCatalog {
    private(set) var schema = SchemaDefinition([])
    /// The sidecar of an export, if there is one.
    private(set) var exact: ExactSchema?
    /// The path of the sidecar.
    private(set) var exactPath: String?
    /// Whether documents of all classes in the sidecar are expected.
    let isWhole: Bool
    /// The document fields of properties with other names, by table.
    private(set) var fieldNames: [String: [String: String]] = [:]
    private(set) var inputs: [ImportInput] = []
    /// Files or collections without a class in the schema.
    private(set) var skipped: [String] = []
    /// Data next to the documents that is not imported.
    private(set) var notes: [ImportReport.Note] = []
    /// Index features of the collections that Realm does not support.
    private(set) var losses: [ImportReport.Loss] = []
    /// Classes and properties with other names than in the documents.
    private(set) var renamed: [ImportReport.Renaming] = []

    /// The origin of the schema.
    private(set) var origin = ImportReport.SchemaOrigin.given
    /// Classes without a primary key whose documents have `_id`.
    private(set) var missingPrimaryKeys: [ImportReport.MissingPrimaryKey] = []

    /// Paths of the documents and their schema.
    private(set) var readPaths: [String] = []

    private var found: [FoundCollection]
    private let spilled: SpilledInputs
    private let studio: StudioLinks

    /// Finds documents and their schema: the given one, the one next to the documents, or an inferred one.
    ///
    /// - Parameters:
    ///   - spilled: The copied contents of paths that can be read only once.
    ///   - studio: The links of documents from files of Realm Studio.
    init(
        _ paths: [String], _ options: ImportOptions, spilled: SpilledInputs = SpilledInputs(),
        _ studio: StudioLinks = StudioLinks()
    ) throws(ImportError) {
        self.spilled = spilled
        self.studio = studio
        isWhole = paths.contains { !spilled.isPlaceless($0) && Folder.exists($0) }
        var search = CollectionSearch(options, spilled)
        for path in paths { try search.add(path) }
        found = search.found
        skipped = search.ignored.map { NativePath.shown($0) }
        notes = search.notes + studio.notes
        let besides: String? =
            spilled.isPlaceless(paths[0])
            ? nil : Self.sidecar(beside: paths[0], found.first?.path, options.database)
        let schemaPath = options.schema == nil ? options.schemaPath ?? besides : nil
        readPaths = (found.map(\.path) + [schemaPath].compactMap(\.self)).filter { !spilled.isPlaceless($0) }
        if let schemaPath { origin = .file(NativePath.shown(schemaPath)) }
        if options.primaryKey != nil, options.schema != nil || schemaPath != nil {
            throw .document(
                DocumentError(
                    .badSchema,
                    "a primary key can be chosen only for documents without a schema; this one says what is the primary key"
                ).at(file: schemaPath ?? "the schema"))
        }
        if let schema = options.schema {
            try useExactSchema(schema, "the schema")
        } else if let schemaPath, !Folder.exists(schemaPath) {
            let json = try JSONFile(schemaPath).value
            if json["realmSchema"] != nil {
                try useExactSchema(json, schemaPath)
            } else {
                let relationships = try Self.relationships(beside: schemaPath)
                try useSchemas(at: { _ in json }, relationships: relationships, schemaPath)
            }
        } else if let schemaPath {
            try useSchemaFolder(schemaPath)
        } else {
            origin = .inferred
            try infer(paths, options)
        }
        // A database may be empty.
        guard !inputs.isEmpty || (exact != nil && found.isEmpty) else {
            throw .document(
                DocumentError(
                    .noDocuments, "no class of the schema is among \(skipped.map(\.singleLine).joined(separator: ", "))"
                ))
        }
    }

    /// A sidecar or a folder of schemas next to the documents or above them; for a database without documents, in its
    /// folder.
    private static func sidecar(beside path: String, _ documents: String?, _ database: String?) -> String? {
        var places = documents.map { folders(of: $0) } ?? []
        if documents == nil, let names = try? Folder.names(path) {
            let databases = names.filter { name in database.map { CollectionFileName($0).text == name } ?? true }
            places = databases.map { "\(path)/\($0)" }.filter { SidecarName.isBeside($0) }
        }
        places = places.map { "\($0)/\(SidecarName.folder)" }
        for folder in places + folders(of: path).flatMap({ ["\($0)/\(SidecarName.folder)", $0] }) {
            let exact = "\(folder)/\(SidecarName.exactSchema)"
            if Folder.hasFile(exact) { return exact }
            for schemas in [SidecarName.otherSchemas, SidecarName.schemas]
            where Folder.hasFile("\(folder)/\(schemas)/\(SidecarName.relationships)") {
                return "\(folder)/\(schemas)"
            }
        }
        return nil
    }

    /// A folder and its parent: the folder of a file, or the path itself.
    private static func folders(of path: String) -> [String] {
        guard path != "-" else { return [] }
        guard !Folder.exists(path) else { return [path, path + "/.."] }
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let named = !path.contains("/") ? "." : folder.isEmpty ? "/" : folder
        return [named, named + "/.."]
    }

    /// The relationships in the folder of a file or its parent; empty if there are none.
    private static func relationships(beside path: String) throws(ImportError) -> DocumentRelationships {
        for folder in folders(of: path) {
            let path = "\(folder)/\(SidecarName.relationships)"
            guard Folder.hasFile(path), let found = try DocumentRelationships(beside: path) else { continue }
            return found
        }
        return DocumentRelationships()
    }

    // MARK: Schemas

    private mutating func useExactSchema(_ json: JSONValue, _ path: String) throws(ImportError) {
        do throws(DocumentError) {
            let exact = try ExactSchema(json)
            self.exact = exact
            exactPath = path
            schema = exact.definition
            fieldNames = exact.fieldNames
        } catch {
            throw .document(error.at(file: path))
        }
        var (files, names): ([ExactName: TablePosition], [ExactName: TablePosition]) = ([:], [:])
        for (position, table) in zip(schema.positions, schema.tables) {
            files[ExactName(exact?.files[ExactName(table.tableName)] ?? CollectionFileName(table.name).text)] = position
            names[ExactName(table.name)] = position
        }
        try addInputs(
            found.map { collection in
                guard let file = collection.fileName else { return names[ExactName(collection.name)] }
                return files[ExactName(file)]
            })
    }

    /// Uses the folder written by an export in the mongo profile: one schema per class, and their relationships.
    private mutating func useSchemaFolder(_ folder: String) throws(ImportError) {
        let path = "\(folder)/\(SidecarName.relationships)"
        var relationships = DocumentRelationships()
        if Folder.hasFile(path) {
            let json = try JSONFile(path).value
            do throws(DocumentError) { relationships = try DocumentRelationships(json) } catch {
                throw .document(error.at(file: path))
            }
        }
        try useSchemas(
            at: { name throws(ImportError) in
                // If names of classes differ only in case, the title of the schema identifies the right file.
                var found: JSONValue?
                for escaped in 0...name.utf8.count {
                    let path = "\(folder)/\(CollectionFileName(name, escaping: escaped).text).json"
                    guard Folder.hasFile(path) else { continue }
                    let json = try JSONFile(path).value
                    if json["title"]?.text == name { return json }
                    if found == nil, json["properties"] != nil { found = json }
                }
                return found
            }, relationships: relationships, folder)
    }

    private mutating func useSchemas(
        at schemaOf: (String) throws(ImportError) -> JSONValue?, relationships: DocumentRelationships, _ path: String
    ) throws(ImportError) {
        let names = found.filter { !$0.areOrphans }.map(\.name)
        var reader = AppServicesSchema(names, relationships: relationships)
        for name in names {
            guard let json = try schemaOf(name) else { continue }
            do throws(DocumentError) { try reader.add(json, collection: name) } catch {
                throw .document(error.at(file: path))
            }
        }
        schema.tables = reader.tables
        fieldNames = reader.fieldNames
        let positions = Dictionary(
            schema.positions.filter { schema[$0].kind != .embedded }.map { (schema[$0].name, $0) },
            uniquingKeysWith: { first, _ in first })
        try addInputs(found.map { positions[RealmName.table($0.name)] })
    }

    /// Reads all documents once and infers a schema from their contents.
    private mutating func infer(_ paths: [String], _ options: ImportOptions) throws(ImportError) {
        guard !found.isEmpty else {
            let database = options.database.map { " of the database \($0.singleLine)" } ?? ""
            throw .document(
                DocumentError(
                    .noDocuments,
                    "there are no documents\(database) in \(paths.map { NativePath.shown($0).singleLine }.joined(separator: ", "))"
                ))
        }
        skipped += found.filter(\.areOrphans).map { NativePath.shown($0.path) }
        let collections = ByTable(found.filter { !$0.areOrphans })
        let statistics = collections.mapped { _ in DocumentStatistics() }
        let reader = StatisticsReader()
        for path in Self.unique(collections.map(\.path)) {
            var positions: [ArchiveDocuments.Collection: TablePosition] = [:]
            for (position, collection) in collections.indexed where collection.path == path {
                if let archived = collection.archived { positions[archived] = position }
            }
            let input = collections.indices.first { collections[$0].path == path } ?? TablePosition(0)
            let content: ImportInput.Content =
                positions.isEmpty ? .documents(collections[input].format, position: input) : .archive(positions)
            let documents = try ImportInput(path: path, content: content, spilled: spilled).open()
            try reader.read(documents) { statistics[$0] }
        }
        let names = collections.map { RealmName.table($0.name) }
        guard Set(names).count == names.count else {
            throw .document(
                DocumentError(
                    .noDocuments,
                    options.className == nil
                        ? Self.twins(collections)
                        : "--class works with one input file; import other files separately"))
        }
        let relationships =
            spilled.isPlaceless(paths[0]) ? studio.relationships : try Self.relationships(beside: paths[0])
        var inference = SchemaInference(
            names, nesting: options.nesting, primaryKey: options.primaryKey, relationships: relationships)
        for (index, name) in zip(collections.indices, names) {
            if collections[index].format.isTable {
                let input = try InputBuffer(path: collections[index].path, spilled: spilled)
                let separator = collections[index].format == .tsv ? CSVSink.tab : nil
                let documents = try CSVDocuments(input, into: TablePosition(0), separator: separator)
                inference.add(name, documents.header, statistics[index])
            } else if collections[index].format == .json, options.nesting == .embedded, statistics[index].holdsWrapper {
                throw .document(
                    DocumentError(
                        .noDocuments,
                        "there are types of Extended JSON in it, such as $oid or $date; give --format ejson"
                    ).at(file: collections[index].path))
            } else {
                inference.add(name, statistics[index], isNumbered: studio.numbered.contains(collections[index].name))
            }
        }
        if let name = options.primaryKey { try check(inference, hasPrimaryKey: name) }
        schema.tables = inference.tables
        fieldNames = inference.fieldNames
        missingPrimaryKeys = inference.missingPrimaryKeys
        let tables = Dictionary(
            zip(schema.tables.lazy.map(\.name), schema.positions), uniquingKeysWith: { first, _ in first })
        found = Array(collections)
        try addInputs(found.map { tables[RealmName.table($0.name)] })
    }

    /// Refuses a chosen primary key that a class cannot have, or no class has.
    private func check(_ inference: SchemaInference, hasPrimaryKey name: String) throws(ImportError) {
        if let missing = inference.missingPrimaryKeys.first(where: { $0.field == name }) {
            throw .document(
                DocumentError(
                    .badSchema,
                    "\(missing.className.singleLine).\(name.singleLine) cannot be a primary key: \(missing.reason)"))
        }
        guard !inference.tables.contains(where: { $0.primaryKey == RealmName.property(name) }) else { return }
        let fields = Array(Set(inference.tables.filter { $0.kind != .embedded }.flatMap { $0.properties.map(\.name) }))
            .inOrder()
        throw .document(
            DocumentError(
                .noDocuments,
                "no class has a field '\(name.singleLine)' for the primary key\(fields.suggestion(for: name, listedAfter: "fields are"))"
            ))
    }

    /// The message about two collections with one name.
    private static func twins(_ collections: ByTable<FoundCollection>) -> String {
        var first: [String: FoundCollection] = [:]
        for collection in collections {
            let name = RealmName.table(collection.name)
            guard let other = first.updateValue(collection, forKey: name) else { continue }
            let (path, twin) = (NativePath.shown(other.path).singleLine, NativePath.shown(collection.path).singleLine)
            if path == twin, collection.archived == nil { return "\(path) is given twice" }
            let words = "\(path) and \(twin) would both become the class '\(name.singleLine)'; "
            let isDump = other.database != nil && collection.database != other.database
            return words + (isDump ? "choose a database with --db" : "import them one by one, or rename one")
        }
        return "two inputs would become one class"
    }

    private static func unique(_ paths: [String]) -> [String] {
        var seen: Set<String> = []
        return paths.filter { seen.insert($0).inserted }
    }

    // MARK: Inputs

    /// Gives a class the indexes of its collection, unless a sidecar specifies them.
    private mutating func addIndexes(of collection: FoundCollection, _ position: TablePosition) {
        guard exact == nil, let metadata = collection.metadata else { return }
        let names = schema[position].fieldNames(fieldNames[schema[position].tableName] ?? [:])
        let indexes = CollectionIndexes(metadata, &schema[position], names)
        let className = schema[position].name
        losses += indexes.left.map { kind, index in
            ImportReport.Loss(
                className: className, property: index, kind: kind, count: 1, file: NativePath.shown(collection.path),
                document: 0,
                offset: 0)
        }
    }

    /// Adds the collections to import.
    ///
    /// - Parameter positions: The class of each found collection, or nil if there is none.
    private mutating func addInputs(_ positions: [TablePosition?]) throws(ImportError) {
        var taken: [TablePosition: String] = [:]
        let embedded = Set(schema.tables.filter { $0.kind == .embedded }.map(\.tableName))
        let keyless = Set(
            schema.tables.filter { $0.kind != .embedded && $0.primaryKey == nil }.map(\.tableName))
        var archives: [String: [ArchiveDocuments.Collection: TablePosition]] = [:]
        for (collection, position) in zip(found, positions) {
            guard let position,
                (schema[position].kind == .embedded) == collection.areOrphans
            else {
                let path = NativePath.shown(collection.path)
                skipped.append(collection.archived == nil ? path : "\(path): \(collection.name)")
                continue
            }
            if exact == nil, collection.name != schema[position].name {
                renamed.append(
                    .init(className: schema[position].name, property: nil, nameInDocuments: collection.name))
            }
            if let other = taken.updateValue(collection.path, forKey: position) {
                throw .document(
                    DocumentError(
                        .noDocuments,
                        "there are documents of \(collection.name.singleLine) in \(NativePath.shown(other).singleLine) too; choose with --db"
                    ).at(file: collection.path))
            }
            addIndexes(of: collection, position)
            if let archived = collection.archived {
                archives[collection.path, default: [:]][archived] = position
            } else {
                let table = schema[position]
                let names = table.fieldNames(fieldNames[table.tableName] ?? [:])
                func fields(_ isWanted: (PropertyDefinition) -> Bool) -> Set<String> {
                    Set(zip(table.properties, names).filter { isWanted($0.0) }.map(\.1))
                }
                var objectKeys = fields { $0.target.map { keyless.contains($0) } ?? false }
                // `_id` may also be a property.
                if keyless.contains(table.tableName), !fields({ _ in true }).contains(TableSchema.identityField) {
                    objectKeys.insert(TableSchema.identityField)
                }
                inputs.append(
                    ImportInput(
                        path: collection.path, content: .documents(collection.format, position: position),
                        areOrphans: collection.areOrphans,
                        cells: CSVCells(
                            json: fields { property in
                                property.collection != nil || property.target.map { embedded.contains($0) } ?? false
                            },
                            objectKeys: objectKeys),
                        spilled: spilled))
            }
        }
        for table in schema.tables {
            guard let names = fieldNames[table.tableName] else { continue }
            for property in table.properties {
                guard let name = names[property.name], name != property.name else { continue }
                renamed.append(.init(className: table.name, property: property.name, nameInDocuments: name))
            }
        }
        for path in archives.keys.inOrder() {
            inputs.append(
                ImportInput(path: path, content: .archive(archives[path] ?? [:]), spilled: spilled))
        }
    }
}
