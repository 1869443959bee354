/// A term of a query about an object, written in Swift instead of text: `$0["owner"]["age"]`.
///
/// ```swift
/// let found = try people.where { $0["age"] > 30 && $0["dogs"]["name"].any.begins(with: "re", caseInsensitive: true) }
/// let many = try people.where { $0["dogs"].count { $0["age"] >= 5 } > 1 || $0["name"] == nil }
/// print(found.count, many.count)
/// ```
///
/// Names are resolved when the query is run. The resulting query is the same as from text: `ObjectQuery.description`
/// shows it.
public struct QueryTerm: Sendable {
    /// The term as an expression of the query.
    public let expression: QueryExpression
    /// Whether any part refers to the object of the outermost query.
    let isOutermost: Bool

    init(_ expression: QueryExpression, isOutermost: Bool = false) {
        self.expression = expression
        self.isOutermost = isOutermost
    }

    /// Creates an object: that of the query, or the variable of a subquery.
    init(object variable: String?) {
        self.init(.property(QueryPath(variable.map { [.name($0)] } ?? [])), isOutermost: variable == nil)
    }

    /// The term as a path.
    ///
    /// - Precondition: it is a path, without calculations, aggregates or counts.
    var path: QueryPath {
        guard case .property(let path) = expression, path.suffix == nil else {
            preconditionFailure("'\(expression)' is a value: nothing can follow it in a path")
        }
        return path
    }

    private func changed(_ change: (inout QueryPath) -> Void) -> QueryTerm {
        var path = self.path
        change(&path)
        return QueryTerm(.property(path), isOutermost: isOutermost)
    }

    func adding(_ element: QueryPath.Element) -> QueryTerm { changed { $0.elements.append(element) } }

    // MARK: Paths

    /// A property, of all objects that the path leads to.
    public subscript(name: String) -> QueryTerm { adding(.name(name)) }
    /// The element of a list at a position.
    public subscript(index: Int) -> QueryTerm { adding(.index(index)) }
    /// The value of a dictionary for a key.
    public subscript(key key: String) -> QueryTerm { adding(.key(key)) }
    /// The first element of a list.
    public var first: QueryTerm { adding(.first) }
    /// The last element of a list.
    public var last: QueryTerm { adding(.last) }
    /// Each element of a list or dictionary inside a mixed value.
    public var each: QueryTerm { adding(.all) }
    /// The keys of a dictionary.
    public var keys: QueryTerm { self["@keys"] }
    /// The values of a dictionary.
    public var values: QueryTerm { self["@values"] }

    /// The objects of a class that link to this one through a property.
    public func links(from className: String, _ property: String) -> QueryTerm { self["@links"][className][property] }

    /// The number of links to this object, from all classes.
    public var linkCount: QueryTerm { self["@links"].count }

    /// The number of elements, or the length of a string or binary value.
    public var count: QueryTerm { changed { $0.suffix = .size } }

    /// The type of a value, to compare with a name such as `"string"`.
    public var type: QueryTerm { changed { $0.suffix = .type } }

    // MARK: Several values

    /// At least one of several values.
    public var any: QueryTerm { changed { $0.quantifier = .any } }
    /// All of several values; holds without values.
    public var all: QueryTerm { changed { $0.quantifier = .all } }
    /// None of several values.
    public var none: QueryTerm { changed { $0.quantifier = Quantifier.none } }

    /// The sum of the values of a list, or of a property of the objects of one.
    public func sum(of property: String? = nil) -> QueryTerm { aggregated(.sum, property) }
    /// The average of the values of a list, or of a property of the objects of one.
    public func average(of property: String? = nil) -> QueryTerm { aggregated(.average, property) }
    /// The lowest value of a list, or of a property of the objects of one.
    public func min(of property: String? = nil) -> QueryTerm { aggregated(.minimum, property) }
    /// The highest value of a list, or of a property of the objects of one.
    public func max(of property: String? = nil) -> QueryTerm { aggregated(.maximum, property) }

    private func aggregated(_ aggregate: QueryAggregate, _ property: String?) -> QueryTerm {
        QueryTerm(.aggregate(path, aggregate, property: property), isOutermost: isOutermost)
    }

    /// The number of objects in a list that match a condition.
    ///
    /// - Precondition: the condition refers only to these objects or those of enclosing subqueries; the query language
    ///   cannot name the object of the outermost query there.
    public func count(where condition: (QueryTerm) -> QueryCondition) -> QueryTerm {
        let depth = SubqueryDepth.current + 1
        let variable = "$\(depth)_"
        let inner = SubqueryDepth.$current.withValue(depth) { condition(QueryTerm(object: variable)) }
        precondition(!inner.isOutermost, "a subquery cannot ask about the object that the whole query is about")
        return QueryTerm(.subquery(path, variable: variable, inner.predicate), isOutermost: isOutermost)
    }
}

/// Depth that names the variables of subqueries.
private enum SubqueryDepth {
    @TaskLocal static var current = 0
}
