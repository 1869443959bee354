internal import RealmLayout
internal import RealmReader
internal import RealmWriter

/// A property that documents bring, ready for the reading loop.
struct ImportField: BitwiseCopyable {
    /// The name in documents.
    let name: ByteView
    /// The same for those who expect it.
    let expectedName: BSONName
    /// The form of the value, or of a collection's elements.
    let form: ScalarKind
    let shape: CollectionShape
    /// The BSON type that values mostly have; 0 where there are several, and of collections.
    let usualType: UInt8
    let isNullable: Bool
    let property: PropertyIndex
    /// The table that links lead to; `none` for a property of no links.
    let target: TablePosition
}

/// A table that documents go to, ready for the reading loop.
struct ImportTable: BitwiseCopyable {
    /// The fields are `fields[firstField ..< firstField + fieldCount]` of the plan.
    let firstField: Int
    let fieldCount: Int
    /// Where the numbers of fields are by the hash of their names: a power of two of slots.
    let firstSlot: Int
    let slotMask: Int
    /// The number of the primary key among the fields; -1 for none.
    let primaryField: Int
    /// Whether the primary key is called `_id`.
    let isPrimaryKeyIdentity: Bool
    let isEmbedded: Bool
    /// Whether the sidecar has links of its objects that documents cannot say.
    let hasUnresolvedLinks: Bool
    /// Whether documents have the object key in `$realm`, and no property of that name.
    let saysKeyAtEnd: Bool
    /// The class's name.
    let name: ByteView
}

/// Everything that the reading loops need to know of a schema: plain values in fixed memory.
final class ImportPlan {
    let schema: SchemaDefinition
    /// Whether documents are of a canonical export.
    let isCanonical: Bool
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
    ///   - unresolved: the tables of which the sidecar has links that documents cannot say.
    ///   - fieldNames: the names that properties have in documents where those are not the usual ones, by table.
    init(
        _ schema: SchemaDefinition, isCanonical: Bool, unresolved: Set<TablePosition> = [],
        fieldNames: [String: [String: String]] = [:]
    ) {
        self.schema = schema
        self.isCanonical = isCanonical
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
                // Null is told by its BSON type.
                let form = ScalarKind(property.type, isNullable: false, isEmbedded: isEmbedded)
                let shape = CollectionShape(property.collection)
                fields.append(
                    ImportField(
                        name: names.add(Array(name.utf8)), expectedName: BSONName(name, in: names), form: form,
                        shape: shape,
                        usualType: shape == .value ? Self.usualType(form)?.rawValue ?? 0 : 0,
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

    /// The number of the field of that name; -1 for none. Of several the first.
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
    /// The names of properties' fields in documents: as given, else as `TableSchema.fieldName` has them.
    func fieldNames(_ given: [String: String]) -> [String] {
        let usual = FieldNames.of(
            properties.map(\.name), identityIsTaken: kind != .embedded && primaryKey != TableSchema.identityField,
            escapingDollar: false)
        return zip(properties, usual).map { given[$0.name] ?? $1 }
    }
}
