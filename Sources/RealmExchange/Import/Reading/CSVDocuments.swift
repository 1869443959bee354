internal import RealmCore
internal import RealmLayout

/// Lines of comma-separated values (RFC 4180) as documents: the inverse of `CSVSink`. The first line has the names of
/// the fields. An empty field is null; a pair of quotes is an empty string. Lines end with LF, CR LF, or CR as on old
/// Macs.
final class CSVDocuments: DocumentSource {
    private let lines: CSVLines
    private var sink = BSONSink(isCanonical: false)
    private let columns: [CSVColumn]
    private let cells: [Cell]
    private let keys = KeyTable()
    private let names: [ByteView]
    let position: TablePosition
    let isBinary = false

    private enum Cell {
        case text
        case json
        case objectKey
    }

    /// Reads the header line.
    ///
    /// - Parameter separator: The separator of fields. Nil to detect it in the header line: commas, or else semicolons,
    ///   which spreadsheets write if numbers contain commas, or tabs.
    init(
        _ input: InputBuffer, into position: TablePosition, _ cells: CSVCells = CSVCells(), separator: UInt8? = nil
    ) throws(ImportError) {
        lines = CSVLines(input, separator: separator)
        self.position = position
        let header = try lines.next() ?? []
        var columns: [CSVColumn] = []
        for (index, field) in header.enumerated() {
            guard let name = String(validating: field ?? [], as: UTF8.self) else {
                throw .document(
                    DocumentError(.malformed, "the name of column \(index + 1) is not UTF-8").at(
                        file: lines.name, offset: lines.offset))
            }
            columns.append(CSVColumn(name, number: index + 1))
        }
        self.columns = columns
        let keys = keys
        names = columns.map { keys.add(BSONSink.preparedKey($0.name)) }
        self.cells = columns.map { column in
            cells.json.contains(column.name) ? .json : cells.objectKeys.contains(column.name) ? .objectKey : .text
        }
    }

    var name: String { lines.name }
    /// The header line is not counted.
    var number: Int { lines.number - 1 }
    var offset: Int { lines.offset }
    var line: Int? { lines.line }
    /// The columns described by the first line.
    var header: [CSVColumn] { columns }

    func next() throws(ImportError) -> ByteView? {
        guard var values = try lines.next() else { return nil }
        // Skips empty lines.
        while values.count == 1, values[0] == nil, columns.count > 1 {
            guard let more = try lines.next() else { return nil }
            values = more
        }
        guard values.count == columns.count else {
            let noun = values.count == 1 ? "field" : "fields"
            throw failure("\(values.count) \(noun), header has \(columns.count)")
        }
        sink.buffer.truncate()
        let mark = sink.beginRecord()
        for (index, value) in values.enumerated() {
            guard let value else {
                sink.null(names[index])
                continue
            }
            switch cells[index] {
            case .json:
                do throws(DocumentError) {
                    let json = try ByteView.with(value) { text throws(DocumentError) in try JSONValue(parsing: text) }
                    try sink.append(columns[index].name, json)
                } catch {
                    throw .document(located(error))
                }
            case .objectKey, .text:
                // Object keys are numbers in JSON. Text that an export would not write is left unchanged.
                if cells[index] == .objectKey, let key = Int64(String(decoding: value, as: UTF8.self)),
                    value.elementsEqual(String(key).utf8)
                {
                    sink.int(names[index], key)
                } else {
                    // The importer reports text that is not UTF-8.
                    ByteView.with(value) { sink.uncheckedString(names[index], $0) }
                }
            }
        }
        sink.endRecord(mark)
        return sink.buffer.view()
    }

    private func failure(_ detail: String) -> ImportError { .document(located(DocumentError(.malformed, detail))) }
}

/// The fields of comma-separated values that are not plain text.
struct CSVCells {
    /// Fields in JSON: collections and embedded objects.
    var json: Set<String> = []
    /// Fields with object keys: the identities of objects without a primary key, and links to them.
    var objectKeys: Set<String> = []
}

/// A column of comma-separated values: its name, and an optional type in the notation of `mongoimport`, `age.int64()`.
struct CSVColumn {
    let name: String
    let type: StoredPropertyType?

