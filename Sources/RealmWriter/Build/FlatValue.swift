internal import RealmLayout
internal import RealmReader

/// A value of a set or dictionary that waits for its place in the order: bytes are in an array beside it.
enum FlatValue: BitwiseCopyable {
    case null
    case int(Int64)
    case bool(Bool)
    case float(UInt32)
    case double(UInt64)
    case timestamp(Timestamp)
    case decimal128(Decimal128Bits)
    case link(TableKey, ObjectKey)
    case list(Ref?)
    case dictionary(Ref?)
    /// A string, binary, ObjectId or UUID.
    case bytes(ColumnType, start: Int, count: Int)

    /// Copies the bytes of a value to the end of `array`.
    static func copy(of value: MixedValue, to array: PlainArray<UInt8>) -> FlatValue {
        switch value {
        case .null: .null
        case .int(let value): .int(value)
        case .bool(let value): .bool(value)
        case .float(let bits): .float(bits)
        case .double(let bits): .double(bits)
        case .timestamp(let time): .timestamp(time)
        case .decimal128(let value): .decimal128(value)
        case .link(let table, let key): .link(table, key)
        case .list(let root): .list(root)
        case .dictionary(let root): .dictionary(root)
        case .string(let view): bytes(.string, view, array)
        case .binary(let view): bytes(.binary, view, array)
        case .objectId(let view): bytes(.objectId, view, array)
        case .uuid(let view): bytes(.uuid, view, array)
        }
    }

    private static func bytes(_ type: ColumnType, _ view: ByteView, _ array: PlainArray<UInt8>) -> FlatValue {
        let start = array.count
        array.append(view)
        return .bytes(type, start: start, count: view.count)
    }

    /// The same value whose bytes are elsewhere.
    func moved(by distance: Int) -> FlatValue {
        guard case .bytes(let type, let start, let count) = self else { return self }
        return .bytes(type, start: start + distance, count: count)
    }

    /// The value again.
    ///
    /// - Parameter bytes: a view of the array.
    func value(_ bytes: ByteView) -> MixedValue {
        switch self {
        case .null: return .null
        case .int(let value): return .int(value)
        case .bool(let value): return .bool(value)
        case .float(let bits): return .float(bits: bits)
        case .double(let bits): return .double(bits: bits)
        case .timestamp(let time): return .timestamp(time)
        case .decimal128(let value): return .decimal128(value)
        case .link(let table, let key): return .link(table, key)
        case .list(let root): return .list(root)
        case .dictionary(let root): return .dictionary(root)
        case .bytes(let type, let start, let count):
            let view = bytes.slice(at: start, count: count) ?? .empty
            return switch type {
            case .binary: .binary(view)
            case .objectId: .objectId(view)
            case .uuid: .uuid(view)
            default: .string(view)
            }
        }
    }
}

/// The order of elements in sets of format 24 (Spec 40).
struct SetOrder {
    /// Where the bytes of values are.
    let bytes: PlainArray<UInt8>
    /// Whether elements are decimals: null is a NaN to Realm Core then, and has its place among the others.
    let areDecimals: Bool

    /// Below 0 when `left` comes first, 0 for values of which a set holds one.
    func compare(_ left: FlatValue, _ right: FlatValue) -> Int {
        if areDecimals { return order(decimal(left), decimal(right)) }
        let ranks = (rank(left), rank(right))
        if ranks.0 != ranks.1 { return ranks.0 < ranks.1 ? -1 : 1 }
        switch (left, right) {
        case (.bool(let left), .bool(let right)): return order(left ? 1 : 0, right ? 1 : 0)
        case (.int(let left), .int(let right)): return order(left, right)
        case (.float(let left), .float(let right)):
            return order(Double(Float(bitPattern: left)), Double(Float(bitPattern: right)), UInt64(left), UInt64(right))
        case (.double(let left), .double(let right)):
            return order(Double(bitPattern: left), Double(bitPattern: right), left, right)
        case (.decimal128(let left), .decimal128(let right)): return order(left, right)
        case (.bytes(_, let leftStart, let leftCount), .bytes(_, let rightStart, let rightCount)):
            return bytes.view(leftStart..<(leftStart + leftCount)).order(
                bytes.view(rightStart..<(rightStart + rightCount)))
        case (.timestamp(let left), .timestamp(let right)):
            let seconds = order(left.seconds, right.seconds)
            return seconds == 0 ? order(left.nanoseconds, right.nanoseconds) : seconds
        case (.link(let leftTable, let leftKey), .link(let rightTable, let rightKey)):
            let tables = order(leftTable.value, rightTable.value)
            return tables == 0 ? order(leftKey.value, rightKey.value) : tables
        default: return orderNumbers(left, right)
        }
    }

