internal import Synchronization

/// Keeps an observer registered: notifications end with `invalidate`, or when the token is released.
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

    /// A registered observer: its number, if it has one, and the closure that ends it.
    private struct Observer: @unchecked Sendable {
        let number: Int
        private(set) weak var observers: RealmObservers?
        /// Called at most once, on any thread.
        let end: () -> Void
    }

    private let state: Mutex<State>

    private init(_ state: State) { self.state = Mutex(state) }

    convenience init(_ number: Int = 0, of observers: RealmObservers? = nil, _ end: @escaping () -> Void) {
        self.init(.going(Observer(number: number, observers: observers, end: end)))
    }

    /// Creates a token that observes nothing.
    public convenience init() { self.init {} }

    /// Returns a token whose observer `become` sets later.
    static func awaited() -> NotificationToken { NotificationToken(.awaited) }

    deinit { invalidate() }

    /// Takes over the observer of another token; ends the observer if this token has already ended.
    func become(_ other: NotificationToken) {
        guard let observer = other.take() else { return }
        let isKept = state.withLock { state in
            guard case .awaited = state else { return false }
            state = .going(observer)
            return true
        }
        if !isKept { observer.end() }
    }

    /// Returns the number of the observer if it belongs to `observers`, nil otherwise.
    func number(among observers: RealmObservers) -> Int? {
        state.withLock { state in
            if case .going(let observer) = state, observer.observers === observers { observer.number } else { nil }
        }
    }

    private func take() -> Observer? {
        let last = end()
        return if case .going(let observer) = last { observer } else { nil }
    }

    /// - Returns: the previous state.
    private func end() -> State {
        state.withLock { state in
            let last = state
            state = .ended
            return last
        }
    }

    /// Ends the notifications.
    ///
    /// - Returns: whether the token was active.
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
    /// Whether both are the same token.
    public static func == (left: NotificationToken, right: NotificationToken) -> Bool { left === right }
    /// Hashes the identity of the token.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
