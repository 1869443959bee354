package import RealmLayout

/// A table as the group has it, before columns that name other tables are resolved.
///
/// Reads the table's top node, spec and column keys (Spec 60); touches no objects.
package struct TableLayout {
    package struct ColumnLayout {
        package let name: String?
        package let key: ColumnKey
        /// Where the column's leaves are in clusters.
        package let index: Int
        package let type: ColumnType
        let attributes: ColumnAttributes
        let dictionaryKeyType: DictionaryKeyType
        let isIndexed: Bool
        let isFullText: Bool
        let distinct: ColumnLeaf?
        package var oppositeTable: TableKey
        package var oppositeColumn: ColumnKey
        /// Whether leaves have the form of formats 2 to 9.
        let isLegacy: Bool

        package init(
            name: String?, key: ColumnKey, index: Int, type: ColumnType, attributes: ColumnAttributes,
            dictionaryKeyType: DictionaryKeyType, isIndexed: Bool, isFullText: Bool, distinct: ColumnLeaf?,
            oppositeTable: TableKey, oppositeColumn: ColumnKey, isLegacy: Bool
        ) {
            self.name = name
            self.key = key
            self.index = index
            self.type = type
            self.attributes = attributes
            self.dictionaryKeyType = dictionaryKeyType
            self.isIndexed = isIndexed
            self.isFullText = isFullText
            self.distinct = distinct
            self.oppositeTable = oppositeTable
            self.oppositeColumn = oppositeColumn
            self.isLegacy = isLegacy
        }
    }

    package let name: String
    package let key: TableKey
    package let kind: TableKind
    package var clusterTree: Ref
    package let tombstones: Ref?
    package var primaryKey: ColumnKey?
    package var columns: [ColumnLayout]
    package let topRef: Ref

    package init(
        name: String, key: TableKey, kind: TableKind, clusterTree: Ref, tombstones: Ref?, primaryKey: ColumnKey?,
        columns: [ColumnLayout], topRef: Ref
    ) {
        self.name = name
        self.key = key
        self.kind = kind
        self.clusterTree = clusterTree
        self.tombstones = tombstones
        self.primaryKey = primaryKey
        self.columns = columns
        self.topRef = topRef
    }
}

extension TableLayout {
    package init(
        at ref: Ref, slot: Int, name: String, in space: NodeSpace, _ budget: inout WorkBudget
    ) throws(FormatError) {
        let top = try Record<TableTopSlot>(at: ref, in: space)
        guard top.slots.has(.primaryKeyColumn) else {
            throw FormatError(.badTable, at: ref.offset, "\(top.node.summary) is not a table")
        }
        guard let rawKey = try top.number(.tableKey),
            let number = UInt32(exactly: rawKey), TableKey(number).slot == slot
        else {
            throw FormatError(.badTable, at: ref.offset, "the table in slot \(slot) does not have a key for that slot")
        }
        self.name = name
        topRef = ref
        key = TableKey(number)
        let flags = try top.number(.flags) ?? 0
        guard let kind = TableKind(rawValue: Int(flags & 3)) else {
            throw FormatError(.badTable, at: ref.offset, "unknown kind of table: \(flags & 3)")
        }
        self.kind = kind
        clusterTree = try top.requiredRef(.clusterTree)
        tombstones = try top.ref(.tombstones)
        primaryKey = try top.number(.primaryKeyColumn)
            .map { ColumnKey(Int64(bitPattern: $0)) }
        columns = try Self.columns(of: top, in: space, &budget)
    }

    private static func columns(
        of top: Record<TableTopSlot>, in space: NodeSpace, _ budget: inout WorkBudget
    ) throws(FormatError) -> [ColumnLayout] {
        let spec = try Record<SpecSlot>(at: top.requiredRef(.spec), in: space)
        let types = try spec.integers(.types, in: space)
        let names = try nameLeaf(spec.ref(.names), in: space)
        let attributes = try spec.integers(.attributes, in: space)
        let keys = try spec.integers(.columnKeys, in: space)
        guard types.count == keys.count, attributes.count == keys.count, names.count <= keys.count,
            keys.count <= Limits.columns
        else {
            throw FormatError(
                .badSpec, at: spec.node.ref.offset,
                "\(types.count) types, \(attributes.count) attributes, \(keys.count) keys, \(names.count) names")
        }
        // A column takes a byte or more in these arrays; tables do not share them.
        try budget.spend(bytes: keys.count, at: spec.node.ref)
        let distincts = try spec.integers(.enumKeys, in: space)
        let indexes = try top.integers(.searchIndexes, in: space)
        let tables = try top.integers(.oppositeTables, in: space)
        let opposites = try top.integers(.oppositeColumns, in: space)
        var columns: [ColumnLayout] = []
        for position in 0..<keys.count {
            let key = ColumnKey(keys[unchecked: position])
            guard let type = ColumnType(rawValue: key.typeNumber) else {
                throw FormatError(
                    .badSpec, at: spec.node.ref.offset, "column \(position) has the unknown type \(key.typeNumber)")
            }
            let name = try position < names.count ? names.string(at: position, in: space) ?? .empty : nil
            var distinct: ColumnLeaf?
            if let entry = distincts.element(at: position), case .ref(let ref) = Slot(entry) {
                distinct = try ColumnLeaf(distinctStringsAt: ref, in: space.lasting)
            }
            let attribute = ColumnAttributes(rawValue: Int(truncatingIfNeeded: attributes[unchecked: position]))
            columns.append(
                ColumnLayout(
                    name: name?.repairedString, key: key, index: key.index, type: type, attributes: key.attributes,
                    dictionaryKeyType: types[unchecked: position] >> 16 == 2 ? .string : .int,
                    isIndexed: indexes.element(at: key.index) ?? 0 != 0, isFullText: attribute.contains(.fullText),
                    distinct: distinct,
                    oppositeTable: TableKey(UInt32(truncatingIfNeeded: tables.element(at: key.index) ?? 0x7FFF_FFFF)),
                    oppositeColumn: ColumnKey(opposites.element(at: key.index) ?? ColumnKey.null.value),
                    isLegacy: false))
        }
        return columns
    }

    /// Opens a leaf of names: short strings, in which null means empty.
    package static func nameLeaf(_ ref: Ref?, in space: NodeSpace) throws(FormatError) -> ColumnLeaf {
        guard let ref else { throw FormatError(.badSpec, "the names are missing") }
        return try ColumnLeaf(at: ref, as: .string, in: space)
    }
}
