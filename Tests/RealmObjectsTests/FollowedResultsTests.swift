import Expectations
import Foundation
import RealmObjects
import Testing

class Bead: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name = ""
    @Persisted var number: Int?
    @Persisted var ratio = 0.0
    @Persisted var isRound = false
    @Persisted(originProperty: "next") var before: LinkingObjects<Bead>
    @Persisted var next: Bead?
    @Persisted var numbers: List<Int>
    @Persisted var note = ""
    @Persisted var ghost: Ghost?
}

/// One is added in each transaction, and no bead links to one.
class Ghost: Object {
    @Persisted var number: Int
}

/// Compares notifications of results that are updated incrementally with those of results that are evaluated again and
/// compared as a whole. A condition on ghosts, which holds for all beads, forces the second kind.
@Suite struct FollowedResultsTests {
    private typealias Beads = Results<Bead>

    private static let queries: [@Sendable (Beads) -> Beads] = [
        { $0.filter("number > 3") },
        { $0.sorted(byKeyPath: "ratio", ascending: false) },
        { $0.filter("number > 3 AND name BEGINSWITH 'a'").sorted(by: ["name", "number"]) },
        { $0.filter("number != NULL SORT(name DESC) SORT(isRound ASC)") },
        { $0.sorted(byKeyPath: "number").filter("isRound == true").sorted(byKeyPath: "name") },
        { $0.filter("next != NULL OR ANY numbers > 7 OR numbers.@count == 1 OR NOT ratio BETWEEN {-1, 1}") },
        { $0.filter("number + id > 50 AND name IN {'a1', 'b2', 'c0'}").sorted(byKeyPath: "id", ascending: false) },
        // Queries that depend on other objects are evaluated again when one of these has changed in the relevant
        // property.
        { $0.filter("next.number > 3").sorted(byKeyPath: "name") },
        { $0.sorted(by: ["next.name", "id"]) },
        { $0.filter("before.@count > 0") },
        { $0.filter("@links.@count == 1") },
        { $0.filter("ANY before.ratio > 20") },
        { $0.filter("next.next.number > 2 AND next.isRound == true").sorted(byKeyPath: "number") },
        { $0.filter("SUBQUERY(before, $bead, $bead.isRound == true AND ANY $bead.numbers > 4).@count > 0") },
        { $0.filter("before.@max.number > 5 SORT(next.ratio ASC) LIMIT(7)") },
        { $0.sorted(byKeyPath: "name").distinct(by: ["name"]) },
    ]

    private static let anew = "ghost == NULL OR ghost.number == 1"

    private static let paths: [[String]?] = [nil, ["number", "name"], ["next.number"], []]

    /// The notifications that observers received, by query and observed properties.
    private final class Told {
        var followed: [String] = []
        var found: [String] = []
    }

    @Test(arguments: 0..<3) func `changes equal those of new results`(seed: Int) throws {
        var dice = SeededDice(seed)
        // More than one leaf of a list contains.
        let count = [12, 200, 2500][seed]
        let beads = try QueueRealm([Bead.self, Ghost.self])
        var tolds: [(Told, followed: Beads, found: Beads, fresh: @Sendable (Beads) -> Beads)] = []
        try beads { realm in
            try realm.write { for id in 0..<count { set(realm.create(Bead.self, value: ["id": id]), realm, &dice) } }
            for (query, paths) in Self.queries.flatMap({ query in Self.paths.map { (query, $0) } }) {
                let (told, followed) = (Told(), query(realm.objects(Bead.self)))
                let found = followed.filter(Self.anew)
                tolds.append((told, followed, found, query))
                beads.keep(followed.observe(keyPaths: paths) { told.followed.append(indexes($0)) })
                beads.keep(found.observe(keyPaths: paths) { told.found.append(indexes($0)) })
                // Large ones are compared with fewer properties.
                if count > 1000 { break }
            }
            if count > 1000 {
                for query in [Self.queries[2], Self.queries[4]] {
                    let (told, followed) = (Told(), query(realm.objects(Bead.self)))
                    let found = followed.filter(Self.anew)
                    tolds.append((told, followed, found, query))
                    beads.keep(followed.observe { told.followed.append(indexes($0)) })
                    beads.keep(found.observe { told.found.append(indexes($0)) })
                }
            }
        }
        var (last, updates) = (count, 0)
        for round in 0..<[40, 12, 9][seed] {
            try beads { realm in
                try realm.write {
                    realm.create(Ghost.self)
                    // In one round there are too many changes for incremental updates, and sometimes none that a query
                    // depends on. With few beads, one changes at a time.
                    for _ in 0...(round == 7 ? 150 : dice.roll(seed == 0 ? 1 : 12)) {
                        if round % 4 == 2 {
                            let all = realm.objects(Bead.self)
                            all[dice.roll(all.count)].note += "."
                        } else {
                            change(realm, &last, &dice)
                        }
                    }
                }
            }
            beads { realm in
                for (number, (told, followed, found, fresh)) in tolds.enumerated() {
                    expectEqual(told.followed, told.found, "\(number), round \(round)")
                    let ids = Array(fresh(realm.objects(Bead.self)).map(\.id))
                    expect(followed.map(\.id) == ids && found.map(\.id) == ids, "\(number), round \(round)")
                    let places = followed.isEmpty ? [] : [0, followed.count / 2, followed.count - 1]
                    expectEqual(places.map { followed[$0].id }, places.map { found[$0].id })
                    updates += told.followed.count
                    (told.followed, told.found) = ([], [])
                }
            }
        }
        expect(updates > tolds.count)
    }

    private func indexes(_ change: RealmCollectionChange<Beads>) -> String {
        switch change {
        case .initial(let all): "\(all.count)"
        case .update(let all, let deletions, let insertions, let modifications):
            "\(all.count) -\(deletions) +\(insertions) ~\(modifications)"
        case .error: "error"
        }
    }

    private func set(_ bead: Bead, _ realm: Realm, _ dice: inout SeededDice) {
        bead.name = ["a", "b", "c", ""][dice.roll(4)] + "\(dice.roll(3))"
        bead.number = dice.roll(5) == 0 ? nil : dice.roll(9)
        bead.ratio = [0.0, -0.0, 1.5, -2, .infinity, .nan, Double(dice.roll(100))][dice.roll(7)]
        bead.isRound = dice.roll(2) == 0
        bead.next = dice.roll(3) == 0 ? nil : realm.object(ofType: Bead.self, forPrimaryKey: dice.roll(12))
    }

    private func change(_ realm: Realm, _ last: inout Int, _ dice: inout SeededDice) {
        let all = realm.objects(Bead.self)
        if dice.roll(4) == 0 || all.isEmpty {
            last += 1
            set(realm.create(Bead.self, value: ["id": last]), realm, &dice)
            return
        }
        let bead = all[dice.roll(all.count)]
        switch dice.roll(9) {
        case 0: realm.delete(bead)
        case 1: set(bead, realm, &dice)
        case 2: bead.numbers.append(dice.roll(10))
        case 3: bead.name = "a\(dice.roll(30))"
        case 4: bead.number = dice.roll(9)
        case 5: bead.ratio = Double(dice.roll(50))
        case 6: bead.next = all[dice.roll(all.count)]
        case 7: bead.note += "."
        default: bead.isRound.toggle()
        }
    }
}

/// Reproducible random numbers.
private struct SeededDice {
    private var state: UInt64

    init(_ seed: Int) { state = UInt64(seed) }

    mutating func roll(_ sides: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(sides))
    }
}
