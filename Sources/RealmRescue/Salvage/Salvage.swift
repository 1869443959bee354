public import RealmWriter
public import RealmLayout
package import RealmReader
public import RealmStorage
public import RealmVerifier

/// Brings everything that can be read of a damaged file into a new good one of format 24 (Spec 190). Never touches the file
/// that it reads.
///
/// ```swift
/// let result = try Salvage(ByteSource(path: "broken.realm")).write(to: NewFile("salvaged.realm"))
/// for table in result.report.tables { print(table.name, table.objects) }
/// ```
public struct Salvage: Sendable {
    /// Which commit is salvaged.
    public enum Root: Equatable, Sendable {
        /// The one that the header selects; where it is lost, the best that is found (Spec R190.17).
        case current
        /// The one in the other slot of the header.
        case otherSlot
        /// The best that is found, wherever in the file (Spec R190.17).
        case findRoot
        /// The one that somebody chose, wherever in the file.
        case found(CommitLocation)
    }

    /// What was written.
    public struct Result: Sendable {
        /// What became of the content.
        public let report: SalvageReport
        /// What the verifier says about the new file.
        public let verification: VerificationReport
    }

    private let data: DatabaseImage
    /// What `data` was made of, if that is encrypted.
    private let recovered: RecoveredData?
    /// Which commit is salvaged.
    public var root = Root.current
    /// The format to take, whatever the file says; nil for finding out.
    public var format: FormatVersion?
    /// Hears how many objects of how many that are left are copied, from time to time.
    public var progress: (@Sendable (_ copied: Int, _ total: Int) -> Void)?

    /// Prepares for salvaging a plain file.
    public init(_ source: ByteSource) {
        data = .whatever(source)
        recovered = nil
    }

    /// Prepares for salvaging an encrypted file.
    ///
    /// - Parameter unproven: whether pages that fail their authentication, or have lost their entries, are read nevertheless
    ///   (Spec R190.15).
    /// - Throws: `FormatError` when it is no encrypted file, or the key does not fit; `StorageError` when there is no room.
    public init(_ source: ByteSource, key: EncryptionKey, unproven: Bool = false) throws {
        self.init(try DatabaseImage.recovered(source, key, unproven: unproven))
    }

    /// Prepares for salvaging what can be had of an encrypted file.
    package init(_ recovered: RecoveredData) {
        // What was decrypted is looked at as if it were a plain file: zeros are where pages are lost.
        data = .whatever(ByteSource(bytes: recovered.data.view.bytes))
        self.recovered = recovered
    }

    /// Writes the new file, and checks it before it gets its name.
    ///
    /// - Throws: `source` when there is nothing to be had: `emptyFile`, `notARealm`, `noCommit` and others; `internalInconsistency`, which no damage
    ///   excuses; what the system refuses. Nothing has changed at the path then.
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

    /// Finds out what a new file would have, and writes none.
    ///
    /// - Returns: the report that `write` gives.
    /// - Throws: as `write`.
    public func rehearse() throws(WriteError) -> SalvageReport {
        let (found, plan, notes) = try survey()
        let new = try FileWriter(SchemaDefinition(plan.schema.targets.map(\.definition)), nil)
        try SalvageCopy(plan, to: new, notes, progress).run()
        return report(found, plan, notes)
    }

    /// Finds what there is to be had.
    private func survey() throws(WriteError) -> (SalvageRoot, SalvagePlan, SalvageNotes) {
        let unproven = recovered?.unprovenPages ?? []
        var found = try checked { () throws(FormatError) in
            try SalvageRoot(data, root, format: format, unproven: unproven)
        }
        let plan = found.plan(unproven: unproven)
        try checkForClasses(found, plan)
        let notes = SalvageNotes()
        for error in found.damage + plan.schema.changes { notes.note(schema: error) }
        for error in found.doubts(plan.source.pages) { notes.note(schema: error, .doubtful) }
        return (found, plan, notes)
    }

    /// Refuses to make a file without a class of one that may have had some.
    private func checkForClasses(_ found: SalvageRoot, _ plan: SalvagePlan) throws(WriteError) {
        guard !plan.schema.targets.contains(where: { TableName.isClass($0.definition.tableName) }) else { return }
        // Zeros where names were are an empty list of names, which only its first bytes tell from a real one (N01).
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
