internal import RealmQuery

/// A transformation of the parts of a query.
protocol QueryRewriting {
    /// Returns the replacement of a path.
    func elements(_ elements: [QueryPath.Element]) -> [QueryPath.Element]
    /// Returns the new number of an argument that stands for a value.
    func argument(_ index: Int) -> Int
    /// Returns the replacement of an expression, given what it is compared with; called before its parts are rewritten.
    func operand(_ expression: QueryExpression, beside other: QueryExpression) -> QueryExpression
    /// Returns the replacement of `value BETWEEN {low, high}`, before its own parts are rewritten; nil to keep it.
    func between(_ value: QueryExpression, _ limits: [QueryConstant]) -> QueryPredicate?
    /// Returns the transformation inside a subquery over a path, in which a variable names the objects.
    func inside(_ path: [QueryPath.Element], _ variable: String) -> Self
}

extension QueryRewriting {
    func argument(_ index: Int) -> Int { index }
    func operand(_ expression: QueryExpression, beside other: QueryExpression) -> QueryExpression { expression }
    func between(_ value: QueryExpression, _ limits: [QueryConstant]) -> QueryPredicate? { nil }
    func inside(_ path: [QueryPath.Element], _ variable: String) -> Self { self }
}

extension QueryRewriting {
    func rewritten(_ query: ObjectQuery) -> ObjectQuery {
        ObjectQuery(
            rewritten(query.predicate),
            steps: query.steps.map { step in
                switch step {
                case .sort(let keys): .sort(keys.map { SortKey(path: rewritten($0.path), ascending: $0.ascending) })
                case .distinct(let paths): .distinct(paths.map { rewritten($0) })
                case .limit: step
                }
            })
    }

    private func rewritten(_ predicate: QueryPredicate) -> QueryPredicate {
        switch predicate {
        case .constant: predicate
        case .and(let parts): .and(parts.map { rewritten($0) })
        case .or(let parts): .or(parts.map { rewritten($0) })
        case .not(let part): .not(rewritten(part))
        case .comparison(let left, let operation, let right, let caseInsensitive, let diacriticInsensitive):
            .comparison(
                rewritten(operand(left, beside: right)), operation, rewritten(operand(right, beside: left)),
                caseInsensitive: caseInsensitive, diacriticInsensitive: diacriticInsensitive)
        case .between(let value, let range):
            between(value, range).map { rewritten($0) } ?? .between(rewritten(value), range.map { rewritten($0) })
        case .within(let place, let shape): .within(rewritten(place), rewritten(shape))
        }
    }

    private func rewritten(_ expression: QueryExpression) -> QueryExpression {
        switch expression {
        case .constant(let constant): return .constant(rewritten(constant))
        case .list(let constants, let quantifier): return .list(constants.map { rewritten($0) }, quantifier)
        case .property(let path): return .property(rewritten(path))
        case .aggregate(let path, let aggregate, let property?):
            // The property belongs to the objects at the end of the path.
            guard case .name(let name)? = elements(path.elements + [.name(property)]).last else { return expression }
            return .aggregate(rewritten(path), aggregate, property: name)
        case .aggregate(let path, let aggregate, nil): return .aggregate(rewritten(path), aggregate, property: nil)
        case .subquery(let path, let variable, let predicate):
            return .subquery(
                rewritten(path), variable: variable, inside(path.elements, variable).rewritten(predicate))
        case .arithmetic(let left, let operation, let right):
            return .arithmetic(rewritten(left), operation, rewritten(right))
        }
    }

    private func rewritten(_ path: QueryPath) -> QueryPath {
        var path = path
        path.elements = elements(path.elements)
        return path
    }

    private func rewritten(_ constant: QueryConstant) -> QueryConstant {
        switch constant {
        case .argument(let index, let quantifier): .argument(argument(index), quantifier)
        case .object(let className, let primaryKey): .object(className: className, primaryKey: rewritten(primaryKey))
        default: constant
        }
    }

    private func rewritten(_ shape: GeoShape) -> GeoShape {
        switch shape {
        case .box(let low, let high): .box(rewritten(low), rewritten(high))
        case .circle(let centre, let radius): .circle(rewritten(centre), radius: rewritten(radius))
        case .polygon(let rings): .polygon(rings.map { $0.map { rewritten($0) } })
        case .argument(let index): .argument(argument(index))
        }
    }

    private func rewritten(_ position: GeoPosition) -> GeoPosition {
        GeoPosition(
            longitude: rewritten(position.longitude), latitude: rewritten(position.latitude),
            altitude: position.altitude)
    }

    private func rewritten(_ coordinate: GeoCoordinate) -> GeoCoordinate {
        if case .argument(let index) = coordinate { .argument(argument(index)) } else { coordinate }
    }
}

/// Renumbers the arguments of a query, so that they follow other arguments.
struct ArgumentMoving: QueryRewriting {
    let offset: Int

    func argument(_ index: Int) -> Int { index + offset }

    func elements(_ elements: [QueryPath.Element]) -> [QueryPath.Element] {
        elements.map { element in
            switch element {
            case .argument(let index): .argument(index + offset)
            case .keyArgument(let index): .keyArgument(index + offset)
            case .name, .index, .first, .last, .all, .key: element
            }
        }
    }
}
