internal import RealmLayout

/// Statistics of a field, or of the elements of an array, over all documents.
final class FieldStatistics {
    /// The types of BSON values, as far as Realm distinguishes them.
    struct Types: OptionSet {
        let rawValue: Int

        static let null = Types(rawValue: 1)
        static let int = Types(rawValue: 2)
        static let double = Types(rawValue: 4)
        static let bool = Types(rawValue: 8)
        static let string = Types(rawValue: 16)
        static let binary = Types(rawValue: 32)
        static let uuid = Types(rawValue: 64)
        static let date = Types(rawValue: 128)
        static let decimal = Types(rawValue: 256)
        static let objectId = Types(rawValue: 512)
        static let document = Types(rawValue: 1024)
        static let array = Types(rawValue: 2048)
        static let reference = Types(rawValue: 4096)
        /// Values without a Realm counterpart.
        static let unmappable = Types(rawValue: 8192)
        /// An integer that a double cannot represent exactly.
        static let wideInt = Types(rawValue: 16384)

        /// The names of the types other than null.
        var names: [String] {
            let all: [(Types, String)] = [
                (.int, "int"), (.double, "double"), (.bool, "bool"), (.string, "string"), (.binary, "binary"),
                (.uuid, "UUID"), (.date, "date"), (.decimal, "decimal"), (.objectId, "ObjectId"),
                (.document, "document"), (.array, "array"), (.reference, "reference"), (.unmappable, "other"),
            ]
            return all.filter { contains($0.0) }.map(\.1)
        }
    }

    var types: Types = []
    /// Number of documents with the field.
    var count = 0
    /// Number of documents in which it is null.
    var nullCount = 0
    /// The types that all texts of a column can be parsed as.
    var spelled = SpelledTypes()
    /// The documents in the field.
    var documents: DocumentStatistics?
    /// The elements of the arrays in the field.
    var elements: FieldStatistics?
    /// The collections named by references.
    var references: Set<String> = []
}

/// Statistics of the documents of a collection, or of those in a field.
final class DocumentStatistics {
    /// Limits the number of names, because documents used as dictionaries may have any number of keys.
    static let mostFields = 1000

    /// Number of documents.
    var count = 0
    /// The names of fields in the order of their first occurrence.
    private(set) var names: [[UInt8]] = []
    private(set) var fields: [FieldStatistics] = []
    private var positions: [[UInt8]: Int] = [:]
    /// Whether there were more names than are kept.
    private(set) var hasMore = false
    /// The types of the fields that are not kept.
    let others = FieldStatistics()
    /// The position of the next field, assuming that all documents have the same order.
    private var expected = 0

    /// Whether a nested document is an Extended JSON wrapper of a type that JSON lacks.
    var holdsWrapper: Bool {
        fields.contains { field in
            [field.documents, field.elements?.documents].compactMap(\.self).contains { documents in
                documents.fields.count == 1 && Self.wrappers.contains { Array($0.utf8) == documents.names[0] }
                    || documents.holdsWrapper
            }
        }
    }

    private static let wrappers = [
        "$oid", "$date", "$numberInt", "$numberLong", "$numberDouble", "$numberDecimal", "$binary", "$uuid",
        "$timestamp",
    ]

    /// Begins a document.
    func begin() {
        count += 1
        expected = 0
    }

    /// The field of that name.
    func field(_ name: ByteView) -> FieldStatistics {
        if expected < names.count, name.count == names[expected].count, name.bytes == names[expected] {
            expected += 1
            return fields[expected - 1]
        }
        let bytes = name.bytes
        if let position = positions[bytes] {
            expected = position + 1
            return fields[position]
        }
        guard fields.count < Self.mostFields else {
            hasMore = true
            return others
        }
        positions[bytes] = fields.count
        names.append(bytes)
        let field = FieldStatistics()
        fields.append(field)
        expected = fields.count
        return field
    }
}

/// Collects statistics of documents.
struct StatisticsReader {
    private let cursor = BSONCursor()
    /// Values nested more deeply become Mixed.
    private static let depth = 64

    /// Records all documents of a source.
    ///
    /// - Parameter statistics: Returns the statistics for a table's documents.
    func read(_ source: any DocumentSource, into statistics: (TablePosition) -> DocumentStatistics) throws(ImportError)
    {
        while let document = try source.next() {
            do throws(DocumentError) {
                try note(document, statistics(source.position), 0)
                if source is CSVDocuments { try noteTexts(document, statistics(source.position)) }
            } catch {
                throw .document(source.located(error))
            }
        }
    }

    /// Records the possible types of the texts in a line of fields.
    private func noteTexts(_ document: ByteView, _ statistics: DocumentStatistics) throws(DocumentError) {
        var place = try cursor.begin(0, document)
        while let element = try cursor.next(&place) {
            if element.type == .string { statistics.field(element.key).spelled.note(element.value) }
        }
    }

    private func note(_ document: ByteView, _ statistics: DocumentStatistics, _ level: Int) throws(DocumentError) {
        var place = try cursor.begin(level, document)
        statistics.begin()
        while let element = try cursor.next(&place) {
            let field = statistics.field(element.key)
            field.count += 1
            try note(element, field, level)
        }
    }

    private func note(_ element: BSONElement, _ field: FieldStatistics, _ level: Int) throws(DocumentError) {
        switch element.type {
        case .null:
            field.types.insert(.null)
            field.nullCount += 1
        case .int32: field.types.insert(.int)
        case .int64:
            field.types.insert(.int)
            if Int64(exactly: Double(element.int64)) != element.int64 { field.types.insert(.wideInt) }
        case .double: field.types.insert(.double)
        case .bool: field.types.insert(.bool)
        case .string: field.types.insert(.string)
        case .binary where element.value.count == 16 && (element.subtype == 4 || element.subtype == 3):
            field.types.insert(.uuid)
        case .binary: field.types.insert(.binary)
        case .date: field.types.insert(.date)
        case .decimal128: field.types.insert(.decimal)
        case .objectId: field.types.insert(.objectId)
        case .document:
            if let name = try referenced(element, level) {
                field.types.insert(.reference)
                if field.references.count < 2 { field.references.insert(name) }
                return
            }
            field.types.insert(.document)
            let documents = field.documents ?? DocumentStatistics()
            field.documents = documents
            if level < Self.depth { try note(element.value, documents, level + 1) }
        case .array:
            field.types.insert(.array)
            let elements = field.elements ?? FieldStatistics()
            field.elements = elements
            guard level < Self.depth else { return }
            var place = try cursor.begin(level + 1, element.value)
            while let item = try cursor.next(&place) { try note(item, elements, level + 1) }
        case .undefined, .regularExpression, .pointer, .code, .symbol, .codeWithScope, .timestamp, .maximumKey,
            .minimumKey:
            field.types.insert(.unmappable)
        }
    }

    /// The collection named by a DBRef; nil for other documents.
    private func referenced(_ element: BSONElement, _ level: Int) throws(DocumentError) -> String? {
        guard element.begins(with: .reference), level < Self.depth else { return nil }
        var place = try cursor.begin(level + 1, element.value)
        guard let name = try cursor.next(&place), name.type == .string, let identity = try cursor.next(&place),
            identity.key.isSame(as: .referenceIdentity)
        else { return nil }
        return name.value.repairedString
    }
}
