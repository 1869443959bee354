public import ArgumentParser
public import RealmExchange

/// Options for the format of documents.
struct DocumentOptions: ParsableArguments {
    @Option(help: "The format of the documents.")
    var format: ExportOptions.Format = .bson

    @Option(
        help:
            "mongo: what Device Sync would have stored. canonical: everything, so that nothing is lost when it is imported again."
    )
    var profile: ExportOptions.Profile = .mongo

    @Option(name: .customLong("class"), help: ArgumentHelp("Only this class; may be repeated.", valueName: "name"))
    var classes: [String] = []

    @Flag(help: "Include the tables that are not classes, such as metadata.")
    var includeSystem = false

    @Option(help: "What becomes of properties that are null (default: left out, but kept by --profile canonical).")
    var nulls: NullPolicy?

    @Option(
        name: [.customLong("jsonFormat"), .customLong("json-format")],
        help: "The form of Extended JSON (default: canonical).")
    var jsonFormat: ExportOptions.ExtendedJSONForm?

    @Flag(
        name: [.customLong("jsonArray"), .customLong("json-array")],
        help: "Write one JSON array instead of a document a line.")
    var jsonArray = false

    @Flag(help: "Write integers beyond 2^53 as strings (json, csv).")
    var safeInts = false

    @Flag(
        help:
            "Turn UUIDs whose bytes have the order of Guids of .NET, as Realm .NET before 10.10 wrote them: all of the file."
    )
    var dotnetGuids = false

    /// Checks the combination of options.
    func validate(isArchive: Bool) throws {
        if isArchive, format != .bson { throw ValidationError("--archive holds BSON; leave out --format") }
        if isArchive, profile == .canonical {
            throw ValidationError("--profile canonical needs --out DIR: an archive has no place for the exact schema")
        }
        if profile == .canonical, format == .json || format.isTable {
            throw ValidationError("--profile canonical needs --format bson or ejson: \(format) cannot hold everything")
        }
        if profile == .canonical, jsonFormat == .relaxed {
            throw ValidationError("--profile canonical needs --jsonFormat canonical")
        }
        if profile == .canonical, nulls == .omit {
            throw ValidationError("--profile canonical keeps nulls: leave out --nulls")
        }
        if jsonFormat != nil, format != .ejson { throw ValidationError("--jsonFormat goes with --format ejson") }
        if jsonArray, format == .bson || format.isTable {
            throw ValidationError("--jsonArray goes with --format ejson or json")
        }
        if safeInts, format == .bson || format == .ejson {
            throw ValidationError("--safe-ints goes with --format json, csv or tsv")
        }
    }

    /// Whether MongoDB is to read the documents.
    var isForMongoDB: Bool { profile == .mongo && (format == .bson || format == .ejson) }

    /// The options for the exporter.
    var options: ExportOptions {
        var options = ExportOptions()
        options.format = format
        options.profile = profile
        options.keepsNulls = nulls == .keep
        options.extendedJSONForm = jsonFormat ?? .canonical
        options.isJSONArray = jsonArray
        options.hasSafeInts = safeInts
        options.turnsGuids = dotnetGuids
        options.classNames = classes.isEmpty ? nil : classes
        options.includesSystemTables = includeSystem
        return options
    }
}

/// The treatment of null properties.
enum NullPolicy: String, ExpressibleByArgument, CaseIterable {
    case omit
    case keep
}

extension ExportOptions.Format: ExpressibleByArgument {}
extension ExportOptions.Profile: ExpressibleByArgument {}
extension ExportOptions.DamagePolicy: ExpressibleByArgument {}
extension ExportOptions.ExtendedJSONForm: ExpressibleByArgument {}
