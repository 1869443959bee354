internal import RealmLayout
internal import RealmQuery
internal import RealmReader

/// Queries that name the objects they are given by their keys: results are kept for long, and a link of its own would keep the version that the
/// object was got from.
private struct KeysOfLinks: QueryRewriting {
    let arguments: [QueryArgument]

    func elements(_ elements: [QueryPath.Element]) -> [QueryPath.Element] { elements }

    func operand(_ expression: QueryExpression, beside other: QueryExpression) -> QueryExpression {
        guard case .constant(.argument(let index, let quantifier)) = expression, arguments.indices.contains(index)
        else {
            return expression
        }
        switch arguments[index] {
        case .value(.link(let link)): return .constant(link.constant)
        case .list(let values):
            let links = values.compactMap { value in if case .link(let link) = value { link.constant } else { nil } }
            return links.isEmpty || links.count < values.count ? expression : .list(links, quantifier)
        default: return expression
        }
    }
}

extension Link {
    fileprivate var constant: QueryConstant { .typedLink(table: table.schema.key.value, object: objectKey.value) }
}

extension RealmQuery.Query {
    /// The query and its arguments without versions of objects.
    func withoutVersions(_ arguments: [QueryArgument]) -> (RealmQuery.Query, [QueryArgument]) {
        guard arguments.contains(where: \.hasLinks) else { return (self, arguments) }
        return (
            KeysOfLinks(arguments: arguments).rewritten(self), arguments.map { $0.hasLinks ? .value(.null) : $0 }
        )
    }
}

extension QueryArgument {
    /// Whether it is an object, or consists of such.
    fileprivate var hasLinks: Bool {
        func isLink(_ value: Value) -> Bool { if case .link = value { true } else { false } }
        return switch self {
        case .value(let value): isLink(value)
        case .list(let values): !values.isEmpty && values.allSatisfy(isLink)
        case .shape: false
        }
    }
}
