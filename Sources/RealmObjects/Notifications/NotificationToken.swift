internal import Synchronization

/// Keeps an observer going: notifications end with `invalidate`, or when nobody has the token any more.
///
/// ```swift
/// let token: NotificationToken = person.dogs.observe { _ in print("other dogs") }
/// try realm.write(withoutNotifying: [token]) { person.dogs.removeAll() }
/// token.invalidate()
/// ```
public final class NotificationToken: @unchecked Sendable {
    private enum State: Sendable {
        /// Observing begins later, on a queue.
        case awaited
        case going(Observer)
        case ended
    }

    /// What is observed: the observer's number, where it is one, and what ends it.
    private struct Observer: @unchecked Sendable {
        let number: Int
        private(set) weak var observers: RealmObservers?
        /// What threads share; it is called by one of them.
        let end: () -> Void
    }

    private let state: Mutex<State>

    private init(_ state: State) { self.state = Mutex(state) }

    convenience init(_ number: Int = 0, of observers: RealmObservers? = nil, _ end: @escaping () -> Void) {
        self.init(.going(Observer(number: number, observers: observers, end: end)))
    }

    /// A token of nothing that is observed.
    public convenience init() { self.init {} }

    /// A token of what will be observed: `become` tells.
    static func awaited() -> NotificationToken { NotificationToken(.awaited) }

    deinit { invalidate() }

    /// Keeps the observer of another token, which does not any more; ends it where this token has ended.
    func become(_ other: NotificationToken) {
        guard let observer = other.take() else { return }
        let isKept = state.withLock { state in
            guard case .awaited = state else { return false }
            state = .going(observer)
            return true
        }
        if !isKept { observer.end() }
    }

    /// The number of the observer among some; nil where it is none of them.
    func number(among observers: RealmObservers) -> Int? {
        state.withLock { state in
            if case .going(let observer) = state, observer.observers === observers { observer.number } else { nil }
        }
    }

    private func take() -> Observer? {
        let last = end()
        return if case .going(let observer) = last { observer } else { nil }
    }

    /// - Returns: what it was.
    private func end() -> State {
        state.withLock { state in
            let last = state
            state = .ended
            return last
        }
    }

    /// Ends the notifications.
    ///
    /// - Returns: whether there were any to be ended.
    @discardableResult
    public func invalidate() -> Bool {
        switch end() {
        case .awaited: return true
        case .going(let observer):
            observer.end()
            return true
        case .ended: return false
        }
    }
}

extension NotificationToken: Hashable {
    /// Whether both are one.
    public static func == (left: NotificationToken, right: NotificationToken) -> Bool { left === right }
    /// Hashes which one it is.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
