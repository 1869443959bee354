extension ModelClass {
    /// Terminates the program if a class is invalid, as RealmSwift does. An example is a class whose properties are
    /// still `@objc dynamic`: it compiles on Apple's systems, but nothing of it would be stored.
    func check() {
        guard type != DynamicObject.self else { return }
        if !(type is Object.Type || type is EmbeddedObject.Type || type is AsymmetricObject.Type) {
            Failure.stop("Can't add non-Object type '\(type)' to a schema.")
        }
        for property in properties { property.check(in: type) }
        if let name = type.primaryKey(), index(of: name) == nil {
            Failure.stop("Primary key property '\(name)' does not exist on object '\(className)'")
        }
        let keys = properties.filter(\.isPrimaryKey)
        if keys.count > 1 {
            Failure.stop(
                "Properties '\(keys[0].name)' and '\(keys[1].name)' are both marked as the primary key of '\(className)'"
            )
        }
        if let key = keys.first, ![.int, .string, .objectId, .UUID].contains(key.type) || key.collection != nil {
            Failure.stop(
                "Property '\(key.name)' cannot be made the primary key of '\(className)' because it is not a 'string', 'int', 'objectId', or 'uuid' property."
            )
        }
        if properties.isEmpty, type.shouldIncludeInDefaultSchema() {
            Failure.stop(
                "No properties are defined for '\(className)'. Did you remember to mark them with '@Persisted' in your model?"
            )
        }
    }
}
