internal import RealmCore
internal import RealmLayout
internal import RealmQuery

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// Minimum, maximum, sum and average of a property of all objects, or of the values themselves.

extension RealmCollection {
    /// Returns the lowest value of a property; nil if there is none.
    public func min<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
        extreme(property, .min)
    }
    /// Returns the highest value of a property; nil if there is none.
    public func max<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
        extreme(property, .max)
    }

    private func extreme<T: _HasPersistedType>(_ property: String, _ operation: Totals.Operation) -> T? {
        totals(of: property, operation).extreme(operation).flatMap { made(T.self, $0) }
    }

    /// Returns the values of a property of all objects, managed or not. For values the property is `self`.
    func totals(of property: String, _ operation: Totals.Operation) -> Totals {
        if property == "self", Element._traits.type != .object { return totals }
        guard _origin.source == nil else { return resultSet.totals(of: property, operation) }
        // Without unmanaged objects the type is unknown.
        var type = StoredPropertyType.int
        let values: [Value] = compactMap { element in
            if isNull(element) { return .null }
            guard let object = element as? ObjectBase else { Failure.stop("properties are those of objects") }
            if let index = object.model.index(of: property) {
                operation.check(object.model, index)
                type = object.model.properties[index].type.stored ?? type
            }
            return object.dynamicValue(property).flatMap { storedValue($0) } ?? .null
        }
        return Totals(values, type)
    }

    /// Aggregates of the values themselves.
    fileprivate var totals: Totals { Totals(storedElements, Element._traits.type.stored ?? .int) }

    /// The elements in stored form.
    fileprivate var storedElements: [Value] {
        let origin = _origin
        if let set = origin.set {
            if case .values(let values) = set.content { return values }
        } else if origin.realm != nil, case .collection(let managed)? = origin.source {
            return managed.elements
        }
        // Elements that cannot be stored keep their place.
        return map { storedValue($0) ?? .null }
    }

    /// Converts a number to the requested type, or decodes another value.
    private func made<T>(_ type: T.Type, _ value: Value) -> T? {
        Totals.any(value).flatMap { convert(type, $0) }
            ?? _origin.realm.flatMap { decode(type, _StoredValue(value: value, realm: $0)) }
    }

    /// Returns the sum of a property; zero without objects.
    public func sum<T: _HasPersistedType>(ofProperty property: String) -> T where T.PersistedType: AddableType {
        guard let value = made(T.self, totals(of: property, .sum).sum) else {
            Failure.stop("there is no sum of '\(property)' as \(T.self)")
        }
        return value
    }

    /// Returns the average of a property; nil without objects.
    public func average<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: AddableType {
        totals(of: property, .average).average(as: T.self)
    }
}

extension RealmCollection where Element: ObjectBase {
    /// Returns the lowest value of a property; nil if there is none.
    public func min<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T? where T.PersistedType: MinMaxType {
        min(ofProperty: KeyPathRecorder.name(keyPath, Element.self))
    }
    /// Returns the highest value of a property; nil if there is none.
    public func max<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T? where T.PersistedType: MinMaxType {
        max(ofProperty: KeyPathRecorder.name(keyPath, Element.self))
    }
    /// Returns the sum of a property; zero without objects.
    public func sum<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T where T.PersistedType: AddableType {
        sum(ofProperty: KeyPathRecorder.name(keyPath, Element.self))
    }
    /// Returns the average of a property; nil without objects.
    public func average<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T?
    where T.PersistedType: AddableType {
        average(ofProperty: KeyPathRecorder.name(keyPath, Element.self))
    }
}

extension RealmCollection where Element.PersistedType: MinMaxType {
    /// Returns the lowest of the values; nil if there are none.
    public func min() -> Element? { extreme(-1) }
    /// Returns the highest of the values; nil if there are none.
    public func max() -> Element? { extreme(1) }

    private func extreme(_ direction: Int) -> Element? {
        let values = storedElements
        var found: Int?
        for index in values.indices where !values[index].isNoValue {
            if let found, ValueOrder.order(values[index], values[found]) * direction <= 0 { continue }
            found = index
        }
        return found.map { self[$0] }
    }
}

extension Value {
    /// Whether the value counts neither as lowest nor as highest: null, or not a number.
    fileprivate var isNoValue: Bool {
        switch self {
        case .null: true
        case .float(let number): number.isNaN
        case .double(let number): number.isNaN
        case .decimal128(let number): number.isNaN
        default: false
        }
    }
}

extension RealmCollection where Element.PersistedType: AddableType {
    /// Returns the sum of the values; for mixed values a decimal.
    public func sum() -> Element {
        let (values, type) = (storedElements, Element._traits.type.stored ?? .int)
        // The sum of no unmanaged mixed values is not a decimal, either.
        let isNothing = _origin.realm == nil && values.isEmpty && type == .mixed
        return Totals.number(isNothing ? .int(0) : Totals(values, type).sum).flatMap { Element._converted($0) }
            ?? Element._default()
    }

