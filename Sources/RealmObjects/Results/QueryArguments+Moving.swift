internal import RealmQuery

// Queries whose arguments stand behind those of others.

extension RealmQuery.Query {
    /// The query with its arguments so many places further back.
    func argumentsMoved(by offset: Int) -> RealmQuery.Query {
        guard offset > 0 else { return self }
        let moving = ArgumentMoving(offset: offset)
        return RealmQuery.Query(
            moving.moved(predicate),
            steps: steps.map { step in
                switch step {
                case .sort(let keys):
                    .sort(keys.map { SortKey(path: moving.moved($0.path), ascending: $0.ascending) })
                case .distinct(let paths): .distinct(paths.map(moving.moved))
                case .limit: step
                }
            })
    }
}

private struct ArgumentMoving {
    let offset: Int

    func moved(_ predicate: QueryPredicate) -> QueryPredicate {
        switch predicate {
        case .constant: predicate
        case .and(let parts): .and(parts.map(moved))
        case .or(let parts): .or(parts.map(moved))
        case .not(let part): .not(moved(part))
        case .comparison(let left, let operation, let right, let caseInsensitive, let diacriticInsensitive):
            .comparison(
                moved(left), operation, moved(right), caseInsensitive: caseInsensitive,
                diacriticInsensitive: diacriticInsensitive)
        case .between(let value, let range): .between(moved(value), range.map(moved))
        case .within(let place, let shape): .within(moved(place), moved(shape))
        }
    }

    private func moved(_ expression: QueryExpression) -> QueryExpression {
        switch expression {
        case .constant(let constant): .constant(moved(constant))
        case .list(let constants, let quantifier): .list(constants.map(moved), quantifier)
        case .property(let path): .property(moved(path))
        case .aggregate(let path, let aggregate, let property):
            .aggregate(moved(path), aggregate, property: property)
        case .subquery(let path, let variable, let predicate):
            .subquery(moved(path), variable: variable, moved(predicate))
        case .arithmetic(let left, let operation, let right): .arithmetic(moved(left), operation, moved(right))
        }
    }

    func moved(_ path: QueryPath) -> QueryPath {
        var path = path
        path.elements = path.elements.map { element in
            switch element {
            case .argument(let index): .argument(index + offset)
            case .keyArgument(let index): .keyArgument(index + offset)
            case .name, .index, .first, .last, .all, .key: element
            }
        }
        return path
    }

    private func moved(_ constant: QueryConstant) -> QueryConstant {
        switch constant {
        case .argument(let index, let quantifier): .argument(index + offset, quantifier)
        case .object(let className, let primaryKey): .object(className: className, primaryKey: moved(primaryKey))
        default: constant
        }
    }

    private func moved(_ shape: GeoShape) -> GeoShape {
        switch shape {
        case .box(let low, let high): .box(moved(low), moved(high))
        case .circle(let centre, let radius): .circle(moved(centre), radius: moved(radius))
        case .polygon(let rings): .polygon(rings.map { $0.map(moved) })
        case .argument(let index): .argument(index + offset)
        }
    }

    private func moved(_ position: GeoPosition) -> GeoPosition {
        GeoPosition(
            longitude: moved(position.longitude), latitude: moved(position.latitude), altitude: position.altitude)
    }

    private func moved(_ coordinate: GeoCoordinate) -> GeoCoordinate {
        if case .argument(let index) = coordinate { .argument(index + offset) } else { coordinate }
    }
}
