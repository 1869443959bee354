internal import Dispatch

extension Realm {
    /// Calls a block each time that the realm shows another version, or that there is one.
    ///
    /// - Returns: what keeps the observer going.
    public func observe(_ block: @escaping NotificationBlock) -> NotificationToken {
        state.checkConfinement()
        guard !state.isFrozen else { Failure.stop(Failure.notObservable) }
        return state.observers.addVersionObserver(keeping: state) { block($0, Realm($1)) }
    }
}

extension RealmInstance {
    /// Tells observers later, where the realm belongs.
    func scheduleTelling() {
        let work = RealmWork(self)
        confinement.schedule { work.tell() }
    }

    /// Goes on to the last version later, where the realm belongs.
    func scheduleAdvance() {
        let work = RealmWork(self)
        confinement.schedule { work.advance() }
    }

    /// Lets the realms of all places know that there is another version.
    func announce() {
        database.forEachRealm { $0.scheduleAdvance() }
    }

    /// Observes a collection or an object on a queue, in the realm of that queue.
    func observe<Confined: ThreadConfined>(
        _ confined: Confined, on queue: DispatchQueue, _ observe: @escaping (Confined) -> NotificationToken
    ) -> NotificationToken {
        checkConfinement()
        let token = NotificationToken.awaited()
        let reference = ThreadSafeReference(to: confined)
        let configuration = configuration
        let work = SendableBox { [weak token] in
            guard let token, let realm = try? Realm(configuration: configuration, queue: queue),
                let confined = realm.resolve(reference)
            else { return }
            token.become(observe(confined))
        }
        queue.async { work.value() }
        return token
    }
}

/// A realm that work is scheduled for where it belongs.
private struct RealmWork: Sendable {
    private let anchor: RealmAnchor

    init(_ realm: RealmInstance) { anchor = realm.anchor }

    private var realm: RealmInstance? { anchor.realm }

    /// Tells observers of what the realm shows: what is committed.
    func tell() {
        guard let realm, realm.showsCommit() else { return }
        realm.observers.tell(realm)
    }

    /// Goes on to the last version, and tells observers.
    func advance() {
        guard let realm, realm.showsCommit() else { return }
        if realm.autorefresh {
            if realm.refresh() { realm.observers.tellOfChange(.didChange, realm) }
        } else if realm.database.snapshot() !== realm.snapshot {
            realm.observers.tellOfChange(.refreshRequired, realm)
        }
        realm.observers.tell(realm)
    }
}
