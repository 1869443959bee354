internal import CSwiftMetadata
internal import Synchronization

/// Finds a realm from any thread, as long as it lives.
///
/// Not a weak reference: once an object has one, its references are counted in a side table, which takes several times
/// as long, and every live object retains its realm.
final class RealmAnchor: Sendable {
    private let place = Mutex(Place())

    /// Realms are used only within their confinement; this only finds them.
    @safe
    private struct Place: @unchecked Sendable {
        var realm: Unmanaged<RealmInstance>?

        /// Retains the realm; returns an empty place if its last reference is gone.
        func retained() -> Place {
            guard let realm = unsafe realm, unsafe swift_metadata_try_retain(realm.toOpaque()) else { return Place() }
            return self
        }
    }

    /// Sets the realm, which calls `clear` when it ends.
    func set(_ realm: RealmInstance) {
        let new = unsafe Place(realm: Unmanaged.passUnretained(realm))
        place.withLock { $0 = new }
    }

    /// Removes the realm.
    func clear() { place.withLock { $0 = Place() } }

    /// The realm; nil when its last reference is gone.
    var realm: RealmInstance? {
        // While the lock is held the realm cannot be deallocated, because its deinitialiser takes the lock. If
        // deinitialisation has begun, retaining it fails.
        let found = place.withLock { $0.retained() }
        return unsafe found.realm?.takeRetainedValue()
    }
}
