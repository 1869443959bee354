internal import RealmQuery

// Queries with other paths.

/// What becomes of the elements of paths.
struct PathMap {
    let elements: ([QueryPath.Element]) -> [QueryPath.Element]
    /// The same inside of a subquery over a path, whose objects have a name there; nil where nothing changes inside.
    var inside: (([QueryPath.Element], _ variable: String) -> PathMap)?

    fileprivate func callAsFunction(_ path: QueryPath) -> QueryPath {
        var path = path
        path.elements = elements(path.elements)
        return path
    }
}

extension RealmQuery.Query {
    /// The query with other elements in its paths.
    func mapPaths(_ map: PathMap) -> RealmQuery.Query {
        RealmQuery.Query(
            predicate.mapPaths(map),
            steps: steps.map { step in
                switch step {
                case .sort(let keys): .sort(keys.map { SortKey(path: map($0.path), ascending: $0.ascending) })
                case .distinct(let paths): .distinct(paths.map { map($0) })
                case .limit: step
                }
            })
    }
}

extension QueryPredicate {
    fileprivate func mapPaths(_ map: PathMap) -> QueryPredicate {
        switch self {
        case .constant: self
        case .and(let parts): .and(parts.map { $0.mapPaths(map) })
        case .or(let parts): .or(parts.map { $0.mapPaths(map) })
        case .not(let part): .not(part.mapPaths(map))
        case .comparison(let left, let operation, let right, let caseInsensitive, let diacriticInsensitive):
            .comparison(
                left.mapPaths(map), operation, right.mapPaths(map), caseInsensitive: caseInsensitive,
                diacriticInsensitive: diacriticInsensitive)
        case .between(let value, let range): .between(value.mapPaths(map), range)
        case .within(let place, let shape): .within(map(place), shape)
        }
    }
}

extension QueryExpression {
    fileprivate func mapPaths(_ map: PathMap) -> QueryExpression {
        switch self {
        case .constant, .list: return self
        case .property(let place): return .property(map(place))
        case .aggregate(let place, let aggregate, let property?):
            // The property belongs to the objects at the end of the path.
            let mapped = map.elements(place.elements + [.name(property)])
            guard case .name(let name)? = mapped.last else { return self }
            return .aggregate(map(place), aggregate, property: name)
        case .aggregate(let place, let aggregate, nil): return .aggregate(map(place), aggregate, property: nil)
        case .subquery(let place, let variable, let predicate):
            let inside = map.inside.map { predicate.mapPaths($0(place.elements, variable)) } ?? predicate
            return .subquery(map(place), variable: variable, inside)
        case .arithmetic(let left, let operation, let right):
            return .arithmetic(left.mapPaths(map), operation, right.mapPaths(map))
        }
    }
}
