internal import RealmLayout
internal import RealmReader
internal import RealmTransactions
internal import RealmWriter

extension Realm {
    /// What becomes of objects whose primary key is there.
    public enum UpdatePolicy: Int, Sendable {
        /// The program ends: there must be none.
        case error = 1
        /// Properties that differ are set. Sets and dictionaries keep what they have, and get what is new.
        case modified = 3
        /// All properties are set, to what is given and nothing else.
        case all = 2
    }

    /// Runs a transaction and commits it.
    ///
    /// - Parameters:
    ///   - tokens: observers of this realm that are not told of the changes.
    ///   - block: makes the changes. What it throws is thrown on, and nothing has changed.
    /// - Throws: what `block` throws; `Realm.Error` where the commit fails.
    @discardableResult
    public func write<Result>(
        withoutNotifying tokens: [NotificationToken] = [], _ block: () throws -> Result
    ) throws -> Result { try state.write(tokens, block) }

    /// Begins a transaction, which ends with `commitWrite` or `cancelWrite`. Waits for others to end.
    public func beginWrite() { Failure.unlessStopped { try state.beginWrite() } }

    /// Commits the transaction that `beginWrite` began.
    ///
    /// - Parameter tokens: observers of this realm that are not told of the changes.
    /// - Throws: `Realm.Error` where that fails; nothing has changed then.
    public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
        try state.commitWrite(withoutNotifying: tokens)
    }

    /// Ends the transaction that `beginWrite` began without a change.
    public func cancelWrite() { state.cancelWrite() }

    /// Adds an object with all that it links to. It becomes a view of the object in the realm.
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

    /// Makes an object of values, and adds it.
    ///
    /// - Parameters:
    ///   - type: the class.
    ///   - value: a dictionary by names of properties, an array in their order, or another object. Of an object that is updated only the
    ///     properties that are named are set.
    ///   - update: what becomes of an object that has the primary key already.
    /// - Returns: the object in the realm.
    @discardableResult
    public func create<T: Object>(_ type: T.Type, value: Any = [String: Any](), update: UpdatePolicy = .error) -> T {
        if update != .error { Self.checkPrimaryKey(ModelClass.of(type)) }
        guard let object = state.created(type, value, update) as? T else {
            Failure.stop("a \(type) was made of another class")
        }
        return object
    }

    /// Ends the program for a class whose objects cannot be there already.
    static func checkPrimaryKey(_ model: ModelClass) {
        guard model.primaryKey == nil else { return }
        Failure.stop("'\(model.className)' does not have a primary key and can not be updated")
    }

    /// Makes an object that is written and never read.
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

    /// Deletes all objects of the classes of the realm. A file may have others, which the program does not know: they keep theirs.
    public func deleteAll() { state.deleteAll() }
}

extension RealmInstance {
    func write<Result>(_ tokens: [NotificationToken], _ block: () throws -> Result) throws -> Result {
        try beginWrite()
        return try finishWrite(withoutNotifying: tokens, block)
    }

    /// Runs what makes the changes of the transaction that has begun, and commits it.
    func finishWrite<Result>(
        withoutNotifying tokens: [NotificationToken] = [], _ block: () throws -> Result
    ) throws -> Result {
        let result: Result
        do { result = try block() } catch {
            if transaction != nil { cancelWrite() }
            throw error
        }
        // The block may have ended it.
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

    /// Refuses transactions where too many versions are kept.
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

    /// The object of the realm that is to be updated with itself: nothing of it changes, also not what lives in it. Nil for other values.
    func updatedWithItself(_ value: Any, _ binding: ClassBinding, _ policy: Realm.UpdatePolicy) -> ObjectBase? {
        guard policy != .error, let object = value as? ObjectBase, object.boundRealm === self,
            object.binding?.position == binding.position
        else { return nil }
        guard transaction != nil else { Failure.stop(Failure.notInWrite) }
        guard !object.isInvalidated else { Failure.stop(Failure.deleted) }
        return binding.object(object.key)
    }

    /// The object with the same primary key.
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

    /// Deletes objects of a class. Those that live inside of others may be gone with one of these.
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
    /// Whether a property has a value already.
    fileprivate func hasEqual(_ index: Int, _ value: Any, _ model: ModelClass) -> Bool {
        let known = dynamicValue(model.properties[index].name)
        if let known = known as? String, let value = value as? String { return known.utf8.elementsEqual(value.utf8) }
        guard let known = known as? AnyHashable, let value = value as? AnyHashable else { return false }
        // Numbers of different types are equal, and different mixed values.
        if model.properties[index].type == .any, type(of: known.base) != type(of: value.base) { return false }
        return known == value
    }
}
