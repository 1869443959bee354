internal import RealmQuery
internal import RealmReader

/// Queries that name the object that is asked, which Realm Query Language does not: `SELF.age` is its age, in any case and unless it has a
/// property of that name.
struct WithoutSelf: QueryRewriting {
    let model: ModelClass

    func elements(_ path: [QueryPath.Element]) -> [QueryPath.Element] {
        guard path.count > 1, case .name(let name) = path[0], name.lowercased() == "self", model.index(of: name) == nil
        else { return path }
        return Array(path.dropFirst())
    }
}

/// Queries in the names of the program, in those of the file.
///
/// `done == 1` and `count == true`: numbers and truth values are one type to NSPredicate, but not to Realm Query Language. Where 0 and 1 are
/// compared with truth values they become such, and the other way round. `ANY dogs.age BETWEEN {2, 5}` means one dog, and to Realm Query Language perhaps
/// two, one of them older and one younger.
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

    /// `yes`, `No`, `True`, which NSPredicate has in any case and in any place; nil for anything else, and where a property is called so.
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

    /// Of a collection of values one that is not lower, and perhaps another one that is not higher.
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
