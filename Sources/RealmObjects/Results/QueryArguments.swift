internal import RealmQuery
internal import RealmReader

/// A value of any type as an argument of a query.
///
/// - Precondition: it is of a type that can be stored, a sequence of such values, or a shape.
func queryArgument(_ any: Any) -> QueryArgument {
    if let shape = any as? any StoredShape { return .shape(shape.shape) }
    if let value = storedValue(any) { return .value(value) }
    if let elements = anyElements(any) {
        return .list(elements.compactMap { isStranger($0) ? nil : storedValue($0) })
    }
    Failure.stop("Invalid predicate: a value of type '\(type(of: any))' cannot be compared with a property")
}

extension RealmQuery.Query {
    /// The query for arguments among which are objects that are in no realm, or were deleted. Nothing that is stored is equal to those.
    func withoutStrangers(_ arguments: [Any]) -> RealmQuery.Query {
        let strangers = Set(
            arguments.indices.filter { index in
                isStranger(arguments[index])
            })
        guard !strangers.isEmpty else { return self }
        return RealmQuery.Query(predicate.without(strangers), steps: steps)
    }
}

/// Whether a value is an object in no realm, or one that was deleted: no property has such a value.
func isStranger(_ any: Any) -> Bool { (any as? ObjectBase).map { $0.current() == nil } ?? false }

extension QueryPredicate {
    fileprivate func without(_ strangers: Set<Int>) -> QueryPredicate {
        func isStranger(_ expression: QueryExpression) -> Bool {
            if case .constant(.argument(let index, _)) = expression { strangers.contains(index) } else { false }
        }
        switch self {
        case .and(let parts): return .and(parts.map { $0.without(strangers) })
        case .or(let parts): return .or(parts.map { $0.without(strangers) })
        case .not(let part): return .not(part.without(strangers))
        case .comparison(let left, let operation, let right, _) where isStranger(left) || isStranger(right):
            switch operation {
            case .equal, .isIn: return .constant(false)
            case .notEqual: return .constant(true)
            default: return self
            }
        case .comparison, .constant, .between, .within: return self
        }
    }
}

/// A value of any type as it would be stored; nil for one that cannot be.
func storedValue(_ any: Any) -> Value? {
    if isNull(any) { return .null }
    if let optional = any as? any AnyOptional, let wrapped = optional.wrappedAny { return storedValue(wrapped) }
    if let object = any as? ObjectBase {
        guard let stored = object.current() else { return .null }
        return .link(Link(table: stored.table, objectKey: stored.key))
    }
    if let value = any as? AnyRealmValue { return value.storedValue }
    if let value = any as? any _CustomPersistable { return storedValue(value.persistableValue) }
    if let value = any as? any PersistableEnum { return storedValue(value.rawValue) }
    return switch any {
    case let number as any BinaryInteger: .int(Int64(truncatingIfNeeded: number))
    case let truth as Bool: .bool(truth)
    case let number as Double: .double(number)
    case let number as Float: .float(number)
    case let text as String: .string(text)
    case let id as ObjectId: .objectId(id.stored)
    case let number as Decimal128: .decimal128(number.bits)
    default: foundationValue(any)
    }
}

/// The text of a predicate with the names that Realm Query Language has for keys and values of dictionaries.
func predicateText(_ text: String) -> String {
    guard text.contains("@all") else { return text }
    return text.replacing("@allKeys", with: "@keys").replacing("@allValues", with: "@values")
}
