/// Something of an object that a query asks about, named in Swift instead of in a text: `$0["owner"]["age"]`.
///
/// ```swift
/// let found = try people.where { $0["age"] > 30 && $0["dogs"]["name"].any.begins(with: "re", caseInsensitive: true) }
/// let many = try people.where { $0["dogs"].count { $0["age"] >= 5 } > 1 || $0["name"] == nil }
/// print(found.count, many.count)
/// ```
///
/// Names are looked up when the query is run. Nothing else comes of it than of a text: `ObjectQuery.description` shows which.
public struct QueryTerm: Sendable {
    /// What it is in the query.
    public let expression: QueryExpression
    /// Whether something in it is of the object that the whole query is about.
    let isOutermost: Bool

    init(_ expression: QueryExpression, isOutermost: Bool = false) {
        self.expression = expression
        self.isOutermost = isOutermost
    }

    /// An object: that of the query, or the variable of a subquery.
    init(object variable: String?) {
        self.init(.property(QueryPath(variable.map { [.name($0)] } ?? [])), isOutermost: variable == nil)
    }

    /// The path that it is.
    ///
    /// - Precondition: nothing was calculated or counted yet.
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

    /// The objects of a class that link here with a property.
    public func links(from className: String, _ property: String) -> QueryTerm { self["@links"][className][property] }

    /// How many links lead here, of all classes.
    public var linkCount: QueryTerm { self["@links"].count }

    /// How many elements there are, or how long a text or binary value is.
    public var count: QueryTerm { changed { $0.suffix = .size } }

    /// The type of a value, to compare with a name such as `"string"`.
    public var type: QueryTerm { changed { $0.suffix = .type } }

    // MARK: Several values

    /// One of several values at least.
    public var any: QueryTerm { changed { $0.quantifier = .any } }
    /// All of several values, also where there are none.
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

    /// How many objects of a list there are for which something holds.
    ///
    /// - Precondition: the condition is about these objects, or those of subqueries around it; the language has no name for the object of the
    ///   whole query there.
    public func count(where condition: (QueryTerm) -> QueryCondition) -> QueryTerm {
        let depth = SubqueryDepth.current + 1
        let variable = "$\(depth)_"
        let inner = SubqueryDepth.$current.withValue(depth) { condition(QueryTerm(object: variable)) }
        precondition(!inner.isOutermost, "a subquery cannot ask about the object that the whole query is about")
        return QueryTerm(.subquery(path, variable: variable, inner.predicate), isOutermost: isOutermost)
    }
}

/// Variables of subqueries are named by it.
private enum SubqueryDepth {
    @TaskLocal static var current = 0
}
