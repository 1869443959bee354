internal import RealmLayout
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

    /// The first of equal values.
    static func distinct(_ values: [Value]) -> [Value] {
        var seen: Set<Value> = []
        return values.filter { seen.insert($0).inserted }
    }

    static func order(_ left: Value, _ right: Value) -> Int {
        if let left = left.number, let right = right.number { return left.setOrder(right) }
        return switch (left, right) {
        case (.bool(let left), .bool(let right)): compare(left ? 1 : 0, right ? 1 : 0)
        case (.string(let left), .string(let right)): compare(Array(left.utf8), Array(right.utf8))
        case (.binary(let left), .binary(let right)): compare(left, right)
        case (.timestamp(let left), .timestamp(let right)):
            left.seconds == right.seconds
                ? compare(left.nanoseconds, right.nanoseconds) : compare(left.seconds, right.seconds)
        case (.objectId(let left), .objectId(let right)): compare(left.bytes, right.bytes)
        case (.uuid(let left), .uuid(let right)): compare(left.bytes, right.bytes)
        default: compare(left.rank, right.rank)
        }
    }

    private static func compare<T: Comparable>(_ left: T, _ right: T) -> Int {
        left < right ? -1 : left == right ? 0 : 1
    }

    private static func compare(_ left: [UInt8], _ right: [UInt8]) -> Int {
        left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
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

    fileprivate var rank: Int {
        switch self {
        case .null: 0
        case .bool: 1
        case .int, .float, .double, .decimal128: 2
        case .string, .malformedString: 3
        case .binary: 4
        case .timestamp: 5
        case .objectId: 6
        case .uuid: 7
        case .link, .embedded: 8
        case .list, .set, .dictionary: 9
        }
    }
}
