internal import RealmLayout
internal import RealmReader
internal import RealmVerifier

/// Has the verifier check the commits at candidates.
struct RootJudge {
    let data: DatabaseImage
    /// The file's header, when its mnemonic is there.
    let header: FileHeader?
    /// The format to take, whatever the nodes say; nil for finding out.
    let format: FormatVersion?

    /// Findings to keep of a candidate.
    private static let maximumFindings = 20
    /// What is wrong whatever the format is: no use in trying another one.
    private static let independentOfFormat: [CheckIdentifier] = [
        .topAlignment, .topRange, .topCount, .topSlots, .logicalSize, .nodeWidthType, .nodeFlags, .nodeSize,
        .refAlignment, .refRange, .cycle, .sharedNode, .overlap, .workLimit, .nodeDepth, .freeListShape,
        .freeEntryAlignment, .freeEntryRange, .freeListOrder, .freeOverlap, .freeVersusLive, .tableCounts, .tableSlot,
        .tableKey,
    ]

    /// Checks the commit at a candidate that lies inside of the file.
    ///
    /// - Parameter isNewest: whether no commit is known that came later.
    func judge(_ candidate: inout RootCandidate, _ shape: RootShape, isNewest: Bool) {
        let evidence = FormatEvidence(shape, header, in: data.view)
        let formats = format.map { [$0] } ?? evidence.order
        var best: (format: FormatVersion, report: VerificationReport)?
        for format in formats {
            let report = Verification(level: .standard, maximumFindings: Self.maximumFindings)
                .run(onRoot: candidate.ref, format: format, in: data)
            if best.map({ Self.errors(report) < Self.errors($0.report) }) ?? true { best = (format, report) }
            if report.isSound || Self.independentOfFormat.contains(where: { report.totalsByCheck[$0] != nil }) { break }
        }
        guard let best else {
            candidate.state = .unreadable
            return
        }
        candidate.format = best.format
        candidate.isFormatGuessed =
            format == nil && !evidence.named.contains(best.format) && evidence.likely.count > 1
        candidate.report = best.report
        candidate.state = Self.state(best.report, isNewest: isNewest)
        guard candidate.isReadable else { return }
        candidate.tables = best.report.tables.map { RootCandidate.Table(name: $0.name, objects: $0.objects) }
    }

    /// Whether a node of the commit at `root` reaches beyond `end`.
    func hasNode(_ root: Ref, _ format: FormatVersion, after end: Int) -> Bool {
        do throws(FormatError) {
            let snapshot = try data.snapshot(at: root, format: format)
            var walk = NodeWalk(root: root, in: snapshot.space)
            while let step = walk.next() {
                guard case .node(let node) = step else { return true }
                if node.ref.offset + NodeHeader.size + (node.size + 7) & ~7 > end { return true }
            }
            return false
        } catch {
            return true
        }
    }

    private static func errors(_ report: VerificationReport) -> Int {
        report.isReadable ? report.total(.error) + report.total(.fatal) : .max
    }

    private static func state(_ report: VerificationReport, isNewest: Bool) -> RootCandidate.State {
        guard report.isReadable else { return .unreadable }
        guard report.isSound else { return .damaged(errors: errors(report)) }
        // What has no owner in an older commit may have been taken from it by a later one.
        if !isNewest, let leaks = report.totalsByCheck[.leak] { return .doubtful(leaks: leaks) }
        return .complete
    }
}
