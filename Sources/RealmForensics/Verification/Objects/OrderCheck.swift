internal import RealmCore
internal import RealmLayout

/// Checks that elements ascend in the order of sets and dictionary keys, across leaves (Spec 40).
package struct OrderCheck {
    package enum Comparison {
        case ascending
        case equal
        case descending
        /// Undecidable: NaN, nearly equal numbers of different types, or an order that depends on the format.
        case unknown
    }

    private let scope: SnapshotScope
    private let type: LeafType
    private var last: (leaf: ColumnLeaf, index: Int)?
    private var count = 0
    /// Before format 24, strings and binaries were ordered by letters, or by bytes that were signed or unsigned
    /// depending on the machine.
    private let hasByteOrder: Bool

    init(_ scope: SnapshotScope, _ type: LeafType) {
        self.scope = scope
        self.type = type
        hasByteOrder = scope.format.number >= 24
    }

    /// Compares the elements of the next leaf; returns a description of the first violation, or nil.
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
            // Unreadable values were reported by the check of their leaf.
            return .unknown
        }
    }

    private func compareValues(
        _ left: (leaf: ColumnLeaf, index: Int), _ right: (leaf: ColumnLeaf, index: Int)
    ) throws(FormatError) -> Comparison {
        guard let first = try value(left), let second = try value(right) else { return .unknown }
        return order(first, second)
    }

    /// The element as a Mixed value; nil when its place in the order is unknown.
    private func value(_ place: (leaf: ColumnLeaf, index: Int)) throws(FormatError) -> MixedValue? {
        let (leaf, index, space) = (place.leaf, place.index, scope.space)
        switch type {
        case .int(nullable: false): return .int(leaf.int(at: index))
        case .int(nullable: true): return leaf.nullableInt(at: index).map { .int($0) } ?? .null
        case .bool: return leaf.bool(at: index).map { .bool($0) } ?? .null
        case .float: return leaf.floatBits(at: index).map { .float(bits: $0) } ?? .null
        case .double: return leaf.doubleBits(at: index).map { .double(bits: $0) } ?? .null
        case .string: return try leaf.string(at: index, in: space).map { .string($0) } ?? .null
        case .binary: return try leaf.binary(at: index, in: space).map { .binary($0.view) } ?? .null
        case .timestamp: return try leaf.timestamp(at: index).map { .timestamp($0) } ?? .null
        // Realm Core treats null as a NaN, and sorts it among the rest by its bits.
        case .decimal128: return leaf.decimal(at: index).map { .decimal128($0) }
        case .objectId: return leaf.objectIdBytes(at: index).map { .objectId($0) } ?? .null
        case .uuid: return leaf.uuidBytes(at: index).map { .uuid($0) } ?? .null
        case .link: return .int(leaf.unbiasedLinks[index])
        case .mixed: return try leaf.mixed(at: index, in: space)
        case .collections, .backlinks, .legacyString, .legacyBinary: return nil
        }
    }

    private func order(_ left: MixedValue, _ right: MixedValue) -> Comparison {
        let ranks = (rank(left), rank(right))
        if ranks.0 != ranks.1 { return ranks.0 < ranks.1 ? .ascending : .descending }
        if let left = left.number, let right = right.number { return order(left, right) }
        let found = Comparison(left.rank == right.rank ? left.setOrder(right) : 1)
        return hasByteOrder || found == .equal || !isText(left) ? found : .unknown
    }

    /// Whether the order of the value depended on the machine before format 24.
    private func isText(_ value: MixedValue) -> Bool {
        switch value {
        case .string, .binary: true
        default: false
        }
    }

    /// The rank of a value's type in sets of Mixed.
    private func rank(_ value: MixedValue) -> UInt8 {
        if case .binary(let view) = value, scope.format.number < 23 { return MixedValue.string(view).rank }
        return value.rank
    }

    private func order(_ left: StoredNumber, _ right: StoredNumber) -> Comparison {
        switch (left, right) {
        case (.int, .int): return Comparison(left.order(right))
        case (.decimal128(let left), .decimal128(let right)):
            return left.numericOrder(right).map(Comparison.init) ?? .unknown
        case (.decimal128, _), (_, .decimal128): return .unknown
        default:
            if left.double.isNaN || right.double.isNaN { return .unknown }
            guard left.double == right.double else { return left.double < right.double ? .ascending : .descending }
            // Numbers of different types that are equal as doubles need not be equal.
            switch (left, right) {
            case (.float, .float), (.double, .double): return .equal
            default: return .unknown
            }
        }
    }
}

extension OrderCheck.Comparison {
    /// - Parameter order: negative, zero or positive.
    fileprivate init(_ order: Int) { self = order < 0 ? .ascending : order == 0 ? .equal : .descending }
}
