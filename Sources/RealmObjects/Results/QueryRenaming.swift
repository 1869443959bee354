internal import RealmCore
internal import RealmQuery

/// Rewrites queries that name the queried object, which Realm Query Language cannot do: `SELF.age` is its age. `SELF`
/// may be in any case, and is no property of the class.
struct WithoutSelf: QueryRewriting {
    let model: ModelClass

    func elements(_ path: [QueryPath.Element]) -> [QueryPath.Element] {
        guard path.count > 1, case .name(let name) = path[0], name.lowercased() == "self", model.index(of: name) == nil
        else { return path }
        return Array(path.dropFirst())
    }
}

/// Rewrites queries from the names of the program to those of the file.
///
/// `done == 1` and `count == true`: NSPredicate has one type for numbers and truth values, Realm Query Language has
/// two. 0 and 1 become truth values when they are compared with these, and vice versa. `ANY dogs.age BETWEEN {2, 5}`
/// means a single dog; in Realm Query Language it may be two, one of them older and one younger.
struct QueryRenaming: QueryRewriting {
    let scope: NameScope
    let arguments: [QueryArgument]

    func elements(_ path: [QueryPath.Element]) -> [QueryPath.Element] {
        let (names, count) = scope.names(of: path)
        return path.prefix(count) + names.expanded(scope.spelled(Array(path.dropFirst(count)), arguments))
    }

    func inside(_ path: [QueryPath.Element], _ variable: String) -> QueryRenaming {
        QueryRenaming(scope: scope.inside(path, variable, arguments), arguments: arguments)
    }

    func operand(_ expression: QueryExpression, beside other: QueryExpression) -> QueryExpression {
        compared(truth(expression) ?? expression, beside: other)
    }

    /// Returns the constant for `yes`, `No`, `True`, which NSPredicate accepts in any case and place; nil for anything
    /// else, and for the name of a property.
    private func truth(_ expression: QueryExpression) -> QueryExpression? {
        guard case .property(let path) = expression, path.elements.count == 1, path.suffix == nil,
            case .name(let name) = path.elements[0], scope.property(at: path.elements, arguments) == nil
        else { return nil }
        switch name.lowercased() {
        case "yes", "true": return .constant(.bool(true))
        case "no", "false": return .constant(.bool(false))
        default: return nil
        }
    }

    private func compared(_ expression: QueryExpression, beside other: QueryExpression) -> QueryExpression {
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

    func between(_ value: QueryExpression, _ limits: [QueryConstant]) -> QueryPredicate? {
        guard case .property(var path) = value, path.suffix == nil, path.quantifier != .all else { return nil }
        let count = scope.names(of: path.elements).count
        let start = Array(path.elements.prefix(count))
        let steps = scope.spelled(Array(path.elements.dropFirst(count)), arguments)
        var manyObjects = 0
        for end in steps.indices {
            guard let property = scope.property(at: start + steps[...end], arguments) else { return nil }
            guard property.collection != nil || property.isLinkingObjects else { continue }
            if property.targetType != nil {
                manyObjects = end + 1
            } else if manyObjects == 0 {
                return eachWay(value, limits)
            }
        }
        guard manyObjects > 0, manyObjects < steps.count else { return nil }
        let (variable, isNone) = ("$between", path.quantifier == Quantifier.none)
        path = QueryPath([.name(variable)] + steps.dropFirst(manyObjects))
        let found = QueryPredicate.comparison(
            .subquery(
                QueryPath(start + steps.prefix(manyObjects)), variable: variable, .between(.property(path), limits)),
            .greater, .constant(.integer("0")), caseInsensitive: false)
        return isNone ? .not(found) : found
    }

    /// Returns the condition that one value of a collection is not below the range, and one, perhaps another, is not
    /// above it.
    private func eachWay(_ value: QueryExpression, _ limits: [QueryConstant]) -> QueryPredicate? {
        var limits = limits
        if limits.count == 1, case .argument(let index, _) = limits[0], arguments.indices.contains(index),
            case .list(let values) = arguments[index]
        {
            limits = values.map { QueryConstant($0) }
        }
        guard limits.count == 2 else { return nil }
        return .and(
            zip([ComparisonOperation.greaterOrEqual, .lessOrEqual], limits).map { operation, limit in
                .comparison(value, operation, .constant(limit), caseInsensitive: false)
            })
    }
}
