public import RealmCore
public import RealmLayout
public import RealmStorage

/// Copies everything readable in a damaged file into a new valid file of format 24 (Spec 190). Never modifies the
/// original file.
///
/// ```swift
/// let result = try Salvage(ByteSource(path: "broken.realm")).write(to: NewFile("salvaged.realm"))
/// for table in result.report.tables { print(table.name, table.objects) }
/// ```
public struct Salvage: Sendable {
    /// Selects the commit to salvage.
    public enum Root: Equatable, Sendable {
        /// The commit that the header selects; if that is lost, the best one that is found (Spec R190.17).
        case current
        /// The commit in the header's other slot.
        case otherSlot
        /// The best commit found anywhere in the file (Spec R190.17).
        case findRoot
        /// A commit chosen by the caller, anywhere in the file.
        case found(CommitLocation)
    }

    /// The result of writing a salvaged file.
    public struct Result: Sendable {
        /// The fate of the content.
        public let report: SalvageReport
        /// The verification report of the new file.
        public let verification: VerificationReport
    }

    private let data: DatabaseImage
    /// The recovered data of an encrypted file, from which `data` was made.
    private let recovered: RecoveredData?
    /// Selects the commit to salvage.
    public var root = Root.current
    /// Forces a format; nil to determine it from the file.
    public var format: FormatVersion?
    /// The schema of another copy of the database, for names and descriptions that the file has lost.
    package var known: KnownSchema?
    /// Called from time to time with the number of objects copied so far and their total.
    public var progress: (@Sendable (_ copied: Int, _ total: Int) -> Void)?

    /// Prepares the salvage of a plain file.
    public init(_ source: ByteSource) {
        data = .whatever(source)
        recovered = nil
    }

    /// Prepares the salvage of an encrypted file.
    ///
    /// - Parameter unproven: Whether to read pages that fail authentication or have lost their entries (Spec R190.15).
    /// - Throws: `FormatError` when the file is not encrypted, or the key is wrong; `StorageError` when there is no
    ///   room.
    public init(_ source: ByteSource, key: EncryptionKey, unproven: Bool = false) throws {
        self.init(try DatabaseImage.recovered(source, key, unproven: unproven))
    }

    /// Prepares the salvage of the recovered data of an encrypted file.
    package init(_ recovered: RecoveredData) {
        // Decrypted data is treated as a plain file, with zeros in place of lost pages.
        data = .whatever(ByteSource(bytes: recovered.data.view.bytes))
        self.recovered = recovered
    }

    /// Writes the new file, and verifies it before it gets its name.
    ///
    /// - Throws: `source` when nothing can be salvaged: `emptyFile`, `notARealm`, `noCommit` and similar errors;
    ///   `internalInconsistency`, which no damage of the source justifies; system errors. The file at the path is then
    ///   unchanged.
    public func write(to file: NewFile) throws(WriteError) -> Result {
        let (found, plan, notes) = try survey()
        var verification: VerificationReport?
        try file.write { written throws(WriteError) in
            let report = try Verification(level: .deep).run(onNew: written, file.key)
            guard report.isSound else { throw .internalInconsistency(Self.firstError(report)) }
            verification = report
        } _: { output throws(WriteError) in
            let new = try FileWriter(SchemaDefinition(plan.schema.targets.map(\.definition)), output)
            try SalvageCopy(plan, to: new, notes, progress).run()
            return try new.end()
        }
        guard let verification else { throw .internalInconsistency("it was not checked") }
        return Result(report: report(found, plan, notes), verification: verification)
    }

    /// Determines the content of the new file without writing it.
    ///
    /// - Returns: The report that `write` would return.
    /// - Throws: The errors of `write`.
    public func rehearse() throws(WriteError) -> SalvageReport {
        let (found, plan, notes) = try survey()
        let new = try FileWriter(SchemaDefinition(plan.schema.targets.map(\.definition)), nil)
        try SalvageCopy(plan, to: new, notes, progress).run()
        return report(found, plan, notes)
    }

    /// Locates all salvageable content.
    private func survey() throws(WriteError) -> (SalvageRoot, SalvagePlan, SalvageNotes) {
        let unproven = recovered?.unprovenPages ?? []
        var found = try checked { () throws(FormatError) in
            try SalvageRoot(data, root, format: format, unproven: unproven, known)
        }
        let plan = found.plan(unproven: unproven)
        try checkForClasses(found, plan)
        let notes = SalvageNotes()
        for error in found.damage + plan.schema.changes { notes.note(schema: error) }
        for error in found.doubts(plan.source.pages) { notes.note(schema: error, .doubtful) }
        return (found, plan, notes)
    }

    /// Refuses to write a file without classes if the original may have had some.
    private func checkForClasses(_ found: SalvageRoot, _ plan: SalvagePlan) throws(WriteError) {
        guard !plan.schema.targets.contains(where: { TableName.isClass($0.definition.tableName) }) else { return }
        // Zeroed names look like an empty list of names; only the first bytes of its header distinguish the two (N01).
        if found.damage.isEmpty, let report = found.verified(recovered?.data ?? data), report.isSound,
            !report.findings.contains(where: { $0.check == .nodeMagic && $0.severity > .info })
        {
            return
        }
        throw .source(
            FormatError(
                .noCommit, at: found.topRef?.offset,
                "no class is left of the commit that was found: the new file would be empty"))
    }

    private func report(_ found: SalvageRoot, _ plan: SalvagePlan, _ notes: SalvageNotes) -> SalvageReport {
        SalvageReport(found, found.verified(recovered?.data ?? data), plan, notes, recovered)
    }

    private static func firstError(_ report: VerificationReport) -> String {
        guard let finding = report.findings.first(where: { $0.severity >= .error }) else { return "it cannot be read" }
        return "\(finding.check.rawValue), \(finding.place): \(finding.message)"
    }
}

extension SalvageReport {
    init(
        _ found: SalvageRoot, _ source: VerificationReport?, _ plan: SalvagePlan, _ notes: SalvageNotes,
        _ recovered: RecoveredData?
    ) {
        self.init(
            root: found.topRef, origin: found.origin, commit: found.commit, format: found.version,
            headerProblem: found.headerProblem, source: source, isOutdated: found.isOutdated,
            lostPages: recovered?.lostPages ?? 0, unprovenPages: recovered?.unprovenPages.count ?? 0,
            zeroed: Array(plan.source.pages.ranges.prefix(Self.mostRanges)), tables: Array(notes.tables),
            incidents: notes.incidents, incidentTotal: notes.total)
    }
}
