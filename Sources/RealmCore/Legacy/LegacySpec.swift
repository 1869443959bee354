package import RealmLayout

/// The type of a column of formats 2 to 9 (Spec 100).
package enum LegacyType: Int {
    case int = 0
    case bool = 1
    case string = 2
    case enumeratedString = 3
    case binary = 4
    case subtable = 5
    case mixed = 6
    case oldDateTime = 7
    case timestamp = 8
    case float = 9
    case double = 10
    case link = 12
    case linkList = 13
    case backLink = 14
}

/// The columns of a table or subtable of formats 2 to 9.
package final class LegacySpec: Sendable {
    package struct Column: Sendable {
        /// The name after an upgrade; backlinks have none.
        package var name = ""
        package var type: LegacyType
        var attributes: ColumnAttributes
        /// The number of the target table of links, or of the origin table of backlinks.
        package var table: Int?
        /// The number of the origin column of backlinks.
        package var originColumn: Int?
        /// The columns of a subtable.
        package var subspec: LegacySpec?
        /// The root of the distinct strings.
        package var distinct: Ref?
        /// The key, if an upgrade has already assigned one.
        package var key: ColumnKey?
        /// The reason why the column cannot be read.
        var problem: FormatError?

        package var isNullable: Bool { attributes.contains(.nullable) }
        var isIndexed: Bool { attributes.contains(.indexed) }

        /// The only column of a subtable that represents a list of values, a convention of the SDKs.
        var listElement: Column? {
            guard type == .subtable, let subspec, subspec.columns.count == 1 else { return nil }
            let element = subspec.columns[0]
            return [.subtable, .link, .linkList, .backLink].contains(element.type) ? nil : element
        }
    }

    package let columns: [Column]
    let ref: Ref

    /// The cost of a column in the budget. A column takes two hundred bytes of memory and three or more bytes of a
    /// file, which pays for four passes of two bytes each. The cost bounds the work for a spec shared by many columns,
    /// which is read for each of them.
    private static let bytesPerColumn = 16

    private init(columns: [Column], ref: Ref) {
        self.columns = columns
        self.ref = ref
    }

    /// Reads the spec at `ref`.
    ///
    /// - Parameters:
    ///   - depth: the number of enclosing tables.
    ///   - top: the table's top node, if an upgrade has begun and moved information there from the spec.
    /// - Throws: `badSpec` for a spec that cannot be interpreted at all, `tooDeep`, `sharedNodes`, and errors from
    ///   opening nodes. An error in one column is stored in `problem`.
    package convenience init(
        at ref: Ref, depth: Int, upgradedTop top: Record<TableTopSlot>? = nil, in space: NodeSpace,
        _ budget: inout WorkBudget
    ) throws(FormatError) {
        try Nesting.tables.check(level: depth, at: ref)
        let spec = try Record<LegacySpecSlot>(at: ref, in: space)
        let types = try spec.integers(.types, in: space)
        let attributes = try spec.integers(.attributes, in: space)
        let names = try TableLayout.nameLeaf(spec.ref(.names), in: space)
        guard types.count == attributes.count, names.count <= types.count, types.count <= Limits.columns else {
            throw FormatError(
                .badSpec, at: ref.offset,
                "\(types.count) types, \(attributes.count) attributes, \(names.count) names")
        }
        try budget.spend(spec.node, elements: types.count)
        try budget.spend(bytes: types.count * Self.bytesPerColumn, at: ref)
        var details = try LegacyColumnDetails(spec, top, in: space)
        var columns: [Column] = []
        for index in 0..<types.count {
            let number = Int(truncatingIfNeeded: types[unchecked: index])
            let attribute = ColumnAttributes(rawValue: Int(truncatingIfNeeded: attributes[unchecked: index]))
            guard let type = LegacyType(rawValue: number) else {
                var column = Column(type: .int, attributes: attribute)
                column.problem = FormatError(
                    .badSpec, at: ref.offset, "column \(index) has the unknown type \(number)")
                columns.append(column)
                continue
            }
            var column = Column(type: type, attributes: attribute)
            do throws(FormatError) {
                try details.complete(&column, index, depth: depth, in: space, &budget)
                if type != .backLink, index >= names.count {
                    throw FormatError(.badSpec, at: ref.offset, "column \(index) has no name")
                }
            } catch {
                column.problem = error
            }
            columns.append(column)
        }
        try Self.name(&columns, names, in: space)
        self.init(columns: columns, ref: ref)
    }

    /// Makes the spec of a list of values, for a column that an upgrade has already turned into one.
    convenience init(listOf element: Column, ref: Ref) { self.init(columns: [element], ref: ref) }

    /// Names the columns as an upgrade does, which makes empty and duplicate names unique.
    private static func name(
        _ columns: inout [Column], _ leaf: ColumnLeaf, in space: NodeSpace
    ) throws(FormatError) {
        var used: Set<String> = []
        for index in columns.indices {
            var name = ""
            if index < leaf.count { name = (try leaf.string(at: index, in: space) ?? .empty).repairedString }
            if name.isEmpty {
                name = "col_\(index)"
            } else if used.contains(name) {
                name += "_\(index)"
            }
            used.insert(name)
            columns[index].name = name
        }
    }
}

