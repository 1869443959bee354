internal import RealmCore
internal import RealmLayout

/// The state of one search for the best commit of a file.
struct RepairSession {
    /// Maximum padding for any file: many times the amount by which a file grows at once.
    private static let mostPadding = 64 << 20

    private let repair: FileRepair
    private let judge: RootJudge
    private let header: FileHeader?
    /// The bytes of the file without padding.
    private let file: ByteView
    private var shapes: [RootShape] = []
    private var total = 0
    private(set) var candidates: [RootCandidate] = []
    private var best: Int?
    private var judged = 0

    init(_ repair: FileRepair) {
        self.repair = repair
        file = repair.data.view.slice(at: 0, count: repair.fileSize) ?? repair.data.view
        header = FileHeader(file).flatMap { $0.hasMnemonic ? $0 : nil }
        judge = RootJudge(data: repair.data, header: header, format: repair.format)
    }

    /// Finds the candidates, most promising first.
    mutating func search(_ method: RepairMethod) {
        var search = RootSearch(in: file)
        search.followHeader()
        // Without the selected slot, only a scan shows what the previous commit would lose.
        if method != .otherSlot || header != nil && !isSelectedSlotUsable { search.scan() }
        let found = search.found.inOrder { left, right in
            let ranks = (rank(left.origin), rank(right.origin))
            if ranks.0 != ranks.1 { return ranks.0 < ranks.1 }
            if left.shape.commit != right.shape.commit { return left.shape.commit > right.shape.commit }
            return left.shape.ref > right.shape.ref
        }
        shapes = found.map(\.shape)
        candidates = found.map { RootCandidate($0, fileSize: repair.data.view.count) }
        total = search.total
    }

    /// Size the file would have if its end were not missing, within the padding limit; nil when no commit requires
    /// padding. Files usually end with free space, so a commit can be complete although the file was cut off.
    var paddedSize: Int? {
        let limit = max(Self.mostPadding, file.count)
        return candidates.lazy.filter { candidate in
            if case .cutOff(let missing) = candidate.state { missing <= limit } else { false }
        }.map(\.logicalSize).max()
    }

    /// Ranks the root that an intact header selects first: later roots in the file were never committed. If the upper
    /// bytes of the slot are lost, the lower ones count as the selection.
    private func rank(_ origin: RootOrigin) -> Int {
        guard header != nil else { return 1 }
        return switch origin {
        case .selectedSlot: 0
        case .maskedSlot: isSelectedSlotUsable ? 1 : 0
        default: 1
        }
    }

    private var isSelectedSlotUsable: Bool {
        guard let header else { return false }
        if header.isStreaming { return repair.data.overwrittenSlot(header.selectedSlot) == nil }
        return RootShape(atNumber: header.slots[header.selectedSlot].topRef, in: file) != nil
    }

    /// Checks candidates until one is complete, and chooses the best.
    mutating func choose(_ method: RepairMethod) {
        for index in candidates.indices {
            guard isWanted(index, method) else { continue }
            guard best == nil || judged < repair.minimumJudged, judged < FileRepair.maximumJudged else { break }
            check(index)
            if candidates[index].state == .complete, best == nil { best = index }
        }
        if best == nil { best = leastDamaged(method) }
        // Also checks the candidates for comparison with the result, and for its other slot.
        if method != .findRoot, let selected = candidates.firstIndex(where: { $0.origin == .selectedSlot }) {
            check(selected)
        }
        let skipsNewest = if case .found = method { true } else { method == .otherSlot && !isSelectedSlotUsable }
        if skipsNewest,
            let newest = candidates.indices.max(by: { candidates[$0].commit < candidates[$1].commit })
        {
            check(newest)
        }
        if let before = commitBefore { check(before) }
    }

    private mutating func check(_ index: Int) {
        guard candidates[index].state == .notChecked else { return }
        judged += 1
        let newest = candidates.lazy.map(\.commit).max() ?? 0
        let commit = candidates[index].commit
        judge.judge(&candidates[index], shapes[index], isNewest: commit == newest || isSelected(candidates[index]))
        let missing = candidates[index].logicalSize - repair.fileSize
        guard missing > 0, candidates[index].isReadable, let format = candidates[index].format else { return }
        // Zeros read as nodes without elements. A commit with a node there has lost its content.
        if judge.hasNode(candidates[index].ref, format, after: repair.fileSize) {
            candidates[index].state = .cutOff(missing: missing)
        }
    }

