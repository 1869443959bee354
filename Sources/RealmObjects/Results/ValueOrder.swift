internal import RealmLayout
internal import RealmQuery
internal import RealmReader

/// The order of values that are no objects, as sets and indexes have it: null first, numbers of all types by size.
enum ValueOrder {
    static func sorted(_ values: [Value], _ ascending: Bool) -> [Value] {
        values.enumerated().sorted { left, right in
            let order = order(left.element, right.element)
            guard order != 0 else { return left.offset < right.offset }
            return (order < 0) == ascending
        }.map(\.element)
    }

    /// The first of equal values: of those that have the same place in the order, as numbers of different types may have.
    static func distinct(_ values: [Value]) -> [Value] {
        var seen: Set<Value> = []
        let different = values.filter { seen.insert($0).inserted }
        guard different.contains(where: \.mayEqualAnother) else { return different }
        var last: Value?
        let first = different.enumerated().sorted { left, right in
            let order = order(left.element, right.element)
            return order != 0 ? order < 0 : left.offset < right.offset
        }.filter { _, value in
            defer { last = value }
            return last.map { order($0, value) != 0 } ?? true
        }
        return first.sorted { $0.offset < $1.offset }.map(\.element)
    }

    static func order(_ left: Value, _ right: Value) -> Int {
        // What is no number has a place among numbers here; to queries it is neither less nor greater.
        if let left = left.number, let right = right.number { return left.setOrder(right) }
        return QueryOrder.compare(left, right)
    }
}

extension Value {
    /// Whether there is something that is not the same and has the same place in the order.
    fileprivate var mayEqualAnother: Bool {
        switch self {
        // Integers and texts without others beside them are equal to themselves alone.
        case .null, .int, .bool, .string, .binary, .timestamp, .objectId, .uuid: false
        default: true
        }
    }

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
