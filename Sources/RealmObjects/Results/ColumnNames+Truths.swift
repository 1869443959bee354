internal import RealmQuery
internal import RealmReader

// `done == 1` and `count == true`: numbers and truth values are one type to NSPredicate, but not to Realm Query Language.
extension ColumnNames {
    /// A query whose 0 and 1 are truth values where they are compared with those, and the other way round.
    func settlingTruths(of query: RealmQuery.Query, _ arguments: [QueryArgument]) -> RealmQuery.Query {
        let settling = TruthSettling(scope: NameScope(self), arguments: arguments)
        return RealmQuery.Query(settling.settled(query.predicate), steps: query.steps)
    }
}

private struct TruthSettling {
    let scope: NameScope
    let arguments: [QueryArgument]

    func settled(_ predicate: QueryPredicate) -> QueryPredicate {
        switch predicate {
        case .and(let parts): .and(parts.map(settled))
        case .or(let parts): .or(parts.map(settled))
        case .not(let part): .not(settled(part))
        case .comparison(let left, let operation, let right, let caseInsensitive, let diacriticInsensitive):
            .comparison(
                settled(left, beside: right), operation, settled(right, beside: left),
                caseInsensitive: caseInsensitive, diacriticInsensitive: diacriticInsensitive)
        case .constant, .between, .within: predicate
        }
    }

    private func settled(_ expression: QueryExpression, beside other: QueryExpression) -> QueryExpression {
        if case .subquery(let path, let variable, let predicate) = expression {
            let inside = TruthSettling(scope: scope.inside(path.elements, variable, arguments), arguments: arguments)
            return .subquery(path, variable: variable, inside.settled(predicate))
        }
        guard case .constant(let constant) = expression, case .property(let path) = other, path.suffix == nil,
            let type = scope.property(at: path.elements, arguments)?.type, type == .bool || type == .int
        else { return expression }
        switch (constant, type) {
        case (.integer(let digits), .bool): return truth(digits) ?? expression
        case (.bool(let truth), .int): return number(truth)
        case (.argument(let index, _), _) where arguments.indices.contains(index):
            switch (arguments[index], type) {
            case (.value(.int(let integer)), .bool): return truth("\(integer)") ?? expression
            case (.value(.bool(let truth)), .int): return number(truth)
            default: return expression
            }
        default: return expression
        }
    }

    private func truth(_ digits: String) -> QueryExpression? {
        digits == "1" ? .constant(.bool(true)) : digits == "0" ? .constant(.bool(false)) : nil
    }

    private func number(_ truth: Bool) -> QueryExpression { .constant(.integer(truth ? "1" : "0")) }
}
