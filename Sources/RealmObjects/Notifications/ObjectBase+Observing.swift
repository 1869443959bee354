internal import RealmLayout
internal import RealmReader
internal import RealmTransactions
public import Dispatch

// Observing single objects.

extension Object {
    /// Calls a block each time that the object has changed, and when it is deleted.
    ///
    /// - Parameters:
    ///   - keyPaths: the properties that count; nil for all.
    ///   - queue: where the block is called; nil for where the realm belongs.
    /// - Returns: what keeps the observer going.
    public func observe<T: Object>(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<T>) -> Void
    ) -> NotificationToken {
        guard let state = boundRealm else {
            Failure.stop("Only objects which are managed by a Realm support change notifications")
        }
        if let queue { return state.observe(self, on: queue) { $0.observe(keyPaths: keyPaths, block) } }
        return observeChanges(keyPaths) { [unowned self] change in
            switch change {
            case .changed(let properties):
                if let object = self as? T { block(.change(object, properties)) }
            case .deleted: block(.deleted)
            }
        }
    }
}

extension EmbeddedObject {
    /// Calls a block each time that the object has changed, and when it is deleted; see `Object.observe`.
    public func observe<T: EmbeddedObject>(
        keyPaths: [String]? = nil, _ block: @escaping (ObjectChange<T>) -> Void
    ) -> NotificationToken {
        observeChanges(keyPaths) { [unowned self] change in
            switch change {
            case .changed(let properties):
                if let object = self as? T { block(.change(object, properties)) }
            case .deleted: block(.deleted)
            }
        }
    }
}

/// What happened to an object.
enum ObservedChange {
    case changed([PropertyChange])
    case deleted
}

extension ObjectBase {
    final func observeChanges(
        _ keyPaths: [String]?, _ block: @escaping (ObservedChange) -> Void
    ) -> NotificationToken {
        guard let state = boundRealm, let binding, !state.isFrozen else {
            Failure.stop("Only objects which are managed by a Realm support change notifications")
        }
        let told = ToldState<Bool>()
        // The object lives as long as it is observed.
        let token = state.observers.add { [self] realm in
            told.next(realm) {
                true
            } _: { isThere, snapshot in
                guard isThere else { return false }
                guard !isInvalidated else {
                    block(.deleted)
                    return false
                }
                let changes: [PropertyChange] = Failure.unlessStopped {
                    try self.changes(binding, snapshot, realm, keyPaths)
                }
                if !changes.isEmpty { block(.changed(changes)) }
                return true
            }
        }
        // What is shown now is what changes are told of.
        state.observers.tell(state)
        return token
    }

    private final func changes(
        _ binding: ClassBinding, _ before: Snapshot, _ realm: RealmState, _ keyPaths: [String]?
    ) throws -> [PropertyChange] {
        let changes = try AffectedObjects(from: before, to: realm.snapshot)
        let model = binding.model
        guard let changed = changes.table(model.className)?.modified.first(where: { $0.key == key }) else { return [] }
        let old = try before.table(at: binding.position).object(key)
        return try changed.properties.compactMap { property in
            guard let index = model.properties.firstIndex(where: { $0.columnName == property.name }) else { return nil }
            let known = model.properties[index]
            guard keyPaths?.contains(known.name) ?? true else { return nil }
            let isPlain = known.isPlain
            let oldValue =
                isPlain ? try old.flatMap { plainValue(try $0.value(at: binding.column(Int32(index)))) } : nil
            return PropertyChange(
                name: known.name, oldValue: oldValue, newValue: known.collection == nil ? dynamicValue(known.name) : nil
            )
        }
    }

    private final func plainValue(_ value: Value) -> Any? {
        guard let realm = boundRealm else { return nil }
        return AnyRealmValue._decoded(_StoredValue(value: value, realm: realm))?._dynamic
    }
}
