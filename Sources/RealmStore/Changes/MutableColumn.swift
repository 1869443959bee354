internal import RealmCore
internal import RealmLayout

/// The values of a column in one cluster, loaded from their leaf in order to be changed.
final class MutableColumn {
    let type: LeafType
    /// The stored elements, for types that leaves hold as numbers; empty for other types.
    private(set) var numbers: [Int64] = []
    /// The values of other types.
    private(set) var values: [MixedValue] = []
    /// For a leaf whose long values have nodes of their own: these nodes, which stay unless the value changes, or 0.
    private var kept: [Int64] = []
    /// Whether a value was set after loading.
    private(set) var isChanged = false

    init(_ type: LeafType) { self.type = type }

    /// Loads the values from a leaf.
    ///
    /// - Throws: errors of reading values.
    init(_ leaf: ColumnLeaf, _ type: LeafType, in space: NodeSpace) throws(FormatError) {
        self.type = type
        switch (leaf.encoding, isNumeric) {
        case (.integers, true), (.bools, _), (.links, _), (.collections, _), (.backlinks, _):
            numbers = leaf.rawElements
            return
        // These loops avoid properties of a class, because each access to them is checked at run time.
        case (.floats, _): numbers = (0..<leaf.count).map { Int64(leaf.floatBits(at: $0) ?? NullPattern.float) }
        case (.doubles, _):
            numbers = (0..<leaf.count).map { Int64(bitPattern: leaf.doubleBits(at: $0) ?? NullPattern.double) }
        default: values.reserveCapacity(leaf.count)
        }
        guard !isNumeric else { return }
        for row in 0..<leaf.count {
            switch leaf.encoding {
            case .mixed: values.append(try leaf.mixed(at: row, in: space))
            default: try append(leaf.scalar(at: row, in: space), of: leaf, row)
            }
        }
    }

    private func append(_ value: ScalarValue, of leaf: ColumnLeaf, _ row: Int) throws(FormatError) {
        var ref: Int64 = 0
        switch value {
        case .parts:
            ref = leaf.rawElement(at: row)
            values.append(.binary(.empty))
        case .value(let value):
            values.append(value)
            switch (leaf.encoding, value) {
            // Nodes of distinct strings are released with their list.
            case (.bigStrings, .string(let view))
            where view.count > BytesForm.longestMediumString && !leaf.isEnumerated:
                ref = leaf.rawElement(at: row)
            case (.bigBinaries, .binary(let view)) where view.count > BytesForm.longestMediumBinary:
                ref = leaf.rawElement(at: row)
            default: break
            }
        }
        guard ref != 0 || !kept.isEmpty else { return }
        kept += [Int64](repeating: 0, count: values.count - 1 - kept.count) + [ref]
    }

    /// Whether leaves hold the values as numbers.
    var isNumeric: Bool { Self.isNumeric(type) }

    private static func isNumeric(_ type: LeafType) -> Bool {
        switch type {
        case .int(nullable: false), .bool, .float, .double, .link, .collections, .backlinks: true
        default: false
        }
    }

    /// The nodes of long values that are still used by some rows.
    func keptNodes(_ rows: [Int]) -> [Int64] {
        kept.isEmpty ? [] : rows.compactMap { $0 < kept.count && kept[$0] != 0 ? kept[$0] : nil }
    }

    /// The same for all rows.
    var keptNodes: [Int64] { kept.filter { $0 != 0 } }

    /// Removes all rows except for some.
    func keep(_ rows: [Int]) {
        isChanged = true
        if isNumeric { numbers = rows.map { numbers[$0] } } else { values = rows.map { values[$0] } }
        if !kept.isEmpty { kept = rows.map { $0 < kept.count ? kept[$0] : 0 } }
    }

    /// The value in a row. The type must not be a link, collection or backlink.
    func value(at row: Int) -> MixedValue {
        guard isNumeric else { return values[row] }
        let number = numbers[row]
        return switch type {
        case .bool: NullPattern.bool(number).map { .bool($0) } ?? .null
        case .float: NullPattern.float(UInt32(truncatingIfNeeded: number)).map { .float(bits: $0) } ?? .null
        case .double: NullPattern.double(UInt64(bitPattern: number)).map { .double(bits: $0) } ?? .null
        default: .int(number)
        }
    }

