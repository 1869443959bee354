internal import RealmReader
internal import RealmTransactions
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A database that is open in this process: once, however many realms show it.
final class SharedDatabase: Sendable {
    let identity: String
    /// Nil for a file that is only read.
    let store: RealmStore?
    /// What the file was opened with.
    let encryptionKey: Data?
    private let readOnly: Snapshot?
    /// Whether links lead to objects that are not there, as in files that were synchronised: collections do not show those. None is added
    /// while a database is open.
    let hasTombstones: Bool
    private let places = Mutex(Places())
    /// Classes of the program that the tables have been found to be the same as.
    private let fitting = Mutex<[[ModelClass]]>([])
    let closing = Closing()

    /// Realms are used where they belong: this is only where they are found.
    private struct Places {
        var realms: [Isolation.Identity: RealmAnchor] = [:]
        /// With so many entries those are looked for whose realms are gone.
        var limit = 16
    }

    /// When a database began to be let go of; nil until then.
    final class Closing: Sendable {
        static let longest = Duration.seconds(10)
        let start = Mutex<ContinuousClock.Instant?>(nil)

        /// Whether a database that is gone may still hold its file, as another thread is about to let go of it.
        var isGoingOn: Bool { start.withLock { $0.map { .now < $0 + Self.longest } ?? true } }
    }

    init(_ configuration: Realm.Configuration, _ store: RealmStore?, readOnly: Snapshot?) {
        (identity, encryptionKey) = (configuration.identity, configuration.encryptionKey)
        (self.store, self.readOnly) = (store, readOnly)
        // Where that is damaged, what it may be is counted upon.
        hasTombstones = (store?.snapshot() ?? readOnly)?.classes.contains { (try? $0.tombstoneCount) != 0 } ?? false
    }

    deinit { closing.start.withLock { $0 = .now } }

    /// The last version.
    func snapshot() -> Snapshot {
        if let store { return store.snapshot() }
        guard let readOnly else { Failure.stop("a database that is neither read nor written") }
        return readOnly
    }

    // MARK: Classes

    /// Whether the tables have been found to be the same as classes of the program. They stay so: classes are added while a database is
    /// open, and nothing else changes.
    func isKnownToFit(_ models: [ModelClass]) -> Bool {
        fitting.withLock { $0.contains { $0.elementsEqual(models, by: ===) } }
    }

    func noteFitting(_ models: [ModelClass]) { fitting.withLock { $0 = Array(([models] + $0).prefix(8)) } }

    // MARK: Realms

    /// The realm of a place: the one that is there, or a new one.
    func realm(
        _ configuration: Realm.Configuration, _ confinement: Isolation, _ models: [ModelClass]
    ) -> RealmInstance {
        let place = confinement.identity
        let realm: RealmInstance
        if let known = known(place) {
            realm = known
        } else {
            // Not inside of a lock, as who is told what is logged may open the database, too.
            let new = RealmInstance(self, configuration, confinement, models, snapshot())
            realm = enter(new.anchor, place).realm ?? new
        }
        realm.learn(models)
        realm.confinement.notice()
        // Of a commit meanwhile it was not told.
        if realm.snapshot.commitNumber < snapshot().commitNumber { realm.scheduleAdvance() }
        return realm
    }

    /// The realm of a place; nil for none.
    func known(_ place: Isolation.Identity) -> RealmInstance? { places.withLock { $0.realms[place] }?.realm }

    /// Where the realm of a place is found from now on: there, or where it is already.
    private func enter(_ anchor: RealmAnchor, _ place: Isolation.Identity) -> RealmAnchor {
        // The last reference to a realm is let go of outside of the lock: code of the program may run then.
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

    /// The realms of all places. Those that are gone are forgotten.
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

    /// Calls `body` with the realms of all places.
    func forEachRealm(_ body: (RealmInstance) -> Void) {
        for realm in living() { body(realm) }
    }
}
