internal import RealmCore
internal import RealmLayout

extension ObjectBase {
    final func isSame(as other: ObjectBase?) -> Bool {
        guard let other else { return false }
        if self === other { return true }
        guard let realm = boundRealm, let otherRealm = other.boundRealm, let binding, let otherBinding = other.binding
        else { return false }
        return realm.isSame(as: otherRealm) && binding.position == otherBinding.position && key == other.key
    }

    /// Whether both are equal. Without a primary key, only the same instance or frozen views of the same object are.
    final func hasIdentity(of other: ObjectBase) -> Bool {
        if self === other { return true }
        guard let model = binding?.model, model.primaryKey != nil || isShared else { return false }
        return isSame(as: other)
    }

    /// Hashes the identity that views of the same object share.
    final func hashPlace(into hasher: inout Hasher) {
        if let model = binding?.model {
            hasher.combine(model.className)
            hasher.combine(key)
        } else {
            hasher.combine(ObjectIdentifier(self))
        }
    }

    /// Hashes the identity that equal objects share: the primary key, which is the same before and after an object is
    /// added to a realm.
    final func hashIdentity(into hasher: inout Hasher) {
        if let primaryKey {
            hasher.combine(primaryKey)
        } else if isShared {
            hashPlace(into: &hasher)
        } else {
            hasher.combine(ObjectIdentifier(self))
        }
    }

    /// The value of the primary key; nil if the class has none, or the object no longer exists.
    private final var primaryKey: Value? {
        let model = model
        guard let index = model.primaryKey, !isInvalidated else { return nil }
        if boundRealm != nil { return stored(Int32(truncatingIfNeeded: index)) }
        let property = model.properties[index]
        return property.access.value(FieldPlace(self, offset: property.offset)).flatMap { storedValue($0) } ?? .null
    }

    /// Becomes a view of an embedded object that was written.
    final func adopt(_ place: _AdoptedPlace) {
        let key: ObjectKey
        switch place.value {
        case .link(let link): key = link.objectKey
        case .embedded(let object): key = object.key
        default: return
        }
        guard boundRealm == nil else { return }
        let realm = place.property.realm
        let binding = realm.binding(of: type(of: self))
        bind(binding, key)
        adoptProperties(binding)
    }

    /// Releases the property values, which were copied into the realm.
    final func forgetProperties(_ model: ModelClass) {
        for property in model.properties where property.offset >= 0 {
            property.access.forget(FieldPlace(self, offset: property.offset))
        }
    }

    /// Binds the contents of the properties, whose values were written.
    final func adoptProperties(_ binding: ClassBinding) {
        let properties = binding.model.properties
        for index in properties.indices where properties[index].offset >= 0 {
            let field = FieldPlace(self, offset: properties[index].offset)
            switch properties[index].code {
            case .plain(let plain): plain.forget(field)
            case .reference(let isLink) where FieldCode.isNil(field, isLink: isLink): continue
            case .reference, .other:
                properties[index].access.adopt(
                    field, _AdoptedPlace(property: PropertyPlace(binding, key, Int32(truncatingIfNeeded: index))))
            }
        }
    }
}

extension _StoredValue {
    /// Returns the object that a link leads to.
    func object<T: ObjectBase>(_ type: T.Type) -> T? {
        switch value {
        case .link(let link):
            guard !link.isUnresolved else { return nil }
            let found = realm.hasChanges ? nil : Failure.unlessStopped { () throws(FormatError) in try link.object() }
            return realm.object(type, link.table.position, link.objectKey, found)
        case .embedded(let object): return realm.object(type, object.table.position, object.key, object)
        default: return nil
        }
    }
}
