internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// Runs the checks of a file in order.
struct FileVerifier {
    /// The file as readers open it.
    private let opened: DatabaseImage
    private let data: DataUnderVerification
    private let verification: Verification
    private let sink: FindingSink
    /// Whether unreadable pages prevent reading an encrypted file at all.
    private let isLocked: Bool

    /// Creates a verifier for a file that is not encrypted, or whose readable pages are all admitted.
    ///
    /// - Parameter missesPages: whether nodes in pages without data are unreadable; otherwise these pages read as
    ///   zeros.
    init(_ opened: DatabaseImage, _ verification: Verification, missesPages: Bool = false) {
        self.opened = opened
        self.verification = verification
        sink = FindingSink(limit: verification.maximumFindings)
        data = DataUnderVerification(opened.view, pages: missesPages ? opened.pages : nil)
        isLocked = false
    }

    /// - Throws: `StorageError` when memory for the pages of an encrypted file is not available.
    init(_ source: ByteSource, _ verification: Verification, key: EncryptionKey) throws(StorageError) {
        let pages = try EncryptedPages(source, key: key, limit: .max)
        opened = DatabaseImage(source: source, pages: pages)
        self.verification = verification
        sink = FindingSink(limit: verification.maximumFindings)
        data = DataUnderVerification(pages.view, pages: pages)
        isLocked = !EncryptionChecks(source: source, pages: pages, sink: sink).run(level: verification.level)
    }

    private var file: ByteView { data.bytes }

    /// A checked commit.
    private struct Commit {
        let started: StartedCommit
        /// Summaries of the tables, as far as objects were read.
        let summaries: [VerificationReport.TableSummary]
        /// The number of errors of the commit so far.
        let errors: Int

        var scope: SnapshotScope { started.scope }
    }

    func report() -> VerificationReport {
        if let path = verification.path { SidecarFileChecks(path: path, sink: sink).run() }
        guard !isLocked else { return result(slots: [], current: nil, rollback: nil) }
        let headerChecks = HeaderChecks(file: file, sink: sink)
        guard let header = headerChecks.header() else { return result(slots: [], current: nil, rollback: nil) }
        let selected = header.selectedSlot
        let target = headerChecks.target(ofSlot: selected, header)
        let laterSink = sink.empty
        let otherTarget = HeaderChecks(file: file, sink: laterSink).target(ofSlot: 1 - selected, header)
        // Errors of the other commit are no damage of the database.
        let otherSink = sink.empty
        let walks = verification.level >= .standard
        var started = verification.workers.map([selected, 1 - selected]) { slot in
            start(
                slot == selected ? target : otherTarget, slot, header.slots[slot].format,
                slot == selected ? sink : otherSink)
        }
        if walks { visitNodes(of: &started) }
        let current = started[0].map { finish($0, level: verification.level) }
        if let current {
            headerChecks.checkTail(logicalSize: current.scope.root.logicalSize, isStreaming: header.isStreaming)
        }
        sink.add(laterSink)
        let other = started[1].map { finish($0, level: verification.level == .deep ? .standard : .quick) }
        let slots = [
            slot(selected, header, target, current, isSelected: true, nil),
            slot(1 - selected, header, otherTarget, other, isSelected: false, current),
        ].inOrder { $0.number < $1.number }
        var rollback: VerificationReport.Rollback?
        if case .root = otherTarget {
            judge(slots[1 - selected], otherSink, current, other)
            if verification.level >= .standard { rollback = compare(current, other, slots[1 - selected]) }
        }
        return result(slots: slots, current: current, isEmpty: target == .empty, rollback: rollback)
    }

    /// A commit whose schema and free list were checked, but not its content.
    private struct StartedCommit {
        let scope: SnapshotScope
        let tables: [CheckedTable]
        let legacyTables: [LegacyCheckedTable]
        let freeList: FreeList?
        /// The number of errors reported before this commit was opened.
        let errorsBefore: Int
        /// The number of errors in the schema.
        let schemaErrors: Int
        /// The number of errors of nodes.
        var nodeErrors = 0
    }

    /// Checks the schema and the free list of the commit that a slot leads to.
    private func start(
        _ target: HeaderChecks.Target, _ slot: Int, _ format: FormatVersion, _ sink: FindingSink
    ) -> StartedCommit? {
        guard case .root(let topRef) = target else { return nil }
        let before = sink.errorTotal
        guard let root = GroupRoot.open(at: topRef, slot: slot, format: format, in: data, sink) else { return nil }
        let scope = SnapshotScope(slot: slot, format: format, root: root, file: file, sink: sink)
        let tables = format.isClustered ? GroupChecks(scope: scope).tables() : []
        let legacyTables = format.isLegacy ? LegacySchemaChecks(scope: scope).tables() : []
        let schemaErrors = sink.errorTotal - before
        return StartedCommit(
            scope: scope, tables: tables, legacyTables: legacyTables, freeList: SpaceChecks(scope: scope).freeList(),
            errorsBefore: before, schemaErrors: schemaErrors)
    }

