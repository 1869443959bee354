import Foundation
import RealmObjects
import Testing

/// Looking for one element of a set or one key of a map, as the whole of it has them: read before, or changed since.
@Suite struct LookupTests {
    enum Size: String, PersistableEnum { case small, large }

    final class Bag: Object {
        @Persisted(primaryKey: true) var number = 0
        @Persisted var words: MutableSet<String>
        @Persisted var maybe: MutableSet<Int?>
        @Persisted var sizes: MutableSet<Size>
        @Persisted var dates: MutableSet<Date>
        @Persisted var mixed: MutableSet<AnyRealmValue>
        @Persisted var bags: MutableSet<Bag>
        @Persisted var prices: Map<String, Double>
        @Persisted var notes: Map<String, AnyRealmValue>
        @Persisted var inside: Map<String, Bag?>
    }

    /// Words whose order by bytes is another one than by letters.
    private static let words = ["a", "B", "b", "", "zoë", "zoe\u{308}", "Ä", "😀", "ab", "a b", "10", "9"]

    private func check(_ bag: Bag, _ bags: [Bag]) {
        for word in Self.words {
            #expect(bag.words.contains(word) == Array(bag.words).contains { $0.utf8.elementsEqual(word.utf8) })
            let expected = bag.prices.asKeyValueSequence().first { $0.key.utf8.elementsEqual(word.utf8) }?.value
            #expect(bag.prices[word] == expected && bag.prices[word, default: -1] == expected ?? -1)
            #expect((bag.notes[word] != nil) == bag.notes.keys.contains { $0.utf8.elementsEqual(word.utf8) })
        }
        for number in [nil, -1, 0, 5] as [Int?] {
            #expect(bag.maybe.contains(number) == Array(bag.maybe).contains(number))
        }
        for size in [Size.small, .large] { #expect(bag.sizes.contains(size) == Array(bag.sizes).contains(size)) }
        for value in [AnyRealmValue.int(1), .string("a"), .none] {
            #expect(bag.mixed.contains(value) == Array(bag.mixed).contains(value))
        }
        // A number is there once, whatever its type.
        #expect(bag.mixed.contains(.double(1)) == Array(bag.mixed).contains(.int(1)))
        for other in bags {
            #expect(bag.bags.contains(other) == Array(bag.bags).contains { $0.isSameObject(as: other) })
        }
        let day = Date(timeIntervalSince1970: 5.25)
        #expect(bag.dates.contains(day) == Array(bag.dates).contains(day))
    }

    @Test func `what is there is found, and nothing else`() throws {
        let realm = try TestRealm([Bag.self]).open()
        let bags = try realm.write { (0..<3).map { realm.create(Bag.self, value: ["number": $0]) } }
        let bag = bags[0]
        check(bag, bags)
        realm.beginWrite()
        for (index, word) in Self.words.enumerated() where index % 3 != 2 {
            bag.words.insert(word)
            check(bag, bags)
            bag.prices[word] = Double(index)
            let list = List<AnyRealmValue>()
            list.append(.int(index))
            bag.notes[word] = index % 2 == 0 ? .list(list) : .int(index)
            check(bag, bags)
        }
        bag.maybe.insert(objectsIn: [nil, 5])
        bag.sizes.insert(.large)
        bag.mixed.insert(objectsIn: [.int(1), .string("a"), .none])
        bag.dates.insert(Date(timeIntervalSince1970: 5.25))
        bag.bags.insert(bags[1])
        check(bag, bags)
        #expect(bag.notes["a"]?.listValue?.first == .int(0))
        #expect(!bag.bags.contains(Bag()) && realm.objects(Bag.self).count == 3, "who asks adds nothing")
        bag.words.remove("a")
        bag.prices["B"] = nil
        bag.bags.insert(bags[2])
        realm.delete(bags[1])
        #expect(!bag.bags.contains(bags[1]))
        check(bag, [bags[0], bags[2]])
        try realm.commitWrite()
        check(bag, [bags[0], bags[2]])
        let frozen = bag.freeze()
        check(frozen, [frozen, bags[2].freeze()])
        try realm.write { realm.deleteAll() }
        check(frozen, [frozen])
        let memory = Bag(value: ["words": ["a"], "prices": ["a": 1]])
        check(memory, [])
    }
}
