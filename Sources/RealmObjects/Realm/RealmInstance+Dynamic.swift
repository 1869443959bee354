internal import RealmCore
internal import RealmLayout
internal import RealmStore

// Creating objects, from values, of classes that the program may not define.
extension RealmInstance {
    /// Creates an object of a class that the program may not define.
    func createdDynamic(_ binding: ClassBinding, _ value: Any, _ policy: Realm.UpdatePolicy = .error) -> ObjectBase {
        let model = binding.model
        checkConfinement()
        guard let transaction else { Failure.stop(Failure.notInWrite) }
        if let same = updatedWithItself(value, binding, policy) { return same }
        let outer = creating
        if policy != .error { creating = _WriteContext(self, policy, copies: true) }
        defer { creating = outer }
        let given = given(value, model)
        if policy != .error || isDynamic, let primaryKey = model.primaryKey,
            let key = (given + defaults(model, besides: given)).first(where: { $0.index == primaryKey })?.value,
            let existing = object(binding, primaryKey: key)
        {
            if policy == .error {
                // In a migration the existing object may still get another key.
                dropPrimaryKey(of: model.className)
                return createdDynamic(dynamicBinding(model.className) ?? binding, value)
            }
            for (index, value) in given where index != primaryKey { existing.set(index, value, model) }
            return existing
        }
        let values = newValues(given, model)
        do throws(WriteError) {
            let reference = try transaction.add(model.className, values)
            noteChange()
            return binding.object(reference.key)
        } catch {
            Self.stop(error, model, given.first { $0.index == model.primaryKey }?.value)
        }
    }

    /// Returns the values of a new object, by column name.
    private func newValues(_ given: [(index: Int, value: Any)], _ model: ModelClass) -> [String: NewValue] {
        let context = _WriteContext(self, creating?.policy ?? .error, copies: true)
        var values: [String: NewValue] = [:]
        for definition in model.properties.compactMap(\.definition)
        where !definition.isNullable && definition.collection == nil {
            values[definition.name] = definition.zero
        }
        for (index, value) in given + defaults(model, besides: given) {
            let property = model.properties[index]
            guard let encoded = madeObjects(value, property) ?? property.access.encoded(value, context) else {
                Failure.stop("Invalid value '\(value)' for property '\(model.className).\(property.name)'.")
            }
            values[property.columnName] = encoded
        }
        return values
    }

    /// Returns values, by column name, for non-null columns of new objects that are removed when the migration ends.
    func valuesThatGo(_ binding: ClassBinding) -> [String: NewValue] {
        guard isDynamic else { return [:] }
        let known = Set(binding.model.properties.map(\.columnName))
        var values: [String: NewValue] = [:]
        for property in binding.table.schema.properties
        where !property.isNullable && property.collection == nil && !known.contains(property.name) {
            values[property.name] = PropertyDefinition(property).zero
        }
        return values
    }

    /// Returns the default values of properties that are not given; none for a class that the program does not define.
    private func defaults(_ model: ModelClass, besides given: [(index: Int, value: Any)]) -> [(index: Int, value: Any)]
    {
        let known = Set(given.map(\.index))
        guard known.count < model.properties.count,
            let type = models.first(where: { $0.className == model.className })?.type
        else { return [] }
        return self.given(type.init(), model).filter { !known.contains($0.index) }
    }

    /// Sets a property that links to objects of a class that the program may not define, if some have to be created.
    ///
    /// - Returns: false if there are none.
    func setMakingObjects(_ value: Any, _ object: ObjectBase, _ index: Int) -> Bool {
        guard let binding = object.binding, transaction != nil,
            let made = madeObjects(value, binding.model.properties[index], adopts: true)
        else { return false }
        set(made, at: PropertyPlace(binding, object.key, Int32(index)))
        return true
    }

    /// Encodes links to objects of a class that the program may not define. Dictionaries, arrays and unmanaged objects
    /// stand for new objects, which are created; objects may also be of a class of the program. Returns nil if there
    /// are no such values.
    ///
    /// - Parameter adopts: whether unmanaged objects become views of the stored ones; otherwise they are copied.
    private func madeObjects(_ value: Any, _ property: ModelProperty, adopts: Bool = false) -> NewValue? {
        guard property.targetType == nil, let name = property.target, let target = dynamicBinding(name) else {
            return nil
        }
        func isHere(_ value: Any) -> Bool { isNull(value) || (value as? DynamicObject)?.boundRealm === self }
        switch property.collection {
        case nil: return isHere(value) ? nil : madeObject(value, target, adopts)
        case .list, .set:
            guard let elements = anyElements(value), !elements.allSatisfy(isHere) else { return nil }
            let made = elements.compactMap { madeObject($0, target, adopts) }
            return made.count == elements.count ? .list(made) : nil
        case .dictionary:
            guard let entries = anyEntries(value), !entries.allSatisfy({ isHere($0.value) }) else { return nil }
            let made = entries.sorted { $0.key < $1.key }.compactMap { key, value in
                madeObject(value, target, adopts).map { NewEntry(.string(MapKeys.checked(key)), $0) }
            }
            return made.count == entries.count ? .dictionary(made) : nil
        }
    }

    private func madeObject(_ value: Any, _ target: ClassBinding, _ adopts: Bool) -> NewValue? {
        if isNull(value) { return .null }
        let model = target.model
        guard value is [String: Any] || value is [Any] || value is ObjectBase else { return nil }
        if model.kind == .embedded { return embedded(value, target) }
        if let object = value as? ObjectBase, let realm = object.boundRealm {
            guard realm === self else {
                Failure.stop(
                    "Object is already managed by another Realm. Use create instead to copy it into this Realm.")
            }
            return .link(ObjectReference(model.className, object.key))
        }
        if adopts, let object = value as? ObjectBase, object.model.className == model.className,
            models.contains(where: { $0 === object.model })
        {
            return .link(added(object, _WriteContext(self, creating?.policy ?? .error)))
        }
        return .link(ObjectReference(model.className, createdDynamic(target, value, creating?.policy ?? .error).key))
    }

    /// Returns an embedded object with the given values.
    private func embedded(_ value: Any, _ target: ClassBinding) -> NewValue {
        .embedded(newValues(given(value, target.model), target.model))
    }

    /// Encodes an embedded object of a class that the program may not define, as a copy, because it has one owner.
    func embeddedCopy(of object: DynamicObject) -> NewValue? {
        guard !object.isInvalidated else { Failure.stop(Failure.deleted) }
        return dynamicBinding(object.model.className).map { embedded(object, $0) }
    }

    /// Returns the given property values. Properties of another object, which may be of the file, are matched by column
    /// name.
    private func given(_ value: Any, _ model: ModelClass) -> [(index: Int, value: Any)] {
        guard let object = value as? ObjectBase else { return ObjectValues.values(of: value, model) }
        let known = object.model.properties
        return model.properties.enumerated().compactMap { index, property in
            guard let name = known.first(where: { $0.columnName == property.columnName })?.name else { return nil }
            return (index, object.dynamicValue(name) ?? Optional<Any>.none as Any)
        }
    }
}
