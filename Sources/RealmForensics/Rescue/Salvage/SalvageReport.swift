public import RealmLayout

/// The content that a salvage recovered from a damaged file, and the content it did not (Spec 190).
///
/// ```swift
/// let report = try Salvage(ByteSource(path: "broken.realm")).rehearse()
/// for table in report.tables { print(table.name, table.objects, table.expected ?? 0) }
/// ```
public struct SalvageReport: Sendable {
    /// The fate of a part of the content.
    public enum Fate: String, CaseIterable, Sendable {
        /// Objects that existed and cannot be recovered.
        case lost
        /// Unreadable values, replaced by the default of their property.
        case defaulted
        /// Unreadable elements of collections, now missing.
        case dropped
        /// Links to objects that do not exist: now null, or missing from their collection.
        case unlinked
        /// Values, and names and types of properties, that were read but may be wrong: they lie in zeroed parts of the
        /// file, or in an encrypted page that fails authentication.
        case doubtful
        /// Objects with a new object key in place of a lost one.
        case newKey
        /// Objects with a new primary key in place of a lost or duplicate one.
        case newPrimaryKey
        /// Objects moved to a class of their own, because nothing refers to them.
        case moved
        /// Parts of the schema that are lost or substituted.
        case schema
    }

    /// Adjacent items with the same fate.
    public struct Incident: Sendable, Equatable {
        /// The fate of the items.
        public let fate: Fate
        /// The full name of the table; nil for the whole file.
        public let table: String?
        /// The property; nil for whole objects.
        public let property: String?
        /// Number of objects, values or elements; nil when unknown.
        public internal(set) var count: Int?
        /// The keys of the first and the last affected object in the damaged file.
        public internal(set) var objects: ClosedRange<ObjectKey>?
        /// The damaged bytes: the node, or the place that refers to it.
        public let bytes: Range<Int>?
        /// Description of the cause.
        public let reason: String
    }

    /// A property of a table.
    public struct Property: Sendable, Equatable {
        /// The property's name.
        public let name: String
        /// Number of unchanged values.
        public internal(set) var kept = 0
        /// Number of other values by fate; for collections, number of elements.
        public internal(set) var counts: [Fate: Int] = [:]

        package init(name: String, kept: Int = 0, counts: [Fate: Int] = [:]) {
            self.name = name
            self.kept = kept
            self.counts = counts
        }
    }

    /// A table of the new file.
    public struct Table: Sendable, Equatable {
        /// The full name of the table.
        public let name: String
        /// The full name of the original table; differs from `name` for objects that nothing refers to.
        public let source: String
        /// Number of objects stated in the damaged file; nil when it states none.
        public internal(set) var expected: Int?
        /// Number of objects in the new file.
        public internal(set) var objects = 0
        /// Number of objects by fate.
        public internal(set) var counts: [Fate: Int] = [:]
        /// The properties, in schema order.
        public internal(set) var properties: [Property]

        /// Whether everything is unchanged.
        public var isIntact: Bool { counts.isEmpty && properties.allSatisfy(\.counts.isEmpty) }
    }

    /// The ref of the salvaged root; nil when there is none.
    public internal(set) var root: Ref?
    /// The evidence that led to the root.
    public internal(set) var origin: RootOrigin
    /// The commit number.
    public internal(set) var commit: UInt64
    /// The format used to read the file.
    public internal(set) var format: FormatVersion
    /// The problem with the header; nil when it begins like one.
    public internal(set) var headerProblem: FormatError?
    /// The verification report of the salvaged commit, at the standard level, with at most `mostFindings` findings;
    /// nil without a root. Its slot number has no meaning.
    public internal(set) var source: VerificationReport?
    /// Whether the last commit was requested, but there are signs of a later one than that salvaged.
    public internal(set) var isOutdated = false
    /// Number of pages of an encrypted file that fail authentication or have lost their entries, and were not read.
    public internal(set) var lostPages = 0
    /// Number of pages of an encrypted file that were read although they fail authentication or have lost their
    /// entries.
    public internal(set) var unprovenPages = 0
    /// Byte ranges of zeroed pages that something refers to, with adjacent pages merged; at most `mostRanges`.
    public internal(set) var zeroed: [Range<Int>] = []
    /// The tables of the new file, in its order.
    public internal(set) var tables: [Table] = []
    /// The incidents in the order in which they were found; at most `mostIncidents`.
    public internal(set) var incidents: [Incident] = []
    /// Total number of incidents.
    public internal(set) var incidentTotal = 0

    /// Maximum number of incidents to keep.
    public static let mostIncidents = 10_000
    /// Maximum number of zeroed ranges to keep.
    public static let mostRanges = 1_000
    /// Maximum number of findings about the source to keep.
    public static let mostFindings = 20

    /// Whether nothing was missing while the content was read. This does not detect all damage: see `isLossless`.
    public var isEmpty: Bool { incidentTotal == 0 && lostPages == 0 && unprovenPages == 0 && zeroed.isEmpty }

    /// Returns the number of objects, values and elements with this fate.
    public func total(_ fate: Fate) -> Int {
        tables.reduce(0) { sum, table in
            sum + (table.counts[fate] ?? 0) + table.properties.reduce(0) { $0 + ($1.counts[fate] ?? 0) }
        }
    }
}
