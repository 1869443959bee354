internal import RealmCore
internal import RealmQuery

// Comparisons with values that no column holds as a whole: unmanaged objects, embedded objects that the program
// represents by types of its own, lists and dictionaries in mixed values.
extension QueryNode {
    /// Returns the condition of a comparison with a value.
    func compared(_ operation: ComparisonOperation, _ value: Any, _ options: StringOptions = []) -> QueryNode {
        guard isCompared(byPartsOf: value), operation == .equal || operation == .notEqual else {
            return .comparison(self, operation, .constant(queryArgument(value), databases(of: value)), options)
        }
        let isEqual = operation == .equal
        guard let parts = equality(withPartsOf: value) else {
            let differs: QueryNode = endsWithCollection ? .comparison(counted, .greater, .number(0)) : .truth(true)
            return isEqual ? .truth(false) : differs
        }
        let condition = isEqual ? parts : .not(parts)
        // In a collection, a single element has to meet the whole condition.
        return endsWithCollection
            ? .comparison(.subquery(condition), .greater, .number(0)) : condition
    }

    /// Whether a comparison with a value compares its parts.
    func isCompared(byPartsOf value: Any) -> Bool {
        if isStranger(value) || embedded(value) != nil { return true }
        switch value as? AnyRealmValue {
        case .list, .dictionary: return true
        default: return false
        }
    }

    /// Returns the condition that all parts are equal; nil if nothing equals the value.
    private func equality(withPartsOf value: Any) -> QueryNode? {
        if let object = embedded(value) {
            let type = type(of: object)
            return .all(
                ModelClass.of(type).properties.filter { !$0.isLinkingObjects }.map { property in
                    guard property.collection == nil else {
                        Failure.stop("Unsupported property '\(property.name)' for querying: it is a collection")
                    }
                    let value = object.dynamicValue(property.name) ?? Optional<Any>.none as Any
                    return adding(path: property.name, type).compared(.equal, value)
                })
        }
        switch value as? AnyRealmValue {
        case .list(let elements):
            return .all(
                [.comparison(counted, .equal, .number(elements.count))]
                    + elements.enumerated().map { adding(.index($0)).compared(.equal, $1) })
        case .dictionary(let entries):
            return .all(
                [.comparison(counted, .equal, .number(entries.count))]
                    + entries.asKeyValueSequence().map { adding(.key($0.key)).compared(.equal, $0.value) })
        default: return nil
        }
    }

    /// Returns the embedded object that a value of the program is stored as; nil for other values.
    private func embedded(_ value: Any) -> EmbeddedObject? {
        if let optional = value as? any AnyOptional { return optional.wrappedAny.flatMap { embedded($0) } }
        return (value as? any _CustomPersistable)?.persistableValue as? EmbeddedObject
    }

    private static func number(_ number: Int) -> QueryNode { .constant(.value(.int(Int64(number)))) }

    private static func all(_ conditions: [QueryNode]) -> QueryNode {
        conditions.dropFirst().reduce(conditions.first ?? .truth(true)) { .and($0, $1) }
    }

    private var endsWithCollection: Bool {
        guard case .path(let path) = self, let collection = path.collection else { return false }
        let rest = path.elements.dropFirst(collection)
        return rest.isEmpty || Array(rest) == [.name("@values")]
    }
}
