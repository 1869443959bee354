internal import ArgumentParser
internal import RealmCore
internal import RealmExchange
internal import RealmLayout

/// `realmfile schema`: prints the classes and their properties.
struct SchemaCommand: CommitCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Prints the schema in one of several languages.",
        discussion: """
              text             the exact schema for people
              realm-json       the same as JSON: the sidecar of a lossless export
              json-schema      Atlas App Services: JSON schema, relationships
              mongo-validator  MongoDB: a $jsonSchema validator for each collection
              mongosh          the same as a script: mongosh DB --file SCRIPT
              swift            Swift source of plain structs
            """)

    @OptionGroup var input: InputOptions
    @OptionGroup var commitOptions: CommitOptions
    @OptionGroup var reporting: ReportOptions

    @Option(
        help: ArgumentHelp(
            "The language to write.", valueName: "text|realm-json|json-schema|mongo-validator|mongosh|swift"))
    var format: SchemaFormat = .text

    @Option(name: .customLong("class"), help: ArgumentHelp("Only this class; may be repeated.", valueName: "name"))
    var classes: [String] = []

    @Option(
        help: ArgumentHelp(
            "The database that relationships name (json-schema; default: the file's base name).",
            valueName: "name"))
    var db: String?

    @Flag(help: "Include the tables that are not classes, such as metadata.")
    var includeSystem = false

    @Flag(name: .shortAndLong, help: "Include table keys, column keys and incoming links (text).")
    var verbose = false

    var realmFiles: [InputOptions] { [input] }

    func validate() throws {
        if reporting.json, format == .swift || format == .mongosh {
            throw ValidationError("--json does not go with --format \(format.rawValue)")
        }
        if reporting.json, verbose { throw ValidationError("--json does not go with --verbose") }
        if verbose, format != .text { throw ValidationError("--verbose goes with --format text") }
        if db != nil, format != .jsonSchema { throw ValidationError("--db goes with --format json-schema") }
    }

    func run(on console: any Console) async throws -> ExitStatus {
        let key = try input.key(console)
        let snapshot = try input.snapshot(commitOptions, key)
        let tables: [TableSchema]
        do {
            tables = try SchemaSelection(classes: classes, includesSystem: includeSystem).tables(of: snapshot)
        } catch {
            throw CommandFailure(error, file: input.name)
        }
        let cautions = Caution.all(of: snapshot, values: false)
        let status: ExitStatus = snapshot.damage.isEmpty ? .success : .findings
        let next =
            snapshot.damage.isEmpty ? nil : Advice([.diagnose], of: arguments(of: input, isEncrypted: key != nil))
        try tell(
            [input.reportName], status, isData: true, cautions: cautions,
            [
                ("language", .string((format == .text ? .realmJSON : format).rawValue)),
                ("schema", document(of: tables, in: snapshot)),
                ("damage", .array(snapshot.damage.map { $0.json })),
                ("next", next?.json ?? .null),
            ], text: text(of: tables, in: snapshot), on: console)
        try console.flush()
        cautions.show(input.name, on: console)
        for error in snapshot.damage { console.message("realmfile: \(input.name): damaged: \(error.line)") }
        if let next { console.message("realmfile: \(input.name): \(next.text)") }
        return status
    }

    private func text(of tables: [TableSchema], in snapshot: Snapshot) -> String {
        switch format {
        case .text:
            SchemaText.text(
                of: tables, version: snapshot.version, schemaVersion: snapshot.schema.version, details: verbose)
        case .realmJSON, .jsonSchema, .mongoValidator: document(of: tables, in: snapshot).pretty + "\n"
        case .mongosh: ValidatorScript.text(document(of: tables, in: snapshot), origin: input.name)
        case .swift: SwiftModel(snapshot.schema).source(for: tables, origin: input.name)
        }
    }

    /// The schema as JSON. For formats that are not JSON, this is the exact form.
    private func document(of tables: [TableSchema], in snapshot: Snapshot) -> JSONValue {
        switch format {
        case .text, .realmJSON, .swift:
            return RealmSchemaJSON.document(
                of: tables, version: snapshot.version, schemaVersion: snapshot.schema.version)
        case .jsonSchema:
            let documents = DocumentSchema(snapshot.schema, dialect: .appServices)
            let relationships = Relationships(snapshot.schema, database: db ?? input.baseName)
            return perCollection(tables, of: snapshot) { table in
                .object([
                    ("schema", documents.document(for: table)), ("relationships", relationships.document(for: table)),
                ])
            }
        case .mongoValidator, .mongosh:
            let documents = DocumentSchema(snapshot.schema, dialect: .mongoValidator)
            return perCollection(tables, of: snapshot) { documents.document(for: $0) }
        }
    }

    /// Returns one object with a member for each collection, named as in exports. Embedded classes are part of their
    /// owners, unless requested.
    private func perCollection(
        _ tables: [TableSchema], of snapshot: Snapshot, _ document: (TableSchema) -> JSONValue
    ) -> JSONValue {
        let collections = classes.isEmpty ? tables.filter { $0.kind != .embedded } : tables
        let names = snapshot.collectionNames
        return .object(collections.map { (names[$0.key] ?? $0.name, document($0)) })
    }
}

/// The output formats of `schema`.
enum SchemaFormat: String, ExpressibleByArgument, CaseIterable {
    case text
    case realmJSON = "realm-json"
    case jsonSchema = "json-schema"
    case mongoValidator = "mongo-validator"
    case mongosh
    case swift
}
