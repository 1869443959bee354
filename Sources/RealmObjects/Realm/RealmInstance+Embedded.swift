internal import RealmCore
internal import RealmLayout
internal import RealmStore

// Updating an existing object from another one with `update: .modified`: existing embedded objects stay and receive the
// new values; sets and dictionaries keep their content.
extension RealmInstance {
    /// Writes the new value of a property into its existing embedded objects, if the policy keeps them.
    ///
    /// - Returns: false if there is no embedded object to update; the property is then written as a whole.
    func updateEmbedded(_ value: Any?, _ place: PropertyPlace, _ context: _WriteContext) -> Bool {
        let property = place.property
        guard context.keepsWhatIsThere, property.targetType is EmbeddedObject.Type else { return false }
        switch (property.collection, self.value(at: place)) {
        case (nil, let known):
            guard let key = known.linkedKey, let new = EmbeddedObject.stored(value) else { return false }
            update(new.inMemory, key, context)
        case (.list, .list(let known)):
            guard let elements = value.flatMap({ anyElements($0) }) else { return false }
            let new = elements.compactMap { EmbeddedObject.stored($0)?.inMemory }
            for (stored, object) in zip(known, new) { if let key = stored.linkedKey { update(object, key, context) } }
            let list = ManagedCollection(place)
            modify { transaction throws(WriteError) in
                let list = list.list(transaction)
                for index in stride(from: known.count - 1, through: new.count, by: -1) { try list.remove(at: index) }
                for object in new.dropFirst(known.count) { try list.append(.embedded(context.values(of: object))) }
            }
        case (.dictionary, .dictionary(let known)):
            guard let entries = value.flatMap({ anyEntries($0) }) else { return false }
            let map = ManagedCollection(place)
            var linked: [String: ObjectKey] = [:]
            for entry in known { if case .string(let text) = entry.key { linked[text] = entry.value.linkedKey } }
            for (text, new) in entries.sorted(by: { $0.key < $1.key }) {
                let object = EmbeddedObject.stored(new)?.inMemory
                if let object, let key = linked[text] {
                    update(object, key, context)
                } else {
                    modify { transaction throws(WriteError) in
                        let value = object.map { NewValue.embedded(context.values(of: $0)) } ?? .null
                        try map.dictionary(transaction).set(.string(text), value)
                    }
                }
            }
        default: return false
        }
        return true
    }

    /// Adds the elements of a set, or the entries of a dictionary, to the existing ones, if the policy keeps these.
    ///
    /// - Returns: false if the given value replaces the content of the property.
    func merge(_ value: NewValue, _ place: PropertyPlace, _ context: _WriteContext) -> Bool {
        guard context.keepsWhatIsThere else { return false }
        let collection = ManagedCollection(place)
        switch (place.property.collection, value) {
        case (.set, .list(let elements)):
            modify { transaction throws(WriteError) in
                let set = collection.set(transaction)
                for element in elements { _ = try set.insert(element) }
            }
        case (.dictionary, .dictionary(let entries)):
            modify { transaction throws(WriteError) in
                let dictionary = collection.dictionary(transaction)
                for entry in entries { try dictionary.set(entry.key, entry.value) }
            }
        default: return false
        }
        return true
    }

    /// Writes the values of an unmanaged embedded object to an existing one. The object becomes a view of that one,
    /// unless the context copies.
    private func update(_ new: EmbeddedObject, _ key: ObjectKey, _ context: _WriteContext) {
        let binding = binding(of: type(of: new))
        let model = binding.model
        for index in model.scalarProperties where context.isNamed(index, of: new) {
            guard let value = model.properties[index].encoded(new, context) else { continue }
            set(value, at: PropertyPlace(binding, key, Int32(index)))
        }
        writeLater(new, to: binding, ObjectReference(model.className, key), context, isNew: false)
        guard !context.copies else { return }
        new.bind(binding, key)
        new.adoptProperties(binding)
    }
}

extension EmbeddedObject {
    /// Returns the object that a value is, or is stored as.
    fileprivate static func stored(_ value: Any?) -> EmbeddedObject? {
        if let object = value as? EmbeddedObject { return object }
        return (value as? any _CustomPersistable).flatMap { stored($0.persistableValue) }
    }

    /// The object, or an unmanaged copy of a managed object, as a source of values for another one.
    fileprivate var inMemory: EmbeddedObject {
        guard boundRealm != nil else { return self }
        let copy = type(of: self).init()
        ObjectValues.assign(self, to: copy)
        return copy
    }
}
