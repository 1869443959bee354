package import RealmCore
package import RealmLayout

/// Makes documents from selected values of objects, in the form of a mongo profile export: links become identities,
/// embedded objects documents. Nulls are kept, because their names were requested.
package final class ValueDocuments {
    /// Values of a column that the format cannot hold.
    package struct Loss: Sendable {
        package let column: Int
        package let kind: LossKind
        package let count: Int
    }

    private let rows: any ValueRows

    /// - Parameters:
    ///   - columns: The names of the values, and whether the property is of type Mixed, whose links include the class.
    ///   - options: The options, of which only the format and the spelling of JSON are used.
    package init(_ columns: [(name: String, isMixed: Bool)], _ options: ExportOptions) {
        switch options.format {
        case .bson: rows = ValueRowWriter(columns, options, BSONSink(isCanonical: false))
        case .ejson, .json:
            rows = ValueRowWriter(
                columns, options, JSONSink(style: options.jsonStyle, hasSafeInts: options.hasSafeInts))
        case .csv, .tsv:
            let separator = options.format == .csv ? CSVSink.comma : CSVSink.tab
            rows = ValueRowWriter(
                columns, options,
                CSVSink(separator: separator, hasSafeInts: options.hasSafeInts, keepsNulls: false))
        }
    }

    /// The header line of a table format; empty for other formats.
    package static func header(_ names: [String], _ format: ExportOptions.Format) -> [UInt8] {
        format.isTable ? CSVSink.header(names, format == .csv ? CSVSink.comma : CSVSink.tab) : []
    }

    /// Writes a document.
    ///
    /// - Parameter values: One value per column; nil for one that cannot be read.
    /// - Throws: `FormatError` if part of a value is damaged; the document is then discarded.
    package func add(_ values: [Value?]) throws(FormatError) { try rows.add(values) }

    /// Returns and removes the bytes written so far.
    package func take() -> [UInt8] { rows.take() }

    /// The losses by column.
    package var losses: [Loss] { rows.losses }
}

/// Hides the type of the sink.
private protocol ValueRows: AnyObject {
    func add(_ values: [Value?]) throws(FormatError)
    func take() -> [UInt8]
    var losses: [ValueDocuments.Loss] { get }
}

private final class ValueRowWriter<Sink: DocumentSink & ~Copyable>: ValueRows {
    private var sink: Sink
    private let keys = KeyTable()
    private var columns: [(key: ByteView, isMixed: Bool)] = []
    private var names: [String: ByteView] = [:]
    private var indexes: [ByteView] = []
    private var fieldNames: [TablePosition: [String]] = [:]
    private let escapesDollar: Bool
    private var counts: [[LossKind: Int]]
    private var column = 0

    init(_ columns: [(name: String, isMixed: Bool)], _ options: ExportOptions, _ sink: consuming Sink) {
        self.sink = sink
        escapesDollar = options.escapesDollar
        counts = Array(repeating: [:], count: columns.count)
        let names = FieldNames.of(columns.map(\.name), identityIsTaken: false, escapingDollar: options.escapesDollar)
        for (name, column) in zip(names, columns) { self.columns.append((key(name), column.isMixed)) }
    }

    var losses: [ValueDocuments.Loss] {
        counts.enumerated().flatMap { column, counts in
            counts.inOrder { $0.key.rawValue < $1.key.rawValue }
                .map { ValueDocuments.Loss(column: column, kind: $0.key, count: $0.value) }
        }
    }

    func take() -> [UInt8] {
        defer { sink.buffer.truncate() }
        return sink.buffer.view().bytes
    }

    func add(_ values: [Value?]) throws(FormatError) {
        let start = sink.point()
        let mark = sink.beginRecord()
        do throws(FormatError) {
            for (index, column) in columns.enumerated() {
                self.column = index
                switch values[index] {
                case .some(.null): sink.nullProperty(column.key)
                case .some(let value): try write(value, column.key, isMixed: column.isMixed)
                case nil where Sink.hasAllFields: sink.nullProperty(column.key)
                case nil: break
                }
            }
        } catch {
            sink.rewind(to: start)
            throw error
        }
        sink.endRecord(mark)
    }

