internal import RealmCore
internal import RealmLayout

private typealias Guess = ColumnTypeInference.Guess

extension TableLayout {
    /// Reads a table whose column keys are lost, and infers column types from the remaining evidence (Spec 190).
    ///
    /// - Parameter others: Tables that may have links to and from this one.
    /// - Throws: `FormatError` when the objects cannot be read either.
    init(
        guessedAt ref: Ref, slot: Int, name: String, in space: NodeSpace, others: [TableLayout],
        _ work: ColumnTypeInference.Work
    ) throws(FormatError) {
        try self.init(headOf: ref, slot: slot, name: name, in: space, nil)
        let top = try Record<TableTopSlot>(at: ref, in: space)
        let guess = ColumnTypeInference(tree: clusterTree, in: space, work)
        guard guess.columnCount > 0 else {
            throw FormatError(.badTable, at: ref.offset, "the keys of the columns are lost, and there is no object")
        }
        let spec: Record<SpecSlot>?
        do throws(FormatError) {
            spec = try Record(at: top.requiredRef(.spec), in: space)
        } catch {
            spec = nil
        }
        let known = Self.typedColumns(spec, guess, in: space)
        let links = Self.links(of: key, others)
        let tables = top.integersIfSound(.oppositeTables, in: space)
        let opposites = top.integersIfSound(.oppositeColumns, in: space)
        let indexes = top.integersIfSound(.searchIndexes, in: space)
        var found: [(key: ColumnKey, opposite: (table: TableKey, column: ColumnKey)?)] = []
        for index in (0..<guess.columnCount).map({ ColumnIndex($0) }) {
            var opposite = links[index].map { (table: $0.table, column: $0.column) }
            if opposite == nil, let table = tables.element(of: index), let column = opposites.element(of: index),
                ColumnKey(column) != .null, let table = UInt32(exactly: table), TableKey(table) != .null
            {
                opposite = (TableKey(table), ColumnKey(column))
            }
            if let key = links[index]?.key {
                found.append((key, opposite))
            } else if let type = known[index] ?? Self.type(guess, index, opposite?.column) {
                found.append((Self.key(index, type, key), opposite))
            }
        }
        let named = found.filter { $0.key.typeNumber != ColumnType.backLink.rawValue }.count
        let names = Self.names(spec, count: named, space)
        var next = 0
        columns = found.compactMap { key, opposite in
            guard let type = ColumnType(rawValue: key.typeNumber) else { return nil }
            var name: String?
            if type != .backLink {
                name = next < names.count ? names[next] : ColumnLayout.substitute(key.index)
                next += 1
            }
            var record = ColumnRecord(key: key, type: type)
            record.dictionaryKeyNumber = Int64(DictionaryKeyType.string.rawValue)
            record.isIndexed = indexes.element(of: key.index) ?? 0 != 0
            if let opposite { (record.oppositeTable, record.oppositeColumn) = opposite }
            return ColumnLayout(name: name, record)
        }
        if let primaryKey, let column = columns.first(where: { $0.index == primaryKey.index }) {
            self.primaryKey = column.key
        }
    }

    /// Returns the columns of a table that other tables list as opposites of theirs.
    private static func links(
        of table: TableKey, _ others: [TableLayout]
    ) -> [ColumnIndex: (key: ColumnKey, table: TableKey, column: ColumnKey)] {
        var result: [ColumnIndex: (key: ColumnKey, table: TableKey, column: ColumnKey)] = [:]
        for other in others {
            for column in other.columns where column.oppositeTable == table && column.oppositeColumn != .null {
                result[column.oppositeColumn.index] = (column.oppositeColumn, other.key, column.key)
            }
        }
        return result
    }

    /// Returns the types in the arrays of types and attributes, if both exist and all leaves fit.
    private static func typedColumns(
        _ spec: Record<SpecSlot>?, _ guess: ColumnTypeInference, in space: NodeSpace
    ) -> [ColumnIndex: Guess] {
        guard let spec else { return [:] }
        let types = spec.integersIfSound(.types, in: space)
        let attributes = spec.integersIfSound(.attributes, in: space)
        // After removals, positions in the description differ from those in clusters.
        guard types.count == guess.columnCount, attributes.count == types.count else { return [:] }
        var result: [ColumnIndex: Guess] = [:]
        for index in 0..<types.count {
            guard let type = ColumnType(rawValue: Int(types[unchecked: index] & 0xFFFF)) else { return [:] }
            let attributes = ColumnAttributes(rawValue: Int(truncatingIfNeeded: attributes[unchecked: index]) & 0xF0)
            let isCollection = type == .linkList || !attributes.isDisjoint(with: [.list, .set, .dictionary])
            let leaf: LeafType =
                isCollection
                ? .collections : LeafType(of: type, isNullable: attributes.contains(.nullable), in: nil)
            guard guess.fits(leaf, column: ColumnIndex(index)) else { return [:] }
            result[ColumnIndex(index)] = Guess(type: type, attributes: attributes)
        }
        return result
    }

    /// Returns the type of a column according to its opposite column, or to its leaves.
    private static func type(_ guess: ColumnTypeInference, _ index: ColumnIndex, _ opposite: ColumnKey?) -> Guess? {
        guard let opposite, let type = ColumnType(rawValue: opposite.typeNumber) else {
            return guess.type(of: index)
        }
        if type != .backLink {
            return guess.fits(.backlinks, column: index)
                ? Guess(type: .backLink, attributes: []) : nil
        }
        if guess.fits(.collections, column: index), guess.hasRefs(column: index) {
            return Guess(type: .linkList, attributes: .list)
        }
        guard guess.fits(.link(biased: true), column: index) else { return nil }
        return Guess(type: .link, attributes: .nullable)
    }

    private static func key(_ index: ColumnIndex, _ guess: Guess, _ table: TableKey) -> ColumnKey {
        ColumnKey(index: index, type: guess.type, attributes: guess.attributes, table: table)
    }

    /// Returns the column names if there are exactly `count`.
    private static func names(_ spec: Record<SpecSlot>?, count: Int, _ space: NodeSpace) -> [String] {
        guard let spec else { return [] }
        do throws(FormatError) {
            let leaf = try nameLeaf(spec.ref(.names), in: space)
            guard leaf.count == count else { return [] }
            var names: [String] = []
            for index in 0..<count {
                let name = (try leaf.string(at: index, in: space) ?? .empty).repairedString
                guard !name.isEmpty, !name.utf8.contains(0) else { return [] }
                names.append(name)
            }
            return names
        } catch {
            return []
        }
    }
}
