internal import RealmCore
internal import RealmLayout

/// Resolves the names of a query in a schema and checks types, before any object is read.
struct QueryBinder {
    let snapshot: Snapshot
    let arguments: [QueryArgument]
    /// The class that paths start from.
    var table: TableSchema
    /// Enclosing subqueries: each has a variable that stands for an object of a class.
    var variables: [(name: String, table: TableSchema)] = []
    /// Records the properties that the query reads; nil if not requested.
    var reach: QueryReach?
    /// Nesting depth of the current expression.
    private var depth = 0

    init(_ table: Table, arguments: [QueryArgument]) {
        snapshot = table.snapshot
        self.arguments = arguments
        self.table = table.schema
    }

    func predicate(_ predicate: QueryPredicate) throws(QueryError) -> BoundPredicate {
        try deeper().inner(predicate)
    }

    /// A binder for the next nesting level. Query trees built by programs can be nested too deeply for the stack.
    private func deeper() throws(QueryError) -> QueryBinder {
        guard depth < QueryLimits.treeDepth else {
            throw .exhausted("a query has at most \(QueryLimits.treeDepth) levels")
        }
        var inner = self
        inner.depth += 1
        return inner
    }

    private func inner(_ predicate: QueryPredicate) throws(QueryError) -> BoundPredicate {
        switch predicate {
        case .constant(let value): return .constant(value)
        case .and(let parts): return .and(try bound(parts))
        case .or(let parts): return .or(try bound(parts))
        case .not(let part): return .not(try self.predicate(part))
        case .comparison(let left, let operation, let right, let ignoresCase, let ignoresDiacritics):
            if operation == .text { return try words(left, right) }
            // `NSPredicate` writes a shape test as `place IN %@`.
            if operation == .isIn, case .property(let place) = left, case .constant(.argument(let number, nil)) = right,
                case .shape? = arguments.indices.contains(number) ? arguments[number] : nil
            {
                return try within(place, .argument(number))
            }
            let folding = TextFolding(case: ignoresCase, diacritics: ignoresDiacritics)
            guard folding.isEmpty || operation.takes(folding) else {
                throw .binding("'\(folding)' cannot follow \(operation.rawValue)")
            }
            return .comparison(try comparison(left, operation, right, folding))
        case .between(let value, let limits): return try between(value, limits)
        case .within(let path, let shape): return try within(path, shape)
        }
    }

    private func bound(_ parts: [QueryPredicate]) throws(QueryError) -> [BoundPredicate] {
        var bound: [BoundPredicate] = []
        for part in parts { bound.append(try predicate(part)) }
        return bound
    }

    func steps(_ steps: [ResultStep]) throws(QueryError) -> [BoundStep] {
        var bound: [BoundStep] = []
        for step in steps {
            switch step {
            case .limit(let count): bound.append(.limit(count))
            case .distinct(let paths):
                var places: [BoundPath] = []
                for path in paths { places.append(try single(path, for: "DISTINCT")) }
                bound.append(.distinct(places))
            case .sort(let keys):
                var places: [(path: BoundPath, ascending: Bool)] = []
                for key in keys { places.append((try single(key.path, for: "SORT"), key.ascending)) }
                bound.append(.sort(places))
            }
        }
        return bound
    }

    /// A path with one value for each object.
    func single(_ path: QueryPath, for step: String) throws(QueryError) -> BoundPath {
        let bound = try self.path(path)
        if bound.isCount, step == "SORT" { return bound }
        guard !bound.hasOneValue else { return bound }
        let isWhole = bound.isSingle && bound.steps.isEmpty
        throw .binding(
            "\(step) needs one value of each object; '\(path)' \(isWhole ? "is a collection" : "can have several")")
    }

    func tableSchema(at path: BoundPath) -> TableSchema? {
        var current = start(of: path.level)
        for hop in path.hops {
            guard let next = target(of: hop, from: current) else { return nil }
            current = next
        }
        return current
    }

