internal import RealmCore
internal import RealmLayout
internal import RealmStore

/// Context for writing values in a transaction: adds the objects that they link to.
public final class _WriteContext {
    /// Unowned, because the realm keeps the context that adds objects.
    unowned let realm: RealmInstance
    let policy: Realm.UpdatePolicy
    /// Whether existing embedded objects, and existing elements of sets and dictionaries, stay, as in Realm Core.
    var keepsWhatIsThere: Bool { policy == .modified }
    /// Whether objects outside the realm are copied, also those of other realms; otherwise they become views.
    let copies: Bool
    /// The properties to set in existing objects, if not all.
    let named: NamedProperties?
    /// Copied objects, since links may lead back to them.
    private var copied: [Source: (object: ObjectBase, reference: ObjectReference)] = [:]

    /// A copied object: an unmanaged one, or an object of another realm, of which there may be several views.
    private struct Source: Hashable {
        let holder: ObjectIdentifier
        var table = TablePosition(0)
        var key = ObjectKey.null

        init(_ object: ObjectBase) {
            guard let realm = object.boundRealm, let binding = object.binding else {
                holder = ObjectIdentifier(object)
                return
            }
            (holder, table, key) = (ObjectIdentifier(realm), binding.position, object.key)
        }
    }

    init(
        _ realm: RealmInstance, _ policy: Realm.UpdatePolicy, copies: Bool = false, _ named: NamedProperties? = nil
    ) {
        (self.realm, self.policy, self.copies, self.named) = (realm, policy, copies, named)
    }

    /// Whether an object gives a value for a property of an existing one.
    func isNamed(_ index: Int, of object: ObjectBase) -> Bool { named?.isNamed(index, of: object) ?? true }

    /// Returns the reference for a link to an object.
    func reference(to object: ObjectBase) -> ObjectReference {
        guard copies, object.boundRealm !== realm else { return realm.added(object, self) }
        if let known = copied[Source(object)] { return known.reference }
        guard !object.isInvalidated else { Failure.stop(Failure.deleted) }
        let copy = type(of: object).init()
        ObjectValues.assign(object, to: copy)
        named?.note(copy, of: object)
        return realm.added(copy, self) { note($0, of: object) }
    }

    /// Records the copy of an object.
    func note(_ copy: ObjectReference, of object: ObjectBase) { copied[Source(object)] = (object, copy) }

    /// Returns the values of an embedded object, by column name.
    func values(of object: EmbeddedObject) -> [String: NewValue] {
        let model = object.model
        var values = realm.isDynamic ? realm.valuesThatGo(realm.binding(of: model.type)) : [:]
        for (index, property) in model.properties.enumerated() where !property.isLinkingObjects {
            values[property.columnName] = realm.encoded(object, index, property, self)
        }
        return values
    }
}

extension RealmInstance {
    /// Encodes the value of a property of an unmanaged or a managed object.
    fileprivate func encoded(
        _ object: ObjectBase, _ index: Int, _ property: ModelProperty, _ context: _WriteContext
    ) -> NewValue? {
        guard object.boundRealm != nil else { return property.encoded(object, context) }
        return property.access.encoded(property.access.managedValue(object, Int32(index)) as Any, context)
    }

    /// Returns a context that adds linked objects by a policy. It records nothing, so it is shared.
    func adding(_ policy: Realm.UpdatePolicy) -> _WriteContext {
        if let lastAdding, lastAdding.policy == policy { return lastAdding }
        let new = _WriteContext(self, policy)
        lastAdding = new
        return new
    }

    /// Sets a property.
    func write<Value: _Persistable>(_ value: Value, to place: PropertyPlace) {
        guard transaction != nil else {
            checkConfinement()
            Failure.stop(outsideOfWrite)
        }
        if place.property.isPrimaryKey, isDynamic {
            dropPrimaryKey(of: place.binding.model.className)
        } else if place.property.isPrimaryKey {
            guard let key = value as? any RealmCollectionValue, isSame(key, self.value(at: place)) else {
                Failure.stop("Primary key can't be changed after an object is inserted.")
            }
            return
        }
        // An embedded object that is set to itself stays.
        if isEmbedded(value, in: place, self.value(at: place)) { return }
        let isAny = place.property.type == .any
        if isAny, let any = value as? AnyRealmValue, any.isView(of: place) { return }
        let context = creating ?? adding(.error)
        if updateEmbedded(value, place, context) { return }
        guard let encoded = value._encoded(context)?.value else { return }
        set(encoded, at: place)
        // Collections in the previous value are gone.
        if isAny { ManagedCollection(place).noteEmptied() }
        if place.property.targetType is EmbeddedObject.Type, !context.copies {
            value._adopt(_AdoptedPlace(property: place))
        }
    }

