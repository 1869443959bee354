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
public final class ThreadSafeReference<Confined: ThreadConfined>: @unchecked Sendable {
    // What is here is looked at by one thread at a time, and never changes.
    private let confined: Confined
    private let state: RealmState?
    /// Keeps the version, so that what is referred to is there.
    private let snapshot: Snapshot?
    private let isResolved = Atomic(false)

    /// Refers to an object or a collection of a realm.
    public init(to threadConfined: Confined) {
        guard let realm = threadConfined.realm else {
            Failure.stop("Cannot construct reference to unmanaged object, which can be passed across threads directly")
        }
        guard !threadConfined.isInvalidated else { Failure.stop("Cannot construct reference to invalidated object") }
        guard realm.state.transaction == nil else {
            Failure.stop("Cannot obtain thread safe reference during a write transaction.")
        }
        confined = threadConfined
        state = realm.state
        snapshot = realm.state.snapshot
    }

    /// Whether it was resolved.
    public var isInvalidated: Bool { isResolved.load(ordering: .acquiring) }

    fileprivate func resolve(in realm: Realm) -> Confined? {
        guard !isResolved.exchange(true, ordering: .acquiringAndReleasing) else {
            Failure.stop("Can only resolve a thread safe reference once.")
        }
        guard let state, state.database === realm.state.database else {
            Failure.stop(
                "Cannot resolve thread safe reference in Realm with different configuration than the source Realm.")
        }
        if realm.state.snapshot.commitNumber < snapshot?.commitNumber ?? 0 { realm.refresh() }
        return confined._inRealm(realm)
    }
}

extension Realm {
    /// What a reference leads to, in this realm; nil where it was deleted.
    public func resolve<Confined>(_ reference: ThreadSafeReference<Confined>) -> Confined? {
        reference.resolve(in: self)
    }
}

/// A variable that threads share: each gets the object or collection in its own realm. Nil when it was deleted.
@propertyWrapper
public final class ThreadSafe<T: ThreadConfined>: @unchecked Sendable {
    private let held: Mutex<Held?>

    private struct Held: @unchecked Sendable {
        let value: T
        let configuration: Realm.Configuration?
        let snapshot: Snapshot?
    }

    /// Shares an object or a collection of a realm.
    public init(wrappedValue: T?) { held = Mutex(wrappedValue.map { Self.hold($0) }) }

    private static func hold(_ value: T) -> Held {
        Held(value: value, configuration: value.realm?.configuration, snapshot: value.realm?.state.snapshot)
    }

    /// The object or collection, in the realm of the thread.
    public var wrappedValue: T? {
        get {
            guard let held = held.withLock({ $0 }) else { return nil }
            guard let configuration = held.configuration else { return held.value }
            guard let realm = try? Realm(configuration: configuration) else { return nil }
            realm.refresh()
            return held.value._inRealm(realm)
        }
        set {
            let new = newValue.map { Self.hold($0) }
            held.withLock { $0 = new }
        }
    }
}
