internal import RealmLayout
internal import RealmReader
internal import RealmWriter

/// A property of a model class.
struct ModelProperty: Sendable {
    /// The name in the program.
    let name: String
    /// The name in the file.
    let columnName: String
    /// Bytes from the start of an instance; -1 where there is no such property, as in `DynamicObject`.
    let offset: Int
    let access: any PersistedAccess.Type
    let isPrimaryKey: Bool
    let isIndexed: Bool
    /// Of linking objects: the property that the links start from.
    let originProperty: String?
    let type: PropertyType
    let isOptional: Bool
    let collection: RealmLayout.CollectionKind?
    /// The name of the class that links lead to.
    let target: String?
    let targetType: ObjectBase.Type?

    var isLinkingObjects: Bool { type == .linkingObjects }

    /// Whether a value can be written without adding other objects.
    var isPlain: Bool { collection == nil && type != .object && type != .any && type != .linkingObjects }

    /// The property in a new file; nil for what is computed.
    var definition: PropertyDefinition? {
        guard let stored = type.stored else { return nil }
        return PropertyDefinition(
            columnName, stored, isNullable: isOptional, collection: collection, target: target,
            index: isIndexed || isPrimaryKey ? .general : .none)
    }
}
