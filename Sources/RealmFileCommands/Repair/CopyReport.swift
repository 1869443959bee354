internal import RealmExchange
internal import RealmForensics
internal import RealmStorage

/// The output of `repair --best` for a file in which nothing is wrong.
struct CopyReport: RepairResult {
    let name: String
    let file: UnpackedFile
    /// The new file; nil when none was written.
    let out: String?
    /// The verifier's report on the new file.
    let result: VerificationReport?

    /// The next step for a new file that current SDKs refuse.
    var next: Advice?

    var layers: [UnpackedFile.Layer] { file.layers }
    var isLossless: Bool { file.layers.isIntact && result?.isSound ?? true }

    var text: String {
        var lines = TextLines()
        lines.addFile(name, size: file.bytes.count, layers)
        lines.add("repair", "no damage can be seen: the new file is a copy")
        if let out, let result {
            lines.add("written", "\(out.shownPath), \(InfoReport.bytes(result.fileSize))")
            lines.add("checked", "ok")
        }
        if let next { lines.add("next", next.text) }
        return lines.text
    }

    var members: [(String, JSONValue)] {
        let last = next.map { [("next", $0.json)] } ?? []
        return [
            ("fileSize", JSONValue(file.bytes.count)),
            ("method", "copy"),
            ("headerProblem", .null),
            ("lostPages", JSONValue(0)),
            ("out", JSONValue(out?.reportedPath)),
            ("lossless", .bool(isLossless)),
            ("result", result.map { .object(VerifyReport(name: out ?? "", report: $0).members) } ?? .null),
        ] + last
    }
}
