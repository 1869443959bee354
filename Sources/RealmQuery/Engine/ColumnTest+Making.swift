internal import RealmCore
internal import RealmLayout

// Column tests are derived by querying the naive evaluator, once for each range of values in which its result is
// constant. Its rules are therefore implemented only once.
extension ColumnTest {
    /// - Returns: nil for a comparison, or a type, that must be evaluated object by object.
    convenience init?(_ comparison: BoundComparison, on property: StoredProperty) {
        guard property.collection == nil, comparison.operation != .text, !comparison.isOfTypes,
            let whole = BoundTest(comparison), let parts = Parts(comparison)
        else { return nil }
        let null = whole.holds(.null)
        let kind: Kind
        if parts.tests.allSatisfy({ Self.isNull($0.constant) }), let sample = Self.sample(of: property.type) {
            self.init(.anyValue(whole.holds(sample)), null: null)
            return
        }
        switch property.type {
        case .int:
            guard !comparison.operation.isText, comparison.folding.isEmpty else { return nil }
            kind = .integers(IntegerTest(parts.integers()))
        case .bool:
            guard !comparison.operation.isText, comparison.folding.isEmpty else { return nil }
            kind = .integers(
                IntegerTest(
                    Self.truth(false: whole.holds(.bool(false)), true: whole.holds(.bool(true)), null: null)))
        case .float, .double:
            guard !comparison.operation.isText, comparison.folding.isEmpty else { return nil }
            kind = .floating(parts.floating(isDouble: property.type == .double), whole)
        case .decimal128:
            guard !comparison.operation.isText, comparison.folding.isEmpty else { return nil }
            kind = .decimals(whole)
        case .timestamp:
            guard !comparison.operation.isText, comparison.folding.isEmpty else { return nil }
            kind = .times(parts.times())
        case .objectId, .uuid:
            guard !comparison.operation.isText, comparison.folding.isEmpty else { return nil }
            kind = .ids(parts.ids(property.type), property.type == .objectId ? .objectIds : .uuids)
        case .string:
            guard !comparison.folding.contains(.diacritics), let test = parts.text(comparison) else { return nil }
            kind = .text(test)
        case .binary, .mixed, .link: return nil
        }
        // Compared with a NaN constant, the NaNs of a column are ordered by their bits.
        let isNaNSought = parts.tests.contains { Self.isNaN($0.constant) }
        let holdsForNaN =
            if case .floating(_, let test) = kind { isNaNSought || test.holds(.double(.nan)) } else { false }
        self.init(kind, null: null, holdsForNaN: holdsForNaN)
    }

    private static func isNaN(_ value: Value) -> Bool {
        switch value {
        case .float(let number): number.isNaN
        case .double(let number): number.isNaN
        case .decimal128(let number): number.isNaN
        default: false
        }
    }

    private static func isNull(_ value: Value) -> Bool { if case .null = value { true } else { false } }

    /// A sample value of a type.
    private static func sample(of type: StoredPropertyType) -> Value? {
        switch type {
        case .int: .int(0)
        case .bool: .bool(false)
        case .float: .float(0)
        case .double: .double(0)
        case .string: .string("")
        case .timestamp: Timestamp(seconds: 0, nanoseconds: 0).map { .timestamp($0) }
        case .decimal128: .decimal128(.zero)
        case .objectId: ObjectID([UInt8](repeating: 0, count: 12)).map { .objectId($0) }
        case .uuid: UUIDBytes([UInt8](repeating: 0, count: 16)).map { .uuid($0) }
        case .binary, .mixed, .link: nil
        }
    }

    /// The elements that match in leaves of Booleans.
    private static func truth(false no: Bool, true yes: Bool, null: Bool) -> ValueRanges<Int64> {
        let nulls = NullPattern.bool...NullPattern.bool
        let others = ValueRanges(union: [0...0, nulls]).complement.ranges
        return ValueRanges(union: (no ? [0...0] : []) + (yes ? others : []) + (null ? [nulls] : []))
    }
}

/// A comparison with several constants, split into one for each.
private struct Parts {
    var tests: [(constant: Value, test: BoundTest)] = []
    /// The share of them that must hold.
    let quantifier: Quantifier
    private let isConstantLeft: Bool

    /// - Returns: nil for operations that cannot be mirrored.
    init?(_ comparison: BoundComparison) {
        let isText = comparison.operation.isText
        switch (comparison.left, comparison.right) {
        case (.path, .constants(let values, let isList, let quantifier)):
            (self.quantifier, isConstantLeft) = (quantifier ?? .any, false)
            guard isList || values.count == 1 else { return nil }
            for value in values {
                add(value, comparison.with(right: .constants([value], isList: false, quantifier: nil)))
            }
        case (.constants(let values, let isList, let quantifier), .path) where !isText:
            (self.quantifier, isConstantLeft) = (quantifier ?? .any, true)
            guard isList || values.count == 1 else { return nil }
            for value in values {
                add(value, comparison.with(left: .constants([value], isList: false, quantifier: nil)))
            }
        default: return nil
        }
    }

    private mutating func add(_ value: Value, _ comparison: BoundComparison) {
        if let test = BoundTest(comparison) { tests.append((value, test)) }
    }

