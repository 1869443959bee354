internal import RealmCore

// Observing from an actor: the block runs isolated to the actor.

/// Observes an object or collection in the realm of an actor.
struct ActorObservation<Confined: ThreadConfined>: Sendable {
    private let reference: ThreadSafeReference<Confined>
    private let configuration: Realm.Configuration

    init(_ confined: Confined) {
        guard let realm = confined.realm else { Failure.stop(Failure.notManaged) }
        guard !realm.isFrozen else { Failure.stop(Failure.notObservable) }
        reference = ThreadSafeReference(to: confined)
        configuration = realm.configuration
    }

    /// Starts observing on the actor.
    ///
    /// - Parameter observe: starts the observer on the object or collection, and calls the given block for each change.
    func start<A: Actor, Change>(
        on actor: isolated A, _ block: @escaping @Sendable (isolated A, Change) -> Void,
        _ observe: SendableBox<(Confined, @escaping (Change) -> Void) -> NotificationToken>
    ) async -> NotificationToken {
        // A cancelled task observes nothing.
        guard !Task.isCancelled, let realm = try? await Realm(configuration: configuration, actor: actor),
            let confined = realm.resolve(reference)
        else {
            let none = NotificationToken {}
            none.invalidate()
            return none
        }
        return observe.value(confined) { change in
            // Observers are called within the confinement of their realm, which is this actor.
            let change = SendableBox(change)
            actor.assumeIsolated { block($0, change.value) }
        }
    }
}

extension RealmCollection {
    /// Calls a block on an actor with the collection, then after each change; see `observe(keyPaths:on:_:)`.
    ///
    /// - Returns: a token that keeps the observer registered.
    public func observe<A: Actor>(
        keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated A, RealmCollectionChange<Self>) -> Void
    ) async -> NotificationToken {
        await ActorObservation(self).start(
            on: actor, block, SendableBox { $0.observe(keyPaths: keyPaths, $1) })
    }
}

extension RealmCollection where Element: ObjectBase {
    /// Calls a block on an actor with the collection, then after each change to the observed key paths.
    public func observe<A: Actor>(
        keyPaths: [PartialKeyPath<Element>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated A, RealmCollectionChange<Self>) -> Void
    ) async -> NotificationToken {
        await observe(keyPaths: keyPaths.map { KeyPathRecorder.name($0, Element.self) }, on: actor, block)
    }
}

extension Map {
    /// Calls a block on an actor with the map, then after each change.
    public func observe<A: Actor>(
        keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated A, RealmMapChange<Map<Key, Value>>) -> Void
    ) async -> NotificationToken {
        await ActorObservation(self).start(
            on: actor, block, SendableBox { $0.observe(keyPaths: keyPaths, $1) })
    }
}

extension Map where Value: OptionalProtocol, Value.Wrapped: ObjectBase {
    /// Calls a block on an actor with the map, then after each change to the observed key paths.
    public func observe<A: Actor>(
        keyPaths: [PartialKeyPath<Value.Wrapped>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated A, RealmMapChange<Map<Key, Value>>) -> Void
    ) async -> NotificationToken {
        await observe(keyPaths: keyPaths.map { KeyPathRecorder.name($0, Value.Wrapped.self) }, on: actor, block)
    }
}

extension RealmSectionedResult {
    /// Calls a block on an actor with the sections, then after each change.
    public func observe<A: Actor>(
        keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated A, SectionedResultsChange<Self>) -> Void
    ) async -> NotificationToken {
        await ActorObservation(self).start(
            on: actor, block, SendableBox { $0.observe(keyPaths: keyPaths, $1) })
    }
}

extension ThreadConfined where Self: ObjectBase {
    /// Calls a block on an actor after each change of the object, and when it is deleted.
    public func observe<A: Actor, T: ObjectBase>(
        keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated A, ObjectChange<T>) -> Void
    ) async -> NotificationToken {
        await ActorObservation(self).start(
            on: actor, block, SendableBox { $0.observe(keyPaths: keyPaths, $1) })
    }

    /// Calls a block on an actor after each change to the observed key paths, and when the object is deleted.
    public func observe<A: Actor, T: ObjectBase>(
        keyPaths: [PartialKeyPath<T>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated A, ObjectChange<T>) -> Void
    ) async -> NotificationToken {
        await observe(keyPaths: keyPaths.map { KeyPathRecorder.name($0, T.self) }, on: actor, block)
    }
}

extension ProjectionObservable {
    /// Calls a block on an actor after each change of the object, and when it is deleted.
    public func observe<A: Actor>(
        keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated A, ObjectChange<Self>) -> Void
    ) async -> NotificationToken {
        await ActorObservation(self).start(
            on: actor, block, SendableBox { $0.observe(keyPaths: keyPaths, $1) })
    }

    /// Calls a block on an actor after each change to the observed key paths of the projection, and when the object is
    /// deleted.
    public func observe<A: Actor>(
        keyPaths: [PartialKeyPath<Self>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @escaping @Sendable (isolated A, ObjectChange<Self>) -> Void
    ) async -> NotificationToken {
        await observe(keyPaths: Self.names(keyPaths), on: actor, block)
    }
}
