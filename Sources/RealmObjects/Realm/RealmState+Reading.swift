internal import RealmLayout
internal import RealmReader
internal import RealmTransactions
internal import RealmWriter

// What objects and collections read: of the version that is shown, or with the changes of the transaction.
extension RealmState {
    /// The value of a property of an object; null where the object is gone.
    func value(at place: PropertyPlace) -> Value {
        let column = place.binding.column(place.index)
        guard column != .none else { return .null }
        if hasChanges { return changedValue(place.binding, place.key, place.index) ?? .null }
        return Failure.unlessStopped { () throws(FormatError) in
            try place.binding.stored(place.key)?.value(of: column) ?? .null
        }
    }

    /// What finds the elements of a collection of an object that is stored; nil as `StoredObject.elements` says, and where the object is gone.
    func elements(at place: PropertyPlace) -> ElementSeeker? {
        ofStored(place) { object, column throws(FormatError) in try object.elements(of: column) }
    }

    /// The number of elements of a collection of an object that is stored; nil as `elements(at:)`.
    func elementCount(at place: PropertyPlace) -> Int? {
        ofStored(place) { object, column throws(FormatError) in try object.elementCount(of: column) }
    }

    private func ofStored<R>(
        _ place: PropertyPlace, _ body: (StoredObject, PropertyIndex) throws(FormatError) -> R?
    ) -> R? {
        let column = place.binding.column(place.index)
        guard column != .none else { return nil }
        return Failure.unlessStopped { () throws(FormatError) in
            guard let object = try place.binding.stored(place.key) else { return nil }
            return try body(object, column)
        }
    }

    func exists(_ binding: ClassBinding, _ key: ObjectKey) -> Bool {
        if hasChanges { return changedExists(binding, key) }
        return Failure.unlessStopped { () throws(FormatError) in try binding.stored(key) != nil }
    }

    /// The value of a property, with the changes of the transaction; nil where the object is gone.
    func changedValue(_ binding: ClassBinding, _ key: ObjectKey, _ index: Int32) -> Value? {
        guard binding.column(index) != .none else { return changedExists(binding, key) ? .null : nil }
        return Failure.unlessStopped { () throws(WriteError) in
            try transaction?.value(of: key, inTableAt: binding.position, property: binding.column(index))
        }
    }

    func changedExists(_ binding: ClassBinding, _ key: ObjectKey) -> Bool {
        guard binding.position != .none else { return false }
        return Failure.unlessStopped { () throws(WriteError) in
            try transaction?.contains(key, inTableAt: binding.position) ?? false
        }
    }

    func changedCount(_ place: PropertyPlace) -> Int? {
        Failure.unlessStopped { () throws(WriteError) in
            try transaction?.elementCount(
                of: place.key, inTableAt: place.binding.position, property: place.binding.column(place.index))
        }
    }

    func changedElement(_ place: PropertyPlace, _ element: Int) -> Value? {
        Failure.unlessStopped { () throws(WriteError) in
            try transaction?.element(
                at: element, of: place.key, inTableAt: place.binding.position,
                property: place.binding.column(place.index))
        }
    }

    /// The object of a class that has a primary key; nil where there is none.
    func object(_ binding: ClassBinding, primaryKey key: Any) -> ObjectBase? {
        guard let index = binding.model.primaryKey else {
            Failure.stop("'\(binding.model.className)' does not have a primary key defined")
        }
        guard let value = storedValue(key) else { return nil }
        // No object has an integer that 64 bits have no room for.
        if case .decimal128 = value, key is any BinaryInteger { return nil }
        if hasChanges {
            let property = binding.model.properties[index]
            return changedObject(binding, property, key).map { binding.object($0) }
        }
        let found = Failure.unlessStopped { () throws(FormatError) in try binding.table.object(primaryKey: value) }
        return found.map { binding.object($0.key, $0) }
    }

    private func changedObject(_ binding: ClassBinding, _ property: ModelProperty, _ key: Any) -> ObjectKey? {
        guard let transaction, let value = property.access.encoded(key, adding(.error)) else { return nil }
        return Failure.unlessStopped { try transaction.object(binding.model.className, primaryKey: value)?.key }
    }
}
