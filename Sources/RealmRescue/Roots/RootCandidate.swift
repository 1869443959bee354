public import RealmLayout
public import RealmVerifier

/// A node that may be the root of a commit, and what the verifier says about it.
///
/// ```swift
/// for candidate in try FileRepair(ByteSource(path: "broken.realm")).plan(.findRoot).candidates {
///     print(candidate.commit, candidate.state, candidate.objectCount)
/// }
/// ```
public struct RootCandidate: Sendable {
    /// What is known of the commit.
    public enum State: Equatable, Sendable {
        /// It was checked, and nothing is wrong with it.
        case complete
        /// It is older than the newest one, and nothing is wrong with it but that this many stretches of bytes have no
        /// owner: it may hold parts of later commits.
        case doubtful(leaks: Int)
        /// It can be opened, but this many findings are errors or worse.
        case damaged(errors: Int)
        /// It cannot be opened.
        case unreadable
        /// The file ends before it does: this many bytes are missing.
        case cutOff(missing: Int)
        /// It was not looked at, because a better one was found first.
        case notChecked
    }

    /// The objects of a table.
    public struct Table: Equatable, Sendable {
        /// The full name of the table.
        public let name: String
        /// Its objects; nil when their number cannot be read.
        public let objects: Int?
    }

    /// Where the root is.
    public let ref: Ref
    /// What led to it.
    public let origin: RootOrigin
    /// The number of the commit; 1 where the root does not say.
    public let commit: UInt64
    /// The bytes that the database has.
    public let logicalSize: Int
    /// What is known of the commit.
    public internal(set) var state: State
    /// The format in which it was checked; nil when it was not.
    public internal(set) var format: FormatVersion?
    /// Whether the format is what looks best among several, because nothing in the file tells.
    public internal(set) var isFormatGuessed = false
    /// What the verifier said; nil when the commit was not checked.
    public internal(set) var report: VerificationReport?
    /// The objects of its tables; empty when the commit was not checked or cannot be read.
    public internal(set) var tables: [Table] = []

    init(_ found: RootSearch.Found, fileSize: Int) {
        ref = found.shape.ref
        origin = found.origin
        commit = found.shape.commit
        logicalSize = found.shape.logicalSize
        state = logicalSize > fileSize ? .cutOff(missing: logicalSize - fileSize) : .notChecked
    }

    /// The number of all objects that are readable.
    public var objectCount: Int { tables.reduce(0) { $0 + ($1.objects ?? 0) } }

    /// The number of those that are of classes, and not of other tables, such as metadata.
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
