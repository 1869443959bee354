internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// Chooses the commit of a damaged file that recovers most of the newest content (Spec R190.17).
struct CommitChoice {
    /// Maximum number of damaged commits to weigh, newest first. Weighing costs as much as the survey of a salvage.
    static let mostWeighed = 8

    /// The readable commits: the chosen one, then the others from newest to oldest.
    private(set) var roots: [SalvageRoot] = []

    /// Weighs commits.
    ///
    /// - Parameters:
    ///   - candidates: The candidates, newest first.
    ///   - needsAll: Whether to open the remaining candidates after the choice.
    ///   - open: Opens a candidate; returns nil when nothing is readable.
    ///   - unproven: Pages of an encrypted file that fail authentication.
    init(
        _ candidates: some Sequence<RootCandidate>, needsAll: Bool, unproven: [Int],
        open: (RootCandidate) -> SalvageRoot?
    ) {
        var newest: CommitWeight?
        var best = (index: 0, share: 0)
        var isDecided = false
        for candidate in candidates {
            guard !isDecided || needsAll else { break }
            guard var root = open(candidate) else { continue }
            defer { roots.append(root) }
            guard !isDecided else { continue }
            let isComplete = candidate.state == .complete
            // A complete newest commit needs no weighing.
            if newest == nil, isComplete {
                isDecided = true
                continue
            }
            let weight = root.weigh(unproven: unproven)
            let share = newest.map { $0.share(of: weight) } ?? weight.objects
            if newest == nil || share > best.share {
                if !roots.isEmpty { roots[best.index].forgetPlan() }
                best = (roots.count, share)
            } else {
                root.forgetPlan()
            }
            if newest == nil { newest = weight }
            // Commits older than a complete one recover nothing more.
            isDecided = isComplete || newest?.isWhole ?? false || roots.count + 1 >= Self.mostWeighed
        }
        guard best.index > 0 else { return }
        roots.insert(roots.remove(at: best.index), at: 0)
    }
}

extension SalvageRoot {
    /// Returns the yield of salvaging a candidate's commit; nil when none of it is readable.
    static func yield(of candidate: RootCandidate, in data: DatabaseImage) -> SalvageYield? {
        // Decrypted data is treated as a plain file.
        let plain = data.pages == nil ? data : .whatever(ByteSource(bytes: data.view.bytes))
        guard var root = open(candidate, nil, in: plain, nil, nil), let ref = root.topRef else { return nil }
        return SalvageYield(commit: root.commit, root: ref, tables: root.weigh(unproven: []).yields)
    }

    /// Opens the root of a candidate; returns nil when no table is readable.
    static func open(
        _ candidate: RootCandidate, _ format: FormatVersion?, in data: DatabaseImage, _ problem: FormatError?,
        _ known: KnownSchema?
    ) -> SalvageRoot? {
        guard let version = format ?? candidate.format ?? likelyFormat(candidate, in: data) else { return nil }
        do throws(FormatError) {
            return try SalvageRoot(candidate.ref, version, candidate.origin, in: data, problem, known)
        } catch {
            return nil
        }
    }

    /// Returns the first format in the order of the evidence.
    private static func likelyFormat(_ candidate: RootCandidate, in data: DatabaseImage) -> FormatVersion? {
        guard let shape = RootShape(at: candidate.ref.offset, in: data.view) else { return nil }
        let header = FileHeader(data.view).flatMap { $0.hasMnemonic ? $0 : nil }
        let slot = header.flatMap { candidate.origin.slot(of: $0) }
        return FormatEvidence(shape, header, slot: slot, in: data.view).order.first
    }
}

extension RepairPlan {
    /// The examined commits, newest first, followed by those newer than the one that the header selects, which were
    /// never committed.
    var byAge: [RootCandidate] {
        let known = candidates.filter { $0.state != .notChecked }
        let selected = known.first { isSelected($0) && $0.isReadable }
        func isCommitted(_ candidate: RootCandidate) -> Bool { selected.map { candidate.commit <= $0.commit } ?? true }
        return known.filter(isCommitted).inOrder { $0.commit > $1.commit }
            + known.filter { !isCommitted($0) }.inOrder { $0.commit > $1.commit }
    }

    /// Whether the header selects the commit, as far as it is readable.
    private func isSelected(_ candidate: RootCandidate) -> Bool {
        candidate.origin == .selectedSlot
            || candidate.origin == .maskedSlot && FileHeader(data.view)?.hasMnemonic ?? false
    }

    /// Whether there are signs of a later commit than the one at `root`.
    func hasLater(than root: Ref) -> Bool {
        guard let chosen = candidates.first(where: { $0.ref == root }) else { return losses.newest != nil }
        guard !isSelected(chosen) else { return false }
        return losses.lostTopRef != nil
            || candidates.contains { candidate in
                candidate.state != .notChecked && candidate.state != .unreadable
                    && (candidate.commit > chosen.commit || isSelected(candidate))
            }
    }
}
