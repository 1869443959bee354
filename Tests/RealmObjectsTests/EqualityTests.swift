import Expectations
import Foundation
import RealmObjects
import Testing

/// Objects in sets and dictionaries of the program, and in sets of unmanaged objects.
@Suite struct EqualityTests {
    final class Card: Object {
        @Persisted(primaryKey: true) var id: Int?
        @Persisted var name = ""
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Plain: Object {
        @Persisted var name = ""
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Hand: Object {
        @Persisted var cards: MutableSet<Card>
        @Persisted var plain: MutableSet<Plain>
        @Persisted var any: MutableSet<AnyRealmValue>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private func open() throws -> Realm { try TestRealm([Card.self, Plain.self, Hand.self]).open() }

    @Test func `objects are found in Swift sets before and after they are added`() throws {
        let realm = try open()
        let cards = (0..<20).map { number in
            let card = Card()
            if number > 0 { card.id = number }
            return card
        }
        let plain = (0..<20).map { Plain(value: ["\($0)"]) }
        let (held, heldPlain) = (Set(cards), Set(plain))
        let names = Dictionary(uniqueKeysWithValues: cards.map { ($0, $0.id) })
        try realm.write {
            realm.add(cards)
            realm.add(plain)
        }
        expect(
            cards.allSatisfy { held.contains($0) && names[$0] == $0.id } && plain.allSatisfy { heldPlain.contains($0) })
        // With a primary key, other instances are equal, and so are frozen ones to each other.
        let views = realm.objects(Card.self)
        expect(
            views.allSatisfy { held.contains($0) } && !realm.objects(Plain.self).contains { heldPlain.contains($0) })
        let frozen = realm.freeze()
        expectEqual(Set(frozen.objects(Card.self)).union(frozen.objects(Card.self)).count, 20)
        expectEqual(Set(frozen.objects(Plain.self)).union(frozen.objects(Plain.self)).count, 20)
        // A deleted object has a hash too.
        try realm.write { realm.delete(cards[3]) }
        expect(cards[3].hash == cards[3].hash && held.contains(cards[4]))
    }

    @Test func `a set in memory contains an object once, also after changes`() throws {
        let realm = try open()
        let (hand, card, plain) = (Hand(), Card(value: [1]), Plain(value: ["p"]))
        func insertAll() {
            for object in [card, Card(value: [2])] { hand.cards.insert(object) }
            hand.cards.insert(card)
            hand.plain.insert(objectsIn: [plain, plain])
            hand.any.insert(objectsIn: [.object(plain), .object(plain), .int(1), .int(1), .none, .none])
        }
        insertAll()
        expect(hand.cards.count == 2 && hand.plain.count == 1 && hand.any.count == 3)
        try realm.write { realm.add([card, plain]) }
        // Another instance of the object that was inserted before it was added.
        let (sameCard, samePlain) = (
            try #require(realm.objects(Card.self).first), try #require(realm.objects(Plain.self).first)
        )
        hand.cards.insert(sameCard)
        hand.plain.insert(samePlain)
        hand.any.insert(.object(samePlain))
        expect(hand.cards.count == 2 && hand.plain.count == 1 && hand.any.count == 3)
        expect(
            hand.cards.contains(sameCard) && hand.plain.contains(samePlain) && hand.any.contains(.object(samePlain)))
        expect(!hand.plain.contains(Plain(value: ["p"])))
        // And vice versa.
        hand.plain.remove(samePlain)
        expect(hand.plain.isEmpty && !hand.plain.contains(plain))
        hand.plain.insert(samePlain)
        hand.plain.insert(plain)
        expect(hand.plain.count == 1 && hand.plain.contains(plain))
        hand.any.remove(.object(plain))
        expect(hand.any.count == 2 && !hand.any.contains(.object(plain)))
        try realm.write { realm.add(hand) }
        expect(hand.plain.count == 1 && hand.cards.count == 2 && hand.any.count == 2)
    }

    @Test func `a set in memory holds many objects`() throws {
        let realm = try open()
        let objects = (0..<3000).map { Plain(value: ["\($0)"]) }
        let hand = Hand()
        hand.plain.insert(objectsIn: objects + objects.reversed())
        expect(hand.plain.count == 3000 && hand.plain.first === objects[0])
        try realm.write { realm.add(hand) }
        let copy = Hand(value: hand)
        expect(copy.realm == nil && copy.plain.count == 3000)
        for object in realm.objects(Plain.self) { copy.plain.insert(object) }
        expect(copy.plain.count == 3000 && copy.plain.map(\.name) == hand.plain.map(\.name))
    }
}