    private func target(of hop: BoundPath.Hop, from schema: TableSchema) -> TableSchema? {
        switch hop {
        case .link(let property), .links(let property, _):
            return schema.properties[property].target.flatMap { name in
                snapshot.schema.tables.first { $0.tableName == name }
            }
        case .backlinks(_, let table): return snapshot.cores[table].schema
        }
    }

    // MARK: Comparisons

    private func comparison(
        _ left: QueryExpression, _ operation: ComparisonOperation, _ right: QueryExpression, _ folding: TextFolding
    ) throws(QueryError) -> BoundComparison {
        guard !left.isConstant || !right.isConstant else {
            throw .binding("'\(left)' and '\(right)' are both constant")
        }
        try refuseBareText(right)
        let first: BoundExpression
        let second: BoundExpression
        if right.isConstant {
            first = try expression(left, hint: nil)
            second = try expression(right, hint: hint(of: first)).anyOfLinks(beside: first, operation)
        } else {
            second = try expression(right, hint: nil)
            first = try expression(left, hint: hint(of: second))
        }
        var types = (type(of: first), type(of: second))
        // A name compared with `@type` is a type.
        if types.0 == .typeName, right.isConstant { types.1 = .typeName }
        if types.1 == .typeName, left.isConstant { types.0 = .typeName }
        let written = "\(left) \(operation.rawValue)\(folding) \(right)"
        let text = "'\(written)'"
        // An object argument has an order among mixed values, whichever operand comes first.
        let isMirrored = operation.isOrder && left.isConstant && types.1 == .property(.mixed)
        try check(isMirrored ? (types.1, types.0) : types, operation, folding, text)
        if operation == .isIn, !isMany(second) { throw .binding("what follows IN in \(text) must be a list") }
        try refuseOthers(first, second, text)
        try refuseNull(first, second, text)
        try refuseQuantifier(of: left, first, text)
        try refuseQuantifier(of: right, second, text)
        return BoundComparison(
            left: first, operation: operation, right: second, folding: folding,
            column: column(first, operation, second), isOfTypes: types.0 == .typeName,
            text: written)
    }

    /// The type that constants beside an expression are converted to. Aggregates of mixed values can have any type.
    private func hint(of expression: BoundExpression) -> ValueType? {
        if case .aggregate(let path, _, .mixed, _) = expression, path.property?.type == .mixed {
            return .property(.mixed)
        }
        return type(of: expression)
    }

    private func column(
        _ left: BoundExpression, _ operation: ComparisonOperation, _ right: BoundExpression
    ) -> StoredPropertyType? {
        guard case .path(let path) = left, path.hops.isEmpty, path.steps.isEmpty, path.suffix == nil,
            case .property(let index) = path.end, case .constants(let values, let isList, let quantifier) = right,
            !isList || operation == .equal || operation == .isIn
        else { return nil }
        let property = table.properties[index]
        // Only list values of the column's type count here.
        if isList, property.collection == nil, property.type == .float || property.type == .double {
            return quantifier == nil || quantifier == .any ? property.type : nil
        }
        guard property.collection == nil, let type = values.isEmpty ? nil : self.type(of: right) else { return nil }
        let isOfNulls = type == .null && (property.type == .string || property.type == .binary)
        return isOfNulls || type == .property(property.type) ? property.type : nil
    }

