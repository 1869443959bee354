internal import RealmCore
internal import RealmLayout

/// Aggregates values of one type: numbers and points in time as `Accumulator` does, of all others the lowest and the
/// highest.
struct ValueAccumulator {
    private var numbers: Accumulator?
    private var count = 0
    private var least = Value.null
    private var greatest = Value.null

    init(_ type: ValueType) {
        guard case .property(let type) = type, Self.isNumber(type) else { return }
        numbers = Accumulator(type)
    }

    /// Whether values of a type have a sum, or, as points in time, are read as numbers.
    private static func isNumber(_ type: StoredPropertyType) -> Bool {
        [.int, .float, .double, .decimal128, .mixed, .timestamp].contains(type)
    }

    mutating func add(_ value: Value) {
        if case .null = value { return }
        guard numbers == nil else {
            numbers?.add(value)
            return
        }
        if count == 0 || QueryOrder.compare(value, least) < 0 { least = value }
        if count == 0 || QueryOrder.compare(value, greatest) > 0 { greatest = value }
        count += 1
    }

    var summary: ValueSummary {
        numbers?.summary ?? ValueSummary(count: count, sum: .null, average: .null, min: least, max: greatest)
    }
}
