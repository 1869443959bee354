internal import RealmCore
internal import RealmLayout

/// The parts of a snapshot that the writing loops need, computed once. They are plain values in fixed memory, so that
/// no loop counts references.
final class ExportPlan: Sendable {
    let snapshot: Snapshot
    let space: NodeSpace
    let version: FormatVersion
    let tables: UncheckedArray<TablePlan>
    let fields: UncheckedArray<ExportField>
    /// The columns of the fields.
    let columns: [Column]
    /// `_id` in the sink's form.
    let idKey: ByteView
    /// The bytes that the first elements of arrays begin with.
    let indexKeys: UncheckedArray<ByteView>
    let isCanonical: Bool
    /// Whether UUIDs are converted from .NET byte order.
    let turnsGuids: Bool
    let keepsNulls: Bool
    let onDamage: ExportOptions.DamagePolicy
    /// Whether documents are for MongoDB, which limits them to 16 MiB.
    let isForMongo: Bool
    /// The names of fields in documents, by field number.
    let fieldNames: [String]
    /// The arrangement of the locators' caches.
    let locatorLayout: ObjectLocator.Layout
    /// Number of fields of the widest table.
    let widestTable: Int
    private let keys: KeyTable

    /// Plans all tables of `snapshot`, with keys created by `preparedKey`.
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
                        key: key, form: form, collection: property.collection,
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

    /// Number of array elements with prepared keys.
    static var preparedIndexes: Int { 1000 }
}
