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
        let evidence = FormatEvidence(
            shape, header, slot: header.flatMap { candidate.origin.slot(of: $0) }, in: data.view)
        guard let best = best(evidence, candidate.ref) else {
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

    /// The format to take, or that of the slot, as long as the commit is sound in it or in no other.
    private func best(_ evidence: FormatEvidence, _ root: Ref) -> Trial? {
        if let format { return best(of: [format], root) }
        guard let own = evidence.own else { return best(of: evidence.order, root) }
        let kept = Trial(format: own, report: verify(root, own, .standard))
        guard !kept.report.isSound, !Self.isIndependentOfFormat(kept.report),
            let other = best(of: evidence.above, root), other.report.isSound
        else { return kept }
        return other
    }

    private static func isIndependentOfFormat(_ report: VerificationReport) -> Bool {
        independentOfFormat.contains { report.totalsByCheck[$0] != nil }
    }

    /// The first of some formats in which nothing is wrong with a commit, or else that with the fewest errors.
    private func best(of formats: [FormatVersion], _ root: Ref) -> Trial? {
        var best: Trial?
        var sound: Trial?
        for format in formats {
            let trial = Trial(format: format, report: verify(root, format, .standard))
            if best.map({ Self.errors(trial.report) < Self.errors($0.report) }) ?? true { best = trial }
            if trial.report.isSound {
                // The indexes of formats 2 to 9 are all that tells some of them from each other.
                if formats.count == 1 || !format.isLegacy || verify(root, format, .deep).isSound { return trial }
                if sound == nil { sound = trial }
            } else if Self.isIndependentOfFormat(trial.report) {
                break
            }
        }
        return sound ?? best
    }

    /// A format, and what the verifier says of the commit in it.
    private struct Trial {
        let format: FormatVersion
        let report: VerificationReport
    }

    private func verify(_ root: Ref, _ format: FormatVersion, _ level: VerificationLevel) -> VerificationReport {
        Verification(level: level, maximumFindings: Self.maximumFindings).run(onRoot: root, format: format, in: data)
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
