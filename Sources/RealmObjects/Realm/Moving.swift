internal import RealmCore
internal import RealmLayout

// Finding the same objects and collections in another realm of the database: frozen, live, or of another thread.

extension ThreadConfined {
    /// Returns a frozen view of the current version, which may be read on any thread.
    public func freeze() -> Self {
        guard let realm else { Failure.stop(isInvalidated ? Failure.deleted : "Unmanaged objects cannot be frozen.") }
        if realm.isFrozen { return self }
        if isInvalidated { Failure.stop(Failure.deleted) }
        guard let frozen = _inRealm(realm.freeze()) else {
            Failure.stop(
                realm.isInWriteTransaction
                    ? "Cannot freeze an object in the same write transaction as it was created in." : Failure.deleted)
        }
        return frozen
    }

    /// Returns the counterpart in the live realm of this thread; nil if it is deleted or newer than that version.
    public func thaw() -> Self? {
        guard let realm else { return self }
        return realm.isFrozen ? _inRealm(realm.thaw()) : self
    }
}

extension Realm {
    /// Returns a frozen view of the object in the current version, which may be read on any thread.
    public func freeze<T: ObjectBase & ThreadConfined>(_ object: T) -> T { object.freeze() }
    /// Returns the object in the live realm of this thread; nil if it does not exist there.
    public func thaw<T: ObjectBase & ThreadConfined>(_ object: T) -> T? { object.thaw() }
    /// Returns a frozen view of the collection in the current version, which may be read on any thread.
    public func freeze<C: RealmCollection>(_ collection: C) -> C { collection.freeze() }
}

extension ObjectBase {
    final func moved(to state: RealmInstance) -> ObjectBase? {
        guard let binding else { return nil }
        let other = binding.moved(to: state)
        guard let other, state.exists(other, key) else { return nil }
        return other.object(key)
    }
}

extension ClassBinding {
    /// Returns the same class in another realm of the database.
    func moved(to state: RealmInstance) -> ClassBinding? {
        model.type == DynamicObject.self ? state.dynamicBinding(model.className) : state.binding(of: model.type)
    }
}

extension Object {
    /// Returns the same object in another realm.
    public func _inRealm(_ realm: Realm) -> Self? { moved(to: realm.state) as? Self }
}

extension EmbeddedObject {
    /// Returns the same object in another realm.
    public func _inRealm(_ realm: Realm) -> Self? { moved(to: realm.state) as? Self }
}

extension ManagedCollection {
    /// - Parameter mayBeGone: whether the owner may be missing; the collection is empty then.
    func moved(to state: RealmInstance, mayBeGone: Bool = false) -> ManagedCollection? {
        guard let binding = place.binding.moved(to: state), mayBeGone || state.exists(binding, place.key) else {
            return nil
        }
        return ManagedCollection(PropertyPlace(binding, place.key, place.index), path: path)
    }
}

extension ResultSet.Source {
    /// Whether another realm contains the source of the results.
    func isThere(in state: RealmInstance) -> Bool {
        let place: PropertyPlace
        switch self {
        case .table: return true
        case .collection(let collection): place = collection.place
        case .linking(let links, _, _): place = links
        }
        return place.binding.moved(to: state).map { state.exists($0, place.key) } ?? false
    }
}

extension ResultSet {
    func moved(to state: RealmInstance) -> ResultSet? {
        switch source {
        case .table(let binding):
            return binding.moved(to: state).map { ResultSet(state, .table($0), Any.self, stages, found(in: state)) }
        case .collection(let collection):
            // Results keep the class of their objects when the collection is gone; they are empty then.
            return collection.moved(to: state, mayBeGone: binding != nil).map {
                ResultSet(state, .collection($0), Any.self, stages, found(in: state))
            }
        case .linking(let place, let origin, let property):
            guard let binding = place.binding.moved(to: state), let origin = origin.moved(to: state) else { return nil }
            let place = PropertyPlace(binding, place.key, place.index)
            return ResultSet(state, .linking(place, origin, property), Any.self, stages, found(in: state))
        }
    }
}

extension List {
    /// Returns the same list in another realm.
    public func _inRealm(_ realm: Realm) -> List<Element>? { managed?.moved(to: realm.state).map { List($0) } }
}

extension MutableSet {
    /// Returns the same set in another realm.
    public func _inRealm(_ realm: Realm) -> MutableSet<Element>? {
        managed?.moved(to: realm.state).map { MutableSet($0) }
    }
}

extension Map {
    /// Returns the same map in another realm.
    public func _inRealm(_ realm: Realm) -> Map<Key, Value>? { managed?.moved(to: realm.state).map { Map($0) } }
}

extension Results {
    /// Returns the same results in another realm.
    public func _inRealm(_ realm: Realm) -> Results<Element>? { found.moved(to: realm.state).map { Results($0) } }
}

extension LinkingObjects {
    /// Returns the same objects in another realm.
    public func _inRealm(_ realm: Realm) -> LinkingObjects<Element>? { moved(to: realm) }
}
