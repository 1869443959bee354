internal import RealmCore
internal import RealmLayout

/// Verifies the commits of candidates.
struct RootJudge {
    let data: DatabaseImage
    /// The file's header, if it has its mnemonic.
    let header: FileHeader?
    /// Forces a format; nil to determine it from the nodes.
    let format: FormatVersion?

    /// Maximum number of findings to keep for each candidate.
    private static let maximumFindings = 20
    /// Errors that occur in any format, so that trying another one is pointless.
    private static let independentOfFormat: [CheckIdentifier] = [
        .topAlignment, .topRange, .topCount, .topSlots, .logicalSize, .nodeWidthType, .nodeFlags, .nodeSize,
        .refAlignment, .refRange, .cycle, .sharedNode, .overlap, .workLimit, .nodeDepth, .freeListShape,
        .freeEntryAlignment, .freeEntryRange, .freeListOrder, .freeOverlap, .freeVersusLive, .tableCounts, .tableSlot,
        .tableKey,
    ]

    /// Verifies the commit of a candidate that lies within the file.
    ///
    /// - Parameter isNewest: Whether no later commit is known.
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

    /// Returns the trial in the forced format, or in that of the slot unless the commit is sound only in another.
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

    /// Returns the first format in which the commit has no errors, otherwise the one with the fewest.
    private func best(of formats: [FormatVersion], _ root: Ref) -> Trial? {
        var best: Trial?
        var sound: Trial?
        for format in formats {
            let trial = Trial(format: format, report: verify(root, format, .standard))
            if best.map({ Self.errors(trial.report) < Self.errors($0.report) }) ?? true { best = trial }
            if trial.report.isSound {
                // Some of formats 2 to 9 differ only in their indexes.
                if formats.count == 1 || !format.isLegacy || verify(root, format, .deep).isSound { return trial }
                if sound == nil { sound = trial }
            } else if Self.isIndependentOfFormat(trial.report) {
                break
            }
        }
        return sound ?? best
    }

    /// A format and the verification report of the commit in it.
    private struct Trial {
        let format: FormatVersion
        let report: VerificationReport
    }

    private func verify(_ root: Ref, _ format: FormatVersion, _ level: VerificationLevel) -> VerificationReport {
        Verification(level: level, maximumFindings: Self.maximumFindings).run(onRoot: root, format: format, in: data)
    }

    /// Whether a node of the commit at `root` extends beyond `end`.
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
        // In an older commit, bytes without an owner may have been reused by a later one.
        if !isNewest, let leaks = report.totalsByCheck[.leak] { return .doubtful(leaks: leaks) }
        return .complete
    }
}
