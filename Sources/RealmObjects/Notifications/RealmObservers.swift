internal import RealmReader

/// Who wants to know when a realm shows another version.
final class RealmObservers {
    private var observers: [Int: (RealmState) -> Void] = [:]
    private var next = 0

    var isEmpty: Bool { observers.isEmpty }

    /// Adds an observer, which is told each time there may be something new.
    ///
    /// - Returns: ends it.
    func add(_ observer: @escaping (RealmState) -> Void) -> NotificationToken {
        next += 1
        let number = next
        observers[number] = observer
        return NotificationToken { [weak self] in self?.observers[number] = nil }
    }

    func tell(_ realm: RealmState) {
        // A block may end observers, and begin others.
        for number in observers.keys.sorted() { observers[number]?(realm) }
    }
}

/// What was told last, and what there is to tell now.
final class ToldState<Content> {
    private var content: Content?
    private var snapshot: Snapshot?

    /// Calls `initial` the first time, later `update` with what was told last where the realm shows another version.
    func next(_ realm: RealmState, _ initial: () -> Content, _ update: (Content, Snapshot) -> Content) {
        let shown = realm.snapshot
        guard let content, let snapshot else {
            (content, snapshot) = (initial(), shown)
            return
        }
        guard snapshot !== shown else { return }
        self.snapshot = shown
        self.content = update(content, snapshot)
    }
}
