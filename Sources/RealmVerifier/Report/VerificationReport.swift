public import RealmLayout

/// What the verifier says about a file.
///
/// ```swift
/// let report = try await database.verify()
/// print(report.isSound, report.total(.error), report.tables.map(\.readable))
/// ```
public struct VerificationReport: Equatable, Sendable {
    /// What became of the commit that a header slot leads to.
    public enum SlotState: Equatable, Sendable {
        /// All that was checked is right.
        case complete
        /// It can be opened, but this many findings are errors or worse.
        case damaged(errors: Int)
        /// It cannot be opened.
        case unreadable
        /// No commit was ever put there.
        case empty
        /// The slot still has the mark of the streaming form, whose footer is gone.
        case streamingMark
    }

    /// What a commit is to the selected one.
    public enum SlotRelation: String, Sendable {
        /// It is the selected one.
        case current
        /// The commit before: going back is possible if it is complete.
        case previous
        /// The commit after: it was written, but its writer ended before it was selected.
        case interrupted
        /// Neither of them.
        case unrelated
        /// There is no commit.
        case none
    }

    /// A slot of the header and the commit that it leads to.
    public struct Slot: Equatable, Sendable {
        /// 0 or 1.
        public let number: Int
        /// Whether the header selects it.
        public let isSelected: Bool
        /// What is in the slot.
        public let topRef: UInt64
        /// The format in the header.
        public let format: FormatVersion
        /// The number of the commit; nil when it cannot be read.
        public let commit: UInt64?
        /// What became of the commit.
        public let state: SlotState
        /// What it is to the selected one.
        public let relation: SlotRelation
        /// Its nodes; nil when they were not looked at.
        public let nodes: Int?
    }

    /// The objects of a class or other table.
    public struct TableSummary: Equatable, Sendable {
        /// The full name of the table.
        public let name: String
        /// Objects as the root of the table says; nil when it cannot be read.
        public let objects: Int?
        /// Objects that can be read.
        public let readable: Int
        /// Those of them with a value that findings of the severity error or worse are about.
        public let affected: Int

        package init(name: String, objects: Int?, readable: Int, affected: Int) {
            self.name = name
            self.objects = objects
            self.readable = readable
            self.affected = affected
        }
    }

    /// The objects of a table that two commits do not have in common.
    public struct TableChange: Equatable, Sendable {
        /// The full name of the table.
        public let name: String
        /// Objects that only the current commit has.
        public let added: Int
        /// Objects of both commits with different values.
        public let changed: Int
        /// Objects that only the other commit has.
        public let deleted: Int
    }

    /// What going back to the other commit means.
    public struct Rollback: Equatable, Sendable {
        /// Whether the other commit is complete and can be selected instead.
        public let isPossible: Bool
        /// What it would undo, without tables that would not change; nil where that is not known: when one of the commits
        /// is of a format before clusters, or cannot be read.
        public let changes: [TableChange]?
    }

    /// How much was looked at.
    public let level: VerificationLevel
    /// The size of the file in bytes.
    public let fileSize: Int
    /// Both slots; none when the header cannot be read.
    public let slots: [Slot]
    /// Bytes of the database; nil when the current commit cannot be read.
    public let logicalSize: Int?
    /// Bytes of nodes in use; nil when they were not looked at.
    public let usedBytes: Int?
    /// The tables of the current commit; empty when objects were not looked at.
    public let tables: [TableSummary]
    /// What going back one commit means; nil when there is no other commit, or it was not looked at.
    public let rollback: Rollback?
    /// The findings that were kept, the worst first.
    public let findings: [Finding]
    /// The number of all findings by severity, in the order of `FindingSeverity`.
    public let totals: [Int]
    /// The number of all findings of each check.
    public let totalsByCheck: [CheckIdentifier: Int]
    /// Whether the current commit can be read.
    public let isReadable: Bool

    /// The number of all findings of a severity.
    public func total(_ severity: FindingSeverity) -> Int { totals[severity.rawValue] }

    /// The number of all findings.
    public var total: Int { totals.reduce(0, +) }

    /// Whether nothing is wrong that is an error or worse.
    public var isSound: Bool { isReadable && total(.error) + total(.fatal) == 0 }
}
