internal import CSwiftMetadata
internal import Synchronization

/// Finds a realm as long as it lives, from any thread.
///
/// Not a weak reference: where one was ever made, references to the object are counted in a table beside it, which takes several times as
/// long, and every live object counts one to its realm.
final class RealmAnchor: Sendable {
    private let place = Mutex(Place())

    /// Realms are used where they belong: this is only where they are found.
    @safe
    private struct Place: @unchecked Sendable {
        var realm: Unmanaged<RealmInstance>?

        /// Another reference to the realm; none when the last one is gone.
        func retained() -> Place {
            guard let realm = unsafe realm, unsafe swift_metadata_try_retain(realm.toOpaque()) else { return Place() }
            return self
        }
    }

    /// Leads to a realm, which calls `clear` when it ends.
    func set(_ realm: RealmInstance) {
        let new = unsafe Place(realm: Unmanaged.passUnretained(realm))
        place.withLock { $0 = new }
    }

    /// Leads nowhere from now on.
    func clear() { place.withLock { $0 = Place() } }

    /// The realm; nil when its last reference is gone.
    var realm: RealmInstance? {
        // As long as the lock is held the realm has not ended, because it takes the lock for that. It may be about to: then no reference
        // is counted any more.
        let found = place.withLock { $0.retained() }
        return unsafe found.realm?.takeRetainedValue()
    }
}
