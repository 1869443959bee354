import Foundation
import RealmObjects

/// The state of a program: the current realm, and its expected content.
final class World {
    var dice: Dice
    /// The realm to read and change on the current thread.
    var realm: Realm!
    var records: [Int: Record] = [:]
    /// Objects obtained earlier, which must show the current content.
    var live: [Int: Sample] = [:]
    /// The identifiers of all objects.
    private(set) var ids: [Int] = []
    private var last = 0
    private(set) var failures: [String] = []
    var tally = Tally()

    init(seed: UInt64) { dice = Dice(seed: seed) }

    func fail(_ text: String) { if failures.count < 5 { failures.append(text) } }

    func expect(_ holds: Bool, _ text: @autoclosure () -> String) { if !holds { fail(text()) } }

    /// Returns a key for maps, usually one of a few.
    func key() -> String { "k\(dice.roll(dice.roll(6) == 0 ? 150 : 5))" }

    /// Returns the length for a collection: usually small, rarely large enough for reading in parts and several leaves.
    func length(_ most: Int) -> Int { dice.roll(100) == 0 ? 40 + dice.roll(most) : dice.roll(4) }

    func sample(_ id: Int) -> Sample {
        if let known = live[id] { return known }
        guard let found = realm.object(ofType: Sample.self, forPrimaryKey: id) else {
            fail("\(id) is gone")
            return Sample()
        }
        live[id] = found
        return found
    }

    /// Returns the identifier of the next object. Identifiers of deleted objects are not reused, because that would be
    /// a different object.
    func newID() -> Int {
        last += 1
        return last
    }

    func renew() { ids = records.keys.sorted() }

    /// The state at the beginning of a transaction.
    struct Past {
        fileprivate var records: [Int: Record]
    }

    var past: Past { Past(records: records) }

    /// Restores the state after a cancelled transaction.
    func goBack(to past: Past) {
        records = past.records
        live = [:]
        renew()
    }

    /// Runs a block with the realm of another thread.
    func elsewhere(in other: Realm, _ body: () throws -> Void) rethrows {
        let (mine, known) = (realm, live)
        (realm, live) = (other, [:])
        defer {
            realm = mine
            live = known.filter { records[$0.key] != nil }
        }
        try body()
    }
}

/// Statistics of the tests.
package struct Tally: Sendable {
    package var programs = 0
    package var transactions = 0
    package var changes = 0
    /// The number of property values compared with those in memory.
    package var values = 0
    package var notifications = 0
    package var migrations = 0

    package init() {}

    package mutating func add(_ other: Tally) {
        programs += other.programs
        transactions += other.transactions
        changes += other.changes
        values += other.values
        notifications += other.notifications
        migrations += other.migrations
    }
}
