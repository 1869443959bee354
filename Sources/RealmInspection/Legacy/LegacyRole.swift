internal import RealmReader
internal import RealmLayout

/// What a node of formats 2 to 9 is for (Spec 100, 110).
///
/// Found from the nodes themselves, not by way of what the reader makes of such a file: that presents it in today's form.
indirect enum LegacyRole: Sendable {
    /// The list of tables.
    case tables
    /// The top of a table, or of a table in an old Mixed.
    case tableTop
    /// The top of a table at which an upgrade was interrupted: today's slots, and columns.
    case upgradingTop
    /// The spec of a table or subtable; with the table's top where an upgrade has begun.
    case spec(upgradedTop: Ref?)
    /// What links and subtables lead to.
    case subspecs([LegacySubspec])
    /// The roots of the key lists of enumerated columns; these columns.
    case keyLists([LegacySpec.Column])
    /// The roots of columns and search indexes.
    case columns(LegacyColumnPlaces)
    /// A node of a column's B+tree, whose first element is of that row.
    case column(LegacyColumn, firstRow: Int)
    /// The seconds and nanoseconds of timestamps.
    case timestamps
    /// The trees of an old Mixed column.
    case mixed
    /// A node of the tree of the types of an old Mixed column.
    case mixedTypes
    /// A node of the tree of an old Mixed column's data; the root of the tree of types.
    case mixedData(types: Ref?, firstRow: Int)
    /// A node of a search index.
    case searchIndex
}

/// A column with what is needed to show its leaves.
struct LegacyColumn: Sendable {
    let column: LegacySpec.Column
    /// The key list, when it is a single leaf.
    let keys: ColumnLeaf?
    /// The table that links lead to: its position in `Snapshot.cores`.
    let target: TablePosition?

    init(_ column: LegacySpec.Column, in snapshot: Snapshot) {
        self.column = column
        target = column.table.flatMap { snapshot.position(of: TableKey(UInt32(truncatingIfNeeded: $0))) }
        keys = column.distinct.flatMap { ref in
            try? ColumnLeaf(at: ref, as: .legacyString(nullable: column.isNullable), in: snapshot.fileSpace)
        }
    }
}

extension LegacySpec.Column {
    /// How the leaves of the column are encoded; nil for types whose root is no part of a B+tree.
    var leafType: LeafType? {
        switch type {
        case .int, .oldDateTime: .int(nullable: isNullable)
        case .bool: isNullable ? .int(nullable: true) : .bool
        // Enumerated columns hold numbers of keys, behind which `ColumnLeaf` finds the strings.
        case .string, .enumeratedString: .legacyString(nullable: isNullable)
        case .binary: .legacyBinary(nullable: isNullable)
        case .float: .float
        case .double: .double
        case .link: .link(biased: true)
        case .linkList, .subtable: .collections
        case .backLink: .backlinks
        case .timestamp, .mixed: nil
        }
    }
}

extension Snapshot {
    /// The nodes that are in the file.
    var fileSpace: NodeSpace { space.withoutOverlay }

    /// The name of a table by its number, also of tables that are not shown.
    func legacyTableName(_ number: Int) -> String {
        do throws(FormatError) {
            guard let names = try group?.tableSlots().names, number >= 0, number < names.count else {
                return "table \(number)"
            }
            return (try names.string(at: number, in: fileSpace) ?? .empty).repairedString
        } catch {
            return "table \(number)"
        }
    }

    /// The spec at `ref`; nil when it cannot be understood.
    ///
    /// - Parameter top: the table's top, where an upgrade has begun.
    func legacySpec(at ref: Ref?, upgradedTop top: Ref?) -> LegacySpec? {
        guard let ref else { return nil }
        do throws(FormatError) {
            var record: Record<TableTopSlot>?
            if let top { record = try Record(at: top, in: fileSpace) }
            var budget = WorkBudget(for: fileSpace)
            return try LegacySpec(at: ref, depth: 1, upgradedTop: record, in: fileSpace, &budget)
        } catch {
            return nil
        }
    }

    /// Where backlinks come from: "class_Person.dogs".
    func legacyOrigin(of column: LegacySpec.Column) -> String {
        guard let table = column.table, let number = column.originColumn else { return "unknown links" }
        let property = position(of: TableKey(UInt32(truncatingIfNeeded: table)))
            .flatMap { cores[$0].propertyName(at: ColumnIndex(number)) }
        return "\(legacyTableName(table)).\(property ?? "column \(number)")"
    }
}

extension TableDescription {
    /// The name of the property with that index in clusters, of a table whose columns ascend by index.
    fileprivate func propertyName(at index: ColumnIndex) -> String? {
        let found = columns.partitioningIndex { $0.index >= index }
        return found < columns.endIndex && columns[found].index == index ? schema.properties[found].name : nil
    }
}

extension Node {
    /// The ref in element `index`; nil when it holds none, or the node is damaged.
    func refIfAny(at index: Int) -> Ref? {
        do throws(FormatError) { return try child(at: index) } catch { return nil }
    }
}

extension LegacyColumnPlaces {
    /// What a column is called.
    func name(of column: LegacySpec.Column, in snapshot: Snapshot) -> String {
        column.type == .backLink ? "backlinks from \(snapshot.legacyOrigin(of: column))" : column.name
    }
}
