public import RealmLayout

/// Options of an export.
///
/// ```swift
/// let options = ExportOptions(.json, keepsNulls: true, classNames: ["Dog"])
/// print(try await Exporter(snapshot, options).documents(ofClass: "Dog").bytes.count)
/// ```
public struct ExportOptions: Sendable {
    /// The format of the documents.
    public enum Format: String, CaseIterable, Sendable {
        /// BSON documents back to back, as `mongodump` writes them.
        case bson
        /// Extended JSON v2, one document per line.
        case ejson
        /// Plain JSON, one document per line.
        case json
        /// Comma-separated values (RFC 4180) with a header line.
        case csv
        /// Tab-separated values with a header line.
        case tsv

        /// Whether documents are lines with a field for each property.
        public var isTable: Bool { self == .csv || self == .tsv }
    }

    /// The purpose of the documents.
    public enum Profile: String, CaseIterable, Sendable {
        /// The documents that Device Sync would have stored.
        case mongo
        /// All contents of the file, for importing it again.
        case canonical
    }

    /// The two forms of Extended JSON.
    public enum ExtendedJSONForm: String, CaseIterable, Sendable {
        /// Every type spelled out.
        case canonical
        /// Plain numbers and dates.
        case relaxed
    }

    /// The handling of values that cannot be read.
    public enum DamagePolicy: String, CaseIterable, Sendable {
        /// The property is omitted. Elements of lists become null, to preserve the positions of the others.
        case skip
        /// The property is written as null; identities are still omitted.
        case null
        /// A class with such a value is not exported.
        case error
    }

    /// The format of the documents.
    public var format: Format
    /// The purpose of the documents.
    public var profile: Profile
    /// Whether null properties are written in the mongo profile; the canonical profile and CSV always write them.
    public var keepsNulls: Bool
    /// The form of Extended JSON.
    public var extendedJSONForm = ExtendedJSONForm.canonical
    /// Whether JSON output is one array instead of lines.
    public var isJSONArray: Bool
    /// Whether integers beyond 2^53 are strings in plain JSON.
    public var hasSafeInts = false
    /// Whether UUIDs in the file have the byte order of .NET Guids, as written by Realm .NET before 10.10, and are
    /// reordered.
    package var turnsGuids = false
    /// The classes to export; nil for all.
    public var classNames: [String]?
    /// The objects to export for the classes named here, in this order; all objects are exported for other classes.
    ///
    /// ```swift
    /// var options = ExportOptions()
    /// options.classNames = ["Person"]
    /// options.chosenObjects = ["Person": try people.objects(matching: "age > 30 SORT(name ASC)").keys]
    /// ```
    ///
    /// Embedded objects accompany their owners. The report lists a missing object as one that cannot be read.
    public var chosenObjects: [String: [ObjectKey]] = [:]
    /// Whether tables that are not classes are exported too.
    public var includesSystemTables = false
    /// The handling of values that cannot be read. The report lists each damaged place in any case.
    public var onDamage: DamagePolicy
    /// Number of threads that read and write documents.
    public var jobs: Int

    /// Creates options with defaults for everything not given: BSON in the mongo profile, all classes, one thread.
    ///
    /// ```swift
    /// let options = ExportOptions(.json, keepsNulls: true, classNames: ["Dog"], jobs: 4)
    /// print(try await Exporter(snapshot, options).documents(ofClass: "Dog").report.objects)
    /// ```
    public init(
        _ format: Format = .bson, profile: Profile = .mongo, keepsNulls: Bool = false, isJSONArray: Bool = false,
        classNames: [String]? = nil, onDamage: DamagePolicy = .skip, jobs: Int = 1
    ) {
        self.format = format
        self.profile = profile
        self.keepsNulls = keepsNulls
        self.isJSONArray = isJSONArray
        self.classNames = classNames
        self.onDamage = onDamage
        self.jobs = jobs
    }
}
