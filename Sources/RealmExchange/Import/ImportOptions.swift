internal import RealmSystem

/// Options of an import.
///
/// ```swift
/// let options = ImportOptions(allowsLosses: false, className: "Dog", format: .csv)
/// print(try await Importer(["dogs.csv"], options).run(to: "new.realm").objects)
/// ```
public struct ImportOptions: Sendable {
    /// The representation of nested documents if no schema specifies it.
    public enum Nesting: String, CaseIterable, Sendable {
        /// Embedded objects, or dictionaries if the keys are too many or not valid property names.
        case embedded
        /// Dictionaries.
        case dictionary
        /// Mixed values.
        case mixed
    }

    /// Whether losses are only reported; otherwise, they prevent the file from being written.
    public var allowsLosses: Bool
    /// The schema: `realm-schema.json`, a JSON schema of App Services, or a folder of those with `relationships.json`.
    /// Nil to use the schema next to the documents, if there is one.
    public var schemaPath: String?
    /// The schema, as made by `RealmSchemaJSON`; takes precedence over `schemaPath`.
    public var schema: JSONValue?
    /// The database to import from a dump with several.
    public var database: String?
    /// The class of the documents in a single file.
    public var className: String?
    /// The format of files whose names do not indicate it.
    public var format: DocumentFormat?
    /// The representation of nested documents if no schema specifies it.
    public var nesting: Nesting
    /// The field that becomes the primary key if no schema specifies one, in all classes that have it; nil for `_id`.
    public var primaryKey: String?

    /// Memory limit in bytes for the lookup of links. The rest goes to disk, and requires another pass over the
    /// documents.
    package var memoryOfKeys = ImportOptions.usualMemoryOfKeys

    /// A sixteenth of the machine's memory, between 128 MiB and 1 GiB.
    private static let usualMemoryOfKeys: Int = {
        let (pages, size) = (sysconf(Int32(_SC_PHYS_PAGES)), sysconf(Int32(_SC_PAGESIZE)))
        let (memory, isBeyond) = Int(pages).multipliedReportingOverflow(by: Int(size))
        guard pages > 0, size > 0, !isBeyond else { return 128 << 20 }
        return min(1 << 30, max(128 << 20, memory / 16))
    }()

    /// Memory limit in bytes for data written at the end of the new file, such as indexes; nil for the default.
    package var memoryOfWriter: Int?

    /// Creates options with defaults for everything not given: losses are reported, and the rest is determined
    /// automatically.
    ///
    /// ```swift
    /// let options = ImportOptions(className: "Dog", format: .json)
    /// print(try await Importer(["dogs.txt"], options).run(to: "dogs.realm").objects)
    /// ```
    public init(
        allowsLosses: Bool = true, schema: JSONValue? = nil, schemaPath: String? = nil, database: String? = nil,
        className: String? = nil, format: DocumentFormat? = nil, nesting: Nesting = .embedded,
        primaryKey: String? = nil
    ) {
        self.allowsLosses = allowsLosses
        self.schema = schema
        self.schemaPath = schemaPath
        self.database = database
        self.className = className
        self.format = format
        self.nesting = nesting
        self.primaryKey = primaryKey
    }
}
