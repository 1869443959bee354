internal import RealmLayout
internal import RealmReader
internal import RealmStorage
internal import RealmWriter

/// What an import reads, and the schema of what it writes.
struct ImportCatalog {
    private(set) var schema = SchemaDefinition([])
    /// The sidecar of an export, if there is one.
    private(set) var exact: ExactSchema?
    /// The fields of properties that have other names in documents, by table.
    private(set) var fieldNames: [String: [String: String]] = [:]
    private(set) var inputs: [ImportInput] = []
    /// Files or collections that no class of the schema is for.
    private(set) var skipped: [String] = []

    private var found: [FoundCollection]

    /// Finds documents and their schema: the one that is given, the one beside them, or what can be told from them.
    init(_ paths: [String], _ options: ImportOptions) throws(ImportError) {
        var search = CollectionSearch(options)
        for path in paths { try search.add(path) }
        found = search.found
        let schemaPath = options.schemaPath ?? Self.sidecar(beside: paths[0])
        if let schemaPath, !Folder.exists(schemaPath) {
            let json = try JSONFile(schemaPath).value
            if json["realmSchema"] != nil {
                try useExactSchema(json, schemaPath)
            } else {
                try useSchemas(at: { _ in json }, relationships: DocumentRelationships(), schemaPath)
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

    /// A sidecar or a folder of schemas at the documents or above them.
    private static func sidecar(beside path: String) -> String? {
        guard path != "-" else { return nil }
        var folders = [path, path + "/.."]
        if !Folder.exists(path) {
            let folder = path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
            let named = !path.contains("/") ? "." : folder.isEmpty ? "/" : folder
            folders = [named, named + "/.."]
        }
        for folder in folders {
            let exact = "\(folder)/\(SidecarName.exactSchema)"
            if Folder.hasFile(exact) { return exact }
            for schemas in [SidecarName.otherSchemas, SidecarName.schemas]
            where Folder.hasFile("\(folder)/\(schemas)/\(SidecarName.relationships)") {
                return "\(folder)/\(schemas)"
            }
        }
        return nil
    }

    // MARK: Schemas

    private mutating func useExactSchema(_ json: JSONValue, _ path: String) throws(ImportError) {
        do throws(DocumentError) {
            let exact = try ExactSchema(json)
            self.exact = exact
            schema = exact.definition
            fieldNames = exact.fieldNames
        } catch {
            throw .document(error.at(file: path))
        }
        var (files, names): ([String: Int], [String: Int]) = ([:], [:])
        for (index, table) in schema.tables.enumerated() {
            files[exact?.files[table.tableName] ?? CollectionFileName(table.name).text] = index
            names[table.name] = index
        }
        try addInputs { collection in
            guard let file = collection.fileName else { return names[collection.name] }
            return files[file]
        }
    }

    /// Uses the folder that an export in the mongo profile writes: a schema a class, and their relationships.
    private mutating func useSchemaFolder(_ folder: String) throws(ImportError) {
        let relationshipsPath = "\(folder)/\(SidecarName.relationships)"
        var relationships = DocumentRelationships()
        if Folder.hasFile(relationshipsPath) {
            let json = try JSONFile(relationshipsPath).value
            do throws(DocumentError) {
                relationships = try DocumentRelationships(json)
            } catch {
                throw .document(error.at(file: relationshipsPath))
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
        let positions = Dictionary(
            reader.tables.indices.filter { reader.tables[$0].kind != .embedded }.map { (reader.tables[$0].name, $0) },
            uniquingKeysWith: { first, _ in first })
        try addInputs { positions[RealmName.table($0.name)] }
    }

    /// Reads all documents once and makes a schema of what is in them.
    private mutating func infer(_ paths: [String], _ options: ImportOptions) throws(ImportError) {
        guard !found.isEmpty else {
            throw .document(
                DocumentError(
                    .noDocuments, "there are no documents in \(paths.map(\.singleLine).joined(separator: ", "))"))
        }
        guard !found.contains(where: { $0.path == "-" }) else {
            throw .document(
                DocumentError(
                    .noDocuments, "documents from standard input need a schema: give it with --schema"
                ).at(
                    file: "standard input"))
        }
        let collections = found.filter { !$0.areOrphans }
        skipped += found.filter(\.areOrphans).map(\.path)
        let statistics = collections.map { _ in DocumentStatistics() }
        let reader = StatisticsReader()
        for path in Self.unique(collections.map(\.path)) {
            var positions: [ArchiveDocuments.Collection: Int] = [:]
            for (index, collection) in collections.enumerated() where collection.path == path {
                if let archived = collection.archived { positions[archived] = index }
            }
            let input = collections.indices.first { collections[$0].path == path } ?? 0
            let content: ImportInput.Content =
                positions.isEmpty ? .documents(collections[input].format, position: input) : .archive(positions)
            try reader.read(ImportInput(path: path, content: content).open()) { statistics[$0] }
        }
        let names = collections.map { RealmName.table($0.name) }
        guard Set(names).count == names.count else {
            throw .document(
                DocumentError(.noDocuments, "two of the collections have one name: choose a database with --db"))
        }
        var inference = SchemaInference(names, nesting: options.nesting, relationships: DocumentRelationships())
        for (index, name) in names.enumerated() {
            if collections[index].format == .csv {
                inference.add(name, try CSVDocuments(InputBuffer(path: collections[index].path), into: 0).header)
            } else {
                inference.add(name, statistics[index])
            }
        }
        schema.tables = inference.tables
        fieldNames = inference.fieldNames
        let tables = Dictionary(
            schema.tables.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
        found = collections
        try addInputs { tables[RealmName.table($0.name)] }
    }

    private static func unique(_ paths: [String]) -> [String] {
        var seen: Set<String> = []
        return paths.filter { seen.insert($0).inserted }
    }

    // MARK: Inputs

    private mutating func addInputs(_ position: (FoundCollection) -> Int?) throws(ImportError) {
        var taken: [Int: String] = [:]
        var archives: [String: [ArchiveDocuments.Collection: Int]] = [:]
        for collection in found {
            guard let position = position(collection),
                (schema.tables[position].kind == .embedded) == collection.areOrphans
            else {
                skipped.append(collection.archived == nil ? collection.path : "\(collection.path): \(collection.name)")
                continue
            }
            if let other = taken.updateValue(collection.path, forKey: position) {
                throw .document(
                    DocumentError(
                        .noDocuments,
                        "there are documents of \(collection.name.singleLine) in \(other.singleLine) too; choose with --db"
                    ).at(file: collection.path))
            }
            if let archived = collection.archived {
                archives[collection.path, default: [:]][archived] = position
            } else {
                let names = schema.tables[position].fieldNames(fieldNames[schema.tables[position].tableName] ?? [:])
                let nested = schema.tables[position].properties.filter { property in
                    property.collection != nil
                        || schema.tables.contains { $0.tableName == property.target && $0.kind == .embedded }
                }
                inputs.append(
                    ImportInput(
                        path: collection.path, content: .documents(collection.format, position: position),
                        areOrphans: collection.areOrphans,
                        jsonFields: Set(nested.map { names[$0.name] ?? $0.name })))
            }
        }
        for path in archives.keys.sorted() {
            inputs.append(ImportInput(path: path, content: .archive(archives[path] ?? [:])))
        }
    }
}
