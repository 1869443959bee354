internal import RealmCore

/// The observers of a realm.
final class RealmObservers {
    private let observers = ObserverTable<(RealmInstance, _ silently: Bool) -> Void>()
    /// Observers that are notified of new versions at once, but not of their changes.
    private let versionObservers = ObserverTable<(Realm.Notification, RealmInstance) -> Void>()
    private var isTellingOfChange = false
    private var next = 0
    /// The changes between the two versions that observers are being notified of.
    private var affected: AffectedObjects?
    /// Nesting depth of the notifications in progress.
    private var depth = 0

    private let confinement: Isolation

    init(_ confinement: Isolation) { self.confinement = confinement }

    var areBeingTold: Bool { depth > 0 }

    /// Adds an observer, which is called whenever something may have changed; `silently` if it must not call its block.
    ///
    /// - Returns: a token that removes the observer.
    func add(_ observer: @escaping (RealmInstance, _ silently: Bool) -> Void) -> NotificationToken {
        confinement.check()
        confinement.notice()
        next += 1
        let number = next
        observers.add(observer, number: number)
        return NotificationToken(number, of: self) { [weak observers] in observers?.remove(number) }
    }

    /// - Parameter realm: kept alive while it is observed; nil if the observer keeps it alive.
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
        // Commits by a version observer are not reported to version observers: one that always writes would not end.
        guard !isTellingOfChange else { return }
        isTellingOfChange = true
        defer { isTellingOfChange = false }
        let silent = tokens.compactMap { $0.number(among: self) }
        for number in versionObservers.numbers where !silent.contains(number) {
            versionObservers[number]?(notification, realm)
        }
    }

    func tell(_ realm: RealmInstance) {
        // A block may remove observers and add new ones.
        telling { for number in observers.numbers { observers[number]?(realm, false) } }
    }

    /// Marks the version as already reported to some observers.
    func pass(_ realm: RealmInstance, _ tokens: [NotificationToken]) {
        telling { for number in tokens.compactMap({ $0.number(among: self) }) { observers[number]?(realm, true) } }
    }

    private func telling(_ body: () -> Void) {
        depth += 1
        body()
        depth -= 1
        // Releases the versions.
        if depth == 0 { affected = nil }
    }

    /// Returns the changes between two versions, computed once for all observers being notified.
    func affected(from before: Snapshot, to after: Snapshot) throws -> AffectedObjects {
        if let affected, affected.before === before, affected.after === after { return affected }
        let found = try AffectedObjects(from: before, to: after)
        if depth > 0 { affected = found }
        return found
    }
}

/// Computes the changes of a realm and passes them to a closure, which is not called if `silently`.
typealias Teller<Change> = (RealmInstance, _ silently: Bool, (Change) -> Void) -> Void

/// The content last reported to an observer, and its version.
final class ToldState<Content> {
    private var content: Content?
    private var snapshot: Snapshot?

    /// Calls `initial` the first time. Later calls `update` with the content last reported, if the realm shows another
    /// version. Calls neither if `silently`.
    ///
    /// - Parameter now: computes the current content from the content last reported and its version, if there is any.
    func next(
        _ realm: RealmInstance, silently: Bool, content now: ((content: Content, snapshot: Snapshot)?) -> Content,
        initial: (Content) -> Void,
        update: (Content, Snapshot, Content) -> Void
    ) {
        let shown = realm.snapshot
        guard let content, let snapshot else {
            // An observer that has received nothing yet still receives the initial state later.
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
