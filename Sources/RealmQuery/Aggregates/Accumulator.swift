internal import RealmCore
internal import RealmLayout

/// Adds up values of one type, by the rules of `Arithmetic.aggregate`.
struct Accumulator {
    private let type: StoredPropertyType
    private var count = 0
    private var integers: Int64 = 0
    /// Net number of overflows of the integer sum: upwards minus downwards.
    private var carry: Int64 = 0
    private var doubles: Double = 0
    /// The lowest and the highest value, as numbers of a `SortKeyColumn`.
    private var least: (high: UInt64, low: UInt64) = (.max, .max)
    private var greatest: (high: UInt64, low: UInt64) = (0, 0)
    /// Values of types without such numbers: decimals and mixed values.
    private var values: [Value] = []

    init(_ type: StoredPropertyType) { self.type = type }

    /// Whether values of a type are read as numbers.
    static func takesNumbers(_ type: StoredPropertyType) -> Bool { type != .decimal128 && type != .mixed }

    /// Adds a value of a column; its type must be one that is read as numbers.
    @inline(__always)
    mutating func add(_ row: Int, of column: SortKeyColumn) {
        guard column.kinds[row] == .value else { return }
        let number = column.high[row]
        switch type {
        case .int: add(SortKeyNumber.integer(number))
        case .timestamp: add(number, column.low[row])
        default: add(SortKeyNumber.double(number))
        }
    }

    @inline(__always)
    mutating func add(_ number: Int64) {
        count &+= 1
        addToSum(number)
        doubles += Double(number)
        let rank = SortKeyNumber.of(number)
        least.high = min(least.high, rank)
        greatest.high = max(greatest.high, rank)
    }

    @inline(__always)
    private mutating func addToSum(_ number: Int64) {
        let (sum, isBeyond) = integers.addingReportingOverflow(number)
        integers = sum
        if isBeyond { carry &+= number < 0 ? -1 : 1 }
    }

    /// - Parameter number: must not be NaN.
    @inline(__always)
    mutating func add(_ number: Double) {
        count &+= 1
        doubles += number
        let rank = SortKeyNumber.of(number)
        least.high = min(least.high, rank)
        greatest.high = max(greatest.high, rank)
    }

    private mutating func add(_ high: UInt64, _ low: UInt64) {
        count &+= 1
        if (high, low) < least { least = (high, low) }
        if (high, low) > greatest { greatest = (high, low) }
    }

    /// Adds a value that was not read as a number.
    mutating func add(_ value: Value) {
        switch value {
        case _ where !Self.takesNumbers(type): values.append(value)
        case .int(let number): add(number)
        case .float(let number): if !number.isNaN { add(Double(number)) }
        case .double(let number): if !number.isNaN { add(number) }
        case .timestamp(let time): add(SortKeyNumber.of(time.seconds), SortKeyNumber.of(Int64(time.nanoseconds)))
        default: break
        }
    }

    /// Adds a batch of integers.
    ///
    /// - Parameter sum: must not have overflowed.
    mutating func add(count: Int, sum: Int64, least: Int64, greatest: Int64) {
        guard count > 0 else { return }
        self.count += count
        addToSum(sum)
        doubles += Double(sum)
        self.least.high = min(self.least.high, SortKeyNumber.of(least))
        self.greatest.high = max(self.greatest.high, SortKeyNumber.of(greatest))
    }

    /// Adds a batch of doubles.
    mutating func add(count: Int, sum: Double, least: Double, greatest: Double) {
        guard count > 0 else { return }
        self.count += count
        doubles = sum
        self.least.high = min(self.least.high, SortKeyNumber.of(least))
        self.greatest.high = max(self.greatest.high, SortKeyNumber.of(greatest))
    }

    /// The sum of doubles so far, which a batch of doubles continues.
    var doubleSum: Double { doubles }

    var summary: ValueSummary {
        guard Self.takesNumbers(type) else {
            func result(_ aggregate: QueryAggregate) -> Value { Arithmetic.aggregate(aggregate, values, of: type) }
            return ValueSummary(
                count: Arithmetic.countOfNumbers(values, type), sum: result(.sum), average: result(.average),
                min: result(.minimum), max: result(.maximum))
        }
        let isEmpty = count == 0
        let average: Value = isEmpty || type == .timestamp ? .null : .double(doubles / Double(count))
        let sum: Value = type == .int ? .int(integers) : type == .timestamp ? .null : .double(doubles)
        return ValueSummary(
            count: count, sum: sum, average: average, min: isEmpty ? .null : value(least),
            max: isEmpty ? .null : value(greatest), hasWrapped: carry != 0)
    }

    private func value(_ number: (high: UInt64, low: UInt64)) -> Value {
        switch type {
        case .int: .int(SortKeyNumber.integer(number.high))
        case .float: .float(Float(SortKeyNumber.double(number.high)))
        case .timestamp:
            Timestamp(seconds: SortKeyNumber.integer(number.high), nanoseconds: SortKeyNumber.integer(number.low))
                .map { .timestamp($0) } ?? .null
        default: .double(SortKeyNumber.double(number.high))
        }
    }
}
