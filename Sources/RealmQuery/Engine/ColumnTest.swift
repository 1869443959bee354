internal import RealmCore
internal import RealmLayout

/// A test of the values of a column, applied to its leaves in place.
///
/// A class, because copying its contents takes longer than testing a block of rows.
final class ColumnTest: Sendable {
    /// Whether null matches.
    let null: Bool
    let kind: Kind
    /// Whether NaN may match.
    let holdsForNaN: Bool
    /// The cost of testing one value, in units of `WorkMeter`.
    let work: Int
    /// The matching integers if they form one range; copying `kind` would count references.
    private let range: ClosedRange<Int64>?

    enum Kind: Sendable {
        /// The same result for all non-null values.
        case anyValue(Bool)
        /// Integers and Booleans as stored in leaves; in a column without null, all elements.
        case integers(IntegerTest)
        /// Floats and doubles, by `FloatKey`; NaNs are tested individually.
        case floating(ValueRanges<Int64>, BoundTest)
        /// Points in time, by `TimeKey`.
        case times(ValueRanges<Int128>)
        /// ObjectIds and UUIDs, as big-endian numbers.
        case ids(ValueRanges<UInt128>, FixedBlocks)
        case text(TextTest)
        /// Words in strings.
        case words(SearchWords)
        /// Decimals, tested one by one.
        case decimals(BoundTest)
    }

    init(_ kind: Kind, null: Bool, holdsForNaN: Bool = false) {
        (self.kind, self.null, self.holdsForNaN, work) = (kind, null, holdsForNaN, kind.work)
        if case .integers(let test) = kind, test.ranges.ranges.count == 1 {
            range = test.ranges.ranges[0]
        } else {
            range = nil
        }
    }

    /// Creates a test for words.
    init(_ words: SearchWords) {
        null = words.onlyExcludes
        holdsForNaN = false
        kind = .words(words)
        work = kind.work
        range = nil
    }

