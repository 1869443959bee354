public import Dispatch
internal import RealmCore
internal import RealmLayout
internal import RealmStore

// Observing single objects, top-level and embedded.

extension ThreadConfined where Self: ObjectBase {
    /// Calls a block after each change of the object, and when it is deleted.
    ///
    /// - Parameters:
    ///   - keyPaths: the observed properties; nil for all.
    ///   - queue: where the block is called; nil for the thread, queue or actor of the realm.
    ///   - block: receives the changes.
    /// - Returns: a token that keeps the observer registered.
    public func observe<T: ObjectBase>(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<T>) -> Void
    ) -> NotificationToken {
        guard let state = boundRealm else { Failure.stop(Failure.notManaged) }
        if let queue { return state.observe(self, on: queue) { $0.observe(keyPaths: keyPaths, block) } }
        return observeChanges(keyPaths) { [unowned self] change in
            switch change {
            case .changed(let properties, _):
                if let object = self as? T { block(.change(object, properties)) }
            case .deleted: block(.deleted)
            }
        }
    }

    /// Calls a block after each change to the observed key paths, and when the object is deleted.
    public func observe<T: ObjectBase>(
        keyPaths: [PartialKeyPath<T>], on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<T>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: keyPaths.map { KeyPathRecorder.name($0, T.self) }, on: queue, block)
    }
}

/// A change of an observed object.
enum ObservedChange {
    case changed([PropertyChange], since: Snapshot)
    case deleted
}

extension ObjectBase {
    final func observeChanges(
        _ keyPaths: [String]?, _ block: @escaping (ObservedChange) -> Void
    ) -> NotificationToken {
        guard let state = boundRealm else { Failure.stop(Failure.notManaged) }
        guard !state.isFrozen else { Failure.stop(Failure.notObservable) }
        let tell = teller(keyPaths)
        let token = state.observers.add { tell($0, $1, block) }
        // Changes are reported relative to the version shown now.
        tell(state, false, block)
        return token
    }

    /// Returns a closure that reports the changes since its first call.
    final func teller(_ keyPaths: [String]?) -> Teller<ObservedChange> {
        guard let binding else { Failure.stop(Failure.notManaged) }
        let told = ToldState<Bool>()
        let keyPaths = ColumnNames(binding.model).observed(keyPaths)
        // The closure keeps the object alive while it is observed.
        return { [self] realm, silently, block in
            told.next(realm, silently: silently) { _ in
                !isInvalidated
            } initial: { _ in
            } update: { wasThere, snapshot, isThere in
                guard wasThere else { return }
                guard isThere else { return block(.deleted) }
                let changes: [PropertyChange] = Failure.unlessStopped {
                    try self.changes(binding, snapshot, realm, keyPaths)
                }
                if !changes.isEmpty { block(.changed(changes, since: snapshot)) }
            }
        }
    }

    private final func changes(
        _ binding: ClassBinding, _ before: Snapshot, _ realm: RealmInstance, _ keyPaths: [String]?
    ) throws -> [PropertyChange] {
        let affected = try realm.observers.affected(from: before, to: realm.snapshot)
        let model = binding.model
        let changed = affected.changedProperties(of: key, model.className)
        if keyPaths == nil, changed.isEmpty { return [] }
        let old = realm.hasChangedItself(since: before) ? nil : try before.table(at: binding.position).object(key)
        let names = ColumnNames(model)
        return try model.properties.enumerated().compactMap { index, property in
            let paths = keyPaths?.filter { $0 == property.name || $0.hasPrefix(property.name + ".") }
            if let paths, paths.isEmpty { return nil }
            // Changes beyond a link count only if a path leads there.
            guard
                try changed.contains(property.columnName)
                    || affected.keys(
                        of: model.className,
                        along: (paths ?? []).filter { property.isLinkingObjects || $0 != property.name }.map(
                            names.columns)
                    ).contains(key)
            else { return nil }
            let isOneValue = property.collection == nil && !property.isLinkingObjects
            let oldValue = isOneValue ? try old?.value(of: binding.column(Int32(index))) : nil
            return PropertyChange(
                name: property.name, oldValue: oldValue.flatMap { self.oldValue($0, of: property) },
                newValue: isOneValue ? dynamicValue(property.name) : nil)
        }
    }

    /// Converts a value of an older version for observers. A linked object has its current values, or may be deleted.
    private final func oldValue(_ value: Value, of property: ModelProperty) -> Any? {
        guard let realm = boundRealm else { return nil }
        return switch value {
        case .link(let link):
            link.isUnresolved ? nil : realm.object(ObjectBase.self, link.table.position, link.objectKey, nil)
        case .embedded(let object): realm.object(ObjectBase.self, object.table.position, object.key, nil)
        case .list, .set, .dictionary: nil
        default: property.access.dynamicValue(value, realm)
        }
    }
}
