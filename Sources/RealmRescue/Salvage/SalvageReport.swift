public import RealmLayout
public import RealmVerifier

/// What a salvage brought back of a damaged file, and what not (Spec 190).
///
/// ```swift
/// let report = try Salvage(ByteSource(path: "broken.realm")).rehearse()
/// for table in report.tables { print(table.name, table.objects, table.expected ?? 0) }
/// ```
public struct SalvageReport: Sendable {
    /// What became of a part of the content.
    public enum Fate: String, CaseIterable, Sendable {
        /// Objects that were there and cannot be brought back.
        case lost
        /// Values that cannot be read, and have the default of their property now.
        case defaulted
        /// Elements of collections that cannot be read, and are missing now.
        case dropped
        /// Links to objects that do not exist: null, or missing in their collection.
        case unlinked
        /// Values, and names and types of properties, that were read but may be wrong: they lie where the file has only
        /// zeros, or in an encrypted page that nothing proves.
        case doubtful
        /// Objects whose keys are lost, and that have new ones.
        case newKey
        /// Objects whose primary keys are lost or not unique, and that have made-up ones.
        case newPrimaryKey
        /// Objects that are in a class of their own now, because nothing leads to them any more.
        case moved
        /// Parts of the schema that are lost or made up.
        case schema
    }

    /// Things of the same fate, side by side in the file.
    public struct Incident: Sendable, Equatable {
        /// What became of them.
        public let fate: Fate
        /// The full name of the table; nil for the file.
        public let table: String?
        /// The property; nil for whole objects.
        public let property: String?
        /// How many: objects, values, elements; nil when it is not known.
        public internal(set) var count: Int?
        /// The keys of the first and the last object that are concerned, as the damaged file has them.
        public internal(set) var objects: ClosedRange<ObjectKey>?
        /// Where the file is damaged: the node, or the place that leads there.
        public let bytes: Range<Int>?
        /// Why, in words.
        public let reason: String
    }

    /// A property of a table.
    public struct Property: Sendable, Equatable {
        /// The name.
        public let name: String
        /// Values that are as they were.
        public internal(set) var kept = 0
        /// Values by what else became of them; elements where they are of collections.
        public internal(set) var counts: [Fate: Int] = [:]

        package init(name: String, kept: Int = 0, counts: [Fate: Int] = [:]) {
            self.name = name
            self.kept = kept
            self.counts = counts
        }
    }

    /// A table of the new file.
    public struct Table: Sendable, Equatable {
        /// The full name.
        public let name: String
        /// The full name of the table that its objects were in; another than `name` for those that have lost their place.
        public let source: String
        /// The objects that the damaged file speaks of; nil when it does not say.
        public internal(set) var expected: Int?
        /// The objects that the new file has.
        public internal(set) var objects = 0
        /// Objects by what became of them.
        public internal(set) var counts: [Fate: Int] = [:]
        /// The properties in the order of the schema.
        public internal(set) var properties: [Property]

        /// Whether everything is as it was.
        public var isIntact: Bool { counts.isEmpty && properties.allSatisfy(\.counts.isEmpty) }
    }

    /// The ref of the root that was salvaged; nil when there is none.
    public internal(set) var root: Ref?
    /// What led to the root.
    public internal(set) var origin: RootOrigin
    /// The number of the commit.
    public internal(set) var commit: UInt64
    /// The format that the file was read in.
    public internal(set) var format: FormatVersion
    /// What is wrong with the header; nil when it begins like one.
    public internal(set) var headerProblem: FormatError?
    /// What the verifier says about the commit that was salvaged, at the level standard, with at most `mostFindings`
    /// findings; nil without a root. The number of the slot in it says nothing.
    public internal(set) var source: VerificationReport?
    /// Whether the last commit was wanted, but there are signs of a later one than was salvaged.
    public internal(set) var isOutdated = false
    /// Pages of an encrypted file that fail their authentication, or have lost their entries, and were not read.
    public internal(set) var lostPages = 0
    /// Pages of an encrypted file that were read although they fail their authentication, or have lost their entries.
    public internal(set) var unprovenPages = 0
    /// The pages of zeros that something leads to, side by side ones together: byte ranges; at most `mostRanges`.
    public internal(set) var zeroed: [Range<Int>] = []
    /// The tables of the new file in its order.
    public internal(set) var tables: [Table] = []
    /// What is not as it was, in the order in which it was found; at most `mostIncidents`.
    public internal(set) var incidents: [Incident] = []
    /// How many incidents there were.
    public internal(set) var incidentTotal = 0

    /// Incidents that are kept.
    public static let mostIncidents = 10_000
    /// Ranges of zeros that are kept.
    public static let mostRanges = 1_000
    /// Findings about the source that are kept.
    public static let mostFindings = 20

    /// Whether nothing was missed while the content was read. Not all damage is seen then: `isLossless`.
    public var isEmpty: Bool { incidentTotal == 0 && lostPages == 0 && unprovenPages == 0 && zeroed.isEmpty }

    /// How many objects, values and elements met a fate.
    public func total(_ fate: Fate) -> Int {
        tables.reduce(0) { sum, table in
            sum + (table.counts[fate] ?? 0) + table.properties.reduce(0) { $0 + ($1.counts[fate] ?? 0) }
        }
    }
}
