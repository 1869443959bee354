internal import RealmCore
internal import RealmStore
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A database that is open in this process: once, however many realms show it.
final class SharedDatabase: Sendable {
    let identity: String
    /// nil for a read-only file.
    let store: RealmStore?
    /// The key that the file was opened with.
    let encryptionKey: Data?
    private let readOnly: Snapshot?
    /// Whether links lead to missing objects, as in files that were synchronised; collections hide those links. None
    /// are added while a database is open.
    let hasTombstones: Bool
    private let places = Mutex(Places())
    /// Classes of the program that are known to match the tables.
    private let fitting = Mutex<[[ModelClass]]>([])
    let closing = Closing()

    /// Realms by confinement. They are used only within it; this only finds them.
    private struct Places {
        var realms: [Isolation.Identity: RealmAnchor] = [:]
        /// Number of entries at which those of released realms are removed.
        var limit = 16
    }

    /// Start of a database's release; nil until then.
    final class Closing: Sendable {
        static let longest = Duration.seconds(10)
        let start = Mutex<ContinuousClock.Instant?>(nil)

        /// Whether a released database may still hold its file, because another thread is still releasing it.
        var isGoingOn: Bool { start.withLock { $0.map { .now < $0 + Self.longest } ?? true } }
    }

    init(_ configuration: Realm.Configuration, _ store: RealmStore?, readOnly: Snapshot?) {
        (identity, encryptionKey) = (configuration.identity, configuration.encryptionKey)
        (self.store, self.readOnly) = (store, readOnly)
        // A damaged file is assumed to have some.
        hasTombstones = (store?.snapshot() ?? readOnly)?.classes.contains { (try? $0.tombstoneCount) != 0 } ?? false
    }

    deinit { closing.start.withLock { $0 = .now } }

    /// Returns the latest version.
    func snapshot() -> Snapshot {
        if let store { return store.snapshot() }
        guard let readOnly else { Failure.stop("a database that is neither read nor written") }
        return readOnly
    }

    // MARK: Classes

    /// Whether the tables are known to match classes of the program. They keep matching: while a database is open
    /// classes are added, and nothing else changes.
    func isKnownToFit(_ models: [ModelClass]) -> Bool {
        fitting.withLock { $0.contains { $0.elementsEqual(models, by: ===) } }
    }

    func noteFitting(_ models: [ModelClass]) { fitting.withLock { $0 = Array(([models] + $0).prefix(8)) } }

    // MARK: Realms

    /// Returns the realm of a confinement: the existing one, or a new one.
    func realm(
        _ configuration: Realm.Configuration, _ confinement: Isolation, _ models: [ModelClass]
    ) -> RealmInstance {
        let place = confinement.identity
        let realm: RealmInstance
        if let known = known(place) {
            realm = known
        } else {
            // Not inside a lock, because a logger may open the database, too.
            let new = RealmInstance(self, configuration, confinement, models, snapshot())
            realm = enter(new.anchor, place).realm ?? new
        }
        realm.learn(models)
        realm.confinement.notice()
        // The realm was not notified of a commit made meanwhile.
        if realm.snapshot.commitNumber < snapshot().commitNumber { realm.scheduleAdvance() }
        return realm
    }

    /// Returns the realm of a confinement; nil if there is none.
    func known(_ place: Isolation.Identity) -> RealmInstance? { places.withLock { $0.realms[place] }?.realm }

    /// Registers a realm for a confinement unless there is one already; returns the registered anchor.
    private func enter(_ anchor: RealmAnchor, _ place: Isolation.Identity) -> RealmAnchor {
        // The last reference to a realm is released outside the lock, because code of the program may run then.
        var held: [RealmInstance] = []
        defer { withExtendedLifetime(held) {} }
        if let first = places.withLock({ $0.realms[place] }), let realm = first.realm {
            held.append(realm)
            return first
        }
        let isCrowded = places.withLock { places in
            places.realms[place] = anchor
            return places.realms.count >= places.limit
        }
        if isCrowded { held += living() }
        return anchor
    }

    /// Returns all living realms, and removes the entries of released ones.
    private func living() -> [RealmInstance] {
        let all = places.withLock { $0.realms }
        let living = all.compactMapValues(\.realm)
        places.withLock { places in
            for (place, anchor) in all where living[place] == nil && places.realms[place] === anchor {
                places.realms[place] = nil
            }
            places.limit = max(16, 2 * places.realms.count)
        }
        return Array(living.values)
    }

    /// Calls `body` with all realms.
    func forEachRealm(_ body: (RealmInstance) -> Void) {
        for realm in living() { body(realm) }
    }
}