    /// - Parameters:
    ///   - value: returns the value for a key.
    ///   - domain: the range of keys.
    private func ranges<Number: FixedWidthInteger & Sendable>(
        _ domain: ClosedRange<Number>, _ value: (Number) -> Value, key: (Value) -> Number? = { _ in nil }
    ) -> ValueRanges<Number> {
        quantifier.combined(
            tests.map { constant, test in
                var changes: [Number] = []
                if let key = key(constant) {
                    changes = key == .max ? [key] : [key, key + 1]
                } else if QueryOrder.areComparable(value(domain.lowerBound), constant) {
                    // The result changes at most at the first equal value and at the first greater one.
                    changes +=
                        Number.first(in: domain) { QueryOrder.compare(value($0), constant) >= 0 }.map { [$0] } ?? []
                    changes +=
                        Number.first(in: domain) { QueryOrder.compare(value($0), constant) > 0 }.map { [$0] } ?? []
                }
                return ValueRanges(in: domain, changingAt: changes) { test.holds(value($0)) }
            })
    }

    func integers() -> ValueRanges<Int64> {
        ranges(Int64.min...Int64.max, { .int($0) }) { if case .int(let number) = $0 { number } else { nil } }
    }

    func floating(isDouble: Bool) -> ValueRanges<Int64> {
        if isDouble {
            return ranges(
                FloatKey.of(-Double.infinity)...FloatKey.of(Double.infinity), { .double(FloatKey.double($0)) })
        }
        return ranges(FloatKey.of(-Float.infinity)...FloatKey.of(Float.infinity), { .float(FloatKey.float($0)) })
    }

    func times() -> ValueRanges<Int128> {
        quantifier.combined(
            tests.map { constant, test in
                guard case .timestamp(let time) = constant else { return Self.all(test.holds(Self.earliest)) }
                let key = TimeKey.of(time)
                return Self.around(
                    key, before: time == Self.first ? nil : test.holds(Self.earliest), at: test.holds(constant),
                    behind: test.holds(Self.latest))
            })
    }

    private static let first = Timestamp(seconds: .min, nanoseconds: -999_999_999)
    private static let earliest: Value = first.map { .timestamp($0) } ?? .null
    private static let latest: Value =
        Timestamp(seconds: .max, nanoseconds: 999_999_999).map { .timestamp($0) } ?? .null

    func ids(_ type: StoredPropertyType) -> ValueRanges<UInt128> {
        let blocks: FixedBlocks = type == .objectId ? .objectIds : .uuids
        func value(_ byte: UInt8) -> Value {
            let bytes = [UInt8](repeating: byte, count: blocks.width)
            return type == .objectId
                ? ObjectID(bytes).map { .objectId($0) } ?? .null : UUIDBytes(bytes).map { .uuid($0) } ?? .null
        }
        let (lowest, highest) = (value(0), value(255))
        return quantifier.combined(
            tests.map { constant, test in
                let bytes: [UInt8]
                switch (constant, type) {
                case (.objectId(let id), .objectId): bytes = id.bytes
                case (.uuid(let id), .uuid): bytes = id.bytes
                default: return Self.all(test.holds(lowest))
                }
                return Self.around(
                    IdentifierKey.of(bytes), before: test.holds(lowest), at: test.holds(constant),
                    behind: test.holds(highest))
            })
    }

    private static func all<Number>(_ holds: Bool) -> ValueRanges<Number> { holds ? .all : .none }

    /// A result that is constant before and after one number.
    private static func around<Number>(_ key: Number, before: Bool?, at: Bool, behind: Bool) -> ValueRanges<Number> {
        var ranges: [ClosedRange<Number>] = at ? [key...key] : []
        if before == true, key > .min { ranges.append(Number.min...(key - 1)) }
        if behind, key < .max { ranges.append((key + 1)...Number.max) }
        return ValueRanges(union: ranges)
    }

    func text(_ comparison: BoundComparison) -> TextTest? {
        var elements: [TextTest.Element] = []
        for (constant, test) in tests { elements.append(element(constant, test, comparison)) }
        return TextTest(elements, quantifier)
    }

    private func element(_ constant: Value, _ test: BoundTest, _ comparison: BoundComparison) -> TextTest.Element {
        guard let sought = QueryOrder.text(constant) else { return .constant(test.holds(.string(""))) }
        let folds = comparison.folding.contains(.case)
        let needle = TextTest.Needle(sought, caseInsensitive: folds)
        switch comparison.operation {
        case .beginsWith: return needle.map { .begins($0) } ?? .constant(false)
        case .endsWith: return needle.map { .ends($0) } ?? .constant(false)
        case .contains: return needle.map { .contains($0) } ?? .constant(false)
        // LIKE with a pattern that cannot be folded is case-sensitive.
        case .like:
            if let pieces = WildcardPieces(sought, caseInsensitive: folds && needle != nil) { return .pieces(pieces) }
            return (needle ?? .init(sought, caseInsensitive: false)).map { .like($0) } ?? .constant(false)
        case .equal where folds, .notEqual where folds, .isIn where folds:
            let isWanted = comparison.operation != .notEqual
            return needle.map { .equalFolded($0, isWanted: isWanted) } ?? .constant(!isWanted)
        default:
            return .order(
                TextTest.Bytes(sought), less: sought.isEmpty ? false : test.holds(.string("")),
                equal: test.holds(constant), greater: test.holds(.malformedString(sought + [0])))
        }
    }
}

extension BoundComparison {
    fileprivate func with(left: BoundExpression? = nil, right: BoundExpression? = nil) -> BoundComparison {
        BoundComparison(
            left: left ?? self.left, operation: operation, right: right ?? self.right,
            folding: folding, column: column, isOfTypes: isOfTypes, text: text)
    }
}
