internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// Precomputed description of a snapshot, for writing its content as bytes.
final class HashPlan: Sendable {
    let snapshot: Snapshot
    let identity: ContentIdentity
    let tables: ByTable<ContentTable>
    /// The serialised names of the tables; the bytes belong to `names`.
    let tableNames: ByTable<ByteView>
    private let names: ByteSource

    init(_ snapshot: Snapshot, _ identity: ContentIdentity) {
        self.snapshot = snapshot
        self.identity = identity
        tables = snapshot.cores.mapped { ContentTable($0) }
        var bytes: [UInt8] = []
        var starts: [Int] = []
        for table in tables {
            starts.append(bytes.count)
            bytes += Self.serialised(table.schema.tableName)
        }
        starts.append(bytes.count)
        let names = ByteSource(bytes: bytes)
        self.names = names
        tableNames = ByTable(
            zip(starts, starts.dropFirst()).map { names.view.slice(unchecked: $0, count: $1 - $0) })
    }

    /// Returns the positions of the tables whose content counts, ordered by the bytes of their names.
    func positions(includingSystemTables: Bool) -> [TablePosition] {
        let counted = tables.indices.filter { includingSystemTables || tables[$0].schema.isClass }
        // Tables of equal name, which no intact file has, stay in file order.
        return counted.inOrder { left, right in
            let (first, second) = (tables[left].schema.tableName.utf8, tables[right].schema.tableName.utf8)
            return first.elementsEqual(second) ? left < right : first.lexicographicallyPrecedes(second)
        }
    }

    /// Whether the objects of a table count only as part of their owners.
    func isNested(_ position: TablePosition) -> Bool { identity == .primaryKey && tables[position].isEmbedded }

    /// Returns a name in its content form: byte count, then bytes.
    static func serialised(_ name: String) -> [UInt8] {
        let bytes = Array(name.utf8)
        return UInt64(bytes.count).littleEndianBytes + bytes
    }
}

/// A table prepared for the writing loop.
struct ContentTable: Sendable {
    let core: TableDescription
    /// The properties, ordered by the bytes of their names.
    let fields: [ContentField]
    /// The field of the primary key.
    let primaryField: ContentField?
    let isEmbedded: Bool

    var schema: TableSchema { core.schema }

    init(_ core: TableDescription) {
        self.core = core
        isEmbedded = core.schema.kind == .embedded
        let properties = core.schema.properties
        let fields = zip(core.columns.indices, zip(properties, core.columns))
            .map { index, pair in
                ContentField(
                    property: index, column: pair.1,
                    form: ScalarKind(pair.0.type, isNullable: pair.0.isNullable, isEmbedded: false),
                    collection: pair.0.collection)
            }
            .inOrder { left, right in
                let (first, second) = (properties[left.property].name.utf8, properties[right.property].name.utf8)
                return first.elementsEqual(second)
                    ? left.property < right.property : first.lexicographicallyPrecedes(second)
            }
        self.fields = fields
        primaryField = core.primaryKeyIndex.flatMap { index in fields.first { $0.property == index } }
    }
}
