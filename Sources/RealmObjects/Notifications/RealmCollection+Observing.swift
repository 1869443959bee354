public import Dispatch
internal import RealmCore
internal import RealmLayout

extension RealmCollection {
    /// Calls a block with the collection, then after each change.
    ///
    /// ```swift
    /// let token = realm.objects(Dog.self).observe { change in
    ///     if case .update(let dogs, let deletions, let insertions, let modifications) = change {
    ///         print(dogs.count, deletions, insertions, modifications)
    ///     }
    /// }
    /// token.invalidate()
    /// ```
    ///
    /// An object counts as modified when one of its properties changes, or one of an object up to three links away.
    ///
    /// - Parameters:
    ///   - keyPaths: the observed properties; nil for all.
    ///   - queue: where the block is called; nil for the thread, queue or actor of the realm. On a thread without a run
    ///     loop the block is called only when the realm is refreshed; in a server, use `changes()` on an actor.
    ///   - block: receives the changes.
    /// - Returns: a token that keeps the observer registered.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmCollectionChange<Self>) -> Void
    ) -> NotificationToken {
        guard let state = _origin.realm else { Failure.stop(Failure.notManagedCollection) }
        guard !state.isFrozen else { Failure.stop(Failure.notObservable) }
        if let queue {
            return state.observe(self, on: queue) { $0.observe(keyPaths: keyPaths, block) }
        }
        let tell = teller(keyPaths)
        let token = state.observers.add { tell($0, $1, block) }
        state.scheduleTelling()
        return token
    }

    /// Returns a closure that reports the collection first, then its changes.
    func teller(_ keyPaths: [String]?) -> Teller<RealmCollectionChange<Self>> {
        let told = ToldState<ElementChanges>()
        let observed = resultSet
        let follower = ResultFollower(observed)
        let keyPaths = ColumnNames(observed.binding?.model).observed(keyPaths)
        return { [self] realm, silently, block in
            let set = resultSet
            var followed: ResultFollower.Followed?
            told.next(realm, silently: silently) { last in
                if let last, let follower {
                    followed = set.follow(last.content, since: last.snapshot, follower, keyPaths)
                }
                return followed?.elements ?? ElementChanges(set, isFollowed: follower?.changesKeys ?? false)
            } initial: { _ in
                block(.initial(self))
            } update: { before, snapshot, now in
                let changes =
                    followed?.changes
                    ?? set.changes(from: before, to: now, since: snapshot, in: realm, keyPaths)
                guard !changes.isEmpty else { return }
                block(
                    .update(
                        self, deletions: changes.deletions, insertions: changes.insertions,
                        modifications: changes.modifications))
            }
        }
    }

    var identities: [ElementIdentity] {
        let set = resultSet
        guard set.binding == nil, case .values(let values) = set.content else { return set.keys.map { .object($0) } }
        return values.map { ElementIdentity($0) }
    }
}

extension RealmCollection where Element: ObjectBase {
    /// Calls a block with the collection, then after each change to the observed key paths.
    ///
    /// - Returns: a token that keeps the observer registered.
    public func observe(
        keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmCollectionChange<Self>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: keyPaths.map { KeyPathRecorder.name($0, Element.self) }, on: queue, block)
    }
}

extension ResultSet {
    /// Returns the elements modified since a version; none for values, because a changed value is another element.
    ///
    /// - Parameter keyPaths: the observed properties, as names separated by points; nil for all.
    func modified(since snapshot: Snapshot, in realm: RealmInstance, _ keyPaths: [String]?) -> Set<ElementIdentity> {
        guard let binding else { return [] }
        let keys = Failure.unlessStopped {
            try realm.observers.affected(from: snapshot, to: realm.snapshot)
                .keys(of: binding.model.className, along: columns(keyPaths, of: binding))
        }
        return Set(keys.map { .object($0) })
    }

    private func columns(_ keyPaths: [String]?, of binding: ClassBinding) -> [[String]]? {
        let names = ColumnNames(binding.model)
        return keyPaths.map { paths in
            paths.map { path in names.columns(path) }
        }
    }

    /// Updates the elements from the changes since a version; returns nil if the query has to run again.
    func follow(
        _ before: ElementChanges, since snapshot: Snapshot, _ follower: ResultFollower, _ keyPaths: [String]?
    ) -> ResultFollower.Followed? {
        Failure.unlessStopped {
            let affected = try realm.observers.affected(from: snapshot, to: realm.snapshot)
            let paths = binding.flatMap { columns(keyPaths, of: $0) }
            let name = binding?.model.className
            guard let followed = try follower.follow(before, of: name, affected, along: paths) else { return nil }
            switch followed.elements {
            case .keys(let keys): if let binding { take(.keys(keys, binding.table)) }
            case .values(let values): take(.values(values))
            case .all: break
            }
            return followed
        }
    }

    /// Whether the elements belong to a set: they are inserted and removed, but never set.
    var isOfSet: Bool {
        guard case .collection(let collection) = source else { return false }
        return collection.place.property.collection == .set
    }

    /// The list that holds the elements; nil unless these are all of them, in list order.
    private var list: ManagedCollection? {
        guard stages.isEmpty, case .collection(let collection) = source, collection.place.property.collection == .list
        else { return nil }
        return collection
    }

    /// Returns the changes of the elements since a version.
    ///
    /// - Parameter keyPaths: see `modified`.
    func changes(
        from before: ElementChanges, to now: ElementChanges, since snapshot: Snapshot, in realm: RealmInstance,
        _ keyPaths: [String]?
    ) -> ChangedIndexes {
        if case .values(let old) = before, case .values(let new) = now {
            return ChangedIndexes(from: old, to: new, areSet: !isOfSet)
        }
        guard let binding else { return ChangedIndexes() }
        return Failure.unlessStopped {
            let affected = try realm.observers.affected(from: snapshot, to: realm.snapshot)
            return try before.changes(
                to: now, affected, className: binding.model.className, along: columns(keyPaths, of: binding), of: list)
        }
    }
}

/// The identity of an element, independent of its version.
indirect enum ElementIdentity: Hashable {
    case object(ObjectKey)
    case value(Value)
    /// An object among mixed values, by table and key: the link itself belongs to one version.
    case link(TablePosition, ObjectKey)
    /// A collection among mixed values, by its content.
    case elements([ElementIdentity])
    case entries([Value: ElementIdentity])

    init(_ value: Value) {
        self =
            switch value {
            case .link(let link): .link(link.table.position, link.objectKey)
            case .embedded(let object): .link(object.table.position, object.key)
            case .list(let elements), .set(let elements): .elements(elements.map { ElementIdentity($0) })
            case .dictionary(let entries):
                .entries(
                    Dictionary(
                        entries.map { ($0.key, ElementIdentity($0.value)) }, uniquingKeysWith: { first, _ in first }))
            default: .value(value)
            }
    }

    /// Whether two values have the same identity.
    static func areSame(_ left: Value, _ right: Value) -> Bool {
        switch (left, right) {
        case (.link(let left), .link(let right)):
            left.objectKey == right.objectKey && left.table.position == right.table.position
        case (.link, _), (.embedded, _), (.list, _), (.set, _), (.dictionary, _):
            ElementIdentity(left) == ElementIdentity(right)
        default: left == right
        }
    }
}
