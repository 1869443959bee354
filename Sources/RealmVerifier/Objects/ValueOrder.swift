internal import RealmLayout
internal import RealmReader

/// Whether elements ascend in the order of sets and dictionary keys, across leaves (Spec 40).
package struct ValueOrder {
    package enum Comparison {
        case ascending
        case equal
        case descending
        /// Not to be told: NaN, numbers of different types that are close, or an order that depends on the format.
        case unknown
    }

    private let scope: SnapshotScope
    private let type: LeafType
    private var last: (leaf: ColumnLeaf, index: Int)?
    private var count = 0
    /// Before format 24 strings and binaries were ordered by signed or unsigned bytes, by machine, or by letters.
    private let hasByteOrder: Bool

    init(_ scope: SnapshotScope, _ type: LeafType) {
        self.scope = scope
        self.type = type
        hasByteOrder = scope.format.number >= 24
    }

    /// Compares the elements of the next leaf; what is wrong, or nil.
    mutating func add(_ leaf: ColumnLeaf) -> String? {
        var problem: String?
        for index in 0..<leaf.count {
            if let last, problem == nil {
                switch compare(last, (leaf, index)) {
                case .ascending, .unknown: break
                case .equal: problem = "elements \(count - 1) and \(count) are equal"
                case .descending: problem = "element \(count) is lower than the one before"
                }
            }
            last = (leaf, index)
            count += 1
        }
        return problem
    }

    private func compare(_ left: (leaf: ColumnLeaf, index: Int), _ right: (leaf: ColumnLeaf, index: Int)) -> Comparison
    {
        do throws(FormatError) {
            return try compareValues(left, right)
        } catch {
            // Values that cannot be read were reported by the check of their leaf.
            return .unknown
        }
    }

    private func compareValues(
        _ left: (leaf: ColumnLeaf, index: Int), _ right: (leaf: ColumnLeaf, index: Int)
    ) throws(FormatError) -> Comparison {
        let space = scope.space
        switch type {
        case .int(nullable: false):
            return order(left.leaf.int(at: left.index), right.leaf.int(at: right.index))
        case .int(nullable: true):
            return nullable(left.leaf.nullableInt(at: left.index), right.leaf.nullableInt(at: right.index)) {
                order($0, $1)
            }
        case .bool:
            return nullable(left.leaf.bool(at: left.index), right.leaf.bool(at: right.index)) {
                order(Int64($0 ? 1 : 0), Int64($1 ? 1 : 0))
            }
        case .float:
            return nullable(left.leaf.floatBits(at: left.index), right.leaf.floatBits(at: right.index)) {
                order(Double(Float(bitPattern: $0)), Double(Float(bitPattern: $1)))
            }
        case .double:
            return nullable(left.leaf.doubleBits(at: left.index), right.leaf.doubleBits(at: right.index)) {
                order(Double(bitPattern: $0), Double(bitPattern: $1))
            }
        case .string:
            return nullable(
                try left.leaf.string(at: left.index, in: space), try right.leaf.string(at: right.index, in: space),
                orderByFormat)
        case .binary:
            return nullable(
                try left.leaf.binary(at: left.index, in: space)?.view,
                try right.leaf.binary(at: right.index, in: space)?.view, orderByFormat)
        case .timestamp:
            return nullable(try left.leaf.timestamp(at: left.index), try right.leaf.timestamp(at: right.index)) {
                order(($0.seconds, $0.nanoseconds), ($1.seconds, $1.nanoseconds))
            }
        case .decimal128:
            let (first, second) = (left.leaf.decimal(at: left.index), right.leaf.decimal(at: right.index))
            if first == nil, second == nil { return .equal }
            // Null is a NaN to Realm Core, and sorted among the others by its bits.
            guard let first, let second else { return .unknown }
            return order(first, second)
        case .objectId:
            return nullable(
                left.leaf.fixedBytes(at: left.index, width: 12), right.leaf.fixedBytes(at: right.index, width: 12),
                orderBytes)
        case .uuid:
            return nullable(
                left.leaf.fixedBytes(at: left.index, width: 16), right.leaf.fixedBytes(at: right.index, width: 16),
                orderBytes)
        case .link:
            return order(
                left.leaf.unbiasedLinks[left.index], right.leaf.unbiasedLinks[right.index])
        case .mixed:
            return order(
                try left.leaf.mixed(at: left.index, in: space), try right.leaf.mixed(at: right.index, in: space))
        case .collections, .backlinks, .legacyString, .legacyBinary:
            return .unknown
        }
    }

    /// Null comes first.
    private func nullable<T>(_ left: T?, _ right: T?, _ compare: (T, T) -> Comparison) -> Comparison {
        switch (left, right) {
        case (nil, nil): .equal
        case (nil, _?): .ascending
        case (_?, nil): .descending
        case (let left?, let right?): compare(left, right)
        }
    }

    private func order(_ left: Int64, _ right: Int64) -> Comparison {
        left < right ? .ascending : left == right ? .equal : .descending
    }

    private func order(_ left: Double, _ right: Double) -> Comparison {
        if left.isNaN || right.isNaN { return .unknown }
        return left < right ? .ascending : left == right ? .equal : .descending
    }

    private func order(_ left: (Int64, Int32), _ right: (Int64, Int32)) -> Comparison {
        left < right ? .ascending : left == right ? .equal : .descending
    }

    /// Bytes as unsigned numbers; a beginning comes before the whole.
    private func orderBytes(_ left: ByteView, _ right: ByteView) -> Comparison {
        for offset in 0..<min(left.count, right.count) where left[offset] != right[offset] {
            return left[offset] < right[offset] ? .ascending : .descending
        }
        return left.count < right.count ? .ascending : left.count == right.count ? .equal : .descending
    }

    private func orderByFormat(_ left: ByteView, _ right: ByteView) -> Comparison {
        let found = orderBytes(left, right)
        return hasByteOrder || found == .equal ? found : .unknown
    }

    private func order(_ left: Decimal128Bits, _ right: Decimal128Bits) -> Comparison {
        switch left.numericOrder(right) {
        case nil: .unknown
        case let order? where order < 0: .ascending
        case let order?: order == 0 ? .equal : .descending
        }
    }
}

