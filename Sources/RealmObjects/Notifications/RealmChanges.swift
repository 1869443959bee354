/// What `observe` tells, as a sequence: for `for await` on the main actor, or on the actor that the realm belongs to.
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
/// A change is what happened since the one before was taken: whoever takes his time gets all of it as one change, whose indexes fit the
/// collection as it is then. The sequence ends when its task is cancelled, and lets the realm go when nobody asks for more.
public struct RealmChanges<Change>: AsyncSequence {
    /// It never fails.
    public typealias Failure = Never

    private let realm: RealmInstance
    private let begin: (_ signal: @escaping () -> Void) -> Beginning

    /// What observes, and what finds out what there is to be told.
    typealias Beginning = (token: NotificationToken, tell: Teller<Change>)

    /// - Parameter begin: begins to observe; calls `signal` where there may be something to be told.
    init(_ realm: RealmInstance, _ begin: @escaping (_ signal: @escaping () -> Void) -> Beginning) {
        realm.checkConfinement()
        if case .thread = realm.confinement {
            Stop.stop("A sequence of changes needs a realm of the main thread, or of an actor.")
        }
        guard !realm.isFrozen else { Stop.stop(Stop.notObservable) }
        (self.realm, self.begin) = (realm, begin)
    }

    /// - Parameter teller: what finds out what there is to be told to one who goes through the sequence.
    init(_ realm: RealmInstance, teller: @escaping () -> Teller<Change>) {
        self.init(realm) { signal in
            (realm.observers.add { _, silently in if !silently { signal() } }, teller())
        }
    }

    /// Begins to observe.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(realm, begin) }

    /// Waits for changes.
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

        /// The next change; nil when the task is cancelled.
        public mutating func next() async -> Change? { await next(isolation: nil) }

        /// The next change; nil when the task is cancelled.
        ///
        /// - Parameter actor: the actor that the realm belongs to.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Change? {
            while !Task.isCancelled {
                realm.checkConfinement()
                var change: Change?
                // Inside of a transaction nothing is told, nor of one that waits for the disk.
                if realm.showsCommit() { tell(realm, false) { change = $0 } }
                if let change { return change }
                guard await signals.next(isolation: actor) != nil else { break }
            }
            token.invalidate()
            return nil
        }
    }
}

/// `Failure` is something else inside of a sequence.
private typealias Stop = RealmObjects.Failure

extension Realm {
    /// The notifications of the realm, each time that it shows another version, or that there is one; see `observe`.
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
    /// The collection, and then what has changed in it, as a sequence; see `RealmChanges` and `observe`.
    ///
    /// - Parameter keyPaths: the properties that count; nil for all.
    public func changes(keyPaths: [String]? = nil) -> RealmChanges<RealmCollectionChange<Self>> {
        guard let state = _origin.realm else { Failure.stop(Failure.notObservable) }
        return RealmChanges(state, teller: { teller(keyPaths) })
    }
}

extension RealmCollection where Element: ObjectBase {
    /// The collection, and then what has changed where key paths lead to, as a sequence; see `RealmChanges` and `observe`.
    public func changes(keyPaths: [PartialKeyPath<Element>]) -> RealmChanges<RealmCollectionChange<Self>> {
        changes(keyPaths: keyPaths.map { KeyPathRecorder.name($0, Element.self) })
    }
}

extension Map {
    /// The map, and then what has changed in it, as a sequence; see `RealmChanges` and `observe`.
    ///
    /// - Parameter keyPaths: the properties of objects that count; nil for all.
    public func changes(keyPaths: [String]? = nil) -> RealmChanges<RealmMapChange<Map<Key, Value>>> {
        guard let managed else { Failure.stop(Failure.notObservable) }
        return RealmChanges(managed.realm, teller: { [self] in teller(managed, keyPaths) })
    }
}

extension RealmSectionedResult {
    /// The sections, and then what has changed in them, as a sequence; see `RealmChanges` and `observe`.
    ///
    /// - Parameter keyPaths: the properties that count; nil for all.
    public func changes(keyPaths: [String]? = nil) -> RealmChanges<SectionedResultsChange<Self>> {
        guard let state = realm?.state else { Failure.stop(Failure.notObservable) }
        return RealmChanges(state, teller: { teller(keyPaths) })
    }
}

extension ThreadConfined where Self: ObjectBase {
    /// What changes in the object from when the sequence is gone through, also that it is deleted; see `RealmChanges` and `Object.observe`.
    ///
    /// - Parameter keyPaths: the properties that count; nil for all.
    public func changes(keyPaths: [String]? = nil) -> RealmChanges<ObjectChange<Self>> {
        guard let state = boundRealm else { Failure.stop(Failure.notManaged) }
        return RealmChanges(
            state,
            teller: { [self] in
                let tell = teller(keyPaths)
                // What is shown now is what changes are told of.
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
