internal import RealmCore

extension ManagedCollection {
    /// The class of the objects in the collection; nil for other values.
    var elementBinding: ClassBinding? {
        guard place.property.type == .object, path.isEmpty else { return nil }
        if let type = place.property.targetType, type != DynamicObject.self { return realm.binding(of: type) }
        return place.property.target.flatMap { realm.dynamicBinding($0) }
    }

    /// Returns the index of a list element in the file, where links to tombstones have indexes too; the index after the
    /// last element maps to the end.
    func storedIndex(_ index: Int) -> Int {
        guard hidesTombstones, case .list(let elements) = realm.value(at: place) else { return index }
        let shown = elements.indices.filter { elements[$0].linkedKey != nil }
        return index < shown.count ? shown[index] : elements.count
    }

    func isSame(as other: ManagedCollection) -> Bool {
        isOfSameProperty(as: other) && path == other.path
    }

    func isOfSameProperty(as other: ManagedCollection) -> Bool {
        realm.isSame(as: other.realm) && place.binding.position == other.place.binding.position
            && place.key == other.place.key && place.column == other.place.column
    }
}
