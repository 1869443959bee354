internal import RealmCore
internal import RealmQuery

/// A part of a condition written in Swift.
indirect enum QueryNode {
    /// The value of a queried object at the end of a path.
    case path(Path)
    /// A value of the program, and the databases of the objects in it.
    case constant(QueryArgument, Set<String> = [])
    /// A condition that is true, or false, for all objects.
    case truth(Bool)
    /// An aggregate of the values at the end of a path; elements beyond `collection` name a property of its objects.
    case aggregate(Path, QueryAggregate)
    case comparison(QueryNode, ComparisonOperation, QueryNode, StringOptions = [])
    /// Whether a value is in a range that includes its bounds; of a single object in a collection.
    case between(QueryNode, QueryNode, QueryNode)
    case and(QueryNode, QueryNode)
    case or(QueryNode, QueryNode)
    case not(QueryNode)
    /// Whether a place lies within a shape.
    case within(QueryNode, GeoShape)
    /// The number of objects that meet the condition, in the collection that it concerns.
    case subquery(QueryNode)

    /// A path through properties.
    struct Path {
        var elements: [QueryPath.Element] = []
        /// Number of elements up to the first collection, and up to the last one; nil if there is none.
        var firstCollection: Int?
        var collection: Int?
        var isCounted = false
    }

    /// Returns the value of a property of this value.
    ///
    /// - Parameter root: the root type of the key path. The compiler accepts some types other than classes of objects.
    func adding(_ keyPath: AnyKeyPath, _ root: Any.Type) -> QueryNode {
        guard let root = root as? ObjectBase.Type else {
            Failure.stop(
                "'\(root)' has no properties that can be asked for: what it is stored as has, under 'persistableValue'"
            )
        }
        return adding(path: KeyPathRecorder.name(keyPath, root), root)
    }

    /// Returns the value at the end of a path of names separated by points.
    func adding(path text: String, _ root: ObjectBase.Type) -> QueryNode {
        guard case .path(var path) = self else { return self }
        let names = text.split(separator: ".").map { QueryPath.Element.name(String($0)) }
        var model: ModelClass? = ModelClass.of(root)
        for case .name(let name) in names {
            let property = model.flatMap { model in model.index(of: name).map { model.properties[$0] } }
            path.elements += ColumnNames(model).expanded([.name(name)])
            if property?.collection != nil || property?.isLinkingObjects ?? false {
                path.collection = path.elements.count
                path.firstCollection = path.firstCollection ?? path.collection
            }
            model = property?.targetType.map { ModelClass.of($0) }
        }
        return .path(path)
    }

    func adding(_ element: QueryPath.Element) -> QueryNode {
        guard case .path(var path) = self else { return self }
        path.elements.append(element)
        return .path(path)
    }

    var counted: QueryNode {
        guard case .path(var path) = self else { return self }
        path.isCounted = true
        return .path(path)
    }

    func aggregated(_ aggregate: QueryAggregate) -> QueryNode {
        guard case .path(let path) = self else { return self }
        return .aggregate(path, aggregate)
    }

    /// The node as a condition: a Boolean property is one.
    var condition: QueryNode {
        guard case .path = self else { return self }
        return .comparison(self, .equal, .constant(.value(.bool(true))))
    }
}

extension QueryNode {
    /// The parts of a chain of conditions. A chain in a program may be longer than the maximum depth of a query.
    fileprivate var conjunction: [QueryNode] {
        var (rest, parts) = (self, [QueryNode]())
        while case .and(let left, let right) = rest {
            parts.append(right)
            rest = left
        }
        return [rest] + parts.reversed()
    }

    fileprivate var disjunction: [QueryNode] {
        var (rest, parts) = (self, [QueryNode]())
        while case .or(let left, let right) = rest {
            parts.append(right)
            rest = left
        }
        return [rest] + parts.reversed()
    }
}

/// Compiles nodes to a predicate, and collects its arguments.
struct QueryCompiler {
    private(set) var arguments: [QueryArgument] = []
    /// The databases of the objects among the arguments.
    private(set) var databases: Set<String> = []
    /// The paths of the collections of the enclosing subqueries, which variables stand for.
    private var subjects: [[QueryPath.Element]] = []

    private var variable: String { "$element\(subjects.count)" }

