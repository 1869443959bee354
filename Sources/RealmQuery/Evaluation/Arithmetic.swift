package import RealmCore
internal import RealmLayout

/// Arithmetic on values by the rules of Realm Core: the result has the wider of the two types, integers wrap, and null
/// and non-numbers give null.
package enum Arithmetic {
    static func result(_ left: Value, _ operation: ArithmeticOperation, _ right: Value) -> Value {
        switch (left, right) {
        case (.int(let left), .int(let right)): return .int(integers(left, operation, right))
        case (.decimal128, _), (_, .decimal128):
            guard let left = decimal(left), let right = decimal(right) else { return .null }
            return .decimal128(decimals(left, operation, right))
        case (.double, _), (_, .double):
            guard let left = double(left), let right = double(right) else { return .null }
            return .double(floating(left, operation, right))
        default:
            guard let left = float(left), let right = float(right) else { return .null }
            return .float(floating(left, operation, right))
        }
    }

    /// Result for display: integers do not wrap, and a division by zero has no substitute value.
    ///
    /// - Returns: null for a division by zero; nil for an integer beyond 64 bits.
    static func shownResult(_ left: Value, _ operation: ArithmeticOperation, _ right: Value) -> Value? {
        guard case .int(let first) = left, case .int(let second) = right else { return result(left, operation, right) }
        let (number, isBeyond) =
            switch operation {
            case .plus: first.addingReportingOverflow(second)
            case .minus: first.subtractingReportingOverflow(second)
            case .times: first.multipliedReportingOverflow(by: second)
            case .divided: first.dividedReportingOverflow(by: second)
            }
        if operation == .divided, second == 0 { return .null }
        return isBeyond ? nil : .int(number)
    }

    /// Aggregate for display; nil for a sum of integers beyond 64 bits.
    static func shownAggregate(_ aggregate: QueryAggregate, _ values: [Value], of type: StoredPropertyType) -> Value? {
        guard aggregate == .sum, type == .int else { return self.aggregate(aggregate, values, of: type) }
        var sum: Int64 = 0
        var carry: Int64 = 0
        for case .int(let number) in values {
            let (next, isBeyond) = sum.addingReportingOverflow(number)
            sum = next
            if isBeyond { carry += number < 0 ? -1 : 1 }
        }
        return carry == 0 ? .int(sum) : nil
    }

    private static func integers(_ left: Int64, _ operation: ArithmeticOperation, _ right: Int64) -> Int64 {
        switch operation {
        case .plus: return left &+ right
        case .minus: return left &- right
        case .times: return left &* right
        case .divided:
            // A division by zero is no error in a query: it gives the largest or smallest integer.
            if right == 0 { return left < 0 ? .min : .max }
            return left.dividedReportingOverflow(by: right).partialValue
        }
    }

    private static func decimals(
        _ left: Decimal128Bits, _ operation: ArithmeticOperation, _ right: Decimal128Bits
    ) -> Decimal128Bits {
        switch operation {
        case .plus: left + right
        case .minus: left - right
        case .times: left * right
        case .divided: left / right
        }
    }

    private static func floating<T: BinaryFloatingPoint>(_ left: T, _ operation: ArithmeticOperation, _ right: T) -> T {
        switch operation {
        case .plus: left + right
        case .minus: left - right
        case .times: left * right
        case .divided: left / right
        }
    }

    private static func float(_ value: Value) -> Float? {
        switch value {
        case .int(let number): Float(number)
        case .float(let number): number
        default: nil
        }
    }

    private static func double(_ value: Value) -> Double? {
        switch value {
        case .int(let number): Double(number)
        case .float(let number): Double(number)
        case .double(let number): number
        default: nil
        }
    }

    /// Converts a number to a decimal as Realm Core does: 15 digits of a double, 7 of a float.
    static func decimal(_ value: Value) -> Decimal128Bits? {
        switch value {
        case .int(let number): Decimal128Bits(number)
        case .float(let number): Decimal128Bits(Double(number), digits: 7)
        case .double(let number): Decimal128Bits(number, digits: 15)
        case .decimal128(let number): number
        default: nil
        }
    }

    /// Aggregates values; null without values, except for the sum, which is then 0.
    package static func aggregate(_ aggregate: QueryAggregate, _ values: [Value], of type: StoredPropertyType) -> Value
    {
        let counted = values.filter { isCounted($0, aggregate, type) }
        switch aggregate {
        case .minimum: return counted.min { QueryOrder.compare($0, $1) < 0 } ?? .null
        case .maximum:
            // The first of several equal values.
            return counted.reduce(Value?.none) { best, value in
                guard let best else { return value }
                return QueryOrder.compare(value, best) > 0 ? value : best
            } ?? .null
        case .sum: return sum(counted, type)
        case .average:
            guard !counted.isEmpty else { return .null }
            let total = type == .int ? .double(counted.reduce(0) { $0 + (double($1) ?? 0) }) : sum(counted, type)
            return result(total, .divided, .int(Int64(counted.count)))
        }
    }

    /// The number of values that a sum includes.
    static func countOfNumbers(_ values: [Value], _ type: StoredPropertyType) -> Int {
        values.count { isCounted($0, .sum, type) }
    }

    private static func isCounted(_ value: Value, _ aggregate: QueryAggregate, _ type: StoredPropertyType) -> Bool {
        switch value {
        case .null: false
        case .decimal128(let number): !number.isNaN
        case .float(let number): type == .mixed || !number.isNaN
        case .double(let number): type == .mixed || !number.isNaN
        case .int: true
        default: aggregate == .minimum || aggregate == .maximum
        }
    }

    private static func sum(_ values: [Value], _ type: StoredPropertyType) -> Value {
        let zero: Value =
            switch type {
            case .int: .int(0)
            case .float, .double: .double(0)
            default: .decimal128(Decimal128Bits(Int64(0)))
            }
        return values.reduce(zero) { sum, value in
            // Among mixed values, a float has 7 digits.
            if type == .mixed, case .float(let number) = value {
                return result(sum, .plus, .decimal128(Decimal128Bits(Double(number), digits: 7)))
            }
            return result(sum, .plus, value)
        }
    }
}