    /// - Parameters:
    ///   - isMixed: Whether links include their class.
    ///   - depth: Number of collections and embedded objects around the value, plus 1.
    ///   - isElement: Whether the value is an element of a collection.
    private func write(
        _ value: Value, _ key: ByteView, isMixed: Bool, depth: Int = 1, isElement: Bool = false
    ) throws(FormatError) {
        switch value {
        case .null: sink.null(key)
        case .int(let value): sink.int(key, value)
        case .bool(let value): sink.bool(key, value)
        case .string(let text): ByteView.with(Array(text.utf8)) { note(sink.string(key, $0)) }
        case .malformedString(let bytes): ByteView.with(bytes) { note(sink.string(key, $0)) }
        case .binary(let bytes): ByteView.with(bytes) { sink.binary(key, $0) }
        case .timestamp(let time): note(sink.timestamp(key, time))
        case .float(let value): note(sink.float(key, bits: value.bitPattern))
        case .double(let value): note(sink.double(key, bits: value.bitPattern))
        case .decimal128(let value): note(sink.decimal(key, value))
        case .objectId(let id): id.withBytes { sink.objectId(key, $0) }
        case .uuid(let id): id.withBytes { sink.uuid(key, $0) }
        case .link(let link): try write(link, key, isMixed: isMixed, isElement: isElement)
        case .embedded(let object): try write(object, key, depth: depth)
        case .list(let values), .set(let values):
            try Nesting.values.check(level: depth + 1)
            let mark = sink.beginArray(key)
            for (index, value) in values.enumerated() {
                try write(value, self.index(index), isMixed: isMixed, depth: depth + 1, isElement: true)
            }
            sink.endArray(mark)
        case .dictionary(let entries):
            try Nesting.values.check(level: depth + 1)
            let mark = sink.beginDocument(key)
            for entry in entries { try write(entry, isMixed: isMixed, depth: depth + 1) }
            sink.endDocument(mark)
        }
    }

    private func write(_ entry: DictionaryEntry, isMixed: Bool, depth: Int) throws(FormatError) {
        let name =
            switch entry.key {
            case .string(let text): Array(text.utf8)
            case .malformedString(let bytes): bytes
            default: Array(entry.key.description.utf8)
            }
        try ByteView.with(name) { name throws(FormatError) in
            let (key, loss) = sink.prepared(dictionaryKey: name)
            note(loss)
            try write(entry.value, key, isMixed: isMixed, depth: depth, isElement: true)
        }
    }

    private func write(_ object: StoredObject, _ key: ByteView, depth: Int) throws(FormatError) {
        try Nesting.values.check(level: depth + 1)
        let table = object.table
        let names = fieldNames[table.position] ?? table.schema.fieldNames(escapingDollar: escapesDollar)
        fieldNames[table.position] = names
        let mark = sink.beginDocument(key)
        for (index, property) in table.schema.properties.enumerated() {
            let value = try object.value(at: index)
            if case .null = value { continue }
            try write(value, self.key(names[index]), isMixed: property.type == .mixed, depth: depth + 1)
        }
        sink.endDocument(mark)
    }

    /// Writes the identity of a link's target, or null if it does not exist. In collections, tombstones are written as
    /// their primary keys.
    private func write(_ link: Link, _ key: ByteView, isMixed: Bool, isElement: Bool) throws(FormatError) {
        guard isElement || !link.isUnresolved else {
            note(.deletedTarget)
            return sink.null(key)
        }
        guard let identity = try identity(of: link) else {
            note(.danglingLink)
            return sink.null(key)
        }
        if link.isUnresolved { note(.deletedElement) }
        guard isMixed else { return try write(identity, key, isMixed: false) }
        let mark = sink.beginDocument(key)
        ByteView.with(Array(link.table.name.utf8)) { _ = sink.string(sink.words.ref, $0) }
        try write(identity, sink.words.id, isMixed: false)
        sink.endDocument(mark)
    }

    private func identity(of link: Link) throws(FormatError) -> Value? {
        let hasKey = link.table.schema.primaryKeyName != nil
        guard link.isUnresolved else {
            return hasKey ? try link.table.object(link.objectKey)?.primaryKey : .int(link.objectKey.value)
        }
        guard let tombstone = try link.table.tombstone(link.objectKey) else { return nil }
        return hasKey ? try tombstone.primaryKey : .int(link.objectKey.value)
    }

    private func note(_ loss: LossKind?) {
        if let loss { counts[column][loss, default: 0] += 1 }
    }

    /// A name in the sink's form.
    private func key(_ name: String) -> ByteView {
        if let known = names[name] { return known }
        let key = keys.add(Sink.preparedKey(name))
        names[name] = key
        return key
    }

    private func index(_ index: Int) -> ByteView {
        while indexes.count <= index { indexes.append(keys.add(Sink.preparedIndex(indexes.count))) }
        return indexes[index]
    }
}
