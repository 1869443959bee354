internal import RealmLayout
internal import RealmStorage

/// A file of documents whose classes are known.
struct ImportInput {
    /// The contents of the file.
    enum Content {
        /// Documents of one class, for that table.
        case documents(DocumentFormat, position: TablePosition)
        /// Documents of several collections, and their tables.
        case archive([ArchiveDocuments.Collection: TablePosition])
    }

    let path: String
    let content: Content
    /// Whether these are embedded objects without an owner.
    var areOrphans = false
    /// The CSV fields that are not plain text.
    var cells = CSVCells()
    /// The copied contents of inputs that can be read only once, by path.
    var spilled: SpilledInputs = SpilledInputs()

    /// The tables that the documents belong to.
    var positions: [TablePosition] {
        switch content {
        case .documents(_, let position): [position]
        case .archive(let positions): Array(positions.values)
        }
    }

    /// Opens the file at its beginning, as bytes.
    func opened() throws(ImportError) -> InputBuffer { try InputBuffer(path: path, spilled: spilled) }

    /// Opens the file at its beginning.
    func open() throws(ImportError) -> any DocumentSource {
        let input = try opened()
        switch content {
        case .documents(.bson, let position): return BSONDocuments(input, into: position)
        case .documents(.extendedJSON, let position): return ExtendedJSONDocuments(input, into: position)
        case .documents(.json, let position): return PlainJSONDocuments(input, into: position)
        case .documents(.csv, let position):
            return try CSVDocuments(input, into: position, cells)
        case .documents(.tsv, let position):
            return try CSVDocuments(input, into: position, cells, separator: CSVSink.tab)
        case .archive(let positions):
            let archive = try ArchiveDocuments(input)
            archive.positions = positions
            return archive
        }
    }
}

/// The encoding of documents.
///
/// ```swift
/// print(try await Importer(["dogs.txt"], ImportOptions(format: .tsv)).run(to: "new.realm").objects)
/// ```
public enum DocumentFormat: String, CaseIterable, Sendable {
    /// BSON documents back to back.
    case bson
    /// Extended JSON, one document per line or an array of documents.
    case extendedJSON = "ejson"
    /// Plain JSON, one object per line or an array of objects.
    case json
    /// Comma-separated values with a header line.
    case csv
    /// Tab-separated values with a header line.
    case tsv

    /// Whether documents are lines with a field for each property.
    var isTable: Bool { self == .csv || self == .tsv }
}
