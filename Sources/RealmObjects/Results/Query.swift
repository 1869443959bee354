internal import RealmCore
internal import RealmQuery

/// A condition written in Swift, or a part of one: the closure of `where` receives and returns it.
///
/// ```swift
/// let people = realm.objects(Person.self).where { $0.address.country == "Oz" && $0.dogs.count > 1 }
/// print(people.count)
/// ```
@dynamicMemberLookup
public struct Query<T> {
    let node: QueryNode

    /// The queried object.
    init() { node = .path(QueryNode.Path()) }

    init(_ node: QueryNode) { self.node = node }

    /// The value of a property.
    public subscript<V>(dynamicMember member: KeyPath<T, V>) -> Query<V> where T: ObjectBase {
        Query<V>(node.adding(member, T.self))
    }

    /// The value of a property of a linked object.
    public subscript<V>(dynamicMember member: KeyPath<T.Wrapped, V>) -> Query<V>
    where T: OptionalProtocol, T.Wrapped: ObjectBase {
        Query<V>(node.adding(member, T.Wrapped.self))
    }

    /// The values of a property of the objects of a collection.
    public subscript<V>(dynamicMember member: KeyPath<T.Element, V>) -> Query<V>
    where T: RealmCollection, T.Element: ObjectBase {
        Query<V>(node.adding(member, T.Element.self))
    }

    /// The value of a property of a projection.
    public subscript<V>(dynamicMember member: KeyPath<T, V>) -> Query<V> where T: ProjectionObservable {
        Query<V>(node.adding(path: T.rootPath(member), T.Root.self))
    }

    // MARK: Comparing

    private static func compare(
        _ left: Query, _ operation: ComparisonOperation, _ right: QueryNode, _ options: StringOptions = []
    ) -> Query<Bool> {
        Query<Bool>(.comparison(left.node, operation, right, options))
    }

    func compared(_ operation: ComparisonOperation, _ value: Any, _ options: StringOptions = []) -> Query<Bool> {
        Query<Bool>(node.compared(operation, value, options))
    }

    func between(_ low: Any, _ high: Any) -> Query<Bool> {
        Query<Bool>(.between(node, .constant(queryArgument(low)), .constant(queryArgument(high))))
    }

    func compared<U>(_ operation: ComparisonOperation, with other: Query<U>, _ options: StringOptions = []) -> Query<
        Bool
    > {
        Self.compare(self, operation, other.node, options)
    }

    /// Whether the values are equal.
    public static func == (left: Query, right: T) -> Query<Bool> { left.compared(.equal, right) }
    /// Whether the values are equal.
    public static func == (left: Query, right: Query) -> Query<Bool> { left.compared(.equal, with: right) }
    /// Whether the values differ.
    public static func != (left: Query, right: T) -> Query<Bool> { left.compared(.notEqual, right) }
    /// Whether the values differ.
    public static func != (left: Query, right: Query) -> Query<Bool> { left.compared(.notEqual, with: right) }

    /// Whether the value is one of several.
    public func `in`<U: Sequence>(_ collection: U) -> Query<Bool> where U.Element == T {
        compared(.isIn, collection.map { $0 as Any })
    }

    /// The predicate and its arguments.
    var compiled: (ObjectQuery, [QueryArgument], databases: Set<String>) {
        var compiler = QueryCompiler()
        let predicate = compiler.predicate(node)
        return (ObjectQuery(predicate), compiler.arguments, compiler.databases)
    }
}

/// `Optional`, as a constraint.
///
/// ```swift
/// let cities = realm.objects(Person.self).where { $0.address.city == "Seoul" }
/// print(cities.count)  // the property is of an `Address?`
/// ```
public protocol OptionalProtocol {
    /// The type of the value.
    associatedtype Wrapped
}

extension Optional: OptionalProtocol {}

/// Options for comparing texts.
///
/// ```swift
/// let named = realm.objects(Dog.self).where { $0.name.starts(with: "r", options: .caseInsensitive) }
/// print(named.count)
/// ```
public struct StringOptions: OptionSet, Sendable {
    /// The bits of the options.
    public let rawValue: Int8
    /// Creates options from bits.
    public init(rawValue: Int8) { self.rawValue = rawValue }
    /// Ignores case.
    public static let caseInsensitive = StringOptions(rawValue: 1)
    /// Ignores accents and other diacritics.
    public static let diacriticInsensitive = StringOptions(rawValue: 2)
}
