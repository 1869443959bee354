internal import RealmCore
internal import RealmQuery

/// Converts a value of any type to an argument of a query.
///
/// - Precondition: the value is of a type that can be stored, a sequence of such values, or a shape.
func queryArgument(_ any: Any) -> QueryArgument {
    if let shape = any as? any StoredShape { return .shape(shape.shape) }
    if let value = storedValue(any) { return .value(value) }
    guard let elements = anyElements(any) else { stop(any) }
    return .list(
        elements.filter { !isStranger($0) }.map {
            guard let value = storedValue($0) else { stop($0) }
            return value
        })
}

/// Returns the databases of the objects in an argument of a query.
func databases(of any: Any) -> Set<String> {
    // Decided first, because lists of keys may be long.
    if usualValue(any) != nil { return [] }
    if case .object(let object)? = any as? AnyRealmValue { return databases(of: object) }
    if let object = any as? ObjectBase {
        guard !isStranger(object), let realm = object.boundRealm else { return [] }
        return [realm.database.identity]
    }
    if let optional = any as? any AnyOptional { return optional.wrappedAny.map { databases(of: $0) } ?? [] }
    guard storedValue(any) == nil, let elements = anyElements(any) else { return [] }
    return elements.reduce(into: []) { $0.formUnion(databases(of: $1)) }
}

private func stop(_ any: Any) -> Never {
    Failure.stop("Invalid predicate: a value of type '\(type(of: any))' cannot be compared with a property")
}

extension ObjectQuery {
    /// Returns the query with RealmSwift's meaning of some arguments: no stored value equals an unmanaged or deleted
    /// object, and searching for an empty text finds nothing.
    func asked(with arguments: [Any]) -> ObjectQuery {
        let strangers = Strangers(numbers: Set(arguments.indices.filter { isStranger(arguments[$0]) }))
        let query = strangers.numbers.isEmpty ? self : strangers.rewritten(self)
        return ObjectQuery(query.predicate.asked(with: arguments.map { queryArgument($0) }), steps: query.steps)
    }
}

/// Rewrites queries so that unmanaged and deleted objects among the arguments equal no object.
private struct Strangers: QueryRewriting {
    let numbers: Set<Int>

    func elements(_ elements: [QueryPath.Element]) -> [QueryPath.Element] { elements }

    func operand(_ expression: QueryExpression, beside other: QueryExpression) -> QueryExpression {
        switch expression {
        case .constant(let constant): .constant(named(constant))
        case .list(let constants, let quantifier): .list(constants.map(named), quantifier)
        default: expression
        }
    }

    private func named(_ constant: QueryConstant) -> QueryConstant {
        if case .argument(let number, _) = constant, numbers.contains(number) { .noObject } else { constant }
    }
}

extension ComparisonOperation {
    /// Whether the operation searches for a part of a text.
    fileprivate var seeksPart: Bool { self == .beginsWith || self == .endsWith || self == .contains }
}

extension QueryPredicate {
    /// The same condition, which is false if the text to search for is a property that is null or empty.
    var findingSomething: QueryPredicate {
        guard case .comparison(_, let operation, .property(var path), _, _) = self, operation.seeksPart,
            path.suffix == nil, path.quantifier == nil
        else { return self }
        path.suffix = .size
        return .and([
            .comparison(.property(path), .greater, .constant(.integer("0")), caseInsensitive: false), self,
        ])
    }
}

extension QueryArgument {
    /// Whether no text begins with, ends with or contains the argument: as in Foundation, null and an empty text never
    /// do.
    func findsNothing(_ operation: ComparisonOperation) -> Bool {
        guard operation.seeksPart else { return false }
        return switch self {
        case .value(.null): true
        case .value(.string(let text)): text.isEmpty
        case .value(.binary(let bytes)): bytes.isEmpty
        default: false
        }
    }
}

/// Whether a value is an unmanaged or deleted object, or has one among its elements.
func hasStrangers(_ any: Any) -> Bool {
    if usualValue(any) != nil { return false }
    if isStranger(any) { return true }
    guard storedValue(any) == nil else { return false }
    return anyElements(any)?.contains { isStranger($0) } ?? false
}

/// Whether a value is an unmanaged or deleted object; no property has such a value.
func isStranger(_ any: Any) -> Bool {
    if case .object(let object)? = any as? AnyRealmValue { return object.current() == nil }
    return (any as? ObjectBase).map { $0.current() == nil } ?? false
}

extension QueryPredicate {
    fileprivate func asked(with arguments: [QueryArgument]) -> QueryPredicate {
        switch self {
        case .and(let parts): return .and(parts.map { $0.asked(with: arguments) })
        case .or(let parts): return .or(parts.map { $0.asked(with: arguments) })
        case .not(let part): return .not(part.asked(with: arguments))
        case .comparison(_, _, .property, _, _): return findingSomething
        case .comparison(_, let operation, .constant(let sought), _, _):
            let argument: QueryArgument? =
                switch sought {
                case .null: .value(.null)
                case .string(let text): .value(.string(text))
                case .argument(let number, _) where arguments.indices.contains(number): arguments[number]
                default: nil
                }
            return argument?.findsNothing(operation) ?? false ? .constant(false) : self
        case .comparison, .constant, .between, .within: return self
        }
    }
}

/// Converts a value of any type to its stored form; returns nil if it cannot be stored.
func storedValue(_ any: Any) -> Value? {
    if let value = usualValue(any) { return value }
    if isNull(any) { return .null }
    if let optional = any as? any AnyOptional, let wrapped = optional.wrappedAny { return storedValue(wrapped) }
    if let object = any as? ObjectBase {
        guard let stored = object.current() else { return .null }
        return .link(Link(table: stored.table, objectKey: stored.key))
    }
    if let value = any as? AnyRealmValue { return value.storedValue }
    if let value = any as? any _CustomPersistable { return storedValue(value.persistableValue) }
    if let value = any as? any PersistableEnum { return storedValue(value.rawValue) }
    if let text = FoundationAccess.decimalText(any), let number = try? Decimal128(string: text) {
        return .decimal128(number.bits)
    }
    return switch NumberObject.value(any) ?? any {
    case let number as any BinaryInteger: storedValue(of: number)
    case let truth as Bool: .bool(truth)
    case let number as Double: .double(number)
    case let number as Float: .float(number)
    case let text as String: .string(text)
    case let text as Substring: .string(String(text))
    case let number as Decimal128: .decimal128(number.bits)
    default: foundationValue(any)
    }
}

/// Converts an integer to its stored form: a decimal if it does not fit into a signed 64-bit integer.
private func storedValue(of number: some BinaryInteger) -> Value {
    if let integer = Int64(exactly: number) { return .int(integer) }
    return Decimal128(exactly: number).map { .decimal128($0.bits) } ?? .double(Double(number))
}

/// Converts values of exactly the types that keys usually have: conformance checks take longer than finding an object.
private func usualValue(_ any: Any) -> Value? {
    let type = type(of: any)
    if type == Int.self, let number = any as? Int { return .int(Int64(number)) }
    if type == String.self, let text = any as? String { return .string(text) }
    if type == Double.self, let number = any as? Double { return .double(number) }
    if type == Int?.self, let number = any as? Int? { return number.map { .int(Int64($0)) } ?? .null }
    if type == String?.self, let text = any as? String? { return text.map { .string($0) } ?? .null }
    if type == Double?.self, let number = any as? Double? { return number.map { .double($0) } ?? .null }
    if type == ObjectId.self, let id = any as? ObjectId { return .objectId(id.stored) }
    return nil
}
