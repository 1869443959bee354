internal import RealmQuery
internal import RealmReader

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A value that a query in memory is asked of.
final class MemoryValue: Object {
    @Persisted var value: AnyRealmValue

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Queries whose paths are the property with the value.
private struct ValueNaming: QueryRewriting {
    func elements(_ elements: [QueryPath.Element]) -> [QueryPath.Element] { [.name("value")] }
}

/// A query of elements that are in no realm: each is copied into one that nobody else sees, so that the query means the same everywhere.
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
        // Values are asked for as `SELF`, or by the condition's argument itself.
        let isOfValues = type == MemoryValue.self
        self.query = isOfValues ? ValueNaming().rewritten(query) : query
    }

    /// A realm of a class, and of those that it links to, which nobody else sees.
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

    /// The index of the first element for which the query holds.
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
