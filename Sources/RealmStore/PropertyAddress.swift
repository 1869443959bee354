internal import RealmCore
internal import RealmLayout

/// A property of an object, as a caller names it.
enum PropertyAddress {
    case named(ObjectReference, String)
    case at(CollectionPlace)
}

extension WriteTransaction {
    /// Returns the place of a property, and its table.
    ///
    /// - Throws: `noSuchTable`, `noSuchProperty`.
    func resolve(_ property: PropertyAddress) throws -> (CollectionPlace, MutableTable) {
        switch property {
        case .named(let object, let name):
            let table = try table(named: object.className)
            let index = try self.property(name, of: table)
            return (CollectionPlace(table: table.position, object: object.key, property: index), table)
        case .at(let place):
            let table = try table(at: place.table)
            guard table.constraints.indices.contains(place.property) else {
                throw InvalidValue(.noSuchProperty, "the property no longer exists").at(
                    table: table.core.schema.tableName)
            }
            return (place, table)
        }
    }
}