    /// Sets a property to an encoded value.
    func set(_ value: NewValue, at place: PropertyPlace) {
        modify { transaction throws(WriteError) in
            try transaction.setValue(
                value, of: place.key, inTableAt: place.table, property: place.tableProperty)
        }
    }

    /// Whether a value is the embedded object already stored in the place, which stays as it is.
    func isEmbedded(
        _ value: some _Persistable, in place: PropertyPlace, _ stored: @autoclosure () -> RealmCore.Value?
    ) -> Bool {
        // Ignores numbers, texts, and links to classes of the program.
        let type = place.property.targetType
        guard place.property.type == .object, type == nil || type is EmbeddedObject.Type,
            let object = value._dynamic as? ObjectBase,
            object.boundRealm === self, object.model.kind == .embedded, !object.isInvalidated
        else { return false }
        return stored()?.linkedKey == object.key
    }

    /// Drops the primary key of a class, because objects may get other keys in a migration. The class has a primary key
    /// again when the migration has ended, if all keys differ.
    func dropPrimaryKey(of className: String) {
        guard classesWithoutPrimaryKey.insert(className).inserted else { return }
        modify { transaction throws(WriteError) in try transaction.setPrimaryKey(nil, of: className) }
        forgetClasses()
    }

    private func isSame<Key: RealmCollectionValue>(_ key: Key, _ stored: RealmCore.Value) -> Bool {
        Key._decoded(_StoredValue(value: stored, realm: self)) == key
    }

    /// Writes an element of a collection.
    ///
    /// - Parameter mayBeAdded: whether an unmanaged object is added; otherwise objects outside this realm are ignored.
    func writeElement(
        _ element: some _Persistable, mayBeAdded: Bool = true,
        _ body: (WriteTransaction, NewValue) throws(WriteError) -> Void
    ) {
        checkConfinement()
        guard transaction != nil else { Failure.stop(outsideOfWrite) }
        if !mayBeAdded, let object = element._dynamic as? ObjectBase, object.boundRealm !== self { return }
        guard let encoded = element._encoded(creating ?? adding(.error))?.value else { return }
        modify { transaction throws(WriteError) in try body(transaction, encoded) }
    }

    /// Adds an object and all objects that it links to, unless it is in the realm.
    ///
    /// - Parameter isThere: receives the reference before the object's links are followed, which may lead back.
    @discardableResult
    func added(
        _ object: ObjectBase, _ context: _WriteContext, _ isThere: (ObjectReference) -> Void = { _ in }
    ) -> ObjectReference {
        checkConfinement()
        guard let transaction else { Failure.stop(Failure.notInWrite) }
        if let realm = object.boundRealm, let binding = object.binding {
            guard realm === self else {
                Failure.stop(
                    "Object is already managed by another Realm. Use create instead to copy it into this Realm.")
            }
            guard !object.isInvalidated else {
                Failure.stop("Adding a deleted or invalidated object to a Realm is not permitted")
            }
            return ObjectReference(binding.model.className, object.key)
        }
        let binding = binding(of: type(of: object))
        let model = binding.model
        let (reference, isNew) =
            context.policy == .error || model.primaryKey == nil
            ? (addedAnew(object, binding, context, transaction), true)
            : updatedOrAdded(object, binding, context, transaction)
        // Bound before its links are followed, because they may lead back here.
        object.bind(binding, reference.key)
        isThere(reference)
        writeLater(object, to: binding, reference, context, isNew: isNew)
        if context.copies { object.forgetProperties(model) } else { object.adoptProperties(binding) }
        return reference
    }