    /// Reads a field of the first line.
    ///
    /// - Parameter number: The number of the column, from 1 on, used to name columns without a name.
    init(_ header: String, number: Int) {
        guard header.hasSuffix(")"), let open = header.lastIndex(of: "("),
            let dot = header[..<open].lastIndex(of: "."),
            let type = Self.types[String(header[header.index(after: dot)..<open])]
        else {
            name = header.isEmpty ? "column_\(number)" : header
            type = nil
            return
        }
        name = dot == header.startIndex ? "column_\(number)" : String(header[..<dot])
        self.type = type
    }

    private static let types: [String: StoredPropertyType] = [
        "string": .string, "int32": .int, "int64": .int, "int": .int, "boolean": .bool, "bool": .bool,
        "double": .double, "float": .float, "decimal": .decimal128, "date": .timestamp, "binary": .binary,
        "objectId": .objectId, "uuid": .uuid,
    ]
}

/// Splits comma-separated values into lines and fields.
final class CSVLines {
    private let input: InputBuffer
    private(set) var number = -1
    private(set) var offset = 0
    private var isAtStart = true
    private static var longestLine: Int { 1 << 31 }
    /// The separator; nil until it is known.
    private var separator: UInt8?
    /// The first line of the last record, from 1 on. Quoted fields may span several lines.
    private(set) var line = 0
    private var nextLine = 1

    init(_ input: InputBuffer, separator: UInt8?) {
        self.input = input
        self.separator = separator
    }

    /// The separator of the first line: the first candidate that occurs in it outside quotes.
    private func foundSeparator() throws(ImportError) -> UInt8 {
        var isQuoted = false
        var found: Set<UInt8> = []
        var scanned = 0
        while scanned < 1 << 20, try input.available(scanned + 1) > scanned {
            let byte = input.view(scanned + 1).byte(unchecked: scanned)
            scanned += 1
            if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            if isQuoted { continue }
            if byte == 0x0A || byte == 0x0D { break }
            found.insert(byte)
        }
        return [CSVSink.comma, UInt8(ascii: ";"), CSVSink.tab].first(where: found.contains) ?? CSVSink.comma
    }

    var name: String { input.name }

    /// Returns the fields of the next line, with nil for empty ones, or nil after the last line.
    func next() throws(ImportError) -> [[UInt8]?]? {
        if isAtStart {
            isAtStart = false
            try input.checkEncoding()
            if try input.available(3) >= 3, input.view(3).bytes == [0xEF, 0xBB, 0xBF] { input.advance(3) }
        }
        offset = input.offset
        guard try input.available(1) > 0 else { return nil }
        let separator: UInt8
        if let known = self.separator { separator = known } else { separator = try foundSeparator() }
        self.separator = separator
        number += 1
        line = nextLine
        var fields: [[UInt8]?] = []
        var field: [UInt8] = []
        var wasQuoted = false
        var isQuoted = false
        var scanned = 0
        func end() {
            fields.append(field.isEmpty && !wasQuoted ? nil : field)
            field.removeAll(keepingCapacity: true)
            wasQuoted = false
        }
        while true {
            let count = try input.available(scanned + 2)
            guard count < Self.longestLine else { throw failure("a line of more than 2 GiB") }
            guard count > scanned else {
                guard !isQuoted else { throw failure("a quote without its end") }
                end()
                input.advance(scanned)
                return fields
            }
            let view = input.view(count)
            let byte = view.byte(unchecked: scanned)
            scanned += 1
            if isQuoted {
                if byte != UInt8(ascii: "\"") {
                    if byte == 0x0A { nextLine += 1 }
                    field.append(byte)
                } else if scanned < count, view.byte(unchecked: scanned) == byte {
                    field.append(byte)
                    scanned += 1
                } else {
                    isQuoted = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\"") where field.isEmpty && !wasQuoted: (isQuoted, wasQuoted) = (true, true)
            case separator: end()
            case 0x0A, 0x0D:
                nextLine += 1
                if byte == 0x0D, scanned < count, view.byte(unchecked: scanned) == 0x0A { scanned += 1 }
                end()
                input.advance(scanned)
                return fields
            case _ where wasQuoted: throw failure("text between a quote that ends and the end of the field")
            default: field.append(byte)
            }
        }
    }

    private func failure(_ detail: String) -> ImportError {
        .document(
            DocumentError(.malformed, detail).at(file: name, document: max(0, number - 1), offset: offset, line: line))
    }
}
