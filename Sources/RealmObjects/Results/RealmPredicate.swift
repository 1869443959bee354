internal import RealmQuery

/// A condition that is kept, handed on and put together with others: what `NSPredicate` and `NSCompoundPredicate` are to RealmSwift, with
/// their labels. Foundation has no text of predicates on Linux.
///
/// ```swift
/// let isOld = RealmPredicate(format: "age > %d", 9)
/// let isMeant = RealmPredicate(orPredicateWithSubpredicates: [isOld, RealmPredicate(format: "name BEGINSWITH[c] %@", "r")])
/// print(realm.objects(Dog.self).filter(isMeant).count)
/// ```
///
/// An app that has many of them keeps its lines with `typealias NSPredicate = RealmPredicate` and
/// `typealias NSCompoundPredicate = RealmPredicate` in one file of its own.
public struct RealmPredicate: Sendable, CustomStringConvertible {
    /// What is asked, with values that hold no version of a database.
    struct Content: Sendable {
        var query: ObjectQuery
        var arguments: [QueryArgument] = []
        /// The databases of the objects among the arguments.
        var databases: Set<String> = []
    }

    private enum Meaning: Sendable {
        case none
        case known(Content)
        /// Of what is compared with objects that are in no realm yet: when it is asked they may be in one.
        case later(@Sendable () -> Content)
    }

    private let meaning: Meaning

    /// What is asked now.
    ///
    /// - Precondition: it is no placeholder.
    var content: Content {
        switch meaning {
        case .known(let content): return content
        case .later(let content): return content()
        case .none: Failure.stop("Invalid predicate: Only support compound, comparison, and constant predicates")
        }
    }

    private var isKnown: Bool { if case .known = meaning { true } else { false } }

    /// A placeholder, as `NSPredicate()` is one: for a variable that gets its condition later.
    ///
    /// - Precondition: nothing is asked with it.
    public init() { meaning = .none }

    /// What a text says of some values, which take the places of `%@`, `%d`, `%K` and the like, or of `$0`, `$1`.
    ///
    /// - Precondition: the text is a query; see `filter`.
    public init(format: String, _ args: Any...) {
        self.init(format: format, argumentArray: args)
    }

    /// What a text says of some values.
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

    /// What holds for all objects, or for none.
    public init(value: Bool) { meaning = .known(Content(query: ObjectQuery(.constant(value)))) }

    /// What holds where all of some conditions do; of none it holds everywhere.
    public init(andPredicateWithSubpredicates subpredicates: [RealmPredicate]) {
        self.init(subpredicates) { $0.isEmpty ? .constant(true) : .and($0) }
    }

    /// What holds where one of some conditions does; of none it holds nowhere.
    public init(orPredicateWithSubpredicates subpredicates: [RealmPredicate]) {
        self.init(subpredicates) { $0.isEmpty ? .constant(false) : .or($0) }
    }

    /// What holds where a condition does not.
    public init(notPredicateWithSubpredicate predicate: RealmPredicate) {
        self.init([predicate]) { .not($0[0]) }
    }

    /// How conditions are put together.
    public enum LogicalType: UInt, Sendable {
        /// The one condition does not hold.
        case not
        /// All conditions hold.
        case and
        /// One of the conditions holds.
        case or
    }

    /// What some conditions put together say.
    ///
    /// - Precondition: there is one condition, if the type is `not`.
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

    /// The text of the condition; values that were given are `$0`, `$1` and so on.
    public var predicateFormat: String { if case .none = meaning { "" } else { content.query.description } }
    /// The same.
    public var description: String { predicateFormat }
}

extension RealmPredicate.Content {
    /// A query that is asked with values of the program.
    fileprivate init(_ query: ObjectQuery, _ arguments: [Any]) {
        databases = RealmObjects.databases(of: arguments)
        (self.query, self.arguments) = query.asked(with: arguments).withoutVersions(
            arguments.map { queryArgument($0) })
    }

    /// Conditions put together.
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