    /// The matching candidates.
    ///
    /// - Parameter rows: the elements of the leaf that form the block.
    /// - Throws: errors of reading a candidate's value.
    func rows(
        of leaf: ColumnLeaf, _ rows: Range<Int>, among candidates: RowMask, in space: NodeSpace
    ) throws(FormatError) -> RowMask {
        let (start, count) = (rows.lowerBound, rows.count)
        switch kind {
        case .anyValue(let holds): return try anyValue(holds, leaf, start, count, candidates, in: space)
        case .integers(let test): return integers(test, leaf, start, count, candidates)
        case .floating(let ranges, let test): return floating(ranges, test, leaf, start, count, candidates)
        case .times(let ranges):
            if let found = seconds(ranges, leaf, start, count, candidates) { return found }
            return try RowMask(among: candidates) { row throws(FormatError) in
                guard let time = try leaf.timestamp(at: start &+ row) else { return null }
                return ranges.contains(TimeKey.of(time))
            }
        case .ids(let ranges, let blocks):
            return RowMask(among: candidates) { row in
                leaf.fixedBytes(at: start &+ row, blocks).map { ranges.contains(IdentifierKey.of($0)) } ?? null
            }
        case .text(let test):
            if let found = test.quickRows(of: leaf, start, count, among: candidates, null: null) { return found }
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

    /// The number of matching elements of a leaf.
    ///
    /// - Throws: errors of reading a value.
    func count(of leaf: ColumnLeaf, in space: NodeSpace) throws(FormatError) -> Int {
        if let range, leaf.encoding != .nullableIntegers {
            return leaf.numbers.count(in: range, unchecked: 0, count: leaf.count)
        }
        var (count, first) = (0, 0)
        while first < leaf.count {
            let length = min(RowMask.most, leaf.count &- first)
            let all = RowMask(first: length)
            count &+= try rows(of: leaf, first..<(first &+ length), among: all, in: space).count
            first &+= length
        }
        return count
    }

    private func integers(
        _ test: IntegerTest, _ leaf: ColumnLeaf, _ start: Int, _ count: Int, _ candidates: RowMask
    ) -> RowMask {
        let isNullable = leaf.encoding == .nullableIntegers
        let numbers = leaf.numbers
        // Leaves of nullable integers begin with the sentinel for null.
        let start = isNullable ? start &+ 1 : start
        let found = test.rows(of: numbers, start, count, among: candidates)
        guard isNullable else { return found }
        let sentinel = leaf.sentinel
        let nulls = RowMask(words: numbers.rows(in: sentinel...sentinel, unchecked: start, count: count))
            .intersection(candidates)
        return null ? found.union(nulls) : found.subtracting(nulls)
    }

    /// Tests the seconds of times without nanoseconds as plain integers; nil for other leaves.
    private func seconds(
        _ ranges: ValueRanges<Int128>, _ leaf: ColumnLeaf, _ start: Int, _ count: Int, _ candidates: RowMask
    ) -> RowMask? {
        guard leaf.encoding == .timestamps, leaf.secondNumbers.width == 0 else { return nil }
        let numbers = leaf.numbers
        var found = RowMask.none
        for range in ranges.ranges {
            // The first and the last whole second within the range.
            let first = (max(range.lowerBound, Int128(Int64.min) << 32) + ((1 << 32) - 1)) >> 32
            let last = min(range.upperBound, Int128(Int64.max) << 32) >> 32
            guard first <= last else { continue }
            let seconds = Int64(truncatingIfNeeded: first)...Int64(truncatingIfNeeded: last)
            found = found.union(RowMask(words: numbers.rows(in: seconds, unchecked: start &+ 1, count: count)))
        }
        let sentinel = leaf.sentinel
        let nulls = RowMask(words: numbers.rows(in: sentinel...sentinel, unchecked: start &+ 1, count: count))
        return (null ? found.union(nulls) : found.subtracting(nulls)).intersection(candidates)
    }

    private func floating(
        _ ranges: ValueRanges<Int64>, _ test: BoundTest, _ leaf: ColumnLeaf, _ start: Int, _ count: Int,
        _ candidates: RowMask
    ) -> RowMask {
        // NaN, which also encodes null, is in no range.
        if leaf.encoding == .doubles, !null, !holdsForNaN, ranges.ranges.count == 1 {
            let (low, high) = (
                FloatKey.double(ranges.ranges[0].lowerBound), FloatKey.double(ranges.ranges[0].upperBound)
            )
            return RowMask(among: candidates, count: count) { first, count in
                var bits: UInt64 = 0
                var index = 0
                while index < count {
                    let number = leaf.plainDouble(at: start &+ first &+ index)
                    let isIn = number >= low && number <= high
                    bits |= (isIn ? 1 : 0) &<< UInt64(truncatingIfNeeded: index)
                    index &+= 1
                }
                return bits
            }
        }
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
            case .objectIds: leaf.objectIdBytes(at: row) == nil
            case .uuids: leaf.uuidBytes(at: row) == nil
            case .shortStrings, .mediumStrings, .bigStrings: try leaf.string(at: row, in: space) == nil
            case .integers, .mediumBinaries, .bigBinaries, .links, .mixed, .collections, .backlinks: false
            }
        }
        return null ? nulls : candidates.subtracting(nulls)
    }
}

extension ColumnTest.Kind {
    fileprivate var work: Int {
        switch self {
        case .anyValue, .integers, .floating, .times, .ids: 1
        case .text(let test): test.work
        case .words: QueryPlan.wordsCost
        case .decimals: 20
        }
    }
}

extension ColumnLeaf {
    /// The double at an index; NaN for null.
    @inline(__always)
    fileprivate func plainDouble(at index: Int) -> Double {
        doubleBits(at: index).map { Double(bitPattern: $0) } ?? .nan
    }
}

/// A comparison of one value with constants, evaluated by the naive evaluator.
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
