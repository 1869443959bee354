internal import RealmCore
internal import RealmLayout
internal import RealmQuery

/// Rewrites queries to name the objects in their arguments by key: results are long-lived, and a link would keep its
/// version alive.
private struct KeysOfLinks: QueryRewriting {
    let arguments: [QueryArgument]
    let others = OtherArguments()

    func argument(_ index: Int) -> Int {
        others.numbers.insert(index)
        return index
    }

    func elements(_ elements: [QueryPath.Element]) -> [QueryPath.Element] { elements }

    func operand(_ expression: QueryExpression, beside other: QueryExpression) -> QueryExpression {
        switch expression {
        case .constant(.argument(let index, let quantifier)) where arguments.indices.contains(index):
            guard case .list(let values) = arguments[index] else {
                return .constant(named(.argument(index, quantifier)))
            }
            let links = values.compactMap { value in if case .link(let link) = value { link.constant } else { nil } }
            return links.isEmpty || links.count < values.count ? expression : .list(links, quantifier)
        case .list(let constants, let quantifier): return .list(constants.map { named($0) }, quantifier)
        default: return expression
        }
    }

    private func named(_ constant: QueryConstant) -> QueryConstant {
        guard case .argument(let index, _) = constant, arguments.indices.contains(index),
            case .value(.link(let link)) = arguments[index]
        else { return constant }
        return link.constant
    }
}

/// The arguments that a query still refers to.
private final class OtherArguments {
    var numbers: Set<Int> = []
}

extension Link {
    fileprivate var constant: QueryConstant { .typedLink(table: table.schema.key.value, object: objectKey.value) }
}

extension ObjectQuery {
    /// Returns the query and its arguments without links that hold versions.
    func withoutVersions(_ arguments: [QueryArgument]) -> (ObjectQuery, [QueryArgument]) {
        guard arguments.contains(where: \.hasLinks) else { return (self, arguments) }
        let keys = KeysOfLinks(arguments: arguments)
        let query = keys.rewritten(self)
        let others = arguments.enumerated().map { index, argument in
            argument.hasLinks && !keys.others.numbers.contains(index) ? .value(.null) : argument
        }
        return (query, others)
    }
}

extension QueryArgument {
    /// Whether the argument is an object, or a list of objects.
    fileprivate var hasLinks: Bool {
        func isLink(_ value: Value) -> Bool { if case .link = value { true } else { false } }
        return switch self {
        case .value(let value): isLink(value)
        case .list(let values): !values.isEmpty && values.allSatisfy(isLink)
        case .shape: false
        }
    }
}
