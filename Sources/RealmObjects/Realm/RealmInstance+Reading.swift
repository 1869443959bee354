internal import RealmCore
internal import RealmLayout
internal import RealmStore

// Reads of objects and collections: from the version shown, or with the changes of the transaction.
extension RealmInstance {
    /// Returns the value of a property of an object; null if the object is gone.
    func value(at place: PropertyPlace) -> Value {
        let column = place.binding.column(place.index)
        guard column != .none else { return .null }
        if hasChanges { return changedValue(place.binding, place.key, place.index) ?? .null }
        return Failure.unlessStopped { () throws(FormatError) in
            try place.binding.stored(place.key)?.value(of: column) ?? .null
        }
    }

    /// Returns the value at the end of a path into a property; null if there is none.
    func value(at place: PropertyPlace, inside path: [NestedStep<String>]) -> Value {
        let column = place.binding.column(place.index)
        guard column != .none else { return .null }
        guard hasChanges else { return read(at: place, inside: path, isShallow: false) }
        return Failure.unlessStopped { () throws(WriteError) in
            try transaction?.value(
                of: place.key, inTableAt: place.binding.position, property: column, inside: path) ?? .null
        }
    }

    /// Returns the same value, but for a collection only its kind, without its elements.
    func shallowValue(at place: PropertyPlace, inside path: [NestedStep<String>]) -> Value {
        guard hasChanges else { return read(at: place, inside: path, isShallow: true) }
        let column = place.binding.column(place.index)
        guard column != .none else { return .null }
        let value = Failure.unlessStopped { () throws(WriteError) in
            try transaction?.shallowValue(
                of: place.key, inTableAt: place.binding.position, property: column, inside: path) ?? .value(nil)
        }
        return switch value {
        case .value(let value): value ?? .null
        case .onlyWritten: path.isEmpty ? self.value(at: place) : self.value(at: place, inside: path)
        }
    }

    private func read(at place: PropertyPlace, inside path: [NestedStep<String>], isShallow: Bool) -> Value {
        let value = ofStored(place) { object, column throws(FormatError) in
            try object.value(of: column, inside: path, isShallow: isShallow)
        }
        return value ?? .null
    }

    /// Returns a lookup of the elements of a collection of a stored object; nil as for `StoredObject.elements`, and if
    /// the object is gone.
    func elements(at place: PropertyPlace, _ collection: CollectionInProperty) -> ElementLookup? {
        ofStored(place) { object, column throws(FormatError) in try object.elements(of: column, collection) }
    }

    /// Returns the number of elements of a collection of a stored object; nil as for `elements(at:_:)`.
    func elementCount(at place: PropertyPlace, _ collection: CollectionInProperty) -> Int? {
        ofStored(place) { object, column throws(FormatError) in try object.elementCount(of: column, collection) }
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

    /// Returns the value of a property, with the changes of the transaction; nil if the object is gone.
    func changedValue(_ binding: ClassBinding, _ key: ObjectKey, _ index: Int32) -> Value? {
        guard binding.column(index) != .none else { return changedExists(binding, key) ? .null : nil }
        return Failure.unlessStopped { () throws(WriteError) in
            try transaction?.value(of: key, inTableAt: binding.position, property: binding.column(index))
        }
    }

    /// Returns the value of a mixed property, with the changes of the transaction; for a collection only its kind.
    /// Returns nil if the object is gone.
    func changedMixed(_ binding: ClassBinding, _ key: ObjectKey, _ index: Int32) -> Value? {
        guard changedExists(binding, key) else { return nil }
        return shallowValue(at: PropertyPlace(binding, key, index), inside: [])
    }

    func changedExists(_ binding: ClassBinding, _ key: ObjectKey) -> Bool {
        guard binding.position != .none else { return false }
        return Failure.unlessStopped { () throws(WriteError) in
            try transaction?.contains(key, inTableAt: binding.position) ?? false
        }
    }

    /// Returns the number of elements of a collection, with the changes of the transaction; nil if it has to be read
    /// for that.
    func changedCount(_ place: PropertyPlace, _ collection: CollectionInProperty) -> Int? {
        Failure.unlessStopped { () throws(WriteError) in
            try transaction?.elementCount(
                of: place.key, inTableAt: place.binding.position, property: place.binding.column(place.index),
                collection)
        }
    }

    /// Returns an element of a collection, or the value of an entry, with the changes of the transaction.
    func changedElement(
        _ place: PropertyPlace, _ step: NestedStep<String>, _ collection: CollectionInProperty
    ) -> WriteTransaction.Reading {
        Failure.unlessStopped { () throws(WriteError) in
            try transaction?.element(
                step, of: place.key, inTableAt: place.binding.position,
                property: place.binding.column(place.index), collection) ?? .onlyWritten
        }
    }

    /// Returns the object of a class with a primary key; nil if there is none.
    func object(_ binding: ClassBinding, primaryKey key: Any) -> ObjectBase? {
        guard let index = binding.model.primaryKey else {
            Failure.stop("'\(binding.model.className)' does not have a primary key defined")
        }
        guard let value = storedValue(key) else { return nil }
        // No object has an integer that does not fit into 64 bits.
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
        return Failure.unlessStopped { try transaction.object(inTableAt: binding.position, primaryKey: value) }
    }
}
