internal import RealmReader

/// Who wants to know when a realm shows another version.
final class RealmObservers {
    private let observers = ObserverTable<(RealmInstance, _ silently: Bool) -> Void>()
    /// Who is told of versions at once, and not of what is different in them.
    private let versionObservers = ObserverTable<(Realm.Notification, RealmInstance) -> Void>()
    private var isTellingOfChange = false
    private var next = 0
    /// What happened between the two versions that observers are being told of.
    private var affected: AffectedObjects?
    /// How many times observers are being told, one inside of the other.
    private var depth = 0

    private let confinement: Isolation

    init(_ confinement: Isolation) { self.confinement = confinement }

    var areBeingTold: Bool { depth > 0 }

    /// Adds an observer, which is told each time there may be something new; silently where its block is not to be called.
    ///
    /// - Returns: ends it.
    func add(_ observer: @escaping (RealmInstance, _ silently: Bool) -> Void) -> NotificationToken {
        confinement.check()
        confinement.notice()
        next += 1
        let number = next
        observers.add(observer, number: number)
        return NotificationToken(number, of: self) { [weak observers] in observers?.remove(number) }
    }

    /// - Parameter realm: what is kept as long as it is observed; nil where the observer keeps it.
    func addVersionObserver(
        keeping realm: RealmInstance? = nil, _ observer: @escaping (Realm.Notification, RealmInstance) -> Void
    ) -> NotificationToken {
        confinement.notice()
        next += 1
        let number = next
        versionObservers.add(observer, number: number)
        return NotificationToken(number, of: self) { [weak versionObservers] in
            versionObservers?.remove(number)
            withExtendedLifetime(realm) {}
        }
    }

    func tellOfChange(
        _ notification: Realm.Notification, _ realm: RealmInstance, except tokens: [NotificationToken] = []
    ) {
        // What an observer of versions commits is not told to such: one that writes each time would do so for ever.
        guard !isTellingOfChange else { return }
        isTellingOfChange = true
        defer { isTellingOfChange = false }
        let silent = tokens.compactMap { $0.number(among: self) }
        for number in versionObservers.numbers where !silent.contains(number) {
            versionObservers[number]?(notification, realm)
        }
    }

    func tell(_ realm: RealmInstance) {
        // A block may end observers, and begin others.
        telling { for number in observers.numbers { observers[number]?(realm, false) } }
    }

    /// Lets some observers take the version for one that they were told of.
    func pass(_ realm: RealmInstance, _ tokens: [NotificationToken]) {
        telling { for number in tokens.compactMap({ $0.number(among: self) }) { observers[number]?(realm, true) } }
    }

    private func telling(_ body: () -> Void) {
        depth += 1
        body()
        depth -= 1
        // Versions are not kept for longer.
        if depth == 0 { affected = nil }
    }

    /// What happened between two versions: found once for all observers that are told of it.
    func affected(from before: Snapshot, to after: Snapshot) throws -> AffectedObjects {
        if let affected, affected.before === before, affected.after === after { return affected }
        let found = try AffectedObjects(from: before, to: after)
        if depth > 0 { affected = found }
        return found
    }
}

/// Finds out what there is to be told of a realm, and tells it; nothing when silently.
typealias Teller<Change> = (RealmInstance, _ silently: Bool, (Change) -> Void) -> Void

/// What was told last, and what there is to tell now.
final class ToldState<Content> {
    private var content: Content?
    private var snapshot: Snapshot?

    /// Calls `initial` the first time, later `update` with what was told last where the realm shows another version; neither when
    /// silently.
    ///
    /// - Parameter now: finds what there is, from what was told last and the version that it is of where there is that.
    func next(
        _ realm: RealmInstance, silently: Bool, content now: ((content: Content, snapshot: Snapshot)?) -> Content,
        initial: (Content) -> Void,
        update: (Content, Snapshot, Content) -> Void
    ) {
        let shown = realm.snapshot
        guard let content, let snapshot else {
            // Who was told of nothing yet is told of the beginning.
            guard !silently else { return }
            let new = now(nil)
            (self.content, self.snapshot) = (new, shown)
            initial(new)
            return
        }
        guard snapshot !== shown else { return }
        let new = now((content, snapshot))
        (self.content, self.snapshot) = (new, shown)
        if !silently { update(content, snapshot, new) }
    }
}
