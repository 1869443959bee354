internal import RealmLayout
internal import RealmReader

/// What must hold of the values of a column, on its leaves as they are in the file.
struct ColumnTest: Sendable {
    /// Whether null belongs to the result.
    let null: Bool
    let kind: Kind

    enum Kind: Sendable {
        /// The same for all values that are not null.
        case anyValue(Bool)
        /// Of integers and truth values, as they are in leaves: of a column that is never null all elements.
        case integers(ValueRanges<Int64>)
        /// Of floats and doubles, by `FloatKey`; what is no number is looked at by itself.
        case floating(ValueRanges<Int64>, BoundTest)
        /// Of times, by `TimeKey`.
        case times(ValueRanges<Int128>)
        /// Of ObjectIds and UUIDs, as numbers of so many bytes.
        case ids(ValueRanges<UInt128>, width: Int)
        case text(TextTest)
        /// Words of strings.
        case words(SearchWords)
        /// Of decimals, one after the other.
        case decimals(BoundTest)
    }

    /// A test of words.
    init(_ words: SearchWords) {
        null = words.onlyExcludes
        kind = .words(words)
    }

    /// The candidates for which it holds.
    ///
    /// - Parameter rows: which elements of the leaf are the rows of the block.
    /// - Throws: what reading a candidate's value throws.
    func rows(
        of leaf: ColumnLeaf, _ rows: Range<Int>, among candidates: RowMask, in space: NodeSpace
    ) throws(FormatError) -> RowMask {
        let (start, count) = (rows.lowerBound, rows.count)
        switch kind {
        case .anyValue(let holds): return try anyValue(holds, leaf, start, count, candidates, in: space)
        case .integers(let ranges): return integers(ranges, leaf, start, count, candidates)
        case .floating(let ranges, let test): return floating(ranges, test, leaf, start, candidates)
        case .times(let ranges):
            return try RowMask(among: candidates) { row throws(FormatError) in
                guard let time = try leaf.timestamp(at: start &+ row) else { return null }
                return ranges.contains(TimeKey.of(time))
            }
        case .ids(let ranges, let width):
            return RowMask(among: candidates) { row in
                leaf.fixedBytes(at: start &+ row, width: width).map { ranges.contains(IdentifierKey.of($0)) } ?? null
            }
        case .text(let test):
            return try RowMask(among: candidates) { row throws(FormatError) in
                guard let text = try leaf.string(at: start &+ row, in: space) else { return null }
                return test.holds(text)
            }
        case .words(let words):
            return try RowMask(among: candidates) { row throws(FormatError) in
                guard let text = try leaf.string(at: start &+ row, in: space) else { return null }
                return words.hold(in: text)
            }
        case .decimals(let test):
            return RowMask(among: candidates) { row in
                leaf.decimal(at: start &+ row).map { test.holds(.decimal128($0)) } ?? null
            }
        }
    }

    private func integers(
        _ ranges: ValueRanges<Int64>, _ leaf: ColumnLeaf, _ start: Int, _ count: Int, _ candidates: RowMask
    ) -> RowMask {
        let isNullable = leaf.encoding == .nullableIntegers
        let numbers = leaf.numbers
        // In front of nullable integers is what stands for null.
        let start = isNullable ? start &+ 1 : start
        var found = RowMask.none
        if ranges.ranges.count <= Self.mostRanges {
            for range in ranges.ranges {
                found = found.union(
                    RowMask(among: candidates, count: count) {
                        numbers.bits(in: range, unchecked: start &+ $0, count: $1)
                    })
            }
        } else {
            found = RowMask(among: candidates) { ranges.contains(numbers[unchecked: start &+ $0]) }
        }
        guard isNullable else { return found }
        let sentinel = leaf.sentinel
        let nulls = RowMask(among: candidates, count: count) {
            numbers.bits(in: sentinel...sentinel, unchecked: start &+ $0, count: $1)
        }
        return null ? found.union(nulls) : found.subtracting(nulls)
    }

    /// With more ranges each element is looked up in them.
    private static let mostRanges = 4

    private func floating(
        _ ranges: ValueRanges<Int64>, _ test: BoundTest, _ leaf: ColumnLeaf, _ start: Int, _ candidates: RowMask
    ) -> RowMask {
        if leaf.encoding == .floats {
            return RowMask(among: candidates) { row in
                guard let bits = leaf.floatBits(at: start &+ row) else { return null }
                let number = Float(bitPattern: bits)
                return number.isNaN ? test.holds(.float(number)) : ranges.contains(FloatKey.of(number))
            }
        }
        return RowMask(among: candidates) { row in
            guard let bits = leaf.doubleBits(at: start &+ row) else { return null }
            let number = Double(bitPattern: bits)
            return number.isNaN ? test.holds(.double(number)) : ranges.contains(FloatKey.of(number))
        }
    }

    private func anyValue(
        _ holds: Bool, _ leaf: ColumnLeaf, _ start: Int, _ count: Int, _ candidates: RowMask, in space: NodeSpace
    ) throws(FormatError) -> RowMask {
        if holds == null { return holds ? candidates : .none }
        let nulls = try RowMask(among: candidates) { row throws(FormatError) in
            let row = start &+ row
            return switch leaf.encoding {
            case .nullableIntegers: leaf.nullableInt(at: row) == nil
            case .bools: leaf.bool(at: row) == nil
            case .floats: leaf.floatBits(at: row) == nil
            case .doubles: leaf.doubleBits(at: row) == nil
            case .timestamps: leaf.isNullTimestamp(at: row)
            case .decimals128, .decimals64, .decimals32, .nullDecimals, .zeroDecimals: leaf.decimal(at: row) == nil
            case .objectIds: leaf.fixedBytes(at: row, width: 12) == nil
            case .uuids: leaf.fixedBytes(at: row, width: 16) == nil
            case .shortStrings, .mediumStrings, .bigStrings: try leaf.string(at: row, in: space) == nil
            case .integers, .mediumBinaries, .bigBinaries, .links, .mixed, .collections, .backlinks: false
            }
        }
        return null ? nulls : candidates.subtracting(nulls)
    }
}

/// A comparison of one value with constants, as the naive evaluator makes it.
struct BoundTest: Sendable {
    private let comparison: BoundComparison
    private let constants: QueryEvaluator.Operand
    private let isConstantLeft: Bool

    /// - Returns: nil unless one side is constant.
    init?(_ comparison: BoundComparison) {
        switch (comparison.left, comparison.right) {
        case (.path, .constants(let values, let isList, _)):
            (constants, isConstantLeft) = (QueryEvaluator.Operand(values: values, isList: isList), false)
        case (.constants(let values, let isList, _), .path):
            (constants, isConstantLeft) = (QueryEvaluator.Operand(values: values, isList: isList), true)
        default: return nil
        }
        self.comparison = comparison
    }

    func holds(_ value: Value) -> Bool {
        let operand = QueryEvaluator.Operand(values: [value], isList: false)
        return isConstantLeft
            ? Comparison(comparison).holds(constants, operand) : Comparison(comparison).holds(operand, constants)
    }
}
