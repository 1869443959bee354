internal import RealmCore
internal import RealmForensics
internal import RealmLayout

extension StatsReport {
    /// A reason why the file is as large as it is.
    struct Reason {
        /// The name for scripts.
        let code: String
        let bytes: Int
        let words: String
    }

    /// The parts that take a tenth of the file or more, the largest first.
    var reasons: [Reason] {
        let all = spaceReasons + survey.tables.flatMap { columnReasons($0) }
        return Array(
            all.filter { $0.bytes > 0 && $0.bytes >= survey.fileSize / 10 }.sorted { $0.bytes > $1.bytes }.prefix(5))
    }

    private func share(_ bytes: Int) -> String {
        "\(roundedSize(bytes)), \(Self.percent(bytes, of: survey.fileSize)) %"
    }

    private var spaceReasons: [Reason] {
        let free = survey.free
        let others = survey.otherCommits.reduce(0) { $0 + $1.bytes }
        let last = others + free.freedLast
        return [
            Reason(
                code: "freeSpace", bytes: free.reusable,
                words: "free space (\(share(free.reusable))): later commits use it, but a file never shrinks"),
            Reason(
                code: "previousCommit", bytes: last,
                words: "what only the commit before uses (\(share(last))): the next commit frees it"),
            Reason(
                code: "pinnedVersions", bytes: free.pinned,
                words: "versions that were held open (\(share(free.pinned))): a reader had an older commit open when "
                    + "this one was written, such as a Realm or a frozen object that an app keeps in the background"),
            Reason(
                code: "history", bytes: survey.history.bytes,
                words: "the history (\(share(survey.history.bytes)))"
                    + (isSynchronised ? ": changes for the server" : ": changes that a reader had not seen")),
            Reason(
                code: "afterDatabase", bytes: survey.tail,
                words: "bytes after the database (\(share(survey.tail)))"),
            Reason(
                code: "lostSpace", bytes: survey.lost,
                words: "lost space (\(share(survey.lost))): neither used nor free"),
        ]
    }

    private func columnReasons(_ table: TableSpace) -> [Reason] {
        var reasons: [Reason] = []
        for column in table.columns {
            let name =
                column.isBacklink
                ? "\(table.shownName), links from \(column.name)" : "\(table.shownName).\(column.name)"
            let bytes = column.values.bytes + column.distinct.bytes
            var words = "values of \(name.singleLine) (\(share(bytes)))"
            if column.values.largest >= 1 << 16, !column.isBacklink {
                words += ": values of up to \(roundedSize(column.values.largest)), which could be files of their own"
            }
            reasons.append(Reason(code: "values", bytes: bytes, words: words))
            reasons.append(
                Reason(
                    code: "index", bytes: column.index.bytes,
                    words: "the index of \(name.singleLine) (\(share(column.index.bytes)))"))
        }
        reasons.append(
            Reason(
                code: "objectKeys", bytes: table.objects.bytes,
                words: "keys and tree of \(table.shownName.singleLine)'s objects (\(share(table.objects.bytes)))"))
        reasons.append(
            Reason(
                code: "tombstones", bytes: table.tombstones.bytes,
                words: "tombstones of \(table.shownName.singleLine) (\(share(table.tombstones.bytes)))"))
        return reasons
    }
}
