internal import RealmLayout

extension ObjectBase {
    final var model: ModelClass { binding?.model ?? ModelClass.of(type(of: self)) }

    /// The value of a property by its name. Numbers of a `DynamicObject` are those of Foundation, where the program has it.
    ///
    /// - Precondition: there is such a property.
    public final subscript(name: String) -> Any? {
        get { valueOfNoType(name) }
        set { setDynamicValue(name, newValue) }
    }

    /// The value of a property by its name; see the subscript.
    public final func value(forKey name: String) -> Any? { valueOfNoType(name) }

    /// The values of properties by their names. Nil is `NSNull` where there is Objective-C, elsewhere an optional without a value, which
    /// `JSONSerialization` takes for the same.
    public final func dictionaryWithValues(forKeys names: [String]) -> [String: Any] {
        Dictionary(names.map { ($0, valueOfNoType($0) ?? NumberObject.null) }, uniquingKeysWith: { first, _ in first })
    }

    /// Sets properties by their names.
    public final func setValuesForKeys(_ values: [String: Any]) {
        for (name, value) in values { setDynamicValue(name, isNull(value) ? nil : value) }
    }

    /// The value at the end of a path of properties, whose names are separated by points. What follows a collection is a path of it, which
    /// may begin with an operator: `dogs.name`, `dogs.@sum.age`.
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

    /// Sets the property at the end of a path of properties, whose names are separated by points: of a collection that of all its objects, of a map
    /// the value of a key. Nothing is set behind what is nil.
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

    /// The value of a property as code has it that does not know the program's class.
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
                realm.setMakingObjects(value, self, property)
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

    /// The class as the program has it; nil for classes that have no properties.
    public class func sharedSchema() -> ObjectSchema? {
        let isBase = [ObjectBase.self, Object.self, EmbeddedObject.self, AsymmetricObject.self].contains { $0 == self }
        return isBase ? nil : ObjectSchema(ModelClass.of(self))
    }

    /// The class as the realm, or the program, has it.
    public final var objectSchema: ObjectSchema { ObjectSchema(model) }
}

extension ModelProperty {
    /// The type as messages have it.
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