    /// Returns the average of the values; nil if there are none.
    public func average<T: _HasPersistedType>() -> T? where T.PersistedType: AddableType {
        totals.average(as: T.self)
    }
}

/// Decodes a stored value as a persistable type.
private func decode<T>(_ type: T.Type, _ stored: _StoredValue) -> T? {
    func open<V: RealmCollectionValue>(_ type: V.Type) -> T? { V._decoded(stored) as? T }
    return (type as? any RealmCollectionValue.Type).flatMap { open($0) }
}

private func convert<T>(_ type: T.Type, _ any: Any) -> T? {
    func open<V: _Persistable>(_ type: V.Type) -> T? { V._converted(any) as? T }
    return (type as? any _Persistable.Type).flatMap { open($0) }
}

extension ResultSet {
    /// Returns the aggregates of a property of all objects.
    func totals(of property: String, _ operation: Totals.Operation) -> Totals {
        guard let binding else { Failure.stop("properties are those of objects") }
        guard let index = binding.model.index(of: property) else {
            Failure.stop("Property '\(property)' not found in object of type '\(binding.model.className)'")
        }
        operation.check(binding.model, index)
        let column = binding.column(Int32(index))
        let stored = binding.model.properties[index]
        if column != .none, stored.collection == nil, Totals.areSummarized(stored.type) {
            return Failure.unlessStopped { () throws(QueryError) in
                switch content {
                case .all(let table): Totals(try table.summary(of: column))
                case .keys(let keys, let table): Totals(try table.summary(of: column, among: keys.array))
                case .values: Totals([], .int)
                }
            }
        }
        let next = makeNext()
        var values: [Value] = []
        while case .embedded(let object)? = next() {
            values.append(Failure.unlessStopped { () throws(FormatError) in try object.value(of: column) })
        }
        return Totals(values, stored.type.stored ?? .int)
    }
}

/// Aggregates of many values, by the rules of queries; null and NaN are ignored.
struct Totals {
    private enum Content {
        case values([Value], StoredPropertyType)
        case summary(ValueSummary)
    }

    private let content: Content

    init(_ values: [Value], _ type: StoredPropertyType) { content = .values(values, type) }
    init(_ summary: ValueSummary) { content = .summary(summary) }

    /// Whether values of a type are aggregated column by column.
    static func areSummarized(_ type: PropertyType) -> Bool {
        switch type {
        case .int, .float, .double, .date: true
        default: false
        }
    }

    /// An aggregate; messages contain its name.
    enum Operation: String {
        case min, max, sum, average

        /// Terminates the program if the property does not support the operation.
        func check(_ model: ModelClass, _ index: Int) {
            let property = model.properties[index]
            let fits =
                switch property.type {
                case .int, .float, .double, .decimal128, .any: true
                case .date: self == .min || self == .max
                default: false
                }
            guard !fits || property.collection != nil else { return }
            let place =
                switch property.collection {
                case nil: "property"
                case .list: "list"
                case .set: "set"
                case .dictionary: "dictionary"
                }
            let type = "\(property.type)\(property.isOptional ? "?" : "")"
            Failure.stop(
                "Operation '\(rawValue)' not supported for \(type) \(place) '\(model.className).\(property.name)'")
        }
    }

    /// Returns the lowest or the highest value; nil if there is none.
    func extreme(_ operation: Operation) -> Value? {
        let found =
            switch content {
            case .values(let values, let type):
                Arithmetic.aggregate(operation == .min ? .minimum : .maximum, values, of: type)
            case .summary(let summary): operation == .min ? summary.min : summary.max
            }
        return if case .null = found { nil } else { found }
    }

    /// The sum: a double for floats, a decimal for mixed values; integers wrap around on overflow.
    var sum: Value {
        switch content {
        case .values(let values, let type): Arithmetic.aggregate(.sum, values, of: type)
        case .summary(let summary): summary.sum
        }
    }

    /// The average: a double, or a decimal for decimals and mixed values; nil without values.
    var average: Any? {
        switch content {
        case .values(let values, let type): Self.number(Arithmetic.aggregate(.average, values, of: type))
        case .summary(let summary): Self.number(summary.average)
        }
    }

    /// Returns the average as a number of a type; nil without values.
    func average<T>(as type: T.Type) -> T? {
        guard let average else { return nil }
        let found = convert(type, average) ?? (average as? Decimal128).flatMap { convert(type, $0.doubleValue) }
        guard let found, !isNull(found) else {
            Failure.stop("Could not convert value '\(average)' to type '\(type)'.")
        }
        return found
    }

    static func any(_ value: Value) -> Any? {
        if case .timestamp(let time) = value { Date(time) } else { number(value) }
    }

    static func number(_ value: Value) -> Any? {
        switch value {
        case .int(let number): Int(number)
        case .float(let number): number
        case .double(let number): number
        case .decimal128(let number): Decimal128(number)
        default: nil
        }
    }
}
