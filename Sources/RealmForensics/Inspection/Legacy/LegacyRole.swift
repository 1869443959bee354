internal import RealmCore
internal import RealmLayout

/// The purpose of a node of formats 2 to 9 (Spec 100, 110).
///
/// Determined from the nodes themselves, because the reader presents such files in today's form.
indirect enum LegacyRole: Sendable {
    /// The list of tables.
    case tables
    /// The top of a table, or of a table in an old Mixed.
    case tableTop
    /// The top of a table whose upgrade was interrupted: it has both today's slots and columns.
    case upgradingTop
    /// The spec of a table or subtable, with the table's top if an upgrade has begun.
    case spec(upgradedTop: Ref?)
    /// The targets of links and the specs of subtables.
    case subspecs([LegacySubspec])
    /// The roots of the key lists of these enumerated columns.
    case keyLists([LegacySpec.Column])
    /// The roots of columns and search indexes.
    case columns(LegacyColumnPlaces)
    /// A node of a column's B+tree, with the row of its first element.
    case column(LegacyColumn, firstRow: Int)
    /// The seconds and nanoseconds of timestamps.
    case timestamps
    /// The trees of an old Mixed column.
    case mixed
    /// A node of the tree of the types of an old Mixed column.
    case mixedTypes
    /// A node of the data tree of an old Mixed column, with the root of its tree of types.
    case mixedData(types: Ref?, firstRow: Int)
    /// A node of a search index.
    case searchIndex
}

/// A column with the data needed to show its leaves.
struct LegacyColumn: Sendable {
    let column: LegacySpec.Column
    /// The key list, when it is a single leaf.
    let keys: ColumnLeaf?
    /// The position in `Snapshot.cores` of the table of link targets.
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
    /// The encoding of the column's leaves; nil for types whose root is not part of a B+tree.
    var leafType: LeafType? {
        switch type {
        case .int, .oldDateTime: .int(nullable: isNullable)
        case .bool: isNullable ? .int(nullable: true) : .bool
        // Enumerated columns hold indices of keys, which `ColumnLeaf` resolves to strings.
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
    /// The nodes of the file itself, without the reader's overlay.
    var fileSpace: NodeSpace { space.withoutOverlay }

    /// Returns the name of a table by number, including tables that are not shown.
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

    /// Returns the spec at `ref`; nil when it cannot be decoded.
    ///
    /// - Parameter top: The table's top, if an upgrade has begun.
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

    /// Returns the origin of backlinks, such as "class_Person.dogs".
    func legacyOrigin(of column: LegacySpec.Column) -> String {
        guard let table = column.table, let number = column.originColumn else { return "unknown links" }
        let property = position(of: TableKey(UInt32(truncatingIfNeeded: table)))
            .flatMap { cores[$0].propertyName(at: ColumnIndex(number)) }
        return "\(legacyTableName(table)).\(property ?? "column \(number)")"
    }
}

extension TableDescription {
    /// Returns the name of the property with this index in clusters. The table's columns must be in ascending order of
    /// index.
    fileprivate func propertyName(at index: ColumnIndex) -> String? {
        let found = columns.partitioningIndex { $0.index >= index }
        return found < columns.endIndex && columns[found].index == index ? schema.properties[found].name : nil
    }
}

extension Node {
    /// Returns the ref in element `index`; nil when there is none, or the node is damaged.
    func refIfAny(at index: Int) -> Ref? {
        do throws(FormatError) { return try child(at: index) } catch { return nil }
    }
}

extension LegacyColumnPlaces {
    /// Returns the display name of a column.
    func name(of column: LegacySpec.Column, in snapshot: Snapshot) -> String {
        column.type == .backLink ? "backlinks from \(snapshot.legacyOrigin(of: column))" : column.name
    }
}
