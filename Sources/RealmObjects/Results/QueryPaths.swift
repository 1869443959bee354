internal import RealmQuery

// Queries with other paths.

extension RealmQuery.Query {
    /// The query with what a function makes of the elements of its paths.
    func mapPaths(_ transform: ([QueryPath.Element]) -> [QueryPath.Element]) -> RealmQuery.Query {
        func path(_ path: QueryPath) -> QueryPath {
            var path = path
            path.elements = transform(path.elements)
            return path
        }
        return RealmQuery.Query(
            predicate.mapPaths(path),
            steps: steps.map { step in
                switch step {
                case .sort(let keys): .sort(keys.map { SortKey(path: path($0.path), ascending: $0.ascending) })
                case .distinct(let paths): .distinct(paths.map(path))
                case .limit: step
                }
            })
    }
}

extension QueryPredicate {
    fileprivate func mapPaths(_ path: (QueryPath) -> QueryPath) -> QueryPredicate {
        switch self {
        case .constant: self
        case .and(let parts): .and(parts.map { $0.mapPaths(path) })
        case .or(let parts): .or(parts.map { $0.mapPaths(path) })
        case .not(let part): .not(part.mapPaths(path))
        case .comparison(let left, let operation, let right, let caseInsensitive, let diacriticInsensitive):
            .comparison(
                left.mapPaths(path), operation, right.mapPaths(path), caseInsensitive: caseInsensitive,
                diacriticInsensitive: diacriticInsensitive)
        case .between(let value, let range): .between(value.mapPaths(path), range)
        case .within(let place, let shape): .within(path(place), shape)
        }
    }
}

extension QueryExpression {
    /// Inside of subqueries paths stay as they are.
    fileprivate func mapPaths(_ path: (QueryPath) -> QueryPath) -> QueryExpression {
        switch self {
        case .constant, .list: self
        case .property(let place): .property(path(place))
        case .aggregate(let place, let aggregate, let property):
            .aggregate(path(place), aggregate, property: property)
        case .subquery(let place, let variable, let predicate):
            .subquery(path(place), variable: variable, predicate)
        case .arithmetic(let left, let operation, let right):
            .arithmetic(left.mapPaths(path), operation, right.mapPaths(path))
        }
    }
}