    /// Writes the properties of an object that may lead to other objects.
    ///
    /// - Parameter isNew: whether the object was just added; otherwise it may have other values.
    func writeLater(
        _ object: ObjectBase, to binding: ClassBinding, _ reference: ObjectReference, _ context: _WriteContext,
        isNew: Bool
    ) {
        let model = binding.model
        for index in model.laterProperties {
            let property = model.properties[index]
            let place = PropertyPlace(binding, reference.key, Int32(index))
            if isNew ? property.isNil(object) : !context.isNamed(index, of: object) { continue }
            if !isNew, property.targetType is EmbeddedObject.Type,
                updateEmbedded(
                    property.access.value(FieldPlace(object, offset: property.offset)), place, context)
            {
                continue
            }
            guard let value = property.encoded(object, context) else { continue }
            if isNew, value.isEmpty(in: property) { continue }
            if !isNew, merge(value, place, context) { continue }
            set(value, at: place)
        }
    }

    /// Adds an object that must not exist yet, with its scalar properties.
    private func addedAnew(
        _ object: ObjectBase, _ binding: ClassBinding, _ context: _WriteContext, _ transaction: WriteTransaction
    ) -> ObjectReference {
        let model = binding.model
        let others = valuesThatGo(binding)
        do throws(WriteError) {
            let key = try transaction.add(inTableAt: binding.position) { values in
                for (name, value) in others {
                    if let place = binding.table.schema.properties.propertyIndex(named: name) { values[place] = value }
                }
                for index in model.scalarProperties {
                    values[binding.column(Int32(truncatingIfNeeded: index))] = model.properties[index].encoded(
                        object, context)
                }
            }
            noteChange()
            return ObjectReference(model.className, key)
        } catch {
            Self.stop(error, model, model.primaryKey.flatMap { object.dynamicValue(model.properties[$0].name) })
        }
    }

    /// Terminates the program after a failed addition; uses RealmSwift's message for a duplicate primary key.
    static func stop(_ error: WriteError, _ model: ModelClass, _ primaryKey: Any?) -> Never {
        guard case .misfit(let misfit) = error, misfit.code == .duplicatePrimaryKey else { Failure.stop("\(error)") }
        let value = primaryKey.map { "\($0)" } ?? "null"
        Failure.stop(
            "Attempting to create an object of type '\(model.className)' with an existing primary key value '\(value)'."
        )
    }

    /// Adds an object with its scalar properties, or sets those of the existing one.
    private func updatedOrAdded(
        _ object: ObjectBase, _ binding: ClassBinding, _ context: _WriteContext, _ transaction: WriteTransaction
    ) -> (reference: ObjectReference, isNew: Bool) {
        let model = binding.model
        guard let key = existing(object, binding, context, transaction) else {
            return (addedAnew(object, binding, context, transaction), true)
        }
        for index in model.scalarProperties where index != model.primaryKey && context.isNamed(index, of: object) {
            guard let value = model.properties[index].encoded(object, context) else { continue }
            set(value, at: PropertyPlace(binding, key, Int32(index)))
        }
        return (ObjectReference(model.className, key), false)
    }

    /// Returns the key of the stored object with the primary key of an object.
    private func existing(
        _ object: ObjectBase, _ binding: ClassBinding, _ context: _WriteContext, _ transaction: WriteTransaction
    ) -> ObjectKey? {
        guard let primaryKey = binding.model.primaryKey else { return nil }
        let value = binding.model.properties[primaryKey].encoded(object, context) ?? .null
        return Failure.unlessStopped { () throws(WriteError) in
            try transaction.object(inTableAt: binding.position, primaryKey: value)
        }
    }

    func delete(_ object: ObjectBase) {
        guard let realm = object.boundRealm, realm === self, let binding = object.binding else {
            Failure.stop("Can only delete an object from the Realm it belongs to.")
        }
        guard transaction != nil else { Failure.stop(Failure.notInWrite) }
        guard !object.isInvalidated else { return }
        delete(binding, object.key)
        object.wasDeleted = true
    }

    func delete(_ binding: ClassBinding, _ key: ObjectKey) {
        modify { transaction throws(WriteError) in try transaction.delete(key, inTableAt: binding.position) }
    }
}

extension NewValue {
    /// Whether a new object has this value anyway. In a mixed value, an empty list differs from null.
    fileprivate func isEmpty(in property: ModelProperty) -> Bool {
        switch self {
        case .null: true
        case .list(let elements): elements.isEmpty && property.collection != nil
        case .dictionary(let entries): entries.isEmpty && property.collection != nil
        default: false
        }
    }
}
