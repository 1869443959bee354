internal import RealmCore
internal import RealmLayout

/// Tests whether embedded GeoJSON points lie in a region.
struct GeoTest: Sendable {
    let path: BoundPath
    let region: GeoRegion
    /// The properties of the embedded class.
    let type: PropertyIndex
    let coordinates: PropertyIndex
    /// The test as written.
    let text: String

    /// - Parameter objects: the objects at the end of the path.
    func holds(_ objects: [StoredObject]) throws(FormatError) -> Bool {
        switch path.quantifier ?? .any {
        case .any:
            for object in objects where try contains(object) { return true }
            return false
        case .all:
            // Without points, ALL is false, as in Realm Core.
            for object in objects where try !contains(object) { return false }
            return !objects.isEmpty
        case .none:
            for object in objects where try contains(object) { return false }
            return true
        }
    }

    private func contains(_ object: StoredObject) throws(FormatError) -> Bool {
        guard case .string(let name) = try object.value(of: type), name.utf8.count == 5, name.lowercased() == "point",
            case .list(let numbers) = try object.value(of: coordinates), numbers.count >= 2,
            case .double(let longitude) = numbers[0], case .double(let latitude) = numbers[1]
        else { return false }
        return region.contains(longitude: longitude, latitude: latitude)
    }
}
