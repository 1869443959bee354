import Expectations
import Foundation
import RealmCore
import RealmObjects
import Testing

/// Keys of maps are distinguished by their bytes, as in a file: two Unicode forms of one text are two keys.
@Suite struct MapKeyTests {
    class Prices: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var prices: Map<String, Int>
        @Persisted var content: AnyRealmValue
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    /// An é of one scalar, and one of an e and an accent: equal in Swift.
    private static let (one, two) = ("caf\u{e9}", "cafe\u{301}")

    private func isWhole(_ map: Map<String, Int>) -> Bool {
        map.count == 2 && map[Self.one] == 1 && map[Self.two] == 2 && map.values.sorted() == [1, 2]
    }

    @Test func `a map in memory, and every copy of it, has both keys`() throws {
        let (file, other) = (TestRealm([Prices.self]), TestRealm([Prices.self]))
        let prices = Prices()
        prices.prices[Self.one] = 1
        prices.prices[Self.two] = 2
        expect(isWhole(prices.prices))
        // A copy in memory.
        let copy = Prices(value: prices)
        expect(isWhole(copy.prices) && copy.prices == prices.prices)
        copy.prices[Self.two] = 3
        expect(copy.prices != prices.prices && isWhole(prices.prices))
        // In a realm.
        let (realm, second) = (try file.open(), try other.open())
        try realm.write { realm.add(prices) }
        expect(isWhole(prices.prices))
        expect(isWhole(Prices(value: prices).prices))
        // In another realm, from a managed object and from an unmanaged copy.
        try second.write {
            expect(isWhole(second.create(Prices.self, value: prices).prices))
            expect(
                isWhole(second.create(Prices.self, value: ["id": 1, "prices": prices.prices] as [String: Any]).prices))
            let third = Prices(value: prices)
            third.id = 2
            second.add(third)
            expect(isWhole(third.prices))
            third.prices[Self.one] = nil
            expect(third.prices.keys.map(\.utf8.count) == [Self.two.utf8.count] && third.prices[Self.two] == 2)
        }
        // The reader's view, by bytes.
        let stored = try #require(try file.verified().table(named: "Prices").object(primaryKey: .int(0)))
        try expectEqual(
            stored["prices"],
            .dictionary([
                DictionaryEntry(key: .string(Self.two), value: .int(2)),
                DictionaryEntry(key: .string(Self.one), value: .int(1)),
            ]))
    }

    @Test func `a copied map in a mixed value has both keys`() throws {
        let (file, other) = (TestRealm([Prices.self]), TestRealm([Prices.self]))
        let (realm, second) = (try file.open(), try other.open())
        let prices = Prices()
        prices.content = .fromDictionary([Self.one: .int(1)])
        try realm.write {
            realm.add(prices)
            prices.content.dictionaryValue?[Self.two] = .int(2)
        }
        try second.write { second.create(Prices.self, value: prices) }
        for found in [prices, Prices(value: prices)] + Array(second.objects(Prices.self)) {
            let map = try #require(found.content.dictionaryValue)
            expect(map.count == 2 && map[Self.one] == .int(1) && map[Self.two] == .int(2))
        }
    }

    @Test func `both keys are reported`() throws {
        let kennel = try QueueRealm([Prices.self])
        try kennel { realm in
            try realm.write { realm.create(Prices.self, value: ["prices": [Self.one: 1]]) }
            kennel.keep(
                realm.objects(Prices.self)[0].prices.observe { change in
                    if case .update(_, let deletions, let insertions, let modifications) = change {
                        let counts = [deletions, insertions, modifications].map { $0.map(\.utf8.count) }
                        kennel.told.append("\(counts)")
                    }
                })
        }
        try kennel { realm in try realm.write { realm.objects(Prices.self)[0].prices[Self.two] = 2 } }
        expectEqual(kennel.heard(), ["[[], [6], []]"])
        try kennel { realm in try realm.write { realm.objects(Prices.self)[0].prices[Self.one] = 3 } }
        expectEqual(kennel.heard(), ["[[], [], [5]]"])
        try kennel { realm in try realm.write { realm.objects(Prices.self)[0].prices[Self.one] = nil } }
        expectEqual(kennel.heard(), ["[[5], [], []]"])
    }
}
