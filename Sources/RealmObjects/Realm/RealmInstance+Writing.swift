internal import RealmLayout
internal import RealmReader
internal import RealmTransactions
internal import RealmWriter

/// Values on their way into a transaction: objects that they lead to are added.
public final class _WriteContext {
    /// It keeps the one that adds objects.
    unowned let realm: RealmInstance
    let policy: Realm.UpdatePolicy
    /// Whether embedded objects, and elements of sets and dictionaries, that are there already stay, as Realm Core keeps them.
    var keepsWhatIsThere: Bool { policy == .modified }
    /// Whether objects that are not in the realm are copied, also those of other realms; else they become views of what is written.
    let copies: Bool
    /// What is to be set of objects that are there, if not all.
    let named: NamedProperties?
    /// What was copied, which may lead back to itself.
    private var copied: [Source: (object: ObjectBase, reference: ObjectReference)] = [:]

    /// An object that is copied: one in memory, or what several views of another realm show.
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

    /// Whether an object has a value for a property of one that is there.
    func isNamed(_ index: Int, of object: ObjectBase) -> Bool { named?.isNamed(index, of: object) ?? true }

    /// What a link to an object is.
    func reference(to object: ObjectBase) -> ObjectReference {
        guard copies, object.boundRealm !== realm else { return realm.added(object, self) }
        if let known = copied[Source(object)] { return known.reference }
        guard !object.isInvalidated else { Failure.stop(Failure.deleted) }
        let copy = type(of: object).init()
        ObjectValues.assign(object, to: copy)
        named?.note(copy, of: object)
        return realm.added(copy, self) { note($0, of: object) }
    }

    /// Notes what the copy of an object is.
    func note(_ copy: ObjectReference, of object: ObjectBase) { copied[Source(object)] = (object, copy) }

    /// The values of an embedded object by the names of columns.
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
    /// The value of a property, of an object in memory or of another one.
    fileprivate func encoded(
        _ object: ObjectBase, _ index: Int, _ property: ModelProperty, _ context: _WriteContext
    ) -> NewValue? {
        guard object.boundRealm != nil else { return property.encoded(object, context) }
        return property.access.encoded(property.access.managedValue(object, Int32(index)) as Any, context)
    }

