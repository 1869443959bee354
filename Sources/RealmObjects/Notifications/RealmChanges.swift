/// The changes that `observe` reports, as a sequence: for `for await` on the main actor, or on the actor of the realm.
///
/// ```swift
/// let task = Task { @MainActor in
///     for await change in realm.objects(Dog.self).changes() {
///         if case .update(let dogs, _, let insertions, _) = change { print(dogs.count, insertions) }
///     }
/// }
/// task.cancel()  // ends the sequence
/// ```
///
/// Each element covers everything since the previous one was taken: a slow consumer receives all of it as one change,
/// whose indexes fit the collection at that time. The sequence ends when its task is cancelled, and releases the realm
/// when it is no longer iterated.
public struct RealmChanges<Change>: AsyncSequence {
    /// The sequence never fails.
    public typealias Failure = Never

    private let realm: RealmInstance
    private let begin: (_ signal: @escaping () -> Void) -> Beginning

    /// The observer's token, and the closure that computes the next change.
    typealias Beginning = (token: NotificationToken, tell: Teller<Change>)

    /// - Parameter begin: starts observing; calls `signal` when there may be a change to report.
    init(_ realm: RealmInstance, _ begin: @escaping (_ signal: @escaping () -> Void) -> Beginning) {
        realm.checkConfinement()
        if case .thread = realm.confinement {
            Stop.stop("A sequence of changes needs a realm of the main thread, or of an actor.")
        }
        guard !realm.isFrozen else { Stop.stop(Stop.notObservable) }
        (self.realm, self.begin) = (realm, begin)
    }

    /// - Parameter teller: creates, for each iteration, the closure that computes its changes.
    init(_ realm: RealmInstance, teller: @escaping () -> Teller<Change>) {
        self.init(realm) { signal in
            (realm.observers.add { _, silently in if !silently { signal() } }, teller())
        }
    }

    /// Starts observing.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(realm, begin) }

    /// An iterator that waits for changes.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let realm: RealmInstance
        private let token: NotificationToken
        private let tell: Teller<Change>
        private var signals: AsyncStream<Void>.Iterator

        fileprivate init(_ realm: RealmInstance, _ begin: (_ signal: @escaping () -> Void) -> Beginning) {
            self.realm = realm
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
            signals = stream.makeAsyncIterator()
            (token, tell) = begin { continuation.yield() }
        }

        /// Returns the next change; nil when the task is cancelled.
        public mutating func next() async -> Change? { await next(isolation: nil) }

        /// Returns the next change; nil when the task is cancelled.
        ///
        /// - Parameter actor: the actor of the realm.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Change? {
            while !Task.isCancelled {
                realm.checkConfinement()
                var change: Change?
                // Nothing is reported inside a transaction, nor before its commit is durable.
                if realm.showsCommit() { tell(realm, false) { change = $0 } }
                if let change { return change }
                guard await signals.next(isolation: actor) != nil else { break }
            }
            token.invalidate()
            return nil
        }
    }
}

/// The module's `Failure`, which `AsyncSequence.Failure` shadows inside a sequence.
private typealias Stop = RealmObjects.Failure

extension Realm {
    /// The notifications of the realm as a sequence: another version is shown, or has become available; see `observe`.
    public func changes() -> RealmChanges<Notification> {
        RealmChanges(state) { [state] signal in
            var last: Notification?
            let token = state.observers.addVersionObserver { notification, _ in
                last = notification
                signal()
            }
            return (
                token,
                { _, _, told in
                    guard let notification = last else { return }
                    last = nil
                    told(notification)
                }
            )
        }
    }
}

extension RealmCollection {
    /// The collection, then its changes, as a sequence; see `RealmChanges` and `observe`.
    ///
    /// - Parameter keyPaths: the observed properties; nil for all.
    public func changes(keyPaths: [String]? = nil) -> RealmChanges<RealmCollectionChange<Self>> {
        guard let state = _origin.realm else { Failure.stop(Failure.notObservable) }
        return RealmChanges(state, teller: { teller(keyPaths) })
    }
}

extension RealmCollection where Element: ObjectBase {
    /// The collection, then the changes to the observed key paths, as a sequence; see `RealmChanges` and `observe`.
    public func changes(keyPaths: [PartialKeyPath<Element>]) -> RealmChanges<RealmCollectionChange<Self>> {
        changes(keyPaths: keyPaths.map { KeyPathRecorder.name($0, Element.self) })
    }
}

extension Map {
    /// The map, then its changes, as a sequence; see `RealmChanges` and `observe`.
    ///
    /// - Parameter keyPaths: the observed properties of objects; nil for all.
    public func changes(keyPaths: [String]? = nil) -> RealmChanges<RealmMapChange<Map<Key, Value>>> {
        guard let managed else { Failure.stop(Failure.notObservable) }
        return RealmChanges(managed.realm, teller: { [self] in teller(managed, keyPaths) })
    }
}

extension RealmSectionedResult {
    /// The sections, then their changes, as a sequence; see `RealmChanges` and `observe`.
    ///
    /// - Parameter keyPaths: the observed properties; nil for all.
    public func changes(keyPaths: [String]? = nil) -> RealmChanges<SectionedResultsChange<Self>> {
        guard let state = realm?.state else { Failure.stop(Failure.notObservable) }
        return RealmChanges(state, teller: { teller(keyPaths) })
    }
}

extension ThreadConfined where Self: ObjectBase {
    /// The changes of the object from the beginning of the iteration, including its deletion; see `RealmChanges` and
    /// `Object.observe`.
    ///
    /// - Parameter keyPaths: the observed properties; nil for all.
    public func changes(keyPaths: [String]? = nil) -> RealmChanges<ObjectChange<Self>> {
        guard let state = boundRealm else { Failure.stop(Failure.notManaged) }
        return RealmChanges(
            state,
            teller: { [self] in
                let tell = teller(keyPaths)
                // Changes are reported relative to the version shown now.
                tell(state, false) { _ in }
                return { [self] realm, silently, told in
                    tell(realm, silently) { change in
                        switch change {
                        case .changed(let properties, _): told(.change(self, properties))
                        case .deleted: told(.deleted)
                        }
                    }
                }
            })
    }
}
