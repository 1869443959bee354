internal import RealmLayout
internal import RealmReader
public import Dispatch

extension RealmCollection {
    /// Calls a block with the collection, and then each time that it has changed.
    ///
    /// ```swift
    /// let token = realm.objects(Dog.self).observe { change in
    ///     if case .update(let dogs, let deletions, let insertions, let modifications) = change {
    ///         print(dogs.count, deletions, insertions, modifications)
    ///     }
    /// }
    /// ```
    ///
    /// An object counts as modified when one of its properties has another value, or one of an object that it links to.
    ///
    /// - Parameters:
    ///   - keyPaths: the properties that count; nil for all.
    ///   - queue: where the block is called; nil for where the realm belongs. A realm of a thread without a main queue tells when it is
    ///     refreshed.
    /// - Returns: what keeps the observer going.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmCollectionChange<Self>) -> Void
    ) -> NotificationToken {
        guard let state = _origin.realm, !state.isFrozen else {
            Failure.stop("Frozen Realms do not change and do not have change notifications.")
        }
        if let queue {
            return state.observe(self, on: queue) { $0.observe(keyPaths: keyPaths, block) }
        }
        let told = ToldState<[ElementIdentity]>()
        let names = keyPaths.map { Set($0.map { String($0.prefix { $0 != "." }) }) }
        let token = state.observers.add { [self] realm in
            told.next(realm) {
                let identities = identities
                block(.initial(self))
                return identities
            } _: { before, snapshot in
                let identities = identities
                let changes = changes(from: before, to: identities, since: snapshot, in: realm, names)
                if !changes.isEmpty {
                    block(
                        .update(
                            self, deletions: changes.deletions, insertions: changes.insertions,
                            modifications: changes.modifications))
                }
                return identities
            }
        }
        state.scheduleTelling()
        return token
    }

    private var identities: [ElementIdentity] {
        let set = resultSet
        guard set.binding == nil, case .values(let values) = set.content else { return set.keys.map { .object($0) } }
        return values.map { .value($0) }
    }

    private func changes(
        from before: [ElementIdentity], to now: [ElementIdentity], since snapshot: Snapshot, in realm: RealmState,
        _ names: Set<String>?
    ) -> IndexChanges {
        guard let binding = resultSet.binding else { return IndexChanges(from: before, to: now) { _ in false } }
        let model = binding.model
        let columns = names.map { names in
            Set(names.map { name in model.index(of: name).map { model.properties[$0].columnName } ?? name })
        }
        let modified = Failure.unlessStopped {
            try AffectedObjects(from: snapshot, to: realm.snapshot).keys(of: model.className, properties: columns)
        }
        if modified.isEmpty, before == now { return IndexChanges(modifications: []) }
        return IndexChanges(from: before, to: now) { identity in
            if case .object(let key) = identity { modified.contains(key) } else { false }
        }
    }
}

/// What tells elements of a collection apart.
private enum ElementIdentity: Hashable {
    case object(ObjectKey)
    case value(Value)
}