    /// Visits all nodes of the commits and determines the owner of each byte. Unreadable commits are nil.
    private func visitNodes(of commits: inout [StartedCommit?]) {
        let readable = commits.compactMap(\.self)
        let sweeps = CommitSweep.run(readable.map(\.scope), verification.workers)
        let errors = verification.workers.map(Array(zip(readable, sweeps))) { commit, nodes in
            let (scope, before) = (commit.scope, commit.scope.sink.errorTotal)
            let nodes = nodes ?? OwnedNodeWalk.run(scope, tables: commit.tables)
            let nodeErrors = scope.sink.errorTotal - before
            nodes.startsOfNodes.report(in: scope)
            scope.nodes = nodes
            SpaceChecks(scope: scope).account(for: nodes, commit.freeList)
            return nodeErrors
        }
        var next = errors.makeIterator()
        for index in commits.indices where commits[index] != nil { commits[index]?.nodeErrors = next.next() ?? 0 }
    }

    /// Checks the content of a commit, to the extent of the level.
    private func finish(_ started: StartedCommit, level: VerificationLevel) -> Commit {
        let (scope, tables, sink) = (started.scope, started.tables, started.scope.sink)
        var summaries: [VerificationReport.TableSummary] = []
        if level >= .standard, scope.format.isClustered {
            let content = ContentChecks(scope, tables: ByTable(tables), verification.workers, tally: verification.tally)
            content.run()
            LinkChecks(scope: scope, content: content).run()
            KeyChecks(scope: scope, content: content).run(verification.workers)
            KeyHashChecks(scope: scope, content: content).run()
            if level == .deep { IndexChecks(scope: scope, content: content).run() }
            summaries = Self.summaries(tables, content)
        }
        if level >= .standard { HistoryChecks(scope: scope).run(isDeep: level == .deep) }
        // The reader fails on shared nodes, which the walk has reported.
        if level >= .standard, scope.format.isLegacy, started.nodeErrors == 0 {
            summaries = checkLegacy(started, isDeep: level == .deep)
        }
        return Commit(started: started, summaries: summaries, errors: sink.errorTotal - started.errorsBefore)
    }

    private static func summaries(
        _ tables: [CheckedTable], _ content: ContentChecks
    ) -> [VerificationReport.TableSummary] {
        zip(tables, content.tallies).map { table, tally in
            VerificationReport.TableSummary(
                name: table.name, objects: tally.stored, readable: table.areColumnsKnown ? tally.visited : 0,
                affected: table.areColumnsKnown ? tally.affected : 0)
        }
    }

    /// Reads a whole commit of formats 2 to 9, and checks the structures of tables beyond their values.
    private func checkLegacy(_ commit: StartedCommit, isDeep: Bool) -> [VerificationReport.TableSummary] {
        let scope = commit.scope
        let sink = scope.sink
        do {
            let before = sink.errorTotal
            let snapshot = try opened.snapshot(at: scope.root.ref, format: scope.format)
            let checks = LegacyChecks(
                snapshot: snapshot, slot: scope.slot, sink: sink, hasSchemaErrors: commit.schemaErrors > 0)
            let summaries = checks.run()
            LegacyStringChecks(scope: scope, tables: commit.legacyTables).run()
            guard sink.errorTotal == before else { return summaries }
            LegacyKeyChecks(scope: scope, tables: commit.legacyTables, snapshot: snapshot).run()
            if isDeep { LegacyIndexChecks(scope: scope, tables: commit.legacyTables).run() }
            return summaries
        } catch {
            sink.report(.tableCounts, at: error.offset, in: scope.place, error.detail)
            return []
        }
    }

    private func slot(
        _ number: Int, _ header: FileHeader, _ target: HeaderChecks.Target, _ commit: Commit?, isSelected: Bool,
        _ current: Commit?
    ) -> VerificationReport.Slot {
        let state: VerificationReport.SlotState
        switch target {
        case .empty: state = .empty
        case .streamingMark: state = .streamingMark
        case .lostFooter: state = .unreadable
        case .root:
            if let commit {
                state = commit.errors == 0 ? .complete : .damaged(errors: commit.errors)
            } else {
                state = .unreadable
            }
        }
        var relation = VerificationReport.SlotRelation.none
        if isSelected {
            relation = .current
        } else if let commit {
            relation = .unrelated
            if let current {
                // Early releases wrote 0 for the first commit (Spec 70).
                let (own, version) = (max(1, commit.scope.root.version), max(1, current.scope.root.version))
                if own &+ 1 == version { relation = .previous }
                if own == version &+ 1 { relation = .interrupted }
            }
        }
        return VerificationReport.Slot(
            number: number, isSelected: isSelected, topRef: header.slots[number].topRef,
            format: header.slots[number].format, commit: commit?.scope.root.version, state: state, relation: relation,
            nodes: commit?.scope.nodes?.nodeCount)
    }

