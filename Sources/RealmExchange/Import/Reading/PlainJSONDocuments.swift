internal import RealmLayout

/// Plain JSON documents parsed by json-c: one per line, or separated by any white space or commas, or in one array.
final class PlainJSONDocuments: DocumentSource {
    private let texts: JSONTexts
    private var sink = BSONSink(isCanonical: false)
    let position: TablePosition
    let isBinary = false

    init(_ input: InputBuffer, into position: TablePosition) {
        texts = JSONTexts(input)
        self.position = position
    }

    var name: String { texts.name }
    var number: Int { texts.number }
    var offset: Int { texts.offset }
    var roundedFields: [String] { texts.roundedFields }
    var repairedFields: [String] { texts.repairedFields }

    func next() throws(ImportError) -> ByteView? {
        guard let text = try texts.next() else { return nil }
        do throws(DocumentError) {
            sink.buffer.truncate()
            try sink.append(record: JSONValue(parsing: text))
            return sink.buffer.view()
        } catch {
            throw texts.located(error)
        }
    }
}

extension BSONSink {
    /// Writes an object as a document.
    ///
    /// - Throws: `malformed` for a name with NUL, which terminates names in BSON.
    mutating func append(record object: JSONValue) throws(DocumentError) {
        let mark = beginRecord()
        for (name, value) in object.members ?? [] { try append(name, value) }
        endRecord(mark)
    }

    /// Writes a value under a name.
    mutating func append(_ name: String, _ value: JSONValue) throws(DocumentError) {
        guard !name.utf8.contains(0) else { throw DocumentError(.malformed, "a name with NUL") }
        let table = KeyTable()
        let key = table.add(Self.preparedKey(name))
        try append(key, value)
        withExtendedLifetime(table) {}
    }

    private mutating func append(_ key: ByteView, _ value: JSONValue) throws(DocumentError) {
        switch value {
        case .null: null(key)
        case .bool(let value): bool(key, value)
        case .int(let value): int(key, value)
        case .double(let value): _ = double(key, bits: value.bitPattern)
        case .string(let text): ByteView.with(Array(text.utf8)) { _ = string(key, $0) }
        case .array(let values):
            let mark = beginArray(key)
            for (index, value) in values.enumerated() { try append(String(index), value) }
            endArray(mark)
        case .object(let members):
            let mark = beginDocument(key)
            for (name, value) in members { try append(name, value) }
            endDocument(mark)
        }
    }
}