    mutating func predicate(_ node: QueryNode) -> QueryPredicate {
        switch node {
        case .and: return .and(node.conjunction.map { predicate($0) })
        case .or: return .or(node.disjunction.map { predicate($0) })
        case .not(let part): return .not(predicate(part))
        case .comparison(_, let operation, .constant(let argument, _), _) where argument.findsNothing(operation):
            return .constant(false)
        case .comparison(let left, let operation, let right, let options):
            var (left, right) = (expression(left), expression(right))
            // Without the quantifier both lists would be compared as a whole.
            if operation == .isIn, case .property(var path) = left, case .comparison(.path(let place), _, _, _) = node,
                leadsToMany(place)
            {
                path.quantifier = .any
                left = .property(path)
            }
            if operation == .like, options.contains(.diacriticInsensitive) {
                Failure.stop(Failure.likeWithoutDiacritics)
            }
            let comparison = QueryPredicate.comparison(
                left, operation, right, caseInsensitive: options.contains(.caseInsensitive),
                diacriticInsensitive: options.contains(.diacriticInsensitive))
            return comparison.findingSomething
        case .between(let value, let low, let high):
            if case .path(let path) = value, leadsToMany(path), let found = found(path, low, high) { return found }
            return .and([
                predicate(.comparison(value, .greaterOrEqual, low)), predicate(.comparison(value, .lessOrEqual, high)),
            ])
        case .truth(let holds): return .constant(holds)
        case .within(.path(let path), let shape): return .within(queryPath(path.elements), shape)
        case .within: Failure.stop("geoWithin is asked of a place of an object")
        case .path, .constant, .aggregate, .subquery: return predicate(node.condition)
        }
    }

    /// Returns the condition that an object in a collection has a value in a range; nil for values of the collection
    /// itself.
    private mutating func found(_ path: QueryNode.Path, _ low: QueryNode, _ high: QueryNode) -> QueryPredicate? {
        guard let end = path.collection else { return nil }
        var rest = path.elements.dropFirst(end)
        if rest.first == .name("@values") { rest = rest.dropFirst() }
        guard !rest.isEmpty else { return nil }
        let variable = "$between"
        let value = QueryExpression.property(QueryPath([.name(variable)] + rest))
        let limits: [(ComparisonOperation, QueryExpression)] = [
            (.greaterOrEqual, expression(low)), (.lessOrEqual, expression(high)),
        ]
        let isInRange = QueryPredicate.and(
            limits.map { .comparison(value, $0.0, $0.1, caseInsensitive: false) })
        return .comparison(
            .subquery(queryPath(Array(path.elements[..<end])), variable: variable, isInRange), .greater,
            .constant(.integer("0")), caseInsensitive: false)
    }

    private mutating func expression(_ node: QueryNode) -> QueryExpression {
        switch node {
        case .path(let path): return .property(queryPath(path.elements, path.isCounted ? .size : nil))
        case .constant(let argument, let databases):
            arguments.append(argument)
            self.databases.formUnion(databases)
            return .constant(.argument(arguments.count - 1, nil))
        case .aggregate(let path, let aggregate):
            guard let end = path.collection, end < path.elements.count, case .name(let property)? = path.elements.last
            else {
                return .aggregate(queryPath(path.elements), aggregate, property: nil)
            }
            return .aggregate(queryPath(Array(path.elements[..<end])), aggregate, property: property)
        case .subquery(let condition):
            guard let collection = Self.collection(of: condition) else {
                Failure.stop("Subqueries must contain a keypath starting with a collection.")
            }
            subjects.append(collection)
            defer { subjects.removeLast() }
            return .subquery(QueryPath(collection), variable: variable, predicate(condition))
        default: Failure.stop("a condition is compared with a value")
        }
    }

    /// Whether the left operand consists of the values of a collection, other than one that a variable stands for.
    private func leadsToMany(_ path: QueryNode.Path) -> Bool {
        guard let collection = path.collection else { return false }
        if let subject = subjects.last, path.elements.starts(with: subject), collection == subject.count {
            return false
        }
        return switch path.elements.dropFirst(collection).first {
        case .key, .index, .first, .last: false
        default: true
        }
    }

    private func queryPath(_ elements: [QueryPath.Element], _ suffix: QueryPath.Suffix? = nil) -> QueryPath {
        if let subject = subjects.last, elements.starts(with: subject) {
            var rest = elements.dropFirst(subject.count)
            if rest.first == .name("@values") { rest = rest.dropFirst() }
            return QueryPath([.name(variable)] + rest, suffix: suffix)
        }
        return QueryPath(elements, suffix: suffix)
    }

    /// Returns the first collection that a condition concerns.
    private static func collection(of node: QueryNode) -> [QueryPath.Element]? {
        switch node {
        case .path(let path), .aggregate(let path, _): path.firstCollection.map { Array(path.elements[..<$0]) }
        case .comparison(let left, _, let right, _), .and(let left, let right), .or(let left, let right):
            collection(of: left) ?? collection(of: right)
        case .not(let part), .subquery(let part), .within(let part, _), .between(let part, _, _): collection(of: part)
        case .constant, .truth: nil
        }
    }
}
