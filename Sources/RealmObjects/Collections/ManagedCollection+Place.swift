internal import RealmReader

extension ManagedCollection {
    /// The class of the objects in the collection; nil for other values.
    var elementBinding: ClassBinding? {
        guard place.property.type == .object, path.isEmpty else { return nil }
        if let type = place.property.targetType, type != DynamicObject.self { return realm.binding(of: type) }
        return place.property.target.flatMap { realm.dynamicBinding($0) }
    }

    /// Where an element of a list is in the file; the end for the index after the last one. Links to tombstones keep their places.
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
