extension ManagedCollection {
    /// The class of the objects in the collection; nil for other values.
    var elementBinding: ClassBinding? {
        guard place.property.type == .object, path.isEmpty else { return nil }
        if let type = place.property.targetType, type != DynamicObject.self { return realm.binding(of: type) }
        return place.property.target.flatMap { realm.dynamicBinding($0) }
    }

    func isSame(as other: ManagedCollection) -> Bool {
        isOfSameProperty(as: other) && path == other.path
    }

    func isOfSameProperty(as other: ManagedCollection) -> Bool {
        realm.isSame(as: other.realm) && place.binding.position == other.place.binding.position
            && place.key == other.place.key && place.column == other.place.column
    }
}
