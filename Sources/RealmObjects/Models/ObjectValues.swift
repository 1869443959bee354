/// Assigns the values of dictionaries, arrays and other objects to objects.
enum ObjectValues {
    /// Returns an object in memory with the given values; nil if none can be made from them.
    static func object<T: ObjectBase>(_ type: T.Type, of value: Any) -> T? {
        guard value is [String: Any] || value is [Any] || value is ObjectBase else { return nil }
        let object = T.init()
        let values = assign(value, to: object)
        if !(value is ObjectBase) { NamedProperties.current?.note(values.map(\.index), of: object) }
        return object
    }

    /// Sets properties of an object.
    ///
    /// - Returns: the properties that were set, and their values.
    @discardableResult
    static func assign(_ value: Any, to object: ObjectBase) -> [(index: Int, value: Any)] {
        let model = object.binding?.model ?? ModelClass.of(type(of: object))
        let values = values(of: value, model)
        for (index, value) in values { object.set(index, value, model) }
        return values
    }

    /// Returns the values of the properties, which are given by name or in property order.
    static func values(of value: Any, _ model: ModelClass) -> [(index: Int, value: Any)] {
        switch value {
        case let values as [String: Any]:
            return model.properties.indices.compactMap { index in
                values[model.properties[index].name].map { (index, $0) }
            }
        case let values as [Any]:
            let stored = model.properties.indices.filter { !model.properties[$0].isLinkingObjects }
            guard values.count <= stored.count else {
                Failure.stop(
                    "Invalid array input: more values (\(values.count)) than properties (\(stored.count)).")
            }
            return zip(stored, values).map { ($0, $1) }
        case let object as ObjectBase:
            return model.properties.enumerated().compactMap { index, property in
                property.isLinkingObjects
                    ? nil : (index, object.dynamicValue(property.name) ?? Optional<Any>.none as Any)
            }
        default:
            Failure.stop("Invalid value '\(value)' to initialize object of type '\(model.className)'")
        }
    }
}

/// Records which properties were named by the dictionaries and arrays that objects in memory were made from. These
/// objects stand for objects of a realm.
final class NamedProperties {
    @TaskLocal private static var shared: SendableBox<NamedProperties>?

    private var properties: [ObjectIdentifier: (object: ObjectBase, named: Set<Int>)] = [:]

    /// The recorder for objects that are being created; nil if none is active.
    static var current: NamedProperties? { shared?.value }

    /// Records the objects that `body` creates.
    func noting<Result>(_ body: () throws -> Result) rethrows -> Result {
        try Self.$shared.withValue(SendableBox(self), operation: body)
    }

    func note(_ named: [Int], of object: ObjectBase) { properties[ObjectIdentifier(object)] = (object, Set(named)) }

    /// Records that an object is a copy of another one.
    func note(_ copy: ObjectBase, of object: ObjectBase) {
        if let known = properties[ObjectIdentifier(object)] { properties[ObjectIdentifier(copy)] = (copy, known.named) }
    }

    /// Whether a property of an object was named. All properties of unrecorded objects were.
    func isNamed(_ index: Int, of object: ObjectBase) -> Bool {
        properties[ObjectIdentifier(object)]?.named.contains(index) ?? true
    }
}
