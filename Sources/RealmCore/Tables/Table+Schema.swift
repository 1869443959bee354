package import RealmLayout

/// A table as stored in the group, before columns that refer to other tables are resolved.
///
/// Reads the table's top node, spec and column keys (Spec 60), but no objects.
package struct TableLayout: Sendable {
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
        let names = try nameLeaf(spec.ref(.names), in: space)
        let arrays = try SpecArrays(spec, top, in: space)
        guard arrays.types.count == arrays.count, arrays.attributes.count == arrays.count,
            names.count <= arrays.count, arrays.count <= Limits.columns
        else {
            throw FormatError(
                .badSpec, at: spec.ref.offset,
                "\(arrays.types.count) types, \(arrays.attributes.count) attributes, \(arrays.count) keys, "
                    + "\(names.count) names")
        }
        // A column takes a byte or more in these arrays; tables do not share them.
        try budget.spend(bytes: arrays.count, at: spec.ref)
        var columns: [ColumnLayout] = []
        for position in 0..<arrays.count {
            guard let record = arrays.column(position) else {
                throw FormatError(
                    .badSpec, at: spec.ref.offset,
                    "column \(position) has the unknown type \(arrays.key(position).typeNumber)")
            }
            let name = try position < names.count ? names.string(at: position, in: space) ?? .empty : nil
            let distinct = try record.distinctStrings.ref.map { ref throws(FormatError) in
                try ColumnLeaf(distinctStringsAt: ref, in: space.lasting)
            }
            columns.append(ColumnLayout(name: name?.repairedString, record, distinct: distinct))
        }
        return columns
    }

    /// Opens a leaf of names: short strings, in which null means empty.
    package static func nameLeaf(_ ref: Ref?, in space: NodeSpace) throws(FormatError) -> ColumnLeaf {
        guard let ref else { throw FormatError(.badSpec, "the names are missing") }
        return try ColumnLeaf(at: ref, as: .string, in: space)
    }
}
