internal import RealmSystem

/// What is imported, and how.
///
/// ```swift
/// let options = ImportOptions(allowsLosses: false, className: "Dog", format: .csv)
/// print(try await Importer(["dogs.csv"], options).run(to: "new.realm").objects)
/// ```
public struct ImportOptions: Sendable {
    /// What documents inside documents become where no schema says it.
    public enum Nesting: String, CaseIterable, Sendable {
        /// Embedded objects; dictionaries where keys are too many or no names of properties.
        case embedded
        /// Dictionaries.
        case dictionary
        /// Mixed values.
        case mixed
    }

    /// Whether values that cannot be kept are reported only; otherwise no file is written.
    public var allowsLosses: Bool
    /// The schema: `realm-schema.json`, a JSON schema of App Services, or a folder of those with `relationships.json`.
    /// Nil for the one beside the documents, or none.
    public var schemaPath: String?
    /// The schema, as `RealmSchemaJSON` makes it; goes before `schemaPath`.
    public var schema: JSONValue?
    /// The database of a dump with several.
    public var database: String?
    /// The class of the documents in a single file.
    public var className: String?
    /// What is in files whose names do not say it.
    public var format: DocumentFormat?
    /// What documents inside documents become where no schema says it.
    public var nesting: Nesting

    /// Bytes that what links are looked up in may take in memory; the rest is on the disk, and documents are read once more for it.
    package var memoryOfKeys = ImportOptions.usualMemoryOfKeys

    /// A sixteenth of the memory of the machine, from 128 MiB to 1 GiB.
    private static let usualMemoryOfKeys: Int = {
        let (pages, size) = (sysconf(Int32(_SC_PHYS_PAGES)), sysconf(Int32(_SC_PAGESIZE)))
        let (memory, isBeyond) = Int(pages).multipliedReportingOverflow(by: Int(size))
        guard pages > 0, size > 0, !isBeyond else { return 128 << 20 }
        return min(1 << 30, max(128 << 20, memory / 16))
    }()

    /// Bytes in memory of what the new file is made of at its end, such as indexes; nil for the usual number.
    package var memoryOfWriter: Int?

    /// The defaults, but for what is given: losses are reported, everything else is found out.
    ///
    /// ```swift
    /// let options = ImportOptions(className: "Dog", format: .json)
    /// print(try await Importer(["dogs.txt"], options).run(to: "dogs.realm").objects)
    /// ```
    public init(
        allowsLosses: Bool = true, schema: JSONValue? = nil, schemaPath: String? = nil, database: String? = nil,
        className: String? = nil, format: DocumentFormat? = nil, nesting: Nesting = .embedded
    ) {
        self.allowsLosses = allowsLosses
        self.schema = schema
        self.schemaPath = schemaPath
        self.database = database
        self.className = className
        self.format = format
        self.nesting = nesting
    }
}
