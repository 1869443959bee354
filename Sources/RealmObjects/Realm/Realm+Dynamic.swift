internal import RealmLayout

// Objects and collections of classes given by their names in the file.
extension Realm {
    /// Creates an object of a class given by its name, and adds it.
    ///
    /// - Parameters:
    ///   - typeName: the name of the class in the file.
    ///   - value: a dictionary keyed by property name, or an array in the order of the properties.
    ///   - update: the policy for an existing object with the same primary key.
    /// - Returns: the object in the realm.
    @discardableResult
    public func dynamicCreate(
        _ typeName: String, value: Any = [String: Any](), update: UpdatePolicy = .error
    ) -> DynamicObject {
        let binding = state.dynamicBinding(typeName)
        if update != .error, let binding { Self.checkPrimaryKey(binding.model) }
        guard let binding, let object = state.createdDynamic(binding, value, update) as? DynamicObject
        else { Failure.stop("Object type '\(typeName)' is not managed by the Realm.") }
        return object
    }
}

extension ObjectBase {
    /// Returns the list of a property; the properties of its objects are accessed by name.
    public final func dynamicList(_ propertyName: String) -> List<DynamicObject> {
        List(dynamicCollection(propertyName))
    }
    /// Returns the set of a property; the properties of its objects are accessed by name.
    public final func dynamicMutableSet(_ propertyName: String) -> MutableSet<DynamicObject> {
        MutableSet(dynamicCollection(propertyName))
    }
    /// Returns the map of a property; the properties of its objects are accessed by name.
    public final func dynamicMap<Key: _MapKey>(_ propertyName: String) -> Map<Key, DynamicObject?> {
        Map(dynamicCollection(propertyName))
    }

    private final func dynamicCollection(_ name: String) -> ManagedCollection {
        guard let realm = boundRealm, let binding, let dynamic = realm.dynamicBinding(binding.model.className) else {
            Failure.stop("Collections of objects that are in no realm have their own types.")
        }
        // Classes that share a table have their own property names.
        let column = binding.model.index(of: name).map { binding.model.properties[$0].columnName }
        guard let index = dynamic.model.properties.firstIndex(where: { $0.columnName == column }) else {
            Failure.stop("Invalid property name '\(name)' for class '\(binding.model.className)'.")
        }
        return ManagedCollection(PropertyPlace(dynamic, key, Int32(truncatingIfNeeded: index)))
    }
}