    private func check(
        _ types: (ValueType, ValueType), _ operation: ComparisonOperation, _ folding: TextFolding, _ text: String
    ) throws(QueryError) {
        if (types.0 == .typeName) != (types.1 == .typeName) {
            throw .binding("\(text) compares a type with a value; @type is compared with a name such as 'string'")
        }
        guard types.0.isComparable(with: types.1) else {
            let hasDate = [types.0, types.1].contains(.property(.timestamp))
            let hint = hasDate ? "; a date is written as 2024-01-01@00:00:00, without quotes, in UTC" : ""
            throw .binding("\(text) compares \(types.0.words) with \(types.1.words)\(hint)")
        }
        if operation.isOrder, types.0.isLink || types.0 == .typeName {
            throw .binding("\(text): links and types can only be equal or different")
        }
        if operation.isText || !folding.isEmpty, !types.1.canBeText || types == (.property(.mixed), .null) {
            throw .binding("\(text) needs a string or binary data on its right, not \(types.1.words)")
        }
    }

    private func refuseQuantifier(
        of expression: QueryExpression, _ bound: BoundExpression, _ text: String
    ) throws(QueryError) {
        guard case .property(let path) = expression, let quantifier = path.quantifier, !isMany(bound) else { return }
        throw .binding("\(quantifier.rawValue) in \(text) needs a path with several values")
    }

    /// Rejects arguments that do not fit the other operand. Individual arguments in a list must fit; a list passed as
    /// one argument may contain values that do not.
    private func refuseArgument(_ number: Int, _ values: [Value], _ hint: ValueType?) throws(QueryError) {
        guard let hint, hint != .typeName else { return }
        for type in values.map({ ValueType($0) }) where !type.isComparable(with: hint) {
            throw .binding("the argument \(number) is \(type.words), which is compared with \(hint.words)")
        }
    }

    /// Rejects links compared with anything but null and links to objects of the same class.
    private func refuseOthers(
        _ left: BoundExpression, _ right: BoundExpression, _ text: String
    ) throws(QueryError) {
        for (link, other) in [(left, right), (right, left)] {
            guard case .path = link, type(of: link).isLink, case .constants(let values, true, _) = other else {
                continue
            }
            let expected = type(of: link)
            for type in values.map({ ValueType($0) })
            where type == .property(.mixed) || !type.isComparable(with: expected) {
                throw .binding("\(text) compares an object with \(type.isLink ? "one of another class" : type.words)")
            }
        }
    }

    /// Rejects lists of links compared with null: a list is not null, even when empty. Values of a dictionary may be
    /// null.
    private func refuseNull(_ left: BoundExpression, _ right: BoundExpression, _ text: String) throws(QueryError) {
        for (list, other) in [(left, right), (right, left)] {
            guard case .path(let path) = list, case .object = path.end, path.suffix == nil, !path.isSingle,
                !endsInDictionary(path),
                case .constants(let values, _, _) = other, values.count == 1, ValueType(values[0]) == .null
            else { continue }
            throw .binding("\(text): a list is never null; its .@count can be 0")
        }
    }

    private func endsInDictionary(_ path: BoundPath) -> Bool {
        guard case .links(let property, _)? = path.hops.last else { return false }
        var owner = path
        owner.hops.removeLast()
        guard case .dictionary? = tableSchema(at: owner)?.properties[property].collection else { return false }
        return true
    }

    private func between(_ value: QueryExpression, _ limits: [QueryConstant]) throws(QueryError) -> BoundPredicate {
        var limits = limits.map { QueryExpression.constant($0) }
        if limits.count == 1, case .constant(.argument(let number, nil)) = limits[0] {
            guard case .list(let values) = try argument(number), values.count == 2 else {
                throw .binding("the argument \(number) after BETWEEN must be a list of two values")
            }
            limits = values.map { .constant(QueryConstant($0)) }
        }
        guard limits.count == 2 else { throw .binding("BETWEEN needs two values") }
        if case .property(let path) = value, path.quantifier != .all, path.suffix == nil,
            case .path(let bound) = try expression(value, hint: nil),
            bound.property?.collection != nil, !bound.steps.contains(.keys)
        {
            throw .binding("BETWEEN on a list needs ALL: '\(path)'")
        }
        return .and([
            .comparison(try comparison(value, .greaterOrEqual, limits[0], [])),
            .comparison(try comparison(value, .lessOrEqual, limits[1], [])),
        ])
    }

