internal import RealmReader
internal import RealmLayout
internal import RealmStorage

/// A table of one of two snapshots that are compared.
struct TableSide {
    let plan: HashPlan
    let position: TablePosition
    let isSecond: Bool

    var table: ContentTable { plan.tables[position] }

    func name(of field: Int) -> String { table.schema.properties[table.fields[field].property].name }

    /// Pairs of fields of the same name. Both are in the order of the bytes of their names.
    static func common(_ first: TableSide, _ second: TableSide) -> [(first: Int, second: Int)] {
        var pairs: [(first: Int, second: Int)] = []
        var (left, right) = (0, 0)
        while left < first.table.fields.count, right < second.table.fields.count {
            let (one, other) = (first.name(of: left).utf8, second.name(of: right).utf8)
            if one.elementsEqual(other) {
                pairs.append((left, right))
                left += 1
                right += 1
            } else if one.lexicographicallyPrecedes(other) {
                left += 1
            } else {
                right += 1
            }
        }
        return pairs
    }

    // MARK: Single objects, for what is shown

    private func object(_ key: ObjectKey) throws(FormatError) -> StoredObject {
        guard let object = try plan.snapshot.table(at: position).object(key) else {
            throw FormatError(.noSuchObject, "the object was there before").at(
                table: table.schema.tableName, objectKey: key)
        }
        return object
    }

    /// The primary key in short; nil when the class has none.
    func primaryKey(of key: ObjectKey) throws(ContentComparisonError) -> String? {
        try ContentComparisonError.of(second: isSecond) { () throws(FormatError) in
            try object(key).primaryKey.map { ValueText.short($0) }
        }
    }

    /// The value of a field.
    func value(_ field: Int, of key: ObjectKey) throws(ContentComparisonError) -> Value {
        try ContentComparisonError.of(second: isSecond) { () throws(FormatError) in
            try object(key).value(of: table.fields[field].property)
        }
    }

    /// The values of an object as bytes, one a field.
    func values(of key: ObjectKey) throws(ContentComparisonError) -> [[UInt8]] {
        try ContentComparisonError.of(second: isSecond) { () throws(FormatError) in
            try plan.snapshot.reading { () throws(FormatError) in
                guard let found = try table.core.objects.find(key) else { return [] }
                var writer = ContentWriter(plan)
                var values: [[UInt8]] = []
                for field in table.fields {
                    let leaf = try found.cluster.leaf(of: field.column, in: plan.snapshot.space)
                    try writer.write(OpenField(field, leaf), found.row, depth: 0)
                    values.append(writer.bytes.view.bytes)
                    writer.bytes.truncate()
                }
                return values
            }
        }
    }
}

/// The objects of a side one by one, in the order of their keys.
struct RecordStream: ~Copyable {
    private var cursor: ContentCursor
    private var index = 0
    private let isSecond: Bool
    /// The key of the object at hand; nil after the last.
    private(set) var key: ObjectKey?

    /// Goes to the first object, or tombstone.
    init(_ side: TableSide, tombstones: Bool = false, notesValues: Bool = false) throws(ContentComparisonError) {
        isSecond = side.isSecond
        let core = side.table.core
        cursor = ContentCursor(
            side.plan, side.position, tree: tombstones ? core.tombstones : core.objects, isTombstones: tombstones,
            notesValues: notesValues)
        index = -1
        try advance()
    }

    /// The bytes of the object at hand.
    var view: ByteView { cursor.view(of: index) }

    /// The bytes of one of its values.
    func value(_ field: Int) -> ByteView { cursor.value(field, of: index) }

    /// Goes to the next object.
    mutating func advance() throws(ContentComparisonError) {
        index += 1
        if index >= cursor.records.count {
            index = 0
            do throws(FormatError) {
                // A batch is never empty but at the end.
                guard try cursor.next() else {
                    key = nil
                    return
                }
            } catch {
                throw ContentComparisonError(isOfSecond: isSecond, error: error)
            }
        }
        key = cursor.records[index].key
    }
}
