internal import RealmCore
internal import RealmLayout

/// A property of a model class.
struct ModelProperty: Sendable {
    /// The name in the program.
    let name: String
    /// The name in the file.
    let columnName: String
    /// Offset in bytes from the start of an instance; -1 if there is no such property, as in `DynamicObject`.
    let offset: Int
    let access: any PersistedAccess.Type
    /// Handling of the property when an object is added.
    let code: FieldCode
    let isPrimaryKey: Bool
    let isIndexed: Bool
    /// For linking objects, the property that the links start from.
    let originProperty: String?
    let type: PropertyType
    let isOptional: Bool
    let collection: RealmLayout.CollectionKind?
    /// The name of the class that links lead to.
    let target: String?
    let targetType: ObjectBase.Type?

    init(
        name: String, columnName: String, offset: Int, access: any PersistedAccess.Type, isPrimaryKey: Bool,
        isIndexed: Bool, originProperty: String?, type: PropertyType, isOptional: Bool,
        collection: RealmLayout.CollectionKind?, target: String?, targetType: ObjectBase.Type?
    ) {
        (self.name, self.columnName, self.offset, self.access) = (name, columnName, offset, access)
        (self.isPrimaryKey, self.isIndexed, self.originProperty) = (isPrimaryKey, isIndexed, originProperty)
        (self.type, self.isOptional, self.collection) = (type, isOptional, collection)
        (self.target, self.targetType) = (target, targetType)
        code = FieldCode(access, isCollection: collection != nil && type != .linkingObjects)
    }

    /// Encodes the value of an unmanaged object for writing.
    @inline(__always)
    func encoded(_ object: ObjectBase, _ context: _WriteContext) -> NewValue? {
        let field = FieldPlace(object, offset: offset)
        if case .plain(let plain) = code { return plain.encoded(field) }
        return access.encoded(field, context)
    }

    /// Whether a link of an unmanaged object is nil, or a collection was never read, so that a new managed object needs
    /// no value for it.
    @inline(__always)
    func isNil(_ object: ObjectBase) -> Bool {
        guard case .reference(let isLink) = code else { return false }
        return FieldCode.isNil(FieldPlace(object, offset: offset), isLink: isLink)
    }

    var isLinkingObjects: Bool { type == .linkingObjects }

    /// Whether a value can be written without adding other objects.
    var isScalar: Bool { collection == nil && type != .object && type != .any && type != .linkingObjects }

    /// The property in a new file; nil if it is computed.
    var definition: PropertyDefinition? {
        guard let stored = type.stored else { return nil }
        return PropertyDefinition(
            columnName, stored, isNullable: isOptional, collection: collection, target: target,
            index: isIndexed || isPrimaryKey ? .general : .none)
    }
}