    private func rank(_ value: FlatValue) -> Int {
        switch value {
        case .null: 0
        case .bool: 1
        case .int, .float, .double, .decimal128: 2
        case .bytes(.string, _, _): 3
        case .bytes(.binary, _, _): 4
        case .timestamp: 5
        case .bytes(.objectId, _, _): 6
        case .bytes: 7
        case .link: 8
        case .list, .dictionary: 9
        }
    }

    private func order<T: Comparable>(_ left: T, _ right: T) -> Int { left < right ? -1 : left == right ? 0 : 1 }

    /// NaNs come first, in the order of their bits.
    private func order(_ left: Double, _ right: Double, _ leftBits: UInt64, _ rightBits: UInt64) -> Int {
        switch (left.isNaN, right.isNaN) {
        case (true, true): order(leftBits, rightBits)
        case (true, false): -1
        case (false, true): 1
        case (false, false): order(left, right)
        }
    }

    private func decimal(_ value: FlatValue) -> Decimal128Bits {
        if case .decimal128(let value) = value { return value }
        return Decimal128Bits(high: NullPattern.decimal128High, low: NullPattern.decimal128Low)
    }

    private func order(_ left: Decimal128Bits, _ right: Decimal128Bits) -> Int { left.order(right) }

    /// Numbers of different types: as decimals when one of them is, else as doubles.
    private func orderNumbers(_ left: FlatValue, _ right: FlatValue) -> Int {
        let ranks = order(typeRank(left), typeRank(right))
        if ranks != 0, max(typeRank(left), typeRank(right)) == 3, let first = Decimal128Bits(left),
            let second = Decimal128Bits(right)
        {
            let found = order(first, second)
            // What is equal after the conversion of a fraction need not be.
            return found != 0 || isWhole(left) && isWhole(right) ? found : ranks
        }
        let (first, second) = (double(left), double(right))
        // NaNs of different types are different.
        if first.isNaN, second.isNaN { return ranks }
        let found = order(first, second, first.bitPattern, second.bitPattern)
        guard found == 0 else { return found }
        // What is equal as a double need not be.
        if case .int(let number) = left { return Int64(exactly: second).map { order(number, $0) } ?? -1 }
        if case .int(let number) = right { return Int64(exactly: first).map { order($0, number) } ?? 1 }
        return 0
    }

    private func isWhole(_ value: FlatValue) -> Bool {
        switch value {
        case .float, .double: Int32(exactly: double(value)) != nil
        default: true
        }
    }

    private func typeRank(_ value: FlatValue) -> Int {
        switch value {
        case .int: 0
        case .float: 1
        case .double: 2
        default: 3
        }
    }

    private func double(_ value: FlatValue) -> Double {
        switch value {
        case .int(let value): Double(value)
        case .float(let bits): Double(Float(bitPattern: bits))
        case .double(let bits): Double(bitPattern: bits)
        default: 0
        }
    }
}

extension Decimal128Bits {
    /// The decimal nearest to a number, with as many digits as tell a double from its neighbours; nil for what is no
    /// number.
    fileprivate init?(_ value: FlatValue) {
        switch value {
        case .decimal128(let value): self = value
        case .int(let number): self.init(number)
        case .float(let bits): self.init(Float(bitPattern: bits))
        case .double(let bits): self.init(Double(bitPattern: bits))
        default: return nil
        }
    }
}
