public import RealmLayout

/// The result of verifying a file.
///
/// ```swift
/// let report = try await database.verify()
/// print(report.isSound, report.total(.error), report.tables.map(\.readable))
/// ```
public struct VerificationReport: Equatable, Sendable {
    /// The state of the commit that a header slot leads to.
    public enum SlotState: Equatable, Sendable {
        /// Everything that was checked is correct.
        case complete
        /// It can be opened, but has this many findings of severity error or worse.
        case damaged(errors: Int)
        /// It cannot be opened.
        case unreadable
        /// The slot was never used.
        case empty
        /// The slot still contains the mark of the streaming form, whose footer is missing.
        case streamingMark
    }

    /// The relation of a commit to the selected one.
    public enum SlotRelation: String, Sendable {
        /// It is the selected one.
        case current
        /// The commit before: going back is possible if it is complete.
        case previous
        /// The commit after: it was written, but its writer was interrupted before selecting it.
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
        /// The content of the slot.
        public let topRef: UInt64
        /// The format in the header.
        public let format: FormatVersion
        /// The number of the commit; nil when it cannot be read.
        public let commit: UInt64?
        /// The state of the commit.
        public let state: SlotState
        /// Its relation to the selected commit.
        public let relation: SlotRelation
        /// The number of its nodes; nil when they were not visited.
        public let nodes: Int?
    }

    /// The objects of a class or other table.
    public struct TableSummary: Equatable, Sendable {
        /// The full name of the table.
        public let name: String
        /// The number of objects according to the root of the table; nil when it cannot be read.
        public let objects: Int?
        /// The number of readable objects.
        public let readable: Int
        /// The number of readable objects with a value that has findings of severity error or worse.
        public let affected: Int

        package init(name: String, objects: Int?, readable: Int, affected: Int) {
            self.name = name
            self.objects = objects
            self.readable = readable
            self.affected = affected
        }
    }

    /// The differences between the objects of a table in two commits.
    public struct TableChange: Equatable, Sendable {
        /// The full name of the table.
        public let name: String
        /// The number of objects only in the current commit.
        public let added: Int
        /// The number of objects with different values in both commits.
        public let changed: Int
        /// The number of objects only in the other commit.
        public let deleted: Int
    }

    /// The effect of going back to the other commit.
    public struct Rollback: Equatable, Sendable {
        /// Whether the other commit is complete and can be selected instead.
        public let isPossible: Bool
        /// The changes that it would undo, without unchanged tables; nil when unknown because one of the commits cannot
        /// be read, or has a format before clusters.
        public let changes: [TableChange]?
    }

    /// The extent of the checks.
    public let level: VerificationLevel
    /// The size of the file in bytes.
    public let fileSize: Int
    /// Both slots; none when the header cannot be read.
    public let slots: [Slot]
    /// The size of the database in bytes; nil when the current commit cannot be read.
    public let logicalSize: Int?
    /// The size of all nodes in use in bytes; nil when they were not visited.
    public let usedBytes: Int?
    /// The tables of the current commit; empty when objects were not checked.
    public let tables: [TableSummary]
    /// The effect of going back one commit; nil when there is no other commit, or it was not checked.
    public let rollback: Rollback?
    /// The kept findings, the worst first.
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

    /// Whether there are no findings of severity error or worse.
    public var isSound: Bool { isReadable && total(.error) + total(.fatal) == 0 }
}