extension ValueOrder {
    /// What comes first in sets of Mixed, whatever the values.
    private func rank(_ value: MixedValue) -> UInt8 {
        if case .binary(let view) = value, scope.format.number < 23 { return MixedValue.string(view).rank }
        return value.rank
    }

    private func order(_ left: MixedValue, _ right: MixedValue) -> Comparison {
        let ranks = (rank(left), rank(right))
        if ranks.0 != ranks.1 { return ranks.0 < ranks.1 ? .ascending : .descending }
        switch (left, right) {
        case (.null, .null): return .equal
        case (.bool(let left), .bool(let right)): return order(Int64(left ? 1 : 0), Int64(right ? 1 : 0))
        case (.int(let left), .int(let right)): return order(left, right)
        case (.decimal128(let left), .decimal128(let right)): return order(left, right)
        case (.string(let left), .string(let right)): return orderByFormat(left, right)
        case (.binary(let left), .binary(let right)): return orderByFormat(left, right)
        case (.timestamp(let left), .timestamp(let right)):
            return order((left.seconds, left.nanoseconds), (right.seconds, right.nanoseconds))
        case (.objectId(let left), .objectId(let right)): return orderBytes(left, right)
        case (.uuid(let left), .uuid(let right)): return orderBytes(left, right)
        case (.link(let leftTable, let leftKey), .link(let rightTable, let rightKey)):
            let tables = order(Int64(leftTable.value), Int64(rightTable.value))
            return tables == .equal ? order(leftKey.value, rightKey.value) : tables
        default:
            guard let left = double(left), let right = double(right) else { return .unknown }
            // Of different types; what is equal as a double need not be.
            let found = order(left, right)
            return found == .equal ? .unknown : found
        }
    }

    private func double(_ value: MixedValue) -> Double? {
        switch value {
        case .int(let value): Double(value)
        case .float(let bits): Double(Float(bitPattern: bits))
        case .double(let bits): Double(bitPattern: bits)
        default: nil
        }
    }
}