    /// What adds objects that values lead to, by a policy. It notes nothing: all of them have one.
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
        // What is set to itself stays.
        if isEmbedded(value, in: place, self.value(at: place)) { return }
        let isAny = place.property.type == .any
        if isAny, let any = value as? AnyRealmValue, any.isView(of: place) { return }
        let context = creating ?? adding(.error)
        if updateEmbedded(value, place, context) { return }
        guard let encoded = value._encoded(context)?.value else { return }
        modify { transaction throws(WriteError) in try transaction.set(place.reference, place.column, encoded) }
        // Collections of the value that was there are gone.
        if isAny { ManagedCollection(place).noteEmptied() }
        if place.property.targetType is EmbeddedObject.Type, !context.copies {
            value._adopt(_AdoptedPlace(property: place))
        }
    }

    /// Whether a value is the embedded object that is there already: it stays the one that it is.
    func isEmbedded(
        _ value: some _Persistable, in place: PropertyPlace, _ stored: @autoclosure () -> RealmReader.Value?
    ) -> Bool {
        // Numbers and texts are not looked at, nor links to classes of the program.
        let type = place.property.targetType
        guard place.property.type == .object, type == nil || type is EmbeddedObject.Type,
            let object = value._dynamic as? ObjectBase,
            object.boundRealm === self, object.model.kind == .embedded, !object.isInvalidated
        else { return false }
        return stored()?.linkedKey == object.key
    }

    /// In a migration objects may get other primary keys; the class has one again, if all differ, when the migration has ended.
    func dropPrimaryKey(of className: String) {
        guard classesWithoutPrimaryKey.insert(className).inserted else { return }
        modify { transaction throws(WriteError) in try transaction.setPrimaryKey(nil, of: className) }
        forgetClasses()
    }

    private func isSame<Key: RealmCollectionValue>(_ key: Key, _ stored: RealmReader.Value) -> Bool {
        Key._decoded(_StoredValue(value: stored, realm: self)) == key
    }

    /// Writes an element of a collection.
    ///
    /// - Parameter mayBeAdded: whether an object that is in no realm is added for it; else nothing is done with one that is not in this
    ///   realm.
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

    /// Adds an object with all that it links to, unless it is here.
    ///
    /// - Parameter isThere: is told where the object is before its links are followed, which may lead back to it.
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
            : updatedOrAdded(object, model, context, transaction)
        // Bound before its links are followed, which may lead back here.
        object.bind(binding, reference.key)
        isThere(reference)
        writeLater(object, to: binding, reference, context, isNew: isNew)
        if context.copies { object.forgetProperties(model) } else { object.adoptProperties(binding) }
        return reference
    }

    /// Writes the values of an object that lead to others.
    ///
    /// - Parameter isNew: whether the object was added for it; else there may be other values.
    func writeLater(
        _ object: ObjectBase, to binding: ClassBinding, _ reference: ObjectReference, _ context: _WriteContext,
        isNew: Bool
    ) {
        let model = binding.model
        for index in model.laterProperties {
            let property = model.properties[index]
            if isNew ? property.isNil(object) : !context.isNamed(index, of: object) { continue }
            if !isNew, property.targetType is EmbeddedObject.Type,
                updateEmbedded(
                    property.access.value(FieldPlace(object, offset: property.offset)),
                    PropertyPlace(binding, reference.key, Int32(index)), context)
            {
                continue
            }
            guard let value = property.encoded(object, context) else { continue }
            if isNew, value.isEmpty(in: property) { continue }
            if !isNew, merge(value, PropertyPlace(binding, reference.key, Int32(index)), context) { continue }
            modify { transaction throws(WriteError) in try transaction.set(reference, property.columnName, value) }
        }
    }

    /// Adds an object that must not be there, with its scalars.
    private func addedAnew(
        _ object: ObjectBase, _ binding: ClassBinding, _ context: _WriteContext, _ transaction: WriteTransaction
    ) -> ObjectReference {
        let model = binding.model
        let others = valuesThatGo(binding)
        do throws(WriteError) {
            let key = try transaction.add(inTableAt: binding.position) { values in
                for (name, value) in others {
                    let place = binding.table.schema.properties.propertyIndex { $0.name == name }
                    if let place { values[place] = value }
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

    /// Ends the program where an object could not be added: in RealmSwift's words where there is one with its primary key.
    static func stop(_ error: WriteError, _ model: ModelClass, _ primaryKey: Any?) -> Never {
        guard case .misfit(let misfit) = error, misfit.code == .duplicatePrimaryKey else { Failure.stop("\(error)") }
        let value = primaryKey.map { "\($0)" } ?? "null"
        Failure.stop(
            "Attempting to create an object of type '\(model.className)' with an existing primary key value '\(value)'."
        )
    }

    /// Adds an object with its scalars, or sets those of the one that is there.
    private func updatedOrAdded(
        _ object: ObjectBase, _ model: ModelClass, _ context: _WriteContext, _ transaction: WriteTransaction
    ) -> (reference: ObjectReference, isNew: Bool) {
        var values: [String: NewValue] = [:]
        values.reserveCapacity(model.properties.count)
        for index in model.scalarProperties {
            values[model.properties[index].columnName] = model.properties[index].encoded(object, context)
        }
        guard let existing = existing(model, values, transaction) else {
            values.merge(valuesThatGo(binding(of: model.type))) { given, _ in given }
            return (modify { transaction throws(WriteError) in try transaction.add(model.className, values) }, true)
        }
        for index in model.scalarProperties where index != model.primaryKey && context.isNamed(index, of: object) {
            let name = model.properties[index].columnName
            guard let value = values[name] else { continue }
            modify { transaction throws(WriteError) in try transaction.set(existing, name, value) }
        }
        return (existing, false)
    }

    /// The object with the primary key that is among some values.
    private func existing(
        _ model: ModelClass, _ values: [String: NewValue], _ transaction: WriteTransaction
    ) -> ObjectReference? {
        guard let primaryKey = model.primaryKey else { return nil }
        let value = values[model.properties[primaryKey].columnName] ?? .null
        return Failure.unlessStopped { () throws(WriteError) in
            try transaction.object(model.className, primaryKey: value)
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
        modify { transaction throws(WriteError) in
            try transaction.delete(ObjectReference(binding.model.className, key))
        }
    }
}

extension NewValue {
    /// Whether a new object has it anyway: an empty list is something else than nothing in a mixed value.
    fileprivate func isEmpty(in property: ModelProperty) -> Bool {
        switch self {
        case .null: true
        case .list(let elements): elements.isEmpty && property.collection != nil
        case .dictionary(let entries): entries.isEmpty && property.collection != nil
        default: false
        }
    }
}
