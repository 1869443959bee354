internal import RealmLayout
internal import RealmReader

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// The lowest and highest value, the sum and the average of a property of all objects, or of the values themselves.

extension RealmCollection {
    /// The lowest value of a property; nil where there is none.
    public func min<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
        extreme(property, .min)
    }
    /// The highest value of a property; nil where there is none.
    public func max<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: MinMaxType {
        extreme(property, .max)
    }

    private func extreme<T: _HasPersistedType>(_ property: String, _ operation: Totals.Operation) -> T? {
        let values = values(of: property, operation)
        guard let value = Totals.extreme(values, operation == .min ? -1 : 1) else { return nil }
        return made(T.self, value)
    }

    /// The values of a property of all objects, also of those in memory.
    func values(of property: String, _ operation: Totals.Operation) -> [Value] {
        guard _origin.source == nil else { return resultSet.values(of: property, operation) }
        return compactMap { element in
            if isNull(element) { return .null }
            guard let object = element as? ObjectBase else { Failure.stop("properties are those of objects") }
            if let index = object.model.index(of: property) { operation.check(object.model, index) }
            return object.dynamicValue(property).flatMap { storedValue($0) } ?? .null
        }
    }

    private func made<T>(_ type: T.Type, _ value: Value) -> T? {
        guard let realm = _origin.realm else { return convert(type, Totals.any(value) as Any) }
        return decode(type, _StoredValue(value: value, realm: realm))
    }

    /// The sum of a property; zero without objects.
    public func sum<T: _HasPersistedType>(ofProperty property: String) -> T where T.PersistedType: AddableType {
        let values = values(of: property, .sum)
        // Of no objects in memory nothing tells the type.
        let sum = values.isEmpty && _origin.source == nil ? .int(0) : Totals.sum(values)
        guard let value = made(T.self, sum) else { Failure.stop("there is no sum of '\(property)' as \(T.self)") }
        return value
    }

    /// The average of a property; nil without objects.
    public func average<T: _HasPersistedType>(ofProperty property: String) -> T? where T.PersistedType: AddableType {
        Totals.average(values(of: property, .average)).flatMap { convert(T.self, $0) }
    }
}

extension RealmCollection where Element: ObjectBase {
    /// The lowest value of a property; nil where there is none.
    public func min<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T? where T.PersistedType: MinMaxType {
        min(ofProperty: KeyPathRecorder.name(keyPath, Element.self))
    }
    /// The highest value of a property; nil where there is none.
    public func max<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T? where T.PersistedType: MinMaxType {
        max(ofProperty: KeyPathRecorder.name(keyPath, Element.self))
    }
    /// The sum of a property; zero without objects.
    public func sum<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T where T.PersistedType: AddableType {
        sum(ofProperty: KeyPathRecorder.name(keyPath, Element.self))
    }
    /// The average of a property; nil without objects.
    public func average<T: _HasPersistedType>(of keyPath: KeyPath<Element, T>) -> T?
    where T.PersistedType: AddableType {
        average(ofProperty: KeyPathRecorder.name(keyPath, Element.self))
    }
}

extension RealmCollection where Element.PersistedType: MinMaxType {
    /// The lowest of the values; nil without any.
    public func min() -> Element? { extreme(-1) }
    /// The highest of the values; nil without any.
    public func max() -> Element? { extreme(1) }

    private func extreme(_ direction: Int) -> Element? {
        var found: (element: Element, value: Value)?
        for element in self {
            guard let value = storedValue(element), value.number != nil || value.isTimestamp else { continue }
            if let found, ValueOrder.order(value, found.value) * direction <= 0 { continue }
            found = (element, value)
        }
        return found?.element
    }
}

extension Value {
    var isTimestamp: Bool { if case .timestamp = self { true } else { false } }
}

extension RealmCollection where Element.PersistedType: AddableType {
    /// The sum of the values; of mixed ones a decimal.
    public func sum() -> Element {
        let (values, realm) = encoded
        var sum = values.isEmpty ? Element._traits.type.zero : Totals.sum(values)
        if Element.self == AnyRealmValue.self, realm != nil || !values.isEmpty { sum = Totals.decimal(sum) }
        return realm.flatMap { Element._decoded(_StoredValue(value: sum, realm: $0)) }
            ?? Element._converted(Totals.number(sum) as Any) ?? Element._default()
    }

