internal import RealmCore

/// Compares two operands as Realm Core does.
struct Comparison {
    private let operation: ComparisonOperation
    private let folding: TextFolding
    private let column: StoredPropertyType?
    private let isOfTypes: Bool
    private let quantifiers: (left: Quantifier?, right: Quantifier?)

    init(_ comparison: BoundComparison) {
        operation = comparison.operation
        folding = comparison.folding
        column = comparison.column
        isOfTypes = comparison.isOfTypes
        quantifiers = (comparison.left.quantifier, comparison.right.quantifier)
    }

    func holds(_ left: QueryEvaluator.Operand, _ right: QueryEvaluator.Operand) -> Bool {
        guard !left.ends.isEmpty || !right.ends.isEmpty else { return holdsForOne(left, right) }
        let (lefts, rights) = (left.ends.isEmpty ? [left] : left.lists, right.ends.isEmpty ? [right] : right.lists)
        return lefts.contains { left in rights.contains { holdsForOne(left, $0) } }
    }

    /// Compares operands with at most one list each.
    private func holdsForOne(_ left: QueryEvaluator.Operand, _ right: QueryEvaluator.Operand) -> Bool {
        if !left.isList, !right.isList { return zip(left.values, right.values).contains { matches($0, $1) } }
        // Two lists without a quantifier are compared as a whole.
        if left.isList, right.isList, quantifiers.left == nil, quantifiers.right == nil {
            guard left.values.count == right.values.count else { return operation == .notEqual }
            return zip(left.values, right.values).allSatisfy { matches($0, $1) }
        }
        let rightSide = right.isList ? right.values : Array(right.values.prefix(1))
        let leftSide = left.isList ? left.values : Array(left.values.prefix(1))
        return (quantifiers.left ?? .any).holds(leftSide) { value in
            (quantifiers.right ?? .any).holds(rightSide) { matches(value, $0) }
        }
    }

    private func matches(_ left: Value, _ right: Value) -> Bool {
        if column == .float || column == .double, isNaN(left) || isNaN(right) { return operation == .notEqual }
        switch operation {
        case .equal, .isIn: return isEqual(left, right)
        case .notEqual: return !isEqual(left, right)
        case .less: return isStrictlyOrdered(left, right) && QueryOrder.compare(left, right) < 0
        case .greater: return isStrictlyOrdered(left, right) && QueryOrder.compare(left, right) > 0
        case .lessOrEqual: return isOrdered(left, right) && QueryOrder.compare(left, right) <= 0
        case .greaterOrEqual: return isOrdered(left, right) && QueryOrder.compare(left, right) >= 0
        case .beginsWith, .endsWith, .contains, .like: return matchesText(left, right)
        case .text: return false
        }
    }

    private func isNaN(_ value: Value) -> Bool {
        switch value {
        case .float(let number): number.isNaN
        case .double(let number): number.isNaN
        default: false
        }
    }

    private func isStrictlyOrdered(_ left: Value, _ right: Value) -> Bool {
        column == .string || QueryOrder.areComparable(left, right)
    }

    /// Two nulls are equal, so `<=` and `>=` hold for them.
    private func isOrdered(_ left: Value, _ right: Value) -> Bool {
        if case .null = left, case .null = right { return true }
        return isStrictlyOrdered(left, right)
    }

    private func isEqual(_ left: Value, _ right: Value) -> Bool {
        if isOfTypes, case .int(let left) = left, case .int(let right) = right { return left & right != 0 }
        if case .null = left { if case .null = right { return true } else { return false } }
        guard QueryOrder.areComparable(left, right) else { return false }
        if !folding.isEmpty, let (left, right) = texts(left, right) {
            if folding.contains(.diacritics) { return BareText(left, folding) == BareText(right, folding) }
            return TextMatch.equal(left, TextMatch.Needle(right, caseInsensitive: true))
        }
        return QueryOrder.compare(left, right) == 0
    }

    /// Both values as bytes, if both are strings or both are binary.
    private func texts(_ left: Value, _ right: Value) -> ([UInt8], [UInt8])? {
        if let left = QueryOrder.text(left), let right = QueryOrder.text(right) { return (left, right) }
        if case .binary(let left) = left, case .binary(let right) = right { return (left, right) }
        return nil
    }

    private func matchesText(_ text: Value, _ sought: Value) -> Bool {
        if case .null = sought {
            let isNull = if case .null = text { true } else { false }
            if operation == .like { return isNull }
            // In a column, every text begins and ends with null, and so does null itself.
            guard column == nil || operation == .contains && folding.contains(.case) && column == .binary else {
                return true
            }
            return operation == .contains && !isNull
        }
        guard let (text, sought) = texts(text, sought) else { return false }
        if folding.contains(.diacritics) {
            let (text, sought) = (BareText(text, folding), BareText(sought, folding))
            return switch operation {
            case .beginsWith: text.begins(with: sought)
            case .endsWith: text.ends(with: sought)
            default: text.contains(sought)
            }
        }
        let needle = TextMatch.Needle(sought, caseInsensitive: folding.contains(.case))
        switch operation {
        case .beginsWith: return TextMatch.begins(text, needle)
        case .endsWith: return TextMatch.ends(text, needle)
        case .contains: return TextMatch.contains(text, needle)
        default: return TextMatch.like(text, needle)
        }
    }
}

extension Quantifier {
    fileprivate func holds(_ values: [Value], _ condition: (Value) -> Bool) -> Bool {
        switch self {
        case .any: values.contains(where: condition)
        case .all: values.allSatisfy(condition)
        case .none: !values.contains(where: condition)
        }
    }
}

extension BoundExpression {
    fileprivate var quantifier: Quantifier? {
        switch self {
        case .constants(_, _, let quantifier): quantifier
        // As in Realm Core, sizes are compared without the quantifier.
        case .path(let path): path.suffix == .size ? nil : path.quantifier
        case .arithmetic(let left, _, let right): left.quantifier ?? right.quantifier
        default: nil
        }
    }
}
