internal import RealmReader
internal import Synchronization

/// Takes an object or a collection to another thread, queue or actor, once.
///
/// ```swift
/// let reference = ThreadSafeReference(to: dog)
/// queue.async {
///     let realm = try! Realm(configuration: configuration, queue: queue)
///     if let dog = realm.resolve(reference) { print(dog.name) }
/// }
/// ```
public final class ThreadSafeReference<Confined: ThreadConfined>: Sendable {
    /// What is looked at by one thread at a time.
    private struct Held: @unchecked Sendable {
        let confined: Confined
        let state: RealmInstance
        /// Keeps the version, so that what is referred to is there; inside of a transaction the one before.
        let snapshot: Snapshot
        /// The transaction that it was made in, before whose end nobody else sees what it refers to; nil outside of one.
        let transaction: TransactionOutcome?
        /// Whether that transaction made it, and does not only refer to what is older.
        let isNew: Bool
    }

    /// Nil when it was resolved: then it holds no version any more.
    private let held: Mutex<Held?>

    /// Refers to an object or a collection of a realm.
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

    /// Whether it was resolved.
    public var isInvalidated: Bool { held.withLock { $0 == nil } }

    fileprivate func resolve(in realm: Realm) -> Confined? {
        // What it held is let go of outside of the lock.
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
    /// The transaction at hand, where that made it: nobody else sees it before the end, and its place may be that of something else
    /// later. Nil for what is older.
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
    /// What a reference leads to, in this realm; nil where it was deleted, where the realm is of another database, and where it was
    /// made in a transaction that has not been committed.
    ///
    /// A realm that shows an older version than that of the reference is refreshed; one of which nothing was read yet begins with that
    /// version.
    public func resolve<Confined>(_ reference: ThreadSafeReference<Confined>) -> Confined? {
        reference.resolve(in: self)
    }
}

/// A variable that threads share: each gets the object or collection in its own realm. Nil when it was deleted.
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
        /// The transaction that made it, if that had not ended.
        let maker: TransactionOutcome?
    }

    /// Shares an object or a collection of a realm.
    public init(wrappedValue: T?) { held = Mutex(wrappedValue.map { Self.hold($0) }) }

    private static func hold(_ value: T) -> Held {
        Held(value: value, configuration: value.realm?.configuration, maker: value.maker)
    }

    /// The object or collection, in the realm of the thread.
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
