internal import RealmCore
internal import RealmLayout

/// An object whose class the program does not declare. Its properties are read and set by name.
///
/// ```swift
/// for dog in realm.dynamicObjects("Dog") { print(dog["name"] ?? "", dog.age ?? 0) }
/// ```
@dynamicMemberLookup
public final class DynamicObject: Object {
    /// The value of a property by its name.
    public subscript(dynamicMember name: String) -> Any? {
        get { valueOfNoType(name) }
        set { setDynamicValue(name, newValue) }
    }

    /// Always false: the class is not part of a schema.
    public override class func shouldIncludeInDefaultSchema() -> Bool { false }

    /// Encodes a link to the object; for an embedded object, a copy.
    public override func _encoded(_ context: _WriteContext) -> _EncodedValue? {
        guard model.kind == .embedded else { return super._encoded(context) }
        return context.realm.embeddedCopy(of: self).map { _EncodedValue($0) }
    }

    /// Returns the same object as an instance of a class of the program; nil if it is of another class or unmanaged.
    func object<T: ObjectBase>(_ type: T.Type) -> T? {
        let model = ModelClass.of(type)
        guard let realm = boundRealm, binding?.model.className == model.className, !isInvalidated,
            realm.models.contains(where: { $0 === model })
        else { return nil }
        return realm.binding(of: type).object(key) as? T
    }
}

/// Access to properties of a file for which the program has no class.
enum DynamicAccess {
    static func type(of property: StoredProperty) -> any PersistedAccess.Type {
        switch property.type {
        case .int: access(Int.self, property)
        case .bool: access(Bool.self, property)
        case .string: access(String.self, property)
        case .binary: FoundationAccess.data(property)
        case .timestamp: FoundationAccess.date(property)
        case .float: access(Float.self, property)
        case .double: access(Double.self, property)
        case .decimal128: access(Decimal128.self, property)
        case .objectId: access(ObjectId.self, property)
        case .uuid: FoundationAccess.uuid(property)
        case .mixed: collection(AnyRealmValue.self, property)
        case .link:
            switch property.collection {
            case nil: Persisted<DynamicObject?>.self
            case .dictionary: Persisted<Map<String, DynamicObject?>>.self
            case .list, .set: collection(DynamicObject.self, property)
            }
        }
    }

    static func access<T: _RealmCollectionValueInsideOptional>(
        _ type: T.Type, _ property: StoredProperty
    ) -> any PersistedAccess.Type {
        property.isNullable ? collection(T?.self, property) : collection(type, property)
    }

    private static func collection<T: RealmCollectionValue>(
        _ type: T.Type, _ property: StoredProperty
    ) -> any PersistedAccess.Type {
        switch property.collection {
        case nil: Persisted<T>.self
        case .list: Persisted<List<T>>.self
        case .set: Persisted<MutableSet<T>>.self
        case .dictionary: Persisted<Map<String, T>>.self
        }
    }
}
