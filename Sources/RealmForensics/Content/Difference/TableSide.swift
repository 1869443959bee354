internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// A table of one of the two compared snapshots.
struct TableSide {
    let plan: HashPlan
    let position: TablePosition
    let isSecond: Bool

    var table: ContentTable { plan.tables[position] }

    func name(of field: Int) -> String { table.schema.properties[table.fields[field].property].name }

    /// Pairs fields of the same name. Both sides are ordered by the bytes of their names.
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

    // MARK: Single objects, for display

    private func object(_ key: ObjectKey) throws(FormatError) -> StoredObject {
        guard let object = try plan.snapshot.table(at: position).object(key) else {
            throw FormatError(.noSuchObject, "the object was there before").at(
                table: table.schema.tableName, objectKey: key)
        }
        return object
    }

    /// Returns the primary key, abbreviated; nil when the class has none.
    func primaryKey(of key: ObjectKey) throws(ContentComparisonError) -> String? {
        try ContentComparisonError.of(second: isSecond) { () throws(FormatError) in
            try object(key).primaryKey.map { ValueText.short($0) }
        }
    }

    /// Returns the value of a field.
    func value(_ field: Int, of key: ObjectKey) throws(ContentComparisonError) -> Value {
        try ContentComparisonError.of(second: isSecond) { () throws(FormatError) in
            try object(key).value(of: table.fields[field].property)
        }
    }

    /// Returns the values of an object as content bytes, one array for each field.
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

/// Reads the objects of one side one by one, in key order.
struct RecordStream: ~Copyable {
    private var cursor: ContentCursor
    private var index = 0
    private let isSecond: Bool
    /// The key of the current object; nil after the last.
    private(set) var key: ObjectKey?

    /// Moves to the first object, or tombstone.
    init(_ side: TableSide, tombstones: Bool = false, notesValues: Bool = false) throws(ContentComparisonError) {
        isSecond = side.isSecond
        let core = side.table.core
        cursor = ContentCursor(
            side.plan, side.position, tree: tombstones ? core.tombstones : core.objects, isTombstones: tombstones,
            notesValues: notesValues)
        index = -1
        try advance()
    }

    /// The content bytes of the current object.
    var view: ByteView { cursor.view(of: index) }

    /// Returns the content bytes of one value of the current object.
    func value(_ field: Int) -> ByteView { cursor.value(field, of: index) }

    /// Moves to the next object.
    mutating func advance() throws(ContentComparisonError) {
        index += 1
        if index >= cursor.records.count {
            index = 0
            do throws(FormatError) {
                // Only the last batch is empty.
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
