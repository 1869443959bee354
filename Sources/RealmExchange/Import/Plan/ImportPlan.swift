internal import RealmCore
internal import RealmLayout

/// A property that documents contain, prepared for the reading loop.
struct ImportField: BitwiseCopyable {
    /// The name in documents.
    let name: ByteView
    /// The name in the form used to match the expected field.
    let expectedName: BSONName
    /// The form of the value, or of a collection's elements.
    let form: ScalarKind
    let collection: CollectionKind?
    /// The most common BSON type of the values; 0 if there are several, and for collections.
    let usualType: UInt8
    let isNullable: Bool
    let property: PropertyIndex
    /// The target table of links; `none` for other properties.
    let target: TablePosition
}

/// A table that documents belong to, prepared for the reading loop.
struct ImportTable: BitwiseCopyable {
    /// The fields are `fields[firstField ..< firstField + fieldCount]` of the plan.
    let firstField: Int
    let fieldCount: Int
    /// The first slot of the hash table from names to field numbers, whose size is a power of two.
    let firstSlot: Int
    let slotMask: Int
    /// The number of the primary key among the fields; -1 if there is none.
    let primaryField: Int
    /// Whether the primary key is called `_id`.
    let isPrimaryKeyIdentity: Bool
    /// Whether the field `_id` is a property, and not the identity, of a class with another primary key.
    let hasIdentityProperty: Bool
    let isEmbedded: Bool
    /// Whether the sidecar has links of its objects that documents cannot express.
    let hasUnresolvedLinks: Bool
    /// Whether documents have the object key in `$realm`, without a property of that name.
    let saysKeyAtEnd: Bool
    /// The class's name.
    let name: ByteView
}

/// The parts of a schema that the reading loops need, as plain values in fixed memory.
final class ImportPlan {
    let schema: SchemaDefinition
    /// Whether the documents belong to a canonical export.
    let isCanonical: Bool
    /// The spelling of dictionary keys.
    let keyEncoding: KeyEncoding
    let tables: UncheckedArray<ImportTable>
    let fields: UncheckedArray<ImportField>
    private let slots: UncheckedArray<Int32>
    private let slotView: UncheckedSpan<Int32>
    private let fieldView: UncheckedSpan<ImportField>
    private let names = KeyTable()
    private static let keyField = "$realm"

    /// Plans all tables of `schema`.
    ///
    /// - Parameters:
    ///   - unresolved: The tables whose sidecar has links that documents cannot express.
    ///   - fieldNames: The document names of properties that differ from the usual ones, by table.
    init(
        _ schema: SchemaDefinition, keyEncoding: KeyEncoding, unresolved: Set<TablePosition> = [],
        fieldNames: [String: [String: String]] = [:]
    ) {
        self.schema = schema
        isCanonical = keyEncoding == .percent
        self.keyEncoding = keyEncoding
        var positions: [ExactName: TablePosition] = [:]
        for position in schema.positions { positions[ExactName(schema[position].tableName)] = position }
        var tables: [ImportTable] = []
        var fields: [ImportField] = []
        var slots: [Int32] = []
        for (position, table) in zip(schema.positions, schema.tables) {
            let first = fields.count
            let spelled = table.fieldNames(fieldNames[table.tableName] ?? [:])
            var hasRealmField = false
            for (index, property) in zip(table.properties.propertyIndexes, table.properties) {
                let target = property.target.flatMap { positions[ExactName($0)] } ?? .none
                let isEmbedded = target != .none && schema[target].kind == .embedded
                let name = spelled[index.number]
                if name == Self.keyField { hasRealmField = true }
                // Null is recognised by its BSON type.
                let form = ScalarKind(property.type, isNullable: false, isEmbedded: isEmbedded)
                fields.append(
                    ImportField(
                        name: names.add(Array(name.utf8)), expectedName: BSONName(name, in: names), form: form,
                        collection: property.collection,
                        usualType: property.collection == nil ? Self.usualType(form)?.rawValue ?? 0 : 0,
                        isNullable: property.isNullable, property: index, target: target))
            }
            var size = 4
            while size < 2 * table.properties.count { size *= 2 }
            let primary =
                (table.primaryKey.flatMap { table.properties.propertyIndex(named: $0) } ?? .none).number
            tables.append(
                ImportTable(
                    firstField: first, fieldCount: fields.count - first, firstSlot: slots.count, slotMask: size - 1,
                    primaryField: primary, isPrimaryKeyIdentity: table.primaryKey == TableSchema.identityField,
                    hasIdentityProperty: primary >= 0 && spelled[primary] != TableSchema.identityField
                        && spelled.contains(TableSchema.identityField),
                    isEmbedded: table.kind == .embedded, hasUnresolvedLinks: unresolved.contains(position),
                    saysKeyAtEnd: isCanonical && !hasRealmField, name: names.add(Array(table.name.utf8))))
            var found = [Int32](repeating: -1, count: size)
            for number in first..<fields.count {
                var slot = Self.hash(fields[number].name) & (size - 1)
                while found[slot] >= 0 { slot = (slot + 1) & (size - 1) }
                found[slot] = Int32(number)
            }
            slots += found
        }
        self.tables = UncheckedArray(tables)
        self.fields = UncheckedArray(fields)
        self.slots = UncheckedArray(slots)
        slotView = UncheckedSpan(self.slots)
        fieldView = UncheckedSpan(self.fields)
    }

    private static func hash(_ name: ByteView) -> Int {
        let words =
            name.count < 8
            ? name.shortWord
            : name.uint64(unchecked: 0) ^ name.uint64(unchecked: name.count &- 8) &* 31
                ^ UInt64(truncatingIfNeeded: name.count)
        return Int(truncatingIfNeeded: (words &* 0x9E37_79B9_7F4A_7C15) &>> 40)
    }

    /// The number of the field with that name, or of the first if there are several; -1 if there is none.
    func field(_ name: ByteView, of table: ImportTable) -> Int {
        var slot = Self.hash(name) & table.slotMask
        while true {
            let number = Int(slotView[unchecked: table.firstSlot &+ slot])
            if number < 0 || fieldView[unchecked: number].name.isSame(as: name) { return number }
            slot = (slot &+ 1) & table.slotMask
        }
    }

    private static func usualType(_ form: ScalarKind) -> BSONType? {
        switch form {
        case .int: .int64
        case .bool: .bool
        case .double: .double
        case .string: .string
        case .timestamp: .date
        case .decimal128: .decimal128
        case .objectId: .objectId
        default: nil
        }
    }
}

extension TableDefinition {
    /// The document field names of the properties: the given ones, or the defaults of `TableSchema.fieldName`.
    func fieldNames(_ given: [String: String]) -> [String] {
        let usual = FieldNames.of(
            properties.map(\.name), identityIsTaken: kind != .embedded && primaryKey != TableSchema.identityField,
            escapingDollar: false)
        return zip(properties, usual).map { given[$0.name] ?? $1 }
    }
}
