public import RealmLayout

/// A node that may be the root of a commit, with the verifier's findings.
///
/// ```swift
/// for candidate in try FileRepair(ByteSource(path: "broken.realm")).plan(.findRoot).candidates {
///     print(candidate.commit, candidate.state, candidate.objectCount)
/// }
/// ```
public struct RootCandidate: Sendable {
    /// The known state of a commit.
    public enum State: Equatable, Sendable {
        /// Checked without errors.
        case complete
        /// Older than the newest commit, and without errors except for this many byte ranges without an owner: it may
        /// contain parts of later commits.
        case doubtful(leaks: Int)
        /// Readable, with this many errors or worse findings.
        case damaged(errors: Int)
        /// Not readable.
        case unreadable
        /// Extends beyond the end of the file by this many bytes.
        case cutOff(missing: Int)
        /// Not checked, because a better candidate was found first.
        case notChecked
    }

    /// The object count of a table.
    public struct Table: Equatable, Sendable {
        /// The full name of the table.
        public let name: String
        /// Number of objects; nil when it cannot be read.
        public let objects: Int?
    }

    /// The position of the root.
    public let ref: Ref
    /// The evidence that led to the root.
    public let origin: RootOrigin
    /// The commit number; 1 if the root does not state it.
    public let commit: UInt64
    /// The logical size of the database in bytes.
    public let logicalSize: Int
    /// The known state of the commit.
    public internal(set) var state: State
    /// The format used for checking; nil when the commit was not checked.
    public internal(set) var format: FormatVersion?
    /// Whether the format was guessed among several, because nothing in the file determines it.
    public internal(set) var isFormatGuessed = false
    /// The verifier's report; nil when the commit was not checked.
    public internal(set) var report: VerificationReport?
    /// The object counts of its tables; empty when the commit was not checked or cannot be read.
    public internal(set) var tables: [Table] = []

    init(_ found: RootSearch.Found, fileSize: Int) {
        ref = found.shape.ref
        origin = found.origin
        commit = found.shape.commit
        logicalSize = found.shape.logicalSize
        state = logicalSize > fileSize ? .cutOff(missing: logicalSize - fileSize) : .notChecked
    }

    /// Number of readable objects.
    public var objectCount: Int { tables.reduce(0) { $0 + ($1.objects ?? 0) } }

    /// Number of readable objects of classes, without those of other tables, such as metadata.
    package var classObjectCount: Int {
        tables.reduce(0) { TableName.isClass($1.name) ? $0 + ($1.objects ?? 0) : $0 }
    }

    /// Whether the commit can be opened, damaged or not.
    public var isReadable: Bool {
        switch state {
        case .complete, .doubtful, .damaged: true
        case .unreadable, .cutOff, .notChecked: false
        }
    }
}
