internal import RealmLayout
internal import RealmReader
internal import RealmWriter

/// The values of a column in one cluster, taken out of their leaf to be changed.
final class MutableColumn {
    let type: LeafType
    /// Values that a leaf holds as numbers, as they are stored; of other types none.
    private(set) var numbers: [Int64] = []
    /// Values of other types.
    private(set) var values: [MixedValue] = []
    /// Of a leaf whose long values have nodes of their own: these nodes, which stay unless the value changes, or 0.
    private var kept: [Int64] = []
    /// Whether a value was set since they were taken out.
    private(set) var isChanged = false

    init(_ type: LeafType) { self.type = type }

    /// Takes the values out of a leaf.
    ///
    /// - Throws: what reading values throws.
    init(_ leaf: ColumnLeaf, _ type: LeafType, in space: NodeSpace) throws(FormatError) {
        self.type = type
        switch (leaf.encoding, isNumeric) {
        case (.integers, true), (.bools, _), (.links, _), (.collections, _), (.backlinks, _):
            numbers = leaf.rawElements
            return
        // Each use of a property of a class is checked at run time: not in these loops.
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
            // Nodes of distinct strings go with their list.
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

    /// Whether values are numbers in leaves.
    var isNumeric: Bool { Self.isNumeric(type) }

    private static func isNumeric(_ type: LeafType) -> Bool {
        switch type {
        case .int(nullable: false), .bool, .float, .double, .link, .collections, .backlinks: true
        default: false
        }
    }

    /// The nodes of long values that are still used, of some rows.
    func keptNodes(_ rows: [Int]) -> [Int64] {
        kept.isEmpty ? [] : rows.compactMap { $0 < kept.count && kept[$0] != 0 ? kept[$0] : nil }
    }

    /// The same of all rows.
    var keptNodes: [Int64] { kept.filter { $0 != 0 } }

    /// Forgets all rows but some.
    func keep(_ rows: [Int]) {
        isChanged = true
        if isNumeric { numbers = rows.map { numbers[$0] } } else { values = rows.map { values[$0] } }
        if !kept.isEmpty { kept = rows.map { $0 < kept.count ? kept[$0] : 0 } }
    }

    /// The value at a row, of a type that is not a link, collection or backlink.
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

    /// Sets the value at a row, or appends one.
    func set(_ row: Int, _ value: MixedValue) {
        if isNumeric { return set(row, number: number(of: value)) }
        isChanged = true
        if row == values.count { values.append(value) } else { values[row] = value }
        if row < kept.count { kept[row] = 0 }
    }

    /// Sets a number as it is stored, or appends one.
    func set(_ row: Int, number: Int64) {
        isChanged = true
        if row == numbers.count { numbers.append(number) } else { numbers[row] = number }
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

    /// Makes room for a row, to be set next.
    func insert(at row: Int) {
        isChanged = true
        if isNumeric { numbers.insert(0, at: row) } else { values.insert(.null, at: row) }
        if row < kept.count { kept.insert(0, at: row) }
    }

    /// Notes that the values are to be written anew, whatever becomes of them.
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

    /// Takes the rows from one on away.
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

    /// Appends the rows of others.
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
    ///   - firstCollectionKey: the key of a collection in the first of the rows; that of each row after it is one more.
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
