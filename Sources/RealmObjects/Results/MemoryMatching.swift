internal import RealmCore
internal import RealmQuery

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Wraps a value that an in-memory query tests.
final class MemoryValue: Object {
    @Persisted var value: AnyRealmValue

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Rewrites queries so that their paths name the property with the value.
private struct ValueNaming: QueryRewriting {
    func elements(_ elements: [QueryPath.Element]) -> [QueryPath.Element] { [.name("value")] }
}

/// Tests unmanaged elements with a query. Each is copied into a private realm, so that the query means the same.
struct MemoryMatching {
    private let realm: Realm
    private let query: ObjectQuery
    private let arguments: [QueryArgument]

    /// - Parameter type: the class of the elements; nil for other values.
    init(_ type: ObjectBase.Type?, _ query: ObjectQuery, _ arguments: [QueryArgument]) {
        let type: ObjectBase.Type = type ?? MemoryValue.self
        guard type is Object.Type else {
            Failure.stop("Embedded objects are asked for in a realm only")
        }
        realm = Self.realm(of: type)
        self.arguments = arguments
        // Values are queried as `SELF`, or as the argument of the condition itself.
        let isOfValues = type == MemoryValue.self
        self.query = isOfValues ? ValueNaming().rewritten(query) : query
    }

    /// Creates a private realm of a class and the classes that it links to.
    static func realm(of type: ObjectBase.Type) -> Realm {
        var types: [ObjectBase.Type] = [type]
        var next = 0
        while next < types.count {
            for target in ModelClass.of(types[next]).properties.compactMap(\.targetType)
            where !types.contains(where: { $0 == target }) { types.append(target) }
            next += 1
        }
        let configuration = Realm.Configuration(inMemoryIdentifier: "matching \(UUID())", objectTypes: types)
        guard let realm = try? Realm(configuration: configuration) else {
            Failure.stop("there is no memory for a query of a collection that is in no realm")
        }
        return realm
    }

    /// Returns the index of the first element that matches the query.
    func firstIndex<Elements: Sequence>(in elements: Elements) -> Int? {
        realm.beginWrite()
        defer { realm.cancelWrite() }
        for (index, element) in elements.enumerated() where holds(element) { return index }
        return nil
    }

    private func holds(_ element: Any) -> Bool {
        let state = realm.state
        let copy: ObjectBase
        if let object = element as? Object {
            copy = state.created(type(of: object), object, .all)
        } else {
            copy = state.created(MemoryValue.self, ["value": element], .error)
        }
        state.settle()
        guard let binding = copy.binding else { return false }
        return Failure.unlessStopped {
            try !binding.table.objects(matching: query, arguments: arguments, among: [copy.key]).isEmpty
        }
    }
}
