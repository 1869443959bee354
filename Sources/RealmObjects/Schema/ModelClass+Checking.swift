extension ModelClass {
    /// Ends the program where a class cannot be meant as it is, as RealmSwift does. A class whose properties are still `@objc dynamic` is one: on
    /// Apple's systems it compiles, and nothing of it would be stored.
    func check() {
        guard type != DynamicObject.self else { return }
        if let name = type.primaryKey(), index(of: name) == nil {
            Failure.stop("Primary key property '\(name)' does not exist on object '\(className)'")
        }
        if properties.isEmpty, type.shouldIncludeInDefaultSchema() {
            Failure.stop(
                "No properties are defined for '\(className)'. Did you remember to mark them with '@Persisted' in your model?"
            )
        }
    }
}
