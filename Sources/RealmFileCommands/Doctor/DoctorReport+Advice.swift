internal import RealmCore
internal import RealmForensics
internal import RealmLayout
internal import RealmStorage

extension DoctorReport {
    /// The one action to take; nil when nothing is wrong, or nothing helps.
    var advice: Advice? {
        if let folder {
            guard let first = folder.first else { return nil }
            let files = folder.map { FileArguments.quoted(FileArguments.argument($0)) }.joined(separator: " ")
            return Advice(
                folder.count == 1 ? "look at \(first.shownPath)" : "look at its files", "realmfile doctor \(files)")
        }
        if let lockedFile {
            guard Folder.hasRegularFile(lockedFile) else {
                return Advice("get the database itself, \(lockedFile.shownPath), which is not here", [])
            }
            let file = FileArguments.quoted(FileArguments.argument(lockedFile))
            return Advice("look at the database", "realmfile doctor \(file)")
        }
        if let unpackFailure { return unpackFailure.advice("doctor", arguments) }
        if let checkup, checkup.best != nil, !layers.isEmpty { return adviceToUnpack(checkup) }
        if let refusal, checkup?.isSound ?? false, let arguments, arguments.skipped == nil {
            return arguments.adviceToUpgrade(from: refusal.format)
        }
        if let best = checkup?.best, let arguments { return advice(best, arguments) }
        guard let problem = foundProblem else { return nil }
        if let backup = backups.last {
            let file = FileArguments.quoted(FileArguments.argument(backup))
            return Advice("there is a backup beside it", "realmfile doctor \(file)")
        }
        if foreign == .html { return Advice("a web page was saved instead of the file: download it again", []) }
        if foreign == .json { return Advice("realmfile import makes a Realm file of documents", []) }
        // Everything else was tried.
        let remedies = problem.remedies(hasOtherCommit: false).filter { !$0.isRescue }
        return Advice(remedies.isEmpty ? [.lookForBackup] : remedies, of: nil)
    }

    /// The advice to run `repair --best` on a packed file.
    private func adviceToUnpack(_ checkup: FileCheckup) -> Advice? {
        guard var arguments else { return nil }
        if arguments.entry != nil, let entry = layers.lazy.compactMap(\.entry).first {
            arguments = arguments.with(entry: entry.name)
        }
        let purpose = layers.first?.packing.purpose ?? ""
        let words = checkup.isSound ? purpose : "\(purpose), and bring back what can be read"
        let out = FileArguments.argument(arguments.newPath(checkup.isSound ? "restored" : "repaired"))
        return Advice(words, arguments.command("repair", ["--best", "--out", out]))
    }

    private func advice(_ best: FileCheckup.Outcome, _ arguments: FileArguments) -> Advice? {
        func repair(_ words: String, _ options: [String], _ suffix: String) -> Advice {
            let out = FileArguments.argument(arguments.newPath(suffix))
            return Advice(words, arguments.command("repair", options + ["--out", out]))
        }
        switch best.way {
        case .asItIs:
            // The file is intact, but no app can open it in this place.
            guard arguments.skipped != nil else { return nil }
            return repair("cut out the file", ["--find-root"], "cut-out")
        case .otherSlot: return repair("take the commit before", ["--slot", "other"], "repaired")
        case .findRoot:
            let words = best.isLossless ? "nothing is seen to be lost" : "take the newest commit that is whole"
            return repair(words, ["--find-root"], "repaired")
        case .salvage: return repair("bring back what can be read", ["--salvage"], "salvaged")
        case .salvageUnproven:
            return repair("bring back what can be read", ["--salvage", "--unauthenticated"], "salvaged")
        }
    }
}

extension FileArguments {
    /// Advice for a format that current SDKs refuse.
    func adviceToUpgrade(from format: UInt8) -> Advice {
        Advice(
            "today's SDKs refuse format \(format); make a file that they open",
            command("upgrade", ["--out", Self.argument(newPath("upgraded"))]))
    }

    /// The path of a file next to this one that does not exist yet: `app-repaired.realm`.
    func newPath(_ suffix: String) -> String {
        let endings = [".zip", ".tar", ".gz", ".tgz", ".b64", ".base64", ".hex", ".txt", ".realm"]
        let stem = endings.reduce(path) { stem, ending in
            stem.hasSuffix(ending) ? String(stem.dropLast(ending.count)) : stem
        }
        var number = 1
        while true {
            let name = "\(stem)-\(suffix)\(number == 1 ? "" : "-\(number)").realm"
            if number > 99 || !OutputFile.exists(name) { return name }
            number += 1
        }
    }
}
