internal import RealmLayout

/// The table `pk` of files of formats 2 to 9, in which the SDKs stored the primary key property of each class.
struct PrimaryKeyTable {
    static let name = "pk"

    /// A property by name, or, in files of early Java SDKs, by column number.
    private enum Property {
        case name(String)
        case column(Int64)
    }

    /// Properties by the full name of the table.
    private var properties: [String: Property] = [:]

    /// Reads all rows.
    ///
    /// - Throws: errors from reading clusters and leaves.
    init(_ table: TableDescription, in space: NodeSpace) throws(FormatError) {
        guard let classes = table.column("pk_table"), let names = table.column("pk_property") else { return }
        var budget = WorkBudget(for: space)
        var cursor = ClusterCursor(table.objects)
        while let cluster = try cursor.next() {
            let classLeaf = try cluster.leaf(of: classes, in: space)
            let nameLeaf = try cluster.leaf(of: names, in: space)
            for row in 0..<cluster.count {
                guard let name = try text(classLeaf, row, in: space, &budget) else { continue }
                // The first entry of a class takes precedence.
                if properties[name] == nil { properties[name] = try property(nameLeaf, row, in: space, &budget) }
            }
        }
    }

    private func text(
        _ leaf: ColumnLeaf, _ row: Int, in space: NodeSpace, _ budget: inout WorkBudget
    ) throws(FormatError) -> String? {
        guard [.shortStrings, .mediumStrings, .bigStrings].contains(leaf.encoding) else { return nil }
        let bytes = try leaf.string(at: row, in: space)
        try budget.spend(bytes: bytes?.count ?? 0, at: leaf.ref)
        return bytes?.repairedString
    }

    private func property(
        _ leaf: ColumnLeaf, _ row: Int, in space: NodeSpace, _ budget: inout WorkBudget
    ) throws(FormatError) -> Property? {
        if leaf.encoding == .integers { return .column(leaf.int(at: row)) }
        return try text(leaf, row, in: space, &budget).map { .name($0) }
    }

    /// Returns the table with its primary key. Entries for classes and properties that no longer exist are ignored.
    ///
    /// Class names lack the prefix `class_`, except in files of early Java SDKs.
    func complete(_ table: TableLayout) -> TableLayout {
        guard table.primaryKey == nil, TableName.isClass(table.name),
            let property = properties[TableName.className(of: table.name)]
                ?? properties[table.name]
        else { return table }
        let column: ColumnLayout? =
            switch property {
            case .name(let name): table.columns.first { $0.name == name && $0.type != .backLink }
            case .column(let number): table.columns.first { $0.index.number == number && $0.type != .backLink }
            }
        guard let column else { return table }
        var table = table
        table.primaryKey = column.key
        return table
    }
}

extension TableDescription {
    /// The column with that name.
    fileprivate func column(_ name: String) -> Column? {
        schema.properties.propertyIndex { $0.name == name && $0.collection == nil }.map { columns[$0] }
    }
}
