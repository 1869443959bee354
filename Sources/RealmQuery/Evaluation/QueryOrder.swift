package import RealmCore
internal import RealmLayout

/// The order of values in queries: that of Realm Core's Mixed, which Spec 40 describes for sets.
package enum QueryOrder {
    /// Negative if `left` comes first. Null comes before everything else; other values are ordered by kind first.
    package static func compare(_ left: Value, _ right: Value) -> Int {
        let ranks = (rank(left), rank(right))
        if ranks.0 != ranks.1 { return ranks.0 < ranks.1 ? -1 : 1 }
        switch (left, right) {
        case (.null, .null): return 0
        case (.bool(let left), .bool(let right)): return order(left ? 1 : 0, right ? 1 : 0)
        case (.timestamp(let left), .timestamp(let right)):
            let seconds = order(left.seconds, right.seconds)
            return seconds == 0 ? order(left.nanoseconds, right.nanoseconds) : seconds
        case (.objectId(let left), .objectId(let right)):
            let first = order(left.high, right.high)
            return first == 0 ? order(left.low, right.low) : first
        case (.uuid(let left), .uuid(let right)):
            let first = order(left.high, right.high)
            return first == 0 ? order(left.low, right.low) : first
        case (.binary(let left), .binary(let right)): return order(left, right)
        default: break
        }
        if let left = text(left), let right = text(right) { return order(left, right) }
        if let left = link(left), let right = link(right) {
            let tables = order(left.table, right.table)
            return tables == 0 ? order(left.key, right.key) : tables
        }
        if let first = number(left), let second = number(right) { return first.order(second) }
        // Compared with a decimal, a float or double is converted to one.
        guard let first = Arithmetic.decimal(left), let second = Arithmetic.decimal(right) else { return 0 }
        return first.order(second)
    }

    /// Whether two values are comparable: null is not.
    static func areComparable(_ left: Value, _ right: Value) -> Bool {
        if case .null = left { return false }
        return rank(left) == rank(right)
    }

    /// The bytes of a string.
    static func text(_ value: Value) -> [UInt8]? {
        switch value {
        case .string(let string): Array(string.utf8)
        case .malformedString(let bytes): bytes
        default: nil
        }
    }

    /// The target of a link.
    static func link(_ value: Value) -> (table: UInt32, key: Int64)? {
        switch value {
        case .link(let link): (link.table.schema.key.value, link.objectKey.value)
        case .embedded(let object): (object.table.schema.key.value, object.key.value)
        default: nil
        }
    }

    private static func rank(_ value: Value) -> Int {
        switch value {
        case .null: 0
        case .bool: 1
        case .int, .float, .double, .decimal128: 2
        case .string, .malformedString: 3
        case .binary: 4
        case .timestamp: 5
        case .objectId: 6
        case .uuid: 7
        case .link, .embedded: 8
        case .list: 9
        case .set: 10
        case .dictionary: 11
        }
    }

    private static func order<T: Comparable>(_ left: T, _ right: T) -> Int { left < right ? -1 : left == right ? 0 : 1 }

    private static func order(_ left: [UInt8], _ right: [UInt8]) -> Int {
        left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
    }

    /// The value as a number; nil for decimals and other values.
    private static func number(_ value: Value) -> StoredNumber? {
        switch value {
        case .int(let number): .int(number)
        case .float(let number): .float(bits: number.bitPattern)
        case .double(let number): .double(bits: number.bitPattern)
        default: nil
        }
    }
}
