internal import RealmCore
internal import Synchronization

/// Passes an object or a collection to another thread, queue or actor, once.
///
/// ```swift
/// let reference = ThreadSafeReference(to: dog)
/// queue.async {
///     let realm = try! Realm(configuration: configuration, queue: queue)
///     if let dog = realm.resolve(reference) { print(dog.name) }
/// }
/// ```
public final class ThreadSafeReference<Confined: ThreadConfined>: Sendable {
    /// Content, accessed by one thread at a time.
    private struct Held: @unchecked Sendable {
        let confined: Confined
        let state: RealmInstance
        /// Keeps the version alive that contains the referenced object; inside a transaction, the version before it.
        let snapshot: Snapshot
        /// The transaction in which the reference was made; nil outside one. Its changes are not visible elsewhere
        /// before it ends.
        let transaction: TransactionOutcome?
        /// Whether that transaction created the object or collection, instead of referring to an older one.
        let isNew: Bool
    }

    /// nil when the reference was resolved; it holds no version any more.
    private let held: Mutex<Held?>

    /// Creates a reference to an object or a collection of a realm.
    public init(to threadConfined: Confined) {
        threadConfined.realm?.state.checkConfinement()
        guard !threadConfined.isInvalidated else { Failure.stop("Cannot construct reference to invalidated object") }
        guard let realm = threadConfined.realm else {
            Failure.stop("Cannot construct reference to unmanaged object, which can be passed across threads directly")
        }
        let state = realm.state
        let new = Held(
            confined: threadConfined, state: state, snapshot: state.versionToFreeze, transaction: state.fate,
            isNew: threadConfined.maker != nil)
        held = Mutex(new)
    }

    /// Whether the reference was resolved.
    public var isInvalidated: Bool { held.withLock { $0 == nil } }

    fileprivate func resolve(in realm: Realm) -> Confined? {
        // Releases the content outside the lock.
        let found = held.withLock { held in
            defer { held = nil }
            return held
        }
        guard let found else { Failure.stop("Can only resolve a thread safe reference once.") }
        let (state, shown) = (found.state, realm.state)
        guard state.database === shown.database else { return nil }
        guard let transaction = found.transaction, state !== shown || state.fate !== transaction else {
            if found.transaction == nil { shown.show(atLeast: found.snapshot) }
            return found.confined._inRealm(realm)
        }
        if transaction.isCommitted {
            realm.refresh()
        } else if found.isNew {
            return nil
        } else {
            shown.show(atLeast: found.snapshot)
        }
        return found.confined._inRealm(realm)
    }
}

extension ThreadConfined {
    /// The current transaction if it created the object or collection; nil for older ones. Nothing else sees that
    /// before the transaction ends, and its place may later belong to something else.
    fileprivate var maker: TransactionOutcome? {
        guard let state = realm?.state, let transaction = state.fate else { return nil }
        let before = RealmInstance(
            state.database, state.configuration, .everywhere, state.models, state.versionToFreeze)
        let source = (self as? any RealmCollection)?._origin.source
        let wasThere = source.map { $0.isThere(in: before) } ?? (_inRealm(Realm(before)) != nil)
        return wasThere ? nil : transaction
    }
}

extension Realm {
    /// Returns the referenced object or collection in this realm. Returns nil if it was deleted, if the realm is of
    /// another database, or if it was created in a transaction that has not been committed.
    ///
    /// A realm that shows an older version than that of the reference is refreshed. A realm from which nothing was read
    /// yet starts with that version.
    public func resolve<Confined>(_ reference: ThreadSafeReference<Confined>) -> Confined? {
        reference.resolve(in: self)
    }
}

/// A variable that threads share: each gets the object or collection in its own realm. nil if it was deleted.
///
/// ```swift
/// let shared = ThreadSafe(wrappedValue: dog)
/// queue.async { print(shared.wrappedValue?.name ?? "gone") }
/// ```
@propertyWrapper
public final class ThreadSafe<T: ThreadConfined>: @unchecked Sendable {
    private let held: Mutex<Held?>

    private struct Held: @unchecked Sendable {
        let value: T
        let configuration: Realm.Configuration?
        /// The transaction that created it, if that had not ended.
        let maker: TransactionOutcome?
    }

    /// Shares an object or a collection of a realm.
    public init(wrappedValue: T?) { held = Mutex(wrappedValue.map { Self.hold($0) }) }

    private static func hold(_ value: T) -> Held {
        Held(value: value, configuration: value.realm?.configuration, maker: value.maker)
    }

    /// The object or collection, in the realm of the current thread.
    public var wrappedValue: T? {
        get {
            guard let held = held.withLock({ $0 }) else { return nil }
            guard let configuration = held.configuration else { return held.value }
            guard let realm = try? Realm(configuration: configuration) else { return nil }
            if let maker = held.maker, realm.state.fate !== maker, !maker.isCommitted { return nil }
            realm.refresh()
            return held.value._inRealm(realm)
        }
        set {
            let new = newValue.map { Self.hold($0) }
            held.withLock { $0 = new }
        }
    }
}
