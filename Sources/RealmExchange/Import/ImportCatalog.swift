internal import RealmLayout
internal import RealmReader
internal import RealmStorage
internal import RealmWriter

/// What an import reads, and the schema of what it writes.
struct ImportCatalog {
    private(set) var schema = SchemaDefinition([])
    /// The sidecar of an export, if there is one.
    private(set) var exact: ExactSchema?
    /// Where it is.
    private(set) var exactPath: String?
    /// Whether documents of all its classes should be there.
    let isWhole: Bool
    /// The fields of properties that have other names in documents, by table.
    private(set) var fieldNames: [String: [String: String]] = [:]
    private(set) var inputs: [ImportInput] = []
    /// Files or collections that no class of the schema is for.
    private(set) var skipped: [String] = []
    /// What is beside the documents and not imported.
    private(set) var notes: [ImportReport.Note] = []
    /// What of the collections' indexes Realm does not have.
    private(set) var losses: [ImportReport.Loss] = []
    /// What has another name than in the documents.
    private(set) var renamed: [ImportReport.Renaming] = []

    /// Files with documents, and with what is known of them.
    private(set) var readPaths: [String] = []

    private var found: [FoundCollection]
    private let spilled: SpilledInputs

    /// Finds documents and their schema: the one that is given, the one beside them, or what can be told from them.
    ///
    /// - Parameter spilled: what came from those of the paths that cannot be read again.
    init(
        _ paths: [String], _ options: ImportOptions, spilled: SpilledInputs = SpilledInputs()
    ) throws(ImportError) {
        self.spilled = spilled
        isWhole = paths.contains { !spilled.isPlaceless($0) && Folder.exists($0) }
        var search = CollectionSearch(options, spilled)
        for path in paths { try search.add(path) }
        found = search.found
        skipped = search.ignored.map { NativePath.shown($0) }
        notes = search.notes
        let besides: String? =
            spilled.isPlaceless(paths[0])
            ? nil : Self.sidecar(beside: paths[0], found.first?.path, options.database)
        let schemaPath = options.schema == nil ? options.schemaPath ?? besides : nil
        readPaths = (found.map(\.path) + [schemaPath].compactMap(\.self)).filter { !spilled.isPlaceless($0) }
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

    /// A sidecar or a folder of schemas at the documents or above them; of a database without documents, in its folder.
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

    /// A folder and the one above it: that of a file, or the path itself.
    private static func folders(of path: String) -> [String] {
        guard path != "-" else { return [] }
        guard !Folder.exists(path) else { return [path, path + "/.."] }
        let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let named = !path.contains("/") ? "." : folder.isEmpty ? "/" : folder
        return [named, named + "/.."]
    }

    /// The relationships in the folder of a file, or above it; none where there are none.
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

    /// Uses the folder that an export in the mongo profile writes: a schema a class, and their relationships.
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
                // Of classes whose names differ only in case, the schema says which one it is for.
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

    /// Reads all documents once and makes a schema of what is in them.
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
                        ? "two inputs would become the class '\(Self.twin(names))'; choose a database with --db"
                        : "--class works with one input file; import other files separately"))
        }
        let relationships =
            spilled.isPlaceless(paths[0]) ? DocumentRelationships() : try Self.relationships(beside: paths[0])
        var inference = SchemaInference(names, nesting: options.nesting, relationships: relationships)
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
            } else if options.className == nil, collections[index].path.lowercased().hasSuffix(".json"),
                statistics[index].areListsOfObjects
            {
                throw .document(
                    DocumentError(
                        .noDocuments,
                        "an object of which each field is a list of objects: this is what Realm Studio 3 to 13 saves as JSON, a list for each "
                            + "class, which is not taken; give the .realm file itself to `realmfile export`, or --class NAME to import it as one "
                            + "document"
                    ).at(file: collections[index].path))
            } else {
                inference.add(name, statistics[index])
            }
        }
        schema.tables = inference.tables
        fieldNames = inference.fieldNames
        let tables = Dictionary(
            zip(schema.tables.lazy.map(\.name), schema.positions), uniquingKeysWith: { first, _ in first })
        found = Array(collections)
        try addInputs(found.map { tables[RealmName.table($0.name)] })
    }

    /// The first of some names that comes twice.
    private static func twin(_ names: [String]) -> String {
        var seen: Set<String> = []
        return names.first { !seen.insert($0).inserted }?.singleLine ?? ""
    }

    private static func unique(_ paths: [String]) -> [String] {
        var seen: Set<String> = []
        return paths.filter { seen.insert($0).inserted }
    }

    // MARK: Inputs

    /// Gives a class the indexes of its collection, unless a sidecar says which ones it has.
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

    /// Adds the collections that are imported.
    ///
    /// - Parameter positions: the class of each collection that was found; nil for one of no class.
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
                // `_id` may be a property's, too.
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
