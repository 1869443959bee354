internal import RealmLayout
internal import RealmStorage

// Tables in Mixed values.
extension LegacyTables {
    /// Makes a list of dictionaries from a table with its own spec; nil when it has no rows.
    mutating func table(at ref: Ref, depth: Int) throws(FormatError) -> Ref? {
        let top = try Record<TableTopSlot>(at: ref, in: space)
        guard top.slots.count == LegacyTableTopSlot.allCases.count else {
            throw top.node.unexpected("spec and columns of a table")
        }
        try budget.spend(top.node, elements: top.slots.count)
        let spec = try LegacySpec(
            at: top.requiredRef(.spec), depth: depth, in: space, &budget)
        let columns = try top.requiredRef(.columns)
        return try rows(of: columns, spec, depth: depth)
    }

    /// Makes a list of dictionaries from the rows of a columns array.
    private mutating func rows(
        of columns: Ref, _ spec: LegacySpec, depth: Int
    ) throws(FormatError) -> Ref? {
        try Nesting.tables.check(level: depth, at: columns)
        let roots = try LegacyColumnRoots(at: columns, spec, nil, in: space)
        try budget.spend(roots.node, elements: spec.columns.count)
        var values: [[LegacyMixedValue]] = []
        for (index, column) in spec.columns.enumerated() {
            if let problem = column.problem { throw problem }
            let source = try LegacySource(column, root: roots.root(index), in: space, &budget)
            values.append(try self.values(source, depth: depth))
            guard values[index].count == values[0].count else {
                throw roots.node.wrongCount("rows of a column", values[index].count, values[0].count)
            }
        }
        let names = ByteSource(bytes: spec.columns.flatMap { Array($0.name.utf8) })
        defer { withExtendedLifetime(names) {} }
        var keys: [LegacyBytes] = []
        var start = 0
        for column in spec.columns {
            keys.append(.bytes(names.view.slice(unchecked: start, count: column.name.utf8.count)))
            start += column.name.utf8.count
        }
        var dictionaries: [LegacyMixedValue] = []
        for row in 0..<(values.first?.count ?? 0) {
            dictionaries.append(.value(.dictionary(try dictionary(keys, values.map { $0[row] }))))
        }
        return try list(of: dictionaries)
    }

    private mutating func dictionary(
        _ keys: [LegacyBytes], _ values: [LegacyMixedValue]
    ) throws(FormatError) -> Ref {
        // Columns are few in practice, but a file may have more of them than fit in a leaf.
        let keyTree = try writer.tree(of: keys.indices) { part throws(FormatError) in
            try writer.strings(Array(keys[part]), isLegacy: false)
        }
        guard let keyTree, let valueTree = try list(of: values) else {
            throw FormatError(.badSpec, "a table without columns has rows")
        }
        return try writer.refs([Int64(keyTree.offset), Int64(valueTree.offset)])
    }

    /// Writes a list of Mixed values; nil for an empty one.
    private mutating func list(of values: [LegacyMixedValue]) throws(FormatError) -> Ref? {
        try writer.tree(of: values.indices) { part throws(FormatError) in try writer.mixed(Array(values[part])) }
    }

    /// Returns all values of a column, as Mixed values.
    private mutating func values(
        _ source: LegacySource, depth: Int
    ) throws(FormatError) -> [LegacyMixedValue] {
        let rows = 0..<source.count
        let type = source.column.type
        switch type {
        case .int, .oldDateTime, .bool:
            let numbers =
                source.column.isNullable
                ? try nullableIntegers(rows, source.trees[0])
                : try integers(rows, source.trees[0]).map { Optional($0) }
            return numbers.map { .value(mixed($0, type)) }
        case .float:
            return try integers(rows, source.trees[0]).map { .value(.float(bits: UInt32(truncatingIfNeeded: $0))) }
        case .double:
            return try integers(rows, source.trees[0]).map { .value(.double(bits: UInt64(bitPattern: $0))) }
        case .string:
            return try bytes(rows, source.trees[0]).map { Self.mixed($0, .string) }
        case .enumeratedString:
            return try enumerated(rows, source).map { Self.mixed($0, .string) }
        case .binary:
            var values: [LegacyMixedValue] = []
            for value in try bytes(rows, source.trees[0]) {
                if case .node(let ref) = value {
                    values.append(.bytes(try unterminated(ref), .binary))
                } else {
                    values.append(Self.mixed(value, .binary))
                }
            }
            return values
        case .timestamp:
            let seconds = try nullableIntegers(rows, source.trees[0])
            let nanoseconds = try integers(rows, source.trees[1])
            var values: [LegacyMixedValue] = []
            for (second, nanosecond) in zip(seconds, nanoseconds) {
                values.append(.value(try Self.mixedTimestamp(second, nanosecond)))
            }
            return values
        case .mixed:
            return try mixedValues(rows, source, depth: depth)
        case .subtable:
            return try lists(rows, source, depth: depth)
        case .link, .linkList, .backLink:
            throw FormatError(.badSpec, "a table in a Mixed cannot have a column of type \(type)")
        }
    }

    private static func mixed(_ bytes: LegacyBytes, _ type: ColumnType) -> LegacyMixedValue {
        if case .null = bytes { return .value(.null) }
        return .bytes(bytes, type)
    }

    private func mixed(_ number: Int64?, _ type: LegacyType) -> MixedValue {
        guard let number else { return .null }
        switch type {
        case .bool: return .bool(number != 0)
        case .oldDateTime: return oldDate(number).map { .timestamp($0) } ?? .null
        default: return .int(number)
        }
    }

    /// Converts the subtables of a column: lists of values for a single column, lists of dictionaries for several.
    private mutating func lists(
        _ rows: Range<Int>, _ source: LegacySource, depth: Int
    ) throws(FormatError) -> [LegacyMixedValue] {
        guard let spec = source.column.subspec else { return [] }
        var lists: [LegacyMixedValue] = []
        for cell in try integers(rows, source.trees[0]) {
            guard case .ref(let ref) = Slot(cell) else {
                lists.append(.value(.list(nil)))
                continue
            }
            guard let element = source.column.listElement else {
                lists.append(.value(.list(try self.rows(of: ref, spec, depth: depth + 1))))
                continue
            }
            let roots = try LegacyColumnRoots(at: ref, spec, nil, in: space)
            try budget.spend(roots.node, elements: 1)
            let values = try LegacySource(element, root: roots.root(0), in: space, &budget)
            lists.append(.value(.list(try list(of: self.values(values, depth: depth + 1)))))
        }
        return lists
    }
}
