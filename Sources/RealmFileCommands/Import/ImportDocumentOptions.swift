public import ArgumentParser
public import RealmExchange

/// Options for the format of documents.
struct ImportDocumentOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The schema: realm-schema.json, a JSON schema of App Services, or a folder of those with relationships.json.",
            valueName: "path"), completion: .file())
    var schema: String?

    @Option(
        name: .customLong("class"),
        help: ArgumentHelp("The class of the documents in a single file.", valueName: "name"))
    var className: String?

    @Option(help: ArgumentHelp("Only this database of a dump with several.", valueName: "name"))
    var db: String?

    @Option(
        help: """
            The input format, if the extension does not tell. .json and .jsonl are read as Extended JSON; use json if names \
            begin with $ but are not Extended JSON types.
            """)
    var format: DocumentFormat?

    @Option(
        help: ArgumentHelp(
            "The field that becomes the primary key when there is no schema, in all classes that have it (default: _id).",
            valueName: "name"))
    var primaryKey: String?

    @Option(help: "How to store nested documents when there is no schema (default: embedded objects).")
    var nested: ImportOptions.Nesting?

    func validate() throws {
        for (name, value) in [
            ("--schema", schema), ("--class", className), ("--db", db), ("--primary-key", primaryKey),
        ] where value?.isEmpty ?? false {
            throw ValidationError("\(name) needs a name")
        }
        if schema != nil, primaryKey != nil { throw ValidationError("--primary-key is for documents without a schema") }
        if schema != nil, nested != nil { throw ValidationError("--nested is for documents without a schema") }
    }

    /// The options for the importer.
    var options: ImportOptions {
        var options = ImportOptions()
        options.schemaPath = schema
        options.className = className
        options.database = db
        options.format = format
        options.nesting = nested ?? .embedded
        options.primaryKey = primaryKey
        return options
    }
}

extension DocumentFormat: ExpressibleByArgument {}
extension ImportOptions.Nesting: ExpressibleByArgument {}
