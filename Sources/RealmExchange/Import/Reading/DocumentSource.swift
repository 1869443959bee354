internal import RealmLayout

/// A sequence of documents in BSON.
protocol DocumentSource: AnyObject {
    /// Returns the next document, or nil after the last. It is valid until the next call.
    ///
    /// - Throws: `ImportError` with the file and the place.
    func next() throws(ImportError) -> ByteView?

    /// The position of the document's table.
    var position: TablePosition { get }
    /// The file, for messages.
    var name: String { get }
    /// The number of the last document, from 0 on.
    var number: Int { get }
    /// The file offset of the last document.
    var offset: Int { get }
    /// The first line of the last document, from 1 on; nil if lines are not meaningful.
    var line: Int? { get }
    /// Whether offsets in documents are also offsets in the file.
    var isBinary: Bool { get }
    /// The fields of the last document with rounded integers, one entry per integer.
    var roundedFields: [String] { get }
    /// The fields of the last document with replaced lone surrogates, one entry per place.
    var repairedFields: [String] { get }
}

extension DocumentSource {
    /// Whether values come from JSON or CSV, where some are spelled as text.
    var isText: Bool { !isBinary }

    var line: Int? { nil }

    var roundedFields: [String] { [] }

    var repairedFields: [String] { [] }

    /// The error with file, document and place in the file.
    func located(_ error: DocumentError) -> DocumentError {
        error.at(file: name, document: number, offset: isBinary ? offset + (error.offset ?? 0) : offset, line: line)
    }
}

/// BSON documents back to back, as `mongodump` writes them.
final class BSONDocuments: DocumentSource {
    private let input: InputBuffer
    private var current = 0
    private(set) var number = -1
    let position: TablePosition
    let isBinary = true

    init(_ input: InputBuffer, into position: TablePosition) {
        self.input = input
        self.position = position
    }

    var name: String { input.name }
    var offset: Int { input.offset }

    func next() throws(ImportError) -> ByteView? {
        input.advance(current)
        current = 0
        let count = try input.available(4)
        guard count > 0 else { return nil }
        number += 1
        guard count >= 4 else {
            throw .document(located(DocumentError(.truncated, "\(count) bytes after the last document")))
        }
        let length = Int(Int32(bitPattern: input.view(4).uint32(unchecked: 0)))
        guard length >= 5 else {
            throw .document(located(DocumentError(.malformed, "a document cannot have \(length) bytes")))
        }
        let got = try input.available(length)
        guard got >= length else {
            throw .document(
                located(DocumentError(.truncated, "a document of \(length) bytes ends after \(got)")))
        }
        current = length
        return input.view(length)
    }
}

/// Extended JSON documents: one per line, or separated by any white space or commas, or in one array.
final class ExtendedJSONDocuments: DocumentSource {
    private let texts: JSONTexts
    private var document: ParsedDocument?
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
        document = nil
        guard let text = try texts.next() else { return nil }
        do throws(DocumentError) {
            try ExtendedJSONLiterals.check(text)
            let parsed = try ParsedDocument(extendedJSON: text)
            document = parsed
            return parsed.view
        } catch {
            throw texts.located(error)
        }
    }
}
