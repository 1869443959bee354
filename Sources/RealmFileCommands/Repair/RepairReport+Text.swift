internal import RealmCore
internal import RealmForensics
internal import RealmLayout

extension RepairReport {
    /// The maximum number of unchecked candidates to describe.
    private static let mostUnchecked = 10

    /// The report as text; ends with a line break.
    var text: String {
        var lines = TextLines()
        if let rescuable { lines.add("older commit", rescuable) }
        lines.addFile(name, size: plan.fileSize, layers)
        if let problem = plan.headerProblem { lines.add("header", problem.detail.singleLine) }
        if plan.lostPages > 0 {
            lines.add(
                "lost", "\(counted(plan.lostPages, "encrypted page")) cannot be decrypted; zeros are in their place")
        }
        describeCandidates(&lines)
        if let chosen = plan.chosen { describe(chosen, &lines) }
        return lines.text
    }

    /// The objects that salvage would recover from a commit newer than the chosen one; nil without such a commit.
    private var rescuable: String? {
        guard let chosen = plan.chosen, let newest = plan.losses.newest, let yield = plan.losses.salvage else {
            return nil
        }
        let total = yield.expected.map { " of its \(counted($0, "object"))" } ?? " objects"
        return
            "commit \(chosen.commit), with \(counted(chosen.objectCount, "object")), is not the newest; of commit "
            + "\(plan.candidates[newest].commit) --salvage would bring back \(yield.objects)\(total)"
    }

    private func describeCandidates(_ lines: inout TextLines) {
        lines.add("commits found", String(plan.candidateTotal))
        var unchecked = 0
        for (index, candidate) in plan.candidates.enumerated() {
            if candidate.state == .notChecked {
                unchecked += 1
                if unchecked > Self.mostUnchecked { continue }
            }
            lines.addIndented(Self.words(candidate) + (index == plan.best ? "  <- chosen" : ""))
        }
        let hidden = plan.candidateTotal - plan.candidates.count + max(0, unchecked - Self.mostUnchecked)
        if hidden > 0 { lines.addIndented("and \(hidden) more, not looked at") }
    }

    private static func words(_ candidate: RootCandidate) -> String {
        var words = ["commit \(candidate.commit) at \(hexadecimal(candidate.ref.offset))", candidate.origin.words]
        switch candidate.state {
        case .complete: words.append("complete")
        case .doubtful(let leaks): words.append("doubtful: \(counted(leaks, "gap")), may be partly overwritten")
        case .damaged(let errors): words.append("damaged: \(counted(errors, "error"))")
        case .unreadable: words.append("cannot be read")
        case .cutOff(let missing): words.append("cut off: \(InfoReport.bytes(missing)) are missing")
        case .notChecked: words.append("not looked at")
        }
        if let format = candidate.format { words.append("format \(format)\(candidate.isFormatGuessed ? "?" : "")") }
        if candidate.isReadable { words.append(counted(candidate.classObjectCount, "object")) }
        return words.joined(separator: ", ")
    }

    private func describe(_ chosen: RootCandidate, _ lines: inout TextLines) {
        if chosen.isFormatGuessed, let format = chosen.format {
            let range = format.isLegacy ? "formats 2 to 9" : "some formats"
            lines.add(
                "format", "\(format), a guess: \(range) look alike in this file; --format NUMBER takes another one")
        }
        if plan.padding > 0 {
            lines.add(
                "end", "\(InfoReport.bytes(plan.padding)) are missing at the end of the file; nothing was in them")
        }
        for finding in chosen.report?.findings ?? [] where finding.severity >= .error {
            lines.add("\(finding.severity.name) \(finding.check.rawValue)", VerifyReport.words(finding))
        }
        if !plan.isCertain {
            lines.add(
                "caution",
                "there were later commits: single values of this one may have been overwritten by theirs, which nothing tells"
            )
        }
        if let unselected = plan.unselected {
            lines.add(
                "not selected",
                "commit \(plan.candidates[unselected].commit), in the other slot, is later: its writer was interrupted, or the "
                    + "header is damaged; --slot other takes it")
        }
        describeLosses(chosen, &lines)
        guard let out else { return }
        lines.add("written", "\(out.shownPath), \(InfoReport.bytes(result?.fileSize ?? 0)), commit \(chosen.commit)")
        if let kept = plan.kept {
            lines.addIndented("its other slot leads to commit \(plan.candidates[kept].commit), which is complete too")
        }
        if let result {
            lines.add("checked", result.isSound ? "ok" : "damaged: \(counted(chosen.state.count ?? 0, "error"))")
        }
    }

    private func describeLosses(_ chosen: RootCandidate, _ lines: inout TextLines) {
        if let topRef = plan.losses.lostTopRef {
            lines.add(
                "lost", "the last commit: the header names \(hexadecimal(topRef)) as its root, where there is none")
        }
        if let newest = plan.losses.newest.map({ plan.candidates[$0] }) {
            let first =
                newest.commit <= chosen.commit
                ? "commit \(newest.commit), which the header selects"
                : newest.commit - chosen.commit == 1
                    ? "commit \(newest.commit)" : "commits \(chosen.commit + 1) to \(newest.commit)"
            lines.add("lost", plan.losses.tables.isEmpty ? "\(first); no object differs" : "\(first):")
            for table in plan.losses.tables { lines.addIndented(Self.words(table)) }
        }
        lines.addCaution(unownedRanges: unownedRanges)
        guard isLossless, plan.chosen != nil else { return }
        lines.add("lost", "nothing that was seen")
    }

    private static func words(_ table: RepairLosses.Table) -> String {
        let name = TableName.className(of: table.name).singleLine
        let counts = [table.chosen, table.newest].map { $0.map(String.init) ?? "?" }
        var words = "\(name): \(counts[0]) of \(counts[1]) objects"
        let changes = [
            (table.lost, "missing"), (table.older, "with older values"), (table.back, "back that were deleted"),
        ]
        .compactMap { count, what in count.flatMap { $0 > 0 ? "\($0) \(what)" : nil } }
        if !changes.isEmpty { words += ": " + changes.joined(separator: ", ") }
        return words
    }
}

extension RootOrigin {
    /// The origin in words.
    var words: String {
        switch self {
        case .selectedSlot: "selected by the header"
        case .otherSlot: "in the other slot"
        case .maskedSlot: "from the remains of a slot"
        case .footer: "by the footer"
        case .scan: "found by scanning"
        }
    }
}

extension TextLines {
    /// Adds a caution that parts of the file belong to nothing, if there are any.
    mutating func addCaution(unownedRanges count: Int) {
        guard count > 0 else { return }
        add(
            "caution",
            "\(counted(count, "part")) of the file \(count == 1 ? "belongs" : "belong") to nothing and "
                + "\(count == 1 ? "is" : "are") not free: values may be missing that nothing else shows")
    }
}
