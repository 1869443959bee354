import Expectations
import Foundation
import RealmObjects
import Testing

/// Indices of objects in collections of all kinds, compared with a loop over the collection.
@Suite struct IndexOfTests {
    final class Card: Object {
        @Persisted(primaryKey: true) var number = 0
        @Persisted var suit = 0
        @Persisted var next: Card?
        @Persisted var stack: List<Card>
        @Persisted var hand: MutableSet<Card>
        @Persisted(originProperty: "next") var before: LinkingObjects<Card>
    }

    final class Other: Object { @Persisted var number = 0 }

    /// Returns a thousand cards, of which every third has been deleted.
    private func cards() throws -> Results<Card> {
        let realm = try TestRealm([Card.self, Other.self]).open()
        try realm.write {
            for number in 0..<1000 { realm.add(Card(value: ["number": number, "suit": number * 7 % 13])) }
            realm.delete(realm.objects(Card.self).filter { $0.number % 3 == 1 })
            let all = realm.objects(Card.self)
            all[0].stack.append(objectsIn: all.sorted(byKeyPath: "suit"))
            all[0].stack.append(objectsIn: all.filter("suit == 3"))
            all[0].hand.insert(objectsIn: all.filter("suit > 9"))
            for card in all { card.next = all[5] }
        }
        return realm.objects(Card.self)
    }

    private func expectIndexes<C: RealmCollection>(_ collection: C, of cards: [Card]) where C.Element == Card {
        expect(collection.count > 0)
        for card in cards {
            let found = collection.index(of: card)
            expectEqual(found, collection.firstIndex { $0.isSameObject(as: card) })
        }
    }

    @Test func `objects are found at their indexes`() throws {
        let cards = try cards()
        let some = Array(cards.filter("number IN {0, 3, 200, 996, 999} OR suit == 3"))
        expectIndexes(cards, of: some)
        expectIndexes(cards.filter("suit < 7"), of: some)
        expectIndexes(cards.sorted(byKeyPath: "suit", ascending: false), of: some)
        expectIndexes(cards.distinct(by: ["suit"]), of: some)
        expectIndexes(cards[0].stack, of: some)
        expectIndexes(cards[0].stack.filter("suit > 2").sorted(byKeyPath: "number"), of: some)
        expectIndexes(cards[0].hand, of: some)
        expectIndexes(cards[5].before, of: some)
        expectIndexes(AnyRealmCollection(cards), of: some)
        let frozen = cards.freeze()
        expectIndexes(frozen, of: [frozen[3], frozen[600]])
        expect(frozen.index(of: some[0]) == nil && cards.index(of: frozen[3]) == nil)
    }

    @Test func `missing objects have no index`() throws {
        let cards = try cards()
        let (realm, other) = (try #require(cards.realm), try self.cards())
        expect(cards.index(of: Card()) == nil && cards.index(of: other[1]) == nil)
        expect(cards[0].hand.index(of: cards[0]) == nil && realm.objects(Other.self).index(of: Other()) == nil)
        let stack = List<Card>()
        stack.append(Card())
        expect(stack.index(of: stack[0]) == 0 && stack.index(of: Card()) == nil)
        realm.beginWrite()
        let (first, third) = (cards[0], cards[2])
        realm.delete(cards[1])
        let added = realm.create(Card.self, value: ["number": 5000])
        expect(cards.index(of: first) == 0 && cards.index(of: third) == 1)
        expectEqual(cards.index(of: added), cards.count - 1)
        realm.delete(third)
        expect(cards.index(of: third) == nil && first.stack.index(of: third) == nil)
        realm.cancelWrite()
    }
}
