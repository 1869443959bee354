/// Gives objects the values of dictionaries, arrays and other objects.
enum ObjectValues {
    /// An object in memory with values; nil where none can be made of them.
    static func object<T: ObjectBase>(_ type: T.Type, of value: Any) -> T? {
        guard value is [String: Any] || value is [Any] || value is ObjectBase else { return nil }
        let object = T.init()
        assign(value, to: object)
        return object
    }

    /// Sets properties of an object.
    static func assign(_ value: Any, to object: ObjectBase) {
        let model = object.binding?.model ?? ModelClass.of(type(of: object))
        for (index, value) in values(of: value, model) { object.set(index, value, model) }
    }

    /// The values of properties that are named, or that stand in their order.
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
