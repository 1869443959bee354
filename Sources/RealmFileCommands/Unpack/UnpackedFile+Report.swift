internal import RealmExchange
internal import RealmLayout
internal import RealmStorage

extension [UnpackedFile.Layer] {
    /// The packings in words, the outermost first.
    var words: String { map(\.words).joined(separator: "; that is ") }
}

extension UnpackedFile.Layer {
    /// The packing and what was in it, in words.
    var words: String {
        var words = packing.words
        switch packing {
        case .file: words += "; in it \(entry.map { "\($0.name.shownPath), " } ?? "")\(InfoReport.bytes(size))"
        case .text, .prefix: break
        }
        return problem.map { "\(words) (\($0))" } ?? words
    }

    /// The packing, as written in reports.
    var json: JSONValue {
        .object(present: [
            ("kind", .string(packing.kind)),
            ("entry", entry.map { .string(NativePath.shown($0.name)) }),
            ("bytes", JSONValue(size)),
            ("problem", problem.map { .string($0) }),
        ])
    }
}

extension ArchiveEntry {
    /// The file, as written in reports.
    var json: JSONValue {
        .object(present: [
            ("name", .string(NativePath.shown(name))), ("bytes", JSONValue(size)),
            ("problem", obstacle.map { .string($0) }),
        ])
    }
}
