package import RealmLayout

extension MixedValue {
    /// The number; nil for values of other kinds.
    package var number: StoredNumber? {
        switch self {
        case .int(let value): .int(value)
        case .float(let bits): .float(bits: bits)
        case .double(let bits): .double(bits: bits)
        case .decimal128(let value): .decimal128(value)
        default: nil
        }
    }

    /// The order of elements in sets of format 24 (Spec 40): negative when the value comes before `other`, 0 when a set
    /// holds only one of the two. Collections, which sets cannot contain, are all equal.
    package func setOrder(_ other: MixedValue) -> Int {
        let ranks = Self.order(rank, other.rank)
        guard ranks == 0 else { return ranks }
        if let left = number, let right = other.number { return left.setOrder(right) }
        switch (self, other) {
        case (.bool(let left), .bool(let right)): return Self.order(left ? 1 : 0, right ? 1 : 0)
        case (.string(let left), .string(let right)), (.binary(let left), .binary(let right)),
            (.objectId(let left), .objectId(let right)), (.uuid(let left), .uuid(let right)):
            return left.order(right)
        case (.timestamp(let left), .timestamp(let right)):
            let seconds = Self.order(left.seconds, right.seconds)
            return seconds == 0 ? Self.order(left.nanoseconds, right.nanoseconds) : seconds
        case (.link(let leftTable, let leftKey), .link(let rightTable, let rightKey)):
            let tables = Self.order(leftTable.value, rightTable.value)
            return tables == 0 ? Self.order(leftKey.value, rightKey.value) : tables
        default:
            return 0
        }
    }

    private static func order<T: Comparable>(_ left: T, _ right: T) -> Int { left < right ? -1 : left == right ? 0 : 1 }
}
