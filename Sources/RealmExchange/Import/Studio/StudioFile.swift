internal import RealmLayout
internal import RealmStorage

/// Recognises files that Realm Studio saved as JSON, and takes them apart.
enum StudioFile {
    /// The largest file that is taken apart, which happens in memory.
    private static let mostBytes = 1 << 29
    /// The number of bytes from which a file is recognised.
    private static let firstBytes = 4096

    /// The documents in a file; nil if it is something else.
    ///
    /// - Throws: `ImportError`, `malformed` for a file of Realm Studio with an error.
    static func documents(_ path: String, _ spilled: SpilledInputs) throws(ImportError) -> StudioDocumentSet? {
        let input = try InputBuffer(path: path, spilled: spilled)
        let beginning = input.view(min(try input.available(firstBytes), firstBytes))
        guard isLikely(beginning) else { return nil }
        var count = 0
        while count <= mostBytes {
            let got = try input.available(count + 1)
            if got == count { break }
            count = got
        }
        guard count <= mostBytes, let json = try? JSONValue(parsing: input.view(count)) else { return nil }
        do throws(DocumentError) {
            guard let graph = try StudioGraph(json) else { return nil }
            return StudioDocumentSet(
                classes: graph.classes.map { ($0.name, $0.objects.count) }, documents: try StudioDocuments(graph))
        } catch {
            throw .document(error.at(file: path))
        }
    }

    /// Whether a text begins like one of the two forms: `{"Dog":[{` or `{"Dog":[]`, and `[{"Dog":"1"`.
    private static func isLikely(_ text: ByteView) -> Bool {
        var offset = 0
        func next() -> UInt8? {
            offset = text.skippingJSONSpace(from: offset)
            guard offset < text.count else { return nil }
            offset += 1
            return text.byte(unchecked: offset - 1)
        }
        if text.count >= 3, text.slice(unchecked: 0, count: 3).bytes == [0xEF, 0xBB, 0xBF] { offset = 3 }
        var first = next()
        let isFlatted = first == UInt8(ascii: "[")
        if isFlatted { first = next() }
        guard first == UInt8(ascii: "{"), next() == UInt8(ascii: "\""),
            let end = text.firstIndex(of: UInt8(ascii: "\""), from: offset)
        else { return false }
        offset = end + 1
        guard next() == UInt8(ascii: ":"), let value = next() else { return false }
        if isFlatted { return value == UInt8(ascii: "\"") && (next().map { (0x31...0x39).contains($0) } ?? false) }
        guard value == UInt8(ascii: "["), let element = next() else { return false }
        return element == UInt8(ascii: "{") || element == UInt8(ascii: "]")
    }
}

/// The documents of one file, by class.
struct StudioDocumentSet {
    let classes: [(name: String, count: Int)]
    let documents: StudioDocuments
}

/// The links of documents that come from files of Realm Studio.
struct StudioLinks {
    /// The fields that refer to other documents.
    var relationships = DocumentRelationships()
    /// The classes whose `_id` only numbers the documents.
    var numbered: Set<String> = []
    /// Remarks about the files.
    var notes: [ImportReport.Note] = []

    /// Takes a file apart; each class becomes an input of its own.
    ///
    /// - Returns: the names of the inputs; nil for a file that is something else.
    mutating func add(
        _ path: String, _ spilled: inout SpilledInputs, in folder: ScratchFolder
    ) throws(ImportError) -> [String]? {
        guard let set = try StudioFile.documents(path, spilled) else { return nil }
        var names: [String] = []
        let shown = NativePath.shown(path)
        for (number, (name, count)) in set.classes.enumerated() {
            guard count > 0 else {
                notes.append(
                    .init(path: "\(shown): \(name)", reason: "a class without objects, whose properties are not known"))
                continue
            }
            let bytes = SpilledBytes(SpillFile(in: folder))
            try set.documents.write(number, to: bytes)
            try importing { () throws(StorageError) in try bytes.end() }
            let input = "\(path)/\(CollectionFileName(name).text).json"
            spilled.add(input, bytes)
            names.append(input)
        }
        for (name, links) in set.documents.relationships {
            try importing { () throws(DocumentError) in try relationships.add(links, of: name) }
        }
        numbered.formUnion(set.documents.numbered)
        if set.documents.ambiguous > 0 {
            notes.append(
                .init(
                    path: shown,
                    reason:
                        "which of several equal objects \(set.documents.ambiguous) links lead to; they lead to the first"
                ))
        }
        return names
    }
}
