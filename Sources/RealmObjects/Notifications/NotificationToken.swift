internal import Synchronization

/// Keeps an observer going: notifications end with `invalidate`, or when nobody has the token any more.
///
/// ```swift
/// let token: NotificationToken = person.dogs.observe { _ in print("other dogs") }
/// try realm.write(withoutNotifying: [token]) { person.dogs.removeAll() }
/// token.invalidate()
/// ```
public final class NotificationToken: @unchecked Sendable {
    // The block is what threads share; it is called by one of them.
    private let end: Mutex<End?>
    /// The observer's number, and where it is one.
    let number: Int
    private(set) weak var observers: RealmObservers?

    private struct End: @unchecked Sendable {
        let call: () -> Void
    }

    init(_ number: Int = 0, of observers: RealmObservers? = nil, _ end: @escaping () -> Void) {
        (self.number, self.observers) = (number, observers)
        self.end = Mutex(End(call: end))
    }

    /// A token of nothing that is observed.
    public convenience init() { self.init {} }

    deinit { invalidate() }

    /// Ends the notifications.
    ///
    /// - Returns: whether there were any to be ended.
    @discardableResult
    public func invalidate() -> Bool {
        let last = end.withLock { end in
            let last = end
            end = nil
            return last
        }
        last?.call()
        return last != nil
    }
}

extension NotificationToken: Hashable {
    /// Whether both are one.
    public static func == (left: NotificationToken, right: NotificationToken) -> Bool { left === right }
    /// Hashes which one it is.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
