internal import RealmCore
internal import RealmLayout
internal import RealmStore

extension Realm {
    /// Treatment of objects whose primary key already exists.
    public enum UpdatePolicy: Int, Sendable {
        /// Terminates the program: the primary key must not exist.
        case error = 1
        /// Sets properties that differ. Sets and dictionaries keep their content, and receive the new elements.
        case modified = 3
        /// Sets all properties, to exactly the given values.
        case all = 2
    }

    /// Runs a transaction and commits it.
    ///
    /// - Parameters:
    ///   - tokens: observers of this realm that are not notified of the changes.
    ///   - block: makes the changes. If it throws, nothing has changed.
    /// - Throws: errors of `block`; `Realm.Error` if the commit fails.
    @discardableResult
    public func write<Result>(
        withoutNotifying tokens: [NotificationToken] = [], _ block: () throws -> Result
    ) throws -> Result { try state.write(tokens, block) }

    /// Begins a transaction, which ends with `commitWrite` or `cancelWrite`. Waits for other transactions to end.
    public func beginWrite() { Failure.unlessStopped { try state.beginWrite() } }

    /// Commits the transaction begun with `beginWrite`.
    ///
    /// - Parameter tokens: observers of this realm that are not notified of the changes.
    /// - Throws: `Realm.Error` if the commit fails; nothing has changed then.
    public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
        try state.commitWrite(withoutNotifying: tokens)
    }

    /// Ends the transaction begun with `beginWrite`, and discards its changes.
    public func cancelWrite() { state.cancelWrite() }

    /// Adds an object and all objects that it links to. It becomes a view of the object in the realm.
    ///
    /// - Precondition: a transaction is open; the class has a primary key unless `update` is `.error`.
    public func add(_ object: Object, update: UpdatePolicy = .error) {
        if update != .error { Self.checkPrimaryKey(ModelClass.of(type(of: object))) }
        state.added(object, state.adding(update))
    }

    /// Adds objects; see `add(_:update:)`.
    public func add<S: Sequence>(_ objects: S, update: UpdatePolicy = .error) where S.Element: Object {
        for object in objects { add(object, update: update) }
    }

    /// Creates an object from values, and adds it.
    ///
    /// - Parameters:
    ///   - type: the class.
    ///   - value: a dictionary keyed by property name, an array in the order of the properties, or another object.
    ///     Updating an object sets only the properties that are given.
    ///   - update: the policy for an existing object with the same primary key.
    /// - Returns: the object in the realm.
    @discardableResult
    public func create<T: Object>(_ type: T.Type, value: Any = [String: Any](), update: UpdatePolicy = .error) -> T {
        if update != .error { Self.checkPrimaryKey(ModelClass.of(type)) }
        guard let object = state.created(type, value, update) as? T else {
            Failure.stop("a \(type) was made of another class")
        }
        return object
    }

    /// Terminates the program if the class has no primary key, so that its objects cannot be updated.
    static func checkPrimaryKey(_ model: ModelClass) {
        guard model.primaryKey == nil else { return }
        Failure.stop("'\(model.className)' does not have a primary key and can not be updated")
    }

    /// Creates an object that is written and never read.
    public func create<T: AsymmetricObject>(_ type: T.Type, value: Any = [String: Any]()) {
        _ = state.created(type, value, .error)
    }

    /// Deletes an object. Links to it become nil.
    public func delete(_ object: ObjectBase) { state.delete(object) }

    /// Deletes objects.
    public func delete<S: Sequence>(_ objects: S) where S.Element: ObjectBase {
        for object in Array(objects) { state.delete(object) }
    }

    /// Deletes all objects of results, a list, or another collection.
    public func delete<C: RealmCollection>(_ objects: C) where C.Element: ObjectBase { state.deleteAll(objects) }

    /// Deletes all objects of a map.
    public func delete<Key: _MapKey, Value: ObjectBase & _RealmCollectionValueInsideOptional>(_ map: Map<Key, Value?>) {
        for object in map.values.compactMap({ $0 }) { state.delete(object) }
    }

    /// Deletes all objects of the classes of the realm. Classes unknown to the program keep theirs.
    public func deleteAll() { state.deleteAll() }
}

extension RealmInstance {
    func write<Result>(_ tokens: [NotificationToken], _ block: () throws -> Result) throws -> Result {
        try beginWrite()
        return try finishWrite(withoutNotifying: tokens, block)
    }

    /// Makes the changes of the open transaction, and commits it.
    func finishWrite<Result>(
        withoutNotifying tokens: [NotificationToken] = [], _ block: () throws -> Result
    ) throws -> Result {
        let result: Result
        do { result = try block() } catch {
            if transaction != nil { cancelWrite() }
            throw error
        }
        // The block may have ended the transaction.
        if transaction != nil { try commitWrite(withoutNotifying: tokens) }
        return result
    }