    // MARK: Expressions

    /// - Parameter hint: the type of the other operand.
    func expression(_ expression: QueryExpression, hint: ValueType?) throws(QueryError) -> BoundExpression {
        try deeper().inner(expression, hint: hint)
    }

    private func inner(_ expression: QueryExpression, hint: ValueType?) throws(QueryError) -> BoundExpression {
        switch expression {
        case .constant(let constant): return try constantExpression(constant, hint: hint)
        case .list(let elements, let quantifier):
            var values: [Value] = []
            for element in elements {
                guard case .constants(let found, false, _) = try constantExpression(element, hint: hint) else {
                    throw .binding("a list in a query cannot hold lists")
                }
                if case .argument(let number, _) = element { try refuseArgument(number, found, hint) }
                values += found
            }
            return .constants(values, isList: true, quantifier: quantifier)
        case .property(let path): return .path(try self.path(path))
        case .aggregate(let path, let aggregate, let property):
            return try self.aggregate(path, aggregate, property)
        case .subquery(let path, let variable, let predicate):
            return try subquery(path, variable, predicate)
        case .arithmetic(let left, let operation, let right):
            return try arithmetic(left, operation, right, hint: hint)
        }
    }

    private func arithmetic(
        _ left: QueryExpression, _ operation: ArithmeticOperation, _ right: QueryExpression, hint: ValueType?
    ) throws(QueryError) -> BoundExpression {
        let first = try expression(left, hint: left.isConstant && !right.isConstant ? nil : hint)
        let second = try expression(right, hint: left.isConstant ? hint : type(of: first))
        for (part, bound) in [(left, first), (right, second)] where !type(of: bound).isNumber {
            throw .binding("'\(operation.rawValue)' needs numbers; '\(part)' is \(type(of: bound).words)")
        }
        return .arithmetic(first, operation, second)
    }

    private func aggregate(
        _ path: QueryPath, _ aggregate: QueryAggregate, _ property: String?
    ) throws(QueryError) -> BoundExpression {
        var bound = try self.path(path)
        let type: ValueType
        if let property {
            guard case .object = bound.end, bound.suffix == nil, let schema = tableSchema(at: bound) else {
                throw .binding("\(aggregate.rawValue) of '\(path)': it is no list of objects")
            }
            let index = try self.property(property, of: schema)
            guard schema.properties[index].collection == nil else {
                throw .binding("\(aggregate.rawValue) of '\(path).\(property)': the property is a collection")
            }
            bound.end = .property(index)
            reach?.leaveObject()
            type = .property(schema.properties[index].type)
        } else {
            guard bound.property?.collection != nil, bound.steps.isEmpty else {
                throw .binding("\(aggregate.rawValue) of '\(path)': it is no list of values")
            }
            type = bound.type
            // Values of a dictionary are mixed, but are summed as the type of their property.
            if aggregate == .sum || aggregate == .average, let number = bound.property?.type,
                ValueType.property(number).isNumber
            {
                return .aggregate(bound, aggregate, of: number, byObject: true)
            }
        }
        switch type {
        case .property(let type) where [.int, .float, .double, .decimal128, .mixed].contains(type):
            return .aggregate(bound, aggregate, of: type, byObject: property == nil)
        case .property(.timestamp) where aggregate == .minimum || aggregate == .maximum:
            return .aggregate(bound, aggregate, of: .timestamp, byObject: property == nil)
        default: throw .binding("\(aggregate.rawValue) cannot be taken of \(type.words)")
        }
    }