    /// The average of the values; nil without any.
    public func average<T: _HasPersistedType>() -> T? where T.PersistedType: AddableType {
        Totals.average(encoded.values).flatMap { convert(T.self, $0) }
    }

    private var encoded: (values: [Value], realm: RealmState?) { (compactMap { storedValue($0) }, _origin.realm) }
}

/// Makes a value of a type that is stored, of what is.
private func decode<T>(_ type: T.Type, _ stored: _StoredValue) -> T? {
    func open<V: RealmCollectionValue>(_ type: V.Type) -> T? { V._decoded(stored) as? T }
    return (type as? any RealmCollectionValue.Type).flatMap { open($0) }
}

private func convert<T>(_ type: T.Type, _ any: Any) -> T? {
    func open<V: _Persistable>(_ type: V.Type) -> T? { V._converted(any) as? T }
    return (type as? any _Persistable.Type).flatMap { open($0) }
}

extension ResultSet {
    /// The values of a property of all objects.
    func values(of property: String, _ operation: Totals.Operation) -> [Value] {
        guard let binding else { Failure.stop("properties are those of objects") }
        guard let index = binding.model.index(of: property) else {
            Failure.stop("Property '\(property)' not found in object of type '\(binding.model.className)'")
        }
        operation.check(binding.model, index)
        let column = binding.column(Int32(index))
        let next = makeNext()
        var values: [Value] = []
        while case .embedded(let object)? = next() {
            values.append(Failure.unlessStopped { () throws(FormatError) in try object.value(of: column) })
        }
        return values
    }
}

extension PropertyType {
    /// The sum of no values.
    fileprivate var zero: Value {
        switch self {
        case .float: .float(0)
        case .double: .double(0)
        case .decimal128: .decimal128(Decimal128Bits(Int64(0)))
        default: .int(0)
        }
    }
}

/// What is calculated of many values; null does not count.
enum Totals {
    /// What is calculated; its name is that of messages.
    enum Operation: String {
        case min, max, sum, average

        /// Ends the program for a property whose values have nothing of the kind.
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

    static func extreme(_ values: [Value], _ direction: Int) -> Value? {
        var found: Value?
        for value in values {
            if case .null = value { continue }
            if let known = found, ValueOrder.order(value, known) * direction <= 0 { continue }
            found = value
        }
        return found
    }

    /// The sum in the type of the values: ints overflow as the processor does.
    static func sum(_ values: [Value]) -> Value {
        var (ints, reals): (Int64, Double) = (0, 0)
        var decimals = Decimal128Bits(Int64(0))
        var kind: Value = .int(0)
        for value in values {
            switch value {
            case .int(let number): ints &+= number
            case .float(let number): (reals, kind) = (reals + Double(number), value)
            case .double(let number): (reals, kind) = (reals + number, value)
            case .decimal128(let number): (decimals, kind) = (decimals + number, value)
            default: continue
            }
        }
        return switch kind {
        case .float: .float(Float(reals + Double(ints)))
        case .double: .double(reals + Double(ints))
        case .decimal128: .decimal128(decimals + Decimal128Bits(reals + Double(ints), digits: 15))
        default: .int(ints)
        }
    }

    static func decimal(_ value: Value) -> Value {
        switch value {
        case .int(let number): .decimal128(Decimal128Bits(number))
        case .float(let number): .decimal128(Decimal128Bits(Double(number), digits: 15))
        case .double(let number): .decimal128(Decimal128Bits(number, digits: 15))
        default: value
        }
    }

    /// The average: a double, or a decimal of decimals.
    static func average(_ values: [Value]) -> Any? {
        let count = values.count { $0.number != nil }
        guard count > 0 else { return nil }
        switch sum(values) {
        case .int(let number): return Double(number) / Double(count)
        case .float(let number): return Double(number) / Double(count)
        case .double(let number): return number / Double(count)
        case .decimal128(let number): return Decimal128(number / Decimal128Bits(Int64(count)))
        default: return nil
        }
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
