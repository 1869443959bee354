public import RealmReader
internal import RealmLayout

extension TableSchema {
    /// The field that every document of the class starts with: the primary key, or the object key.
    public static let identityField = "_id"

    /// The name of a property's field in documents: the property's own.
    ///
    /// Only a property that is called `_id` without being the primary key has to give way to the identity: it becomes
    /// `_id_`, with more underscores if need be. Embedded objects have no identity, their properties keep every name.
    /// NUL, which ends a name in BSON, becomes `%00`.
    public func fieldName(of property: Property) -> String {
        guard property.name == Self.identityField, kind != .embedded, primaryKeyName != Self.identityField else {
            guard property.name.utf8.contains(0) else { return property.name }
            return property.name.split(separator: "\0", omittingEmptySubsequences: false).joined(separator: "%00")
        }
        var name = property.name + "_"
        while self.property(named: name) != nil { name += "_" }
        return name
    }
}
