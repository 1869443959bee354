internal import RealmQuery

/// A condition that can be kept, passed on and combined with others: the counterpart of `NSPredicate` and
/// `NSCompoundPredicate` in RealmSwift, with their labels. Foundation cannot parse predicates on Linux.
///
/// ```swift
/// let isOld = RealmPredicate(format: "age > %d", 9)
/// let isMeant = RealmPredicate(orPredicateWithSubpredicates: [isOld, RealmPredicate(format: "name BEGINSWITH[c] %@", "r")])
/// print(realm.objects(Dog.self).filter(isMeant).count)
/// ```
///
/// An app with many of them keeps its code unchanged with `typealias NSPredicate = RealmPredicate` and
/// `typealias NSCompoundPredicate = RealmPredicate` in one file of its own.
public struct RealmPredicate: Sendable, CustomStringConvertible {
    /// The query, with values that hold no version of a database.
    struct Content: Sendable {
        var query: ObjectQuery
        var arguments: [QueryArgument] = []
        /// The databases of the objects among the arguments.
        var databases: Set<String> = []
    }

    private enum Meaning: Sendable {
        case none
        case known(Content)
        /// A comparison with objects that are not managed yet, but may be when the query runs.
        case later(@Sendable () -> Content)
    }

    private let meaning: Meaning

    /// The query as it applies now.
    ///
    /// - Precondition: the predicate is not a placeholder.
    var content: Content {
        switch meaning {
        case .known(let content): return content
        case .later(let content): return content()
        case .none: Failure.stop("Invalid predicate: Only support compound, comparison, and constant predicates")
        }
    }

    private var isKnown: Bool { if case .known = meaning { true } else { false } }

    /// Creates a placeholder, like `NSPredicate()`, for a variable that receives its condition later.
    ///
    /// - Precondition: no query uses it.
    public init() { meaning = .none }

    /// Creates a predicate from a text with some values, which replace `%@`, `%d`, `%K` and the like, or `$0`, `$1`.
    ///
    /// - Precondition: the text is a query; see `filter`.
    public init(format: String, _ args: Any...) {
        self.init(format: format, argumentArray: args)
    }

    /// Creates a predicate from a text with some values.
    ///
    /// - Precondition: the text is a query; see `filter`.
    public init(format: String, argumentArray: [Any]?) {
        let arguments = argumentArray ?? []
        let query = Failure.unlessStopped { () throws(QuerySyntaxError) in try ObjectQuery(format) }
        let content = Content(query, arguments)
        guard arguments.contains(where: { hasStrangers($0) }) else {
            meaning = .known(content)
            return
        }
        let kept = SendableBox(arguments)
        meaning = .later { Content(query, kept.value) }
    }

    /// Creates a predicate that is true, or false, for all objects.
    public init(value: Bool) { meaning = .known(Content(query: ObjectQuery(.constant(value)))) }

    /// Creates a predicate that is true where all of some predicates are; without any it is always true.
    public init(andPredicateWithSubpredicates subpredicates: [RealmPredicate]) {
        self.init(subpredicates) { $0.isEmpty ? .constant(true) : .and($0) }
    }

    /// Creates a predicate that is true where one of some predicates is; without any it is never true.
    public init(orPredicateWithSubpredicates subpredicates: [RealmPredicate]) {
        self.init(subpredicates) { $0.isEmpty ? .constant(false) : .or($0) }
    }

    /// Creates a predicate that is true where another one is not.
    public init(notPredicateWithSubpredicate predicate: RealmPredicate) {
        self.init([predicate]) { .not($0[0]) }
    }

    /// The way in which predicates are combined.
    public enum LogicalType: UInt, Sendable {
        /// The single condition does not hold.
        case not
        /// All conditions hold.
        case and
        /// One of the conditions holds.
        case or
    }

    /// Creates a combination of predicates.
    ///
    /// - Precondition: there is exactly one predicate if the type is `not`.
    public init(type: LogicalType, subpredicates: [RealmPredicate]) {
        switch type {
        case .and: self.init(andPredicateWithSubpredicates: subpredicates)
        case .or: self.init(orPredicateWithSubpredicates: subpredicates)
        case .not:
            guard subpredicates.count == 1 else {
                Failure.stop("Predicate of type 'not' requires exactly one subpredicate, not \(subpredicates.count)")
            }
            self.init(notPredicateWithSubpredicate: subpredicates[0])
        }
    }

    private init(_ parts: [RealmPredicate], _ combined: @escaping @Sendable ([QueryPredicate]) -> QueryPredicate) {
        let areKnown = parts.allSatisfy(\.isKnown)
        meaning = areKnown ? .known(Content(parts, combined)) : .later { Content(parts, combined) }
    }

    /// The text of the condition; given values appear as `$0`, `$1` and so on.
    public var predicateFormat: String { if case .none = meaning { "" } else { content.query.description } }
    /// The text of the condition.
    public var description: String { predicateFormat }
}

extension RealmPredicate.Content {
    /// Creates a query with values of the program.
    fileprivate init(_ query: ObjectQuery, _ arguments: [Any]) {
        databases = RealmObjects.databases(of: arguments)
        (self.query, self.arguments) = query.asked(with: arguments).withoutVersions(
            arguments.map { queryArgument($0) })
    }

    /// Combines conditions.
    fileprivate init(_ parts: [RealmPredicate], _ combined: ([QueryPredicate]) -> QueryPredicate) {
        var predicates: [QueryPredicate] = []
        var steps: [ResultStep] = []
        for part in parts.map(\.content) {
            let query = ArgumentMoving(offset: arguments.count).rewritten(part.query)
            predicates.append(query.predicate)
            steps += query.steps
            arguments += part.arguments
            databases.formUnion(part.databases)
        }
        query = ObjectQuery(combined(predicates), steps: steps)
    }
}