    private func subquery(
        _ path: QueryPath, _ variable: String, _ predicate: QueryPredicate
    ) throws(QueryError) -> BoundExpression {
        let bound = try self.path(path)
        guard case .object = bound.end, bound.steps.isEmpty, bound.suffix == nil, !bound.isSingle,
            let schema = tableSchema(at: bound)
        else { throw .binding("SUBQUERY needs a list of objects; '\(path)' is none") }
        guard !variables.contains(where: { $0.name == variable }) else {
            throw .binding("the variable \(variable) is in use already")
        }
        guard variables.count < QueryLimits.subqueries else {
            throw .exhausted("a query has at most \(QueryLimits.subqueries) subqueries in each other")
        }
        var inner = self
        inner.table = schema
        inner.variables.append((variable, schema))
        reach?.leaveObject()
        return .subquery(bound, try inner.predicate(predicate))
    }

    // MARK: Types

    func type(of expression: BoundExpression) -> ValueType {
        switch expression {
        case .constants(let values, _, _):
            let types = Set(values.lazy.map { ValueType($0) }.filter { $0 != .null }.map(\.words))
            // Elements of several types are compared one by one.
            guard let first = values.first(where: { ValueType($0) != .null }) else { return .null }
            return types.count == 1 ? ValueType(first) : .property(.mixed)
        case .path(let path): return path.type
        case .aggregate(let path, let aggregate, let type, let byObject):
            // A value compared with a list is compared as one of its elements.
            if byObject, let element = path.property?.type, ValueType.property(element).isNumber, element != .mixed {
                return .property(element)
            }
            if byObject, aggregate == .minimum || aggregate == .maximum, let element = path.property?.type {
                return .property(element)
            }
            if type == .timestamp { return .property(.timestamp) }
            if aggregate == .average { return .property(type == .decimal128 || type == .mixed ? .decimal128 : .double) }
            if aggregate == .sum, type == .float { return .property(.double) }
            if aggregate == .sum, type == .mixed { return .property(.decimal128) }
            return .property(type)
        case .subquery: return .property(.int)
        case .arithmetic(let left, _, let right):
            let types = [type(of: left), type(of: right)]
            let widest: [StoredPropertyType] = [.mixed, .decimal128, .double, .float]
            return .property(widest.first { types.contains(.property($0)) } ?? .int)
        }
    }

    func isMany(_ expression: BoundExpression) -> Bool {
        switch expression {
        case .constants(_, let isList, _): return isList
        case .path(let path):
            if !path.isSingle || path.hasKeys || path.suffix == .lengths { return true }
            if path.suffix == .size { return false }
            guard let property = path.property else { return false }
            let isCollection = property.collection != nil || property.type == .mixed
            return isCollection || path.steps.contains(.all) || path.steps.contains(.keys)
        case .aggregate(let path, _, _, let byObject): return byObject && !path.isSingle
        case .subquery: return false
        case .arithmetic(let left, _, let right): return isMany(left) || isMany(right)
        }
    }
}

extension QueryExpression {
    /// Whether the value is the same for all objects.
    var isConstant: Bool {
        switch self {
        case .constant, .list: true
        case .arithmetic(let left, _, let right): left.isConstant && right.isConstant
        case .property, .aggregate, .subquery: false
        }
    }
}

extension ComparisonOperation {
    fileprivate var isOrder: Bool { [.less, .lessOrEqual, .greater, .greaterOrEqual].contains(self) }

    /// Whether it searches within strings or binary data.
    var isText: Bool { [.beginsWith, .endsWith, .contains, .like].contains(self) }
}

extension BoundExpression {
    /// A list compared with the object's own links: as in Realm Core, it is enough if one of them leads to an object of
    /// the list. Links reached through other links are compared one by one.
    fileprivate func anyOfLinks(beside left: BoundExpression, _ operation: ComparisonOperation) -> BoundExpression {
        guard operation == .equal, case .path(let path) = left, path.quantifier == nil, path.hops.count == 1,
            case .links(_, nil) = path.hops[0], case .object = path.end, path.suffix == nil, path.level == 0,
            case .constants(let values, true, nil) = self
        else { return self }
        return .constants(values, isList: true, quantifier: .any)
    }
}
