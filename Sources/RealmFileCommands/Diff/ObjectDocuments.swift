internal import RealmCore
internal import RealmExchange
internal import RealmForensics
internal import RealmLayout

/// Objects of one table as documents in relaxed Extended JSON, with a member for each property.
struct ObjectDocuments {
    private let table: Table
    private let writer: ValueDocuments
    private let properties: [Int]

    /// - Parameter properties: the positions of the properties to write; nil for all.
    init(_ table: Table, properties: [Int]? = nil) {
        self.table = table
        let all = table.schema.properties
        self.properties = properties ?? Array(all.indices)
        var options = ExportOptions()
        options.format = .ejson
        options.extendedJSONForm = .relaxed
        writer = ValueDocuments(self.properties.map { (all[$0].name, all[$0].type == .mixed) }, options)
    }

    /// Returns the document of an object, without a line break.
    ///
    /// - Throws: `FormatError` for a value that cannot be read.
    func bytes(of object: StoredObject) throws(FormatError) -> [UInt8] {
        var values: [Value?] = []
        for property in properties { values.append(try object.value(at: property)) }
        try writer.add(values)
        var bytes = writer.take()
        while bytes.last == 0x0A { bytes.removeLast() }
        return bytes
    }

    /// Returns the document as part of a report.
    func json(of object: StoredObject) throws(FormatError) -> JSONValue {
        let text = String(decoding: try bytes(of: object), as: UTF8.self)
        return (try? JSONValue.values(listed: text).first) ?? .null
    }

    /// Returns the object's properties that have a value, each with its value on one line, abbreviated.
    static func lines(of object: StoredObject) throws(FormatError) -> [String] {
        var lines: [String] = []
        for (index, property) in object.table.schema.properties.enumerated()
        where property.name != object.table.schema.primaryKeyName {
            let value = try object.value(at: index)
            switch value {
            case .null, .list([]), .set([]), .dictionary([]): continue
            default:
                let text = try CellText.of(value, isText: false, namesClasses: property.type == .mixed, most: 60)
                lines.append("\(property.name): \(text)")
            }
        }
        return lines
    }
}

/// The values of the objects that a difference lists as added or removed.
struct ListedValues {
    /// The values of one object.
    struct Entry {
        let lines: [String]
        let document: JSONValue
    }

    private var entries: [String: [Int: Entry]] = [:]

    /// Reads the values of the listed objects.
    init(_ difference: ContentDifference, _ first: Snapshot, _ second: Snapshot) throws(FormatError) {
        for table in difference.tables {
            guard table.objects.contains(where: { $0.kind != .changed }) else { continue }
            let (left, right) = (try first.table(named: table.tableName), try second.table(named: table.tableName))
            let documents = (ObjectDocuments(left), ObjectDocuments(right))
            for (index, object) in table.objects.enumerated() {
                let found: StoredObject?
                switch object.kind {
                case .removed: found = try object.firstKey.flatMap { key throws(FormatError) in try left.object(key) }
                case .added: found = try object.secondKey.flatMap { key throws(FormatError) in try right.object(key) }
                case .changed: found = nil
                }
                guard let found else { continue }
                entries[table.tableName, default: [:]][index] = Entry(
                    lines: try ObjectDocuments.lines(of: found),
                    document: try (object.kind == .removed ? documents.0 : documents.1).json(of: found))
            }
        }
    }

    /// Returns the values of a listed object; nil for a changed one.
    subscript(table: TableDifference, index: Int) -> Entry? { entries[table.tableName]?[index] }
}
