internal import RealmLayout
internal import RealmReader
internal import RealmTransactions
internal import RealmWriter

// Embedded objects of an object that is there and gets the values of another one: with `update: .modified` they stay the objects that they
// are, and get the values of the new ones.
extension RealmState {
    /// Writes what a property is to have into the embedded objects that are there, if that is the policy.
    ///
    /// - Returns: false where there are none, or no objects in a property or a list: then they are written as a whole.
    func updateEmbedded(_ value: Any?, _ place: PropertyPlace, _ context: _WriteContext) -> Bool {
        let property = place.property
        guard context.policy == .modified, property.targetType is EmbeddedObject.Type else { return false }
        switch (property.collection, self.value(at: place)) {
        case (nil, let known):
            guard let key = known.linkedKey, let new = value as? EmbeddedObject, new.boundRealm == nil else {
                return false
            }
            update(new, key, context)
        case (.list, .list(let known)):
            guard let new = value.flatMap({ anyElements($0) })?.compactMap({ $0 as? EmbeddedObject }),
                new.allSatisfy({ $0.boundRealm == nil })
            else { return false }
            for (stored, object) in zip(known, new) { if let key = stored.linkedKey { update(object, key, context) } }
            let list = ManagedCollection(place)
            modify { transaction throws(WriteError) in
                let list = list.list(transaction)
                for index in stride(from: known.count - 1, through: new.count, by: -1) { try list.remove(at: index) }
                for object in new.dropFirst(known.count) { try list.append(.embedded(context.values(of: object))) }
            }
        default: return false
        }
        return true
    }

    /// Writes the values of an embedded object in memory to one that is there, of which it becomes a view.
    private func update(_ new: EmbeddedObject, _ key: ObjectKey, _ context: _WriteContext) {
        let binding = binding(of: type(of: new))
        let model = binding.model
        let reference = ObjectReference(model.className, key)
        for index in model.scalarProperties {
            guard let value = model.properties[index].encoded(new, context) else { continue }
            modify { transaction throws(WriteError) in
                try transaction.set(reference, model.properties[index].columnName, value)
            }
        }
        writeLater(new, to: binding, reference, context, isNew: false)
        guard !context.copies else { return }
        new.bind(binding, key)
        new.adoptProperties(binding)
    }
}