    /// Sets or appends a value.
    func set(_ row: Int, _ value: MixedValue) {
        if isNumeric { return set(row, number: number(of: value)) }
        isChanged = true
        if row == values.count { values.append(value) } else { values[row] = value }
        if row < kept.count { kept[row] = 0 }
    }

    /// Sets or appends a stored number.
    func set(_ row: Int, number: Int64) {
        isChanged = true
        if row == numbers.count { numbers.append(number) } else { numbers[row] = number }
    }

    /// Adds numbers to a column of numbers, or removes some.
    func changeNumbers<R>(_ body: (inout [Int64]) -> R) -> R {
        let before = numbers.count
        defer { if numbers.count != before { isChanged = true } }
        return body(&numbers)
    }

    private func number(of value: MixedValue) -> Int64 {
        switch value {
        case .int(let number): number
        case .bool(let value): NullPattern.element(value)
        case .float(let bits): Int64(bits)
        case .double(let bits): Int64(bitPattern: bits)
        case .null where type == .bool: NullPattern.element(nil)
        case .null where type == .float: Int64(NullPattern.float)
        case .null where type == .double: Int64(bitPattern: NullPattern.double)
        default: 0
        }
    }

    /// The key of the linked object.
    func link(at row: Int) -> ObjectKey { ObjectKey(linkElement: numbers[row], isBiased: true) }

    /// Sets a link; `.null` for none.
    func set(_ row: Int, link key: ObjectKey) { set(row, number: key.linkElement(isBiased: true)) }

    /// Removes a row.
    func remove(_ row: Int) {
        isChanged = true
        if isNumeric { numbers.remove(at: row) } else { values.remove(at: row) }
        if row < kept.count { kept.remove(at: row) }
    }

    /// Inserts a placeholder for a row, whose value is set next.
    func insert(at row: Int) {
        isChanged = true
        if isNumeric { numbers.insert(0, at: row) } else { values.insert(.null, at: row) }
        if row < kept.count { kept.insert(0, at: row) }
    }

    /// Marks the values for rewriting, whether they change or not.
    func touch() { isChanged = true }

    /// Whether a value is a collection.
    var holdsCollections: Bool {
        values.contains {
            switch $0 {
            case .list, .dictionary: true
            default: false
            }
        }
    }

    /// Removes the rows from `row` on.
    ///
    /// - Returns: their values.
    func split(at row: Int) -> MutableColumn {
        let rest = MutableColumn(type)
        if isNumeric {
            rest.numbers = Array(numbers[row...])
            numbers.removeSubrange(row...)
        } else {
            rest.values = Array(values[row...])
            values.removeSubrange(row...)
        }
        if row < kept.count {
            rest.kept = Array(kept[row...])
            kept.removeSubrange(row...)
        }
        isChanged = true
        rest.isChanged = true
        return rest
    }

    /// Appends the rows of another column.
    func append(_ other: MutableColumn) {
        let count = isNumeric ? numbers.count : values.count
        if !other.kept.isEmpty { kept += [Int64](repeating: 0, count: count - kept.count) + other.kept }
        numbers += other.numbers
        values += other.values
        isChanged = true
    }

    /// Writes the values of some rows.
    ///
    /// - Parameters:
    ///   - firstCollectionKey: the key of a collection in the first row; it increases by one for each row.
    ///   - flags: further flags of a leaf that is the root of links.
    /// - Returns: the leaf.
    func write(
        _ rows: Range<Int>, to leaf: LeafBuilder, firstCollectionKey: Int64 = 1, flags: UInt8 = 0
    ) throws(WriteError) -> Ref {
        try append(rows, to: leaf, firstCollectionKey: firstCollectionKey)
        return try leaf.write(flags: flags)
    }

    /// Appends the values of some rows to a leaf.
    func append(
        _ rows: some Sequence<Int>, to leaf: LeafBuilder, firstCollectionKey: Int64 = 1
    ) throws(WriteError) {
        if isNumeric {
            for row in rows { leaf.append(number: numbers[row]) }
            return
        }
        for (index, row) in rows.enumerated() {
            if row < kept.count, kept[row] != 0 {
                let size =
                    if case .string(let view) = values[row] { view.count } else { BytesForm.longestMediumBinary + 1 }
                leaf.append(kept: Ref(Int(kept[row])), size: size)
            } else if case .mixed = type {
                try leaf.append(values[row], collectionKey: firstCollectionKey + Int64(index))
            } else {
                try leaf.append(typed: values[row])
            }
        }
    }
}