    /// Reports the state of the other commit, with its first error if it is damaged.
    private func judge(
        _ slot: VerificationReport.Slot, _ findings: FindingSink, _ current: Commit?, _ other: Commit?
    ) {
        let place = Finding.Place(slot: slot.number)
        let first =
            findings.findings.first { $0.severity >= .error }.map { ": \($0.check.rawValue) \($0.message)" } ?? ""
        switch slot.state {
        case .unreadable:
            sink.report(
                .otherSlot, as: .warning, at: slot.number * 8, in: place,
                "the other slot leads to no commit\(first)")
        case .damaged(let errors):
            sink.report(
                .otherSlot, as: .warning, at: slot.number * 8, in: place,
                "the other commit (\(slot.commit ?? 0)) is damaged in \(errors) places\(first)")
        default:
            break
        }
        guard let current, let other else { return }
        switch slot.relation {
        case .interrupted:
            sink.report(
                .otherSlot, at: slot.number * 8, in: place,
                "commit \(other.scope.root.version) was written but not selected: its writer was interrupted")
        case .unrelated:
            sink.report(
                .versionNumber, at: slot.number * 8, in: place,
                "the slots lead to the commits \(current.scope.root.version) and \(other.scope.root.version), "
                    + "which do not follow each other")
        default:
            break
        }
    }

    private func compare(
        _ current: Commit?, _ other: Commit?, _ slot: VerificationReport.Slot
    ) -> VerificationReport.Rollback? {
        guard let other, slot.state == .complete else {
            return VerificationReport.Rollback(isPossible: false, changes: nil)
        }
        guard let current else { return VerificationReport.Rollback(isPossible: true, changes: nil) }
        if slot.relation == .previous, let nodes = current.scope.nodes, let others = other.scope.nodes {
            SpaceChecks(scope: current.scope).compare(
                nodes, current.started.freeList, withOther: others, size: other.scope.root.logicalSize)
        }
        return VerificationReport.Rollback(isPossible: true, changes: changes(from: current.started, to: other.started))
    }

    private func changes(from current: StartedCommit, to other: StartedCommit) -> [VerificationReport.TableChange]? {
        guard current.scope.format.isClustered, other.scope.format.isClustered else {
            return LegacyCommitComparison(opened, current: current.scope, other: other.scope)?.changes()
        }
        return SlotComparison(current: current.scope, current.tables, other: other.scope, other.tables)
            .changes(verification.workers)
    }

    private func result(
        slots: [VerificationReport.Slot], current: Commit?, isEmpty: Bool = false,
        rollback: VerificationReport.Rollback?
    ) -> VerificationReport {
        return VerificationReport(
            level: verification.level, fileSize: file.count, slots: slots,
            logicalSize: current?.scope.root.logicalSize, usedBytes: current?.scope.nodes?.byteCount,
            tables: current?.summaries ?? [], rollback: rollback, findings: sink.findings,
            totals: FindingSeverity.allCases.map { sink.total($0) }, totalsByCheck: sink.countsByCheck,
            isReadable: current != nil || isEmpty)
    }
}

// Roots given by the caller, independent of the header.
extension FileVerifier {
    /// Checks the commit at `topRef` as if slot 0 led to it.
    func report(onRoot topRef: UInt64, format: FormatVersion) -> VerificationReport {
        let level = verification.level
        var started = [start(.root(topRef), 0, format, sink)]
        if level >= .standard { visitNodes(of: &started) }
        let commit = started[0].map { finish($0, level: level) }
        let state: VerificationReport.SlotState =
            switch commit?.errors {
            case nil: .unreadable
            case 0?: .complete
            case let errors?: .damaged(errors: errors)
            }
        let slot = VerificationReport.Slot(
            number: 0, isSelected: true, topRef: topRef, format: format, commit: commit?.scope.root.version,
            state: state, relation: .current, nodes: commit?.scope.nodes?.nodeCount)
        return result(slots: [slot], current: commit, rollback: nil)
    }

    /// The differences between the commits at two roots: the changes that going back would undo. Nil when one of them
    /// cannot be read.
    func changes(goingBackFrom root: UInt64, to older: UInt64, format: FormatVersion, _ olderFormat: FormatVersion)
        -> [VerificationReport.TableChange]?
    {
        // One after the other, because both report to the same sink.
        var new = [start(.root(root), 0, format, sink)]
        visitNodes(of: &new)
        var old = [start(.root(older), 1, olderFormat, sink)]
        visitNodes(of: &old)
        guard let new = new[0], let old = old[0] else { return nil }
        return changes(from: new, to: old)
    }
}