    func beginWrite() throws {
        checkConfinement()
        guard transaction == nil else { Failure.stop("The Realm is already in a write transaction") }
        guard !isFrozen else { Failure.stop(Failure.frozenTransaction) }
        guard let store = database.store else {
            Failure.stop(Failure.readOnlyTransaction)
        }
        try checkActiveVersions()
        knownAsyncWrites?.finishCommits()
        begin(
            try translatingErrors(configuration.path) {
                if case .queue(let queue) = confinement {
                    try store.begin(for: self, on: queue)
                } else {
                    try store.begin(for: self)
                }
            })
    }

    /// Throws if too many versions are active.
    func checkActiveVersions() throws {
        guard let most = configuration.maximumNumberOfActiveVersions, most > 0,
            let count = database.store?.activeVersionCount, count > most
        else { return }
        throw Realm.Error(.fail, "Number of active versions (\(count)) in the Realm exceeded the limit of \(most)")
    }

    func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
        checkConfinement()
        guard let transaction else { Failure.stop("Can't commit a non-existing write transaction") }
        try commit(transaction, withoutNotifying: tokens)
    }

    func cancelWrite() {
        checkConfinement()
        guard let transaction else { Failure.stop("Can't cancel a non-existing write transaction") }
        cancel(transaction)
    }

    func created(_ type: ObjectBase.Type, _ value: Any, _ policy: Realm.UpdatePolicy) -> ObjectBase {
        guard policy != .error else { return created(type, value, _WriteContext(self, policy, copies: true)) }
        let named = NamedProperties()
        return named.noting { created(type, value, _WriteContext(self, policy, copies: true, named)) }
    }

    private func created(_ type: ObjectBase.Type, _ value: Any, _ context: _WriteContext) -> ObjectBase {
        checkConfinement()
        let binding = binding(of: type)
        let (model, policy) = (binding.model, context.policy)
        if let same = updatedWithItself(value, binding, policy) { return same }
        let object = type.init()
        let values = ObjectValues.values(of: value, model)
        for (index, value) in values { object.set(index, value, model) }
        guard policy != .error, let existing = existing(object, binding) else {
            added(object, context) { reference in (value as? ObjectBase).map { context.note(reference, of: $0) } }
            return object
        }
        if let source = value as? ObjectBase {
            context.note(ObjectReference(model.className, existing.key), of: source)
        }
        let outer = creating
        creating = context
        defer { creating = outer }
        for (index, value) in values where index != model.primaryKey {
            guard policy == .all || !existing.hasEqual(index, value, model) else { continue }
            existing.set(index, value, model)
        }
        return existing
    }

    /// Returns the object of the realm if it would be updated with itself; nothing of it changes, nor of its embedded
    /// objects. Returns nil for other values.
    func updatedWithItself(_ value: Any, _ binding: ClassBinding, _ policy: Realm.UpdatePolicy) -> ObjectBase? {
        guard policy != .error, let object = value as? ObjectBase, object.boundRealm === self,
            object.binding?.position == binding.position
        else { return nil }
        guard transaction != nil else { Failure.stop(Failure.notInWrite) }
        guard !object.isInvalidated else { Failure.stop(Failure.deleted) }
        return binding.object(object.key)
    }

    /// Returns the existing object with the same primary key.
    private func existing(_ object: ObjectBase, _ binding: ClassBinding) -> ObjectBase? {
        guard let primaryKey = binding.model.primaryKey else { return nil }
        return self.object(
            binding, primaryKey: object.dynamicValue(binding.model.properties[primaryKey].name) as Any)
    }

    func deleteAll<C: RealmCollection>(_ objects: C) where C.Element: ObjectBase {
        guard objects._origin.source != nil else {
            for object in Array(objects) { delete(object) }
            return
        }
        let set = objects.resultSet
        guard set.realm === self, let binding = set.binding else {
            Failure.stop("Can only delete objects from the Realm they belong to.")
        }
        guard transaction != nil else { Failure.stop(Failure.notInWrite) }
        deleteAll(Set(set.keys).sorted(), binding)
    }

    /// Deletes objects of a class. Embedded objects may already be gone with their owners.
    func deleteAll(_ keys: [ObjectKey], _ binding: ClassBinding) {
        let mayBeGone = binding.model.kind == .embedded
        for key in keys where !mayBeGone || changedExists(binding, key) { delete(binding, key) }
    }

    func deleteAll() {
        guard transaction != nil else { Failure.stop(Failure.notInWrite) }
        for model in models where model.kind != .embedded {
            let binding = binding(of: model.type)
            deleteAll(ResultSet(self, .table(binding), model.type).keys, binding)
        }
    }
}

extension ObjectBase {
    /// Whether a property already has the value.
    fileprivate func hasEqual(_ index: Int, _ value: Any, _ model: ModelClass) -> Bool {
        let known = dynamicValue(model.properties[index].name)
        if let known = known as? String, let value = value as? String { return known.utf8.elementsEqual(value.utf8) }
        guard let known = known as? AnyHashable, let value = value as? AnyHashable else { return false }
        // Numbers of different types compare equal, but are different mixed values.
        if model.properties[index].type == .any, type(of: known.base) != type(of: value.base) { return false }
        return known == value
    }
}