/// The spec's data about columns beyond type, name and attributes, read column by column.
private struct LegacyColumnDetails {
    private let spec: Record<LegacySpecSlot>
    private let subspecs: IntegerVector
    private let distincts: IntegerVector
    private let keys: IntegerVector
    private let tables: IntegerVector
    private let opposites: IntegerVector
    private var nextSubspec = 0
    private var nextDistinct = 0

    init(_ spec: Record<LegacySpecSlot>, _ top: Record<TableTopSlot>?, in space: NodeSpace) throws(FormatError) {
        self.spec = spec
        subspecs = try spec.integers(.subspecs, in: space)
        distincts = try spec.integers(.enumKeys, in: space)
        guard let top else {
            (keys, tables, opposites) = (.empty, .empty, .empty)
            return
        }
        keys = try spec.read(as: SpecSlot.self).integers(.columnKeys, in: space)
        tables = try top.integers(.oppositeTables, in: space)
        opposites = try top.integers(.oppositeColumns, in: space)
    }

    mutating func complete(
        _ column: inout LegacySpec.Column, _ index: Int, depth: Int, in space: NodeSpace, _ budget: inout WorkBudget
    ) throws(FormatError) {
        column.key = keys.element(at: index).map { ColumnKey($0) }
        switch column.type {
        case .subtable:
            guard case .ref(let ref) = try subspec() else { throw bad(index, "has no spec of its own") }
            column.subspec = try LegacySpec(at: ref, depth: depth + 1, in: space, &budget)
        case .link, .linkList:
            column.table = try opposite(index, tables)
        case .backLink:
            column.table = try opposite(index, tables)
            column.originColumn = try opposite(index, opposites)
        case .enumeratedString:
            guard case .ref(let ref) = Slot(distincts.element(at: nextDistinct) ?? 0) else {
                throw bad(index, "has no distinct strings")
            }
            column.distinct = ref
            nextDistinct += 1
        case .string where keys.count > 0:
            // An upgrade marks enumerated columns as strings, and has an entry for every named column; those come
            // first.
            if case .ref(let ref) = Slot(distincts.element(at: index) ?? 0) {
                column.distinct = ref
                column.type = .enumeratedString
            }
        default:
            break
        }
        if keys.count > 0, column.attributes.contains(.list), column.type != .linkList { makeList(&column) }
    }

    /// Turns a column that an upgrade marked as a list of values back into the subtable in which its values are still
    /// stored.
    private func makeList(_ column: inout LegacySpec.Column) {
        var element = column
        element.attributes.remove([.list, .indexed])
        column.subspec = LegacySpec(listOf: element, ref: spec.node.ref)
        column.type = .subtable
        column.attributes.remove([.list, .nullable])
    }

    /// Returns the number of a table or column: the lower bits of the key that an upgrade entered when it removed the
    /// subspecs, or an entry of the subspecs.
    private mutating func opposite(_ index: Int, _ keys: IntegerVector) throws(FormatError) -> Int {
        if subspecs.count == 0, let key = keys.element(at: index) { return Int(truncatingIfNeeded: key & 0xFFFF) }
        guard case .tagged(let number) = try subspec(), number <= UInt64(Limits.columns) else {
            throw bad(index, "has no number of a table or column")
        }
        return Int(number)
    }

    private mutating func subspec() throws(FormatError) -> Slot {
        guard let entry = subspecs.element(at: nextSubspec) else {
            throw FormatError(.badSpec, at: spec.node.ref.offset, "there are fewer subspecs than columns need")
        }
        nextSubspec += 1
        return Slot(entry)
    }

    private func bad(_ index: Int, _ problem: String) -> FormatError {
        FormatError(.badSpec, at: spec.node.ref.offset, "column \(index) \(problem)")
    }
}
