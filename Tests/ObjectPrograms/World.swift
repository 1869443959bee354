import Foundation
import RealmObjects

/// What a program has: the realm at hand, and what is to be in it.
final class World {
    var dice: Dice
    /// The realm that is read and changed, of the thread at hand.
    var realm: Realm!
    var records: [Int: Record] = [:]
    /// Objects that were got some time, and are to show what there is.
    var live: [Int: Sample] = [:]
    /// The numbers of all objects.
    private(set) var ids: [Int] = []
    private var last = 0
    private(set) var failures: [String] = []
    var tally = Tally()

    init(seed: UInt64) { dice = Dice(seed: seed) }

    func fail(_ text: String) { if failures.count < 5 { failures.append(text) } }

    func expect(_ holds: Bool, _ text: @autoclosure () -> String) { if !holds { fail(text()) } }

    /// A key of maps: mostly one of a few.
    func key() -> String { "k\(dice.roll(dice.roll(6) == 0 ? 150 : 5))" }

    /// How many elements a collection is to get: mostly a few, and seldom so many that it is read in parts, and has several leaves.
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

    /// The number of the next object: who gets that of a deleted one would be another one.
    func newID() -> Int {
        last += 1
        return last
    }

    func renew() { ids = records.keys.sorted() }

    /// What there was when a transaction began.
    struct Past {
        fileprivate var records: [Int: Record]
    }

    var past: Past { Past(records: records) }

    /// The transaction was cancelled.
    func goBack(to past: Past) {
        records = past.records
        live = [:]
        renew()
    }

    /// Runs something with the realm of another thread.
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

/// How much was tried.
package struct Tally: Sendable {
    package var programs = 0
    package var transactions = 0
    package var changes = 0
    /// Values of properties that were compared with those in memory.
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
