public import RealmLayout

/// What is written, and how.
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
        /// Extended JSON v2, one document a line.
        case ejson
        /// Plain JSON, one document a line.
        case json
        /// Comma-separated values (RFC 4180) with a header line.
        case csv
        /// The same with tabs.
        case tsv

        /// Whether documents are lines with a field for each property.
        public var isTable: Bool { self == .csv || self == .tsv }
    }

    /// Who the documents are for.
    public enum Profile: String, CaseIterable, Sendable {
        /// What Device Sync would have stored.
        case mongo
        /// Everything the file holds, for the way back.
        case canonical
    }

    /// The two forms of Extended JSON.
    public enum ExtendedJSONForm: String, CaseIterable, Sendable {
        /// Every type spelled out.
        case canonical
        /// Plain numbers and dates.
        case relaxed
    }

    /// What is done about values that cannot be read.
    public enum DamagePolicy: String, CaseIterable, Sendable {
        /// Documents do not have the property. Elements of lists become null, so that the others keep their places.
        case skip
        /// The property is null, as if that were its value; identities are left out all the same.
        case null
        /// A class that has one is not exported.
        case error
    }

    /// The format of the documents.
    public var format: Format
    /// Who the documents are for.
    public var profile: Profile
    /// Whether null properties are written in the mongo profile; the canonical one and CSV always have them.
    public var keepsNulls: Bool
    /// The form of Extended JSON.
    public var extendedJSONForm = ExtendedJSONForm.canonical
    /// Whether JSON output is one array instead of lines.
    public var isJSONArray: Bool
    /// Whether integers beyond 2^53 are strings in plain JSON.
    public var hasSafeInts = false
    /// Whether UUIDs have the bytes of Guids of .NET in the file, as Realm .NET before 10.10 wrote them, and are brought into order.
    package var turnsGuids = false
    /// The classes to export; nil for all.
    public var classNames: [String]?
    /// Of the classes that are named here only these objects, in this order; of the others all.
    ///
    /// ```swift
    /// var options = ExportOptions()
    /// options.classNames = ["Person"]
    /// options.chosenObjects = ["Person": try people.objects(matching: "age > 30 SORT(name ASC)").keys]
    /// ```
    ///
    /// Embedded objects go with their owners. An object that is not there is in the report as one that cannot be read.
    public var chosenObjects: [String: [ObjectKey]] = [:]
    /// Whether tables that are no classes are exported too.
    public var includesSystemTables = false
    /// What is done about values that cannot be read. Each place is in the report whatever is done.
    public var onDamage: DamagePolicy
    /// How many threads read and write documents.
    public var jobs: Int

    /// The defaults, but for what is given: BSON in the mongo profile, all classes, one thread.
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
