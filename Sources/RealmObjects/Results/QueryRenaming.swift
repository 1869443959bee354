internal import RealmQuery
internal import RealmReader

/// Queries in the names of the program, in those of the file.
///
/// `done == 1` and `count == true`: numbers and truth values are one type to NSPredicate, but not to Realm Query Language. Where 0 and 1 are
/// compared with truth values they become such, and the other way round.
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