    /// Returns the first readable candidate, which is of the newest commit.
    private func leastDamaged(_ method: RepairMethod) -> Int? {
        candidates.indices.first { index in
            candidates[index].isReadable && isWanted(index, method)
        }
    }

    /// Whether the method allows a candidate.
    private func isWanted(_ index: Int, _ method: RepairMethod) -> Bool {
        switch method {
        case .otherSlot: candidates[index].origin == .otherSlot
        case .findRoot: true
        case .found(let place): place.matches(candidates[index].ref, commit: candidates[index].commit)
        }
    }

    /// The root of the commit before the chosen one, if it fits into the new file.
    private var commitBefore: Int? {
        guard let best, candidates[best].commit > 1 else { return nil }
        return candidates.indices.first { index in
            candidates[index].commit == candidates[best].commit - 1
                && candidates[index].logicalSize <= candidates[best].logicalSize
        }
    }

    /// Returns the plan. Candidates are ordered by worth: the chosen one, complete ones, other checked ones, the rest.
    func plan(_ method: RepairMethod, _ problem: FormatError?) -> RepairPlan {
        let kept = commitBefore.flatMap { candidates[$0].state == .complete ? $0 : nil }
        let order = candidates.indices.inOrder { left, right in
            let worths = (worth(left), worth(right))
            return worths.0 == worths.1 ? left < right : worths.0 < worths.1
        }
        var places = [Int](repeating: 0, count: order.count)
        for (place, index) in order.enumerated() { places[index] = place }
        let (newest, tables) = losses
        return RepairPlan(
            method: method, data: repair.data, fileSize: repair.fileSize, headerProblem: problem,
            lostPages: repair.lostPages,
            candidates: order.map { candidates[$0] }, candidateTotal: max(total, candidates.count),
            best: best.map { places[$0] }, kept: kept.map { places[$0] },
            losses: RepairLosses(
                newest: newest.map { places[$0] }, lostTopRef: lostTopRef, tables: tables,
                salvage: newest.flatMap { SalvageRoot.yield(of: candidates[$0], in: repair.data) }))
    }

    private func worth(_ index: Int) -> Int {
        if index == best { return 0 }
        return switch candidates[index].state {
        case .complete: 1
        case .doubtful: 2
        case .damaged: 3
        case .cutOff: 4
        case .unreadable: 5
        case .notChecked: 6
        }
    }

    /// The newest commit beyond the chosen one, or the one that the header selects, and the content it has in advance.
    private var losses: (newest: Int?, tables: [RepairLosses.Table]) {
        guard let best else { return (nil, []) }
        let chosen = candidates[best]
        // A commit newer than the one that the header selects was never committed.
        guard !isSelected(chosen) else { return (nil, []) }
        let newer = candidates.indices.filter { index in
            let candidate = candidates[index]
            // The commit number of the root that the header selects may itself be damaged.
            return (candidate.commit > chosen.commit || isSelected(candidate)) && candidate.state != .notChecked
                && candidate.state != .unreadable
        }
        guard let newest = newer.max(by: { candidates[$0].commit < candidates[$1].commit }) else { return (nil, []) }
        return (newest, RepairLosses.tables(candidates[newest], chosen, in: repair.data))
    }

    /// The content of the selected slot if neither it nor its remaining bytes lead to a root.
    private var lostTopRef: UInt64? {
        guard let header, !isSelectedSlotUsable else { return nil }
        let topRef = header.slots[header.selectedSlot].topRef
        // Bytes that other programs wrote over the slot are not evidence of a root.
        guard topRef != 0, repair.data.overwrittenSlot(header.selectedSlot) == nil else { return nil }
        return best.map { isSelected(candidates[$0]) } ?? false ? nil : topRef
    }

    /// Whether the header selects the candidate, as far as it is readable. Without a header nothing is selected.
    private func isSelected(_ candidate: RootCandidate) -> Bool {
        switch candidate.origin {
        case .selectedSlot: true
        case .maskedSlot: header != nil
        case .otherSlot, .footer, .scan: false
        }
    }
}
