internal import RealmCore
internal import RealmLayout
internal import RealmQuery

/// Order of values other than objects, as in sets and indexes: null first, numbers of all types by magnitude.
enum ValueOrder {
    static func sorted(_ values: [Value], _ ascending: Bool) -> [Value] {
        values.enumerated().sorted { left, right in
            let order = order(left.element, right.element)
            guard order != 0 else { return left.offset < right.offset }
            return (order < 0) == ascending
        }.map(\.element)
    }

    /// Returns the first of equal values: numbers are equal whatever their types and exponents.
    static func distinct(_ values: [Value]) -> [Value] {
        var isRepeated = [Bool](repeating: false, count: values.count)
        var seen: Set<Value> = []
        var numbers: [(index: Int, number: StoredNumber)] = []
        for (index, value) in values.enumerated() {
            if let number = value.number {
                numbers.append((index, number))
            } else {
                isRepeated[index] = !seen.insert(value).inserted
            }
        }
        numbers.sort { left, right in
            let order = left.number.order(right.number)
            return order == 0 ? left.index < right.index : order < 0
        }
        for (last, next) in zip(numbers, numbers.dropFirst()) where last.number.order(next.number) == 0 {
            isRepeated[next.index] = true
        }
        return zip(values, isRepeated).filter { !$0.1 }.map(\.0)
    }

    static func order(_ left: Value, _ right: Value) -> Int {
        // NaN has a place among numbers here; in queries it is neither less nor greater.
        if let left = left.number, let right = right.number { return left.order(right) }
        return QueryOrder.compare(left, right)
    }
}

extension Value {
    var number: StoredNumber? {
        switch self {
        case .int(let number): .int(number)
        case .float(let number): .float(bits: number.bitPattern)
        case .double(let number): .double(bits: number.bitPattern)
        case .decimal128(let number): .decimal128(number)
        default: nil
        }
    }
}
