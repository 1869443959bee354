internal import RealmLayout
internal import RealmQuery
internal import RealmReader

/// The properties of an object that say whether a query finds it and where, for queries that look at nothing but the object.
struct OwnProperties {
    private(set) var names: Set<String> = []

    /// Nil where other objects count as well: those that links lead to, or those that were found before.
    init?(_ predicate: QueryPredicate) {
        guard add(predicate) else { return nil }
    }

    private mutating func add(_ predicate: QueryPredicate) -> Bool {
        switch predicate {
        case .constant: return true
        case .and(let parts), .or(let parts):
            for part in parts where !add(part) { return false }
            return true
        case .not(let part): return add(part)
        case .comparison(let left, _, let right, _, _): return add(left) && add(right)
        case .between(let value, let limits): return add(value) && limits.allSatisfy { Self.isFixed($0) }
        // A place is an object of its own.
        case .within: return false
        }
    }

    private mutating func add(_ expression: QueryExpression) -> Bool {
        switch expression {
        case .constant(let constant): return Self.isFixed(constant)
        case .list(let constants, _): return constants.allSatisfy { Self.isFixed($0) }
        case .property(let path), .aggregate(let path, _, nil): return add(path)
        case .aggregate, .subquery: return false
        case .arithmetic(let left, _, let right): return add(left) && add(right)
        }
    }

    /// An object that is named by its primary key may come and go.
    private static func isFixed(_ constant: QueryConstant) -> Bool {
        if case .object = constant { false } else { true }
    }

    private mutating func add(_ path: QueryPath) -> Bool {
        guard case .name(let name)? = path.elements.first, !name.hasPrefix("@") else { return false }
        let staysHere = path.elements.dropFirst().allSatisfy { element in
            switch element {
            case .index, .first, .last, .all, .key, .keyArgument: true
            case .name, .argument: false
            }
        }
        guard staysHere else { return false }
        names.insert(name)
        return true
    }

    mutating func add(_ names: some Sequence<String>) { self.names.formUnion(names) }
}
