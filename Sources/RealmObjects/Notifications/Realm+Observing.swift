internal import Dispatch

extension Realm {
    /// Calls a block each time the realm shows another version, or another version becomes available.
    ///
    /// - Returns: a token that keeps the observer registered.
    public func observe(_ block: @escaping NotificationBlock) -> NotificationToken {
        state.checkConfinement()
        guard !state.isFrozen else { Failure.stop(Failure.notObservable) }
        return state.observers.addVersionObserver(keeping: state) { block($0, Realm($1)) }
    }
}

extension RealmInstance {
    /// Schedules a notification of the observers, within the confinement of the realm.
    func scheduleTelling() {
        let work = RealmWork(self)
        confinement.schedule { work.tell() }
    }

    /// Schedules an advance to the latest version, within the confinement of the realm.
    func scheduleAdvance() {
        let work = RealmWork(self)
        confinement.schedule { work.advance() }
    }

    /// Notifies all realms of the database of a new version.
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

/// Scheduled work for a realm, within its confinement.
private struct RealmWork: Sendable {
    private let anchor: RealmAnchor

    init(_ realm: RealmInstance) { anchor = realm.anchor }

    private var realm: RealmInstance? { anchor.realm }

    /// Notifies observers if the realm shows a committed version.
    func tell() {
        guard let realm, realm.showsCommit() else { return }
        realm.observers.tell(realm)
    }

    /// Advances to the latest version, and notifies observers.
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
