internal import RealmLayout

extension ObjectBase {
    final var model: ModelClass { binding?.model ?? ModelClass.of(type(of: self)) }

    /// The value of a property by its name. Numbers of a `DynamicObject` are Foundation numbers, if the program has
    /// Foundation.
    ///
    /// - Precondition: the property exists.
    public final subscript(name: String) -> Any? {
        get { valueOfNoType(name) }
        set { setDynamicValue(name, newValue) }
    }

    /// Returns the value of a property by its name; see the subscript.
    public final func value(forKey name: String) -> Any? { valueOfNoType(name) }

    /// Returns the values of properties by their names. Nil is `NSNull` where Objective-C is available. Elsewhere it is
    /// an optional without a value, which `JSONSerialization` treats the same.
    public final func dictionaryWithValues(forKeys names: [String]) -> [String: Any] {
        Dictionary(names.map { ($0, valueOfNoType($0) ?? NumberObject.null) }, uniquingKeysWith: { first, _ in first })
    }

    /// Sets properties by their names.
    public final func setValuesForKeys(_ values: [String: Any]) {
        for (name, value) in values { setDynamicValue(name, isNull(value) ? nil : value) }
    }

    /// Returns the value at the end of a path of properties, separated by dots. After a collection, the path continues
    /// in the collection and may begin with an operator: `dogs.name`, `dogs.@sum.age`.
    public final func value(forKeyPath path: String) -> Any? {
        let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
        guard let name = parts.first else { return self }
        let value = valueOfNoType(name)
        guard parts.count > 1 else { return value }
        return switch value {
        case let object as ObjectBase: object.value(forKeyPath: parts[1])
        case let collection as any RealmCollection: collection.value(forKeyPath: parts[1])
        case let map as any RealmKeyedCollection: map.value(forKeyPath: parts[1])
        default: nil
        }
    }

    /// Sets the property at the end of a path of properties, separated by dots. For a collection, sets the property of
    /// all its objects; for a map, the value of a key. Does nothing if the path leads through nil.
    public final func setValue(_ value: Any?, forKeyPath path: String) {
        guard let end = path.lastIndex(of: ".") else { return setDynamicValue(path, value) }
        Self.set(value, String(path[path.index(after: end)...]), of: self.value(forKeyPath: String(path[..<end])))
    }

    private static func set(_ value: Any?, _ name: String, of owner: Any?) {
        switch owner {
        case let object as ObjectBase: object.setDynamicValue(name, value)
        case let collection as any RealmCollection: collection.setValue(value, forKey: name)
        case let map as any RealmKeyedCollection: map.setValue(value, forKey: name)
        case let owners as [Any]: for owner in owners { set(value, name, of: owner) }
        default: break
        }
    }

    /// Sets a property by its name.
    public final func setValue(_ value: Any?, forKey name: String) { setDynamicValue(name, value) }

    /// Returns the value of a property in the form used by callers that do not know the program's class.
    final func valueOfNoType(_ name: String) -> Any? {
        type(of: self) == DynamicObject.self ? NumberObject.object(dynamicValue(name)) : dynamicValue(name)
    }

    final func dynamicValue(_ name: String) -> Any? {
        let model = model
        guard let index = model.index(of: name) else { Self.stop(name, model) }
        let property = model.properties[index]
        guard boundRealm == nil else { return property.access.managedValue(self, Int32(index)) }
        return property.access.value(FieldPlace(self, offset: property.offset))
    }

    private static func stop(_ name: String, _ model: ModelClass) -> Never {
        Failure.stop("Invalid property name '\(name)' for class '\(model.className)'.")
    }

    final func setDynamicValue(_ name: String, _ value: Any?) {
        let model = model
        guard let index = model.index(of: name) else { Self.stop(name, model) }
        set(index, value ?? Optional<Any>.none as Any, model)
    }

    final func set(_ index: Int, _ value: Any, _ model: ModelClass) {
        let property = model.properties[index]
        let fits =
            if let realm = boundRealm {
                realm.setMakingObjects(value, self, index)
                    || property.access.setManagedValue(value, self, Int32(index))
            } else {
                property.access.setValue(value, FieldPlace(self, offset: property.offset))
            }
        guard fits else {
            Failure.stop(
                "Invalid value '\(value)' of type '\(type(of: value))' for '\(property.typeText)' property '\(model.className).\(property.name)'."
            )
        }
    }

    /// The class as declared in the program; nil for base classes, which have no properties.
    public class func sharedSchema() -> ObjectSchema? {
        let isBase = [ObjectBase.self, Object.self, EmbeddedObject.self, AsymmetricObject.self].contains { $0 == self }
        return isBase ? nil : ObjectSchema(ModelClass.of(self))
    }

    /// The class as known to the realm, or for an unmanaged object to the program.
    public final var objectSchema: ObjectSchema { ObjectSchema(model) }
}

extension ModelProperty {
    /// The type in the form that messages use.
    var typeText: String {
        let element = type == .object ? target ?? "object" : type.description
        let mayBeNull = isOptional && type != .any && (type != .object || collection != nil) ? "?" : ""
        return switch collection {
        case nil: element + mayBeNull
        case .list: "array<\(element)\(mayBeNull)>"
        case .set: "set<\(element)\(mayBeNull)>"
        case .dictionary: "dictionary<string, \(element)\(mayBeNull)>"
        }
    }
}
