internal import RealmLayout
internal import RealmReader

/// Everything that the writing loops need to know of a snapshot, worked out once: plain values in fixed memory, so
/// that no loop counts references.
final class ExportPlan: Sendable {
    let snapshot: Snapshot
    let space: NodeSpace
    let version: FormatVersion
    let tables: UncheckedArray<TablePlan>
    let fields: UncheckedArray<ExportField>
    /// Where the values of each field are.
    let columns: [Column]
    /// `_id` as the sink takes it.
    let idKey: ByteView
    /// What the first elements of arrays begin with.
    let indexKeys: UncheckedArray<ByteView>
    let isCanonical: Bool
    /// Whether UUIDs are turned.
    let turnsGuids: Bool
    let keepsNulls: Bool
    let onDamage: ExportOptions.DamagePolicy
    /// Whether documents are for MongoDB, which takes them up to 16 MiB.
    let isForMongo: Bool
    /// The names that fields have in documents, by number of the field.
    let fieldNames: [String]
    /// Where locators keep what they found.
    let locatorLayout: ObjectLocator.Layout
    /// The fields of the table with the most.
    let widestTable: Int
    private let keys: KeyTable

    /// Plans all tables of `snapshot`, with keys as `preparedKey` makes them.
    init(
        _ snapshot: Snapshot, isCanonical: Bool, keepsNulls: Bool, onDamage: ExportOptions.DamagePolicy,
        isForMongo: Bool, escapesDollar: Bool, turnsGuids: Bool = false,
        preparedKey: (String) -> [UInt8], preparedIndex: (Int) -> [UInt8]
    ) {
        self.snapshot = snapshot
        self.isCanonical = isCanonical
        self.keepsNulls = keepsNulls
        self.onDamage = onDamage
        self.isForMongo = isForMongo
        self.turnsGuids = turnsGuids
        space = snapshot.space
        version = snapshot.version
        let keys = KeyTable()
        self.keys = keys
        idKey = keys.add(preparedKey(TableSchema.identityField))
        indexKeys = UncheckedArray((0..<Self.preparedIndexes).map { keys.add(preparedIndex($0)) })
        var tables: ByTable<TablePlan> = []
        var fields: [ExportField] = []
        var columns: [Column] = []
        var names: [String] = []
        for core in snapshot.cores {
            let schema = core.schema
            let fieldNames = schema.fieldNames(escapingDollar: escapesDollar)
            let fieldKeys = fieldNames.prefix(core.columns.count).map { keys.add(preparedKey($0)) }
            tables.append(
                TablePlan(
                    firstField: fields.count, fieldCount: core.columns.count,
                    identity: core.primaryKeyIndex == nil ? .objectKey : .primaryKey,
                    primaryField: (core.primaryKeyIndex ?? .none).number,
                    isPrimaryKeyIdentity: schema.primaryKeyName == TableSchema.identityField,
                    isEmbedded: schema.kind == .embedded,
                    keyBytes: fieldKeys.reduce(idKey.count) { $0 + $1.count }, name: keys.add(Array(schema.name.utf8))))
            names += fieldNames.prefix(core.columns.count)
            for ((property, column), key) in zip(zip(schema.properties, core.columns), fieldKeys) {
                let form = ScalarKind(
                    property.type, isNullable: property.isNullable, isEmbedded: property.isTargetEmbedded)
                fields.append(
                    ExportField(
                        key: key, form: form, shape: CollectionShape(property.collection),
                        elementType: column.elementType, hasPlainLinks: property.type == .link,
                        storedTarget: Int32((column.target ?? .none).number)))
            }
            columns += core.columns
        }
        for index in fields.indices where fields[index].form == .link && fields[index].target != .none {
            let target = tables[fields[index].target]
            guard target.primaryField >= 0 else { continue }
            fields[index].targetIdentity = fields[target.firstField + target.primaryField].form
        }
        self.tables = UncheckedArray(Array(tables))
        locatorLayout = ObjectLocator.Layout(tables)
        widestTable = tables.map(\.fieldCount).max() ?? 0
        self.fields = UncheckedArray(fields)
        self.columns = columns
        fieldNames = names
    }

    /// How many elements of arrays have their keys prepared.
    static var preparedIndexes: Int { 1000 }
}
