import Expectations
import Foundation
import RealmObjects
import Synchronization
import Testing

/// Lookup of one element of a set or one key of a map gives the same result as reading all of it, cached or changed
/// since.
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

    /// Words whose order by bytes differs from the order by letters.
    private static let words = ["a", "B", "b", "", "zoë", "zoe\u{308}", "Ä", "😀", "ab", "a b", "10", "9"]

    private func check(_ bag: Bag, _ bags: [Bag]) {
        for word in Self.words {
            expectEqual(bag.words.contains(word), Array(bag.words).contains { $0.utf8.elementsEqual(word.utf8) })
            let expected = bag.prices.asKeyValueSequence().first { $0.key.utf8.elementsEqual(word.utf8) }?.value
            expect(bag.prices[word] == expected && bag.prices[word, default: -1] == expected ?? -1)
            expectEqual((bag.notes[word] != nil), bag.notes.keys.contains { $0.utf8.elementsEqual(word.utf8) })
        }
        for number in [nil, -1, 0, 5] as [Int?] {
            expectEqual(bag.maybe.contains(number), Array(bag.maybe).contains(number))
        }
        for size in [Size.small, .large] { expectEqual(bag.sizes.contains(size), Array(bag.sizes).contains(size)) }
        for value in [AnyRealmValue.int(1), .string("a"), .none] {
            expectEqual(bag.mixed.contains(value), Array(bag.mixed).contains(value))
        }
        // A number occurs once, whatever its type.
        expectEqual(bag.mixed.contains(.double(1)), Array(bag.mixed).contains(.int(1)))
        for other in bags {
            expectEqual(bag.bags.contains(other), Array(bag.bags).contains { $0.isSameObject(as: other) })
        }
        let day = Date(timeIntervalSince1970: 5.25)
        expectEqual(bag.dates.contains(day), Array(bag.dates).contains(day))
    }

    final class Sack: Object {
        @Persisted var numbers: List<Int>
        @Persisted var days: MutableSet<Date>
        @Persisted var weights: MutableSet<Double>
        @Persisted var prices: MutableSet<Decimal128?>
        @Persisted var things: MutableSet<AnyRealmValue>
        @Persisted var sacks: MutableSet<Sack>
        @Persisted var names: Map<String, Sack?>
    }

    /// Collections of several leaves, whose single elements are read in place.
    @Test func `elements of long collections are found by binary search`() throws {
        let test = TestRealm([Sack.self])
        test.configuration.encryptionKey = Data((0..<64).map { $0 })
        for realm in [try TestRealm([Sack.self]).open(), try test.open()] {
            let numbers = Array(0..<2500)
            let sack = try realm.write { realm.create(Sack.self) }
            try realm.write {
                sack.numbers.append(objectsIn: numbers)
                for number in numbers.reversed() {
                    let other = realm.create(Sack.self)
                    other.numbers.append(number)
                    sack.days.insert(Date(timeIntervalSince1970: Double(number) / 8))
                    sack.weights.insert(Double(number) / 4)
                    sack.prices.insert(Decimal128(number: number))
                    sack.things.insert(number % 2 == 0 ? .int(number) : .string("\(number)"))
                    sack.sacks.insert(other)
                    sack.names["\(number)"] = other
                }
                sack.weights.insert(.nan)
                sack.prices.insert(nil)
                sack.things.insert(.double(0.5))
            }
            // Each in a version in which nothing else was read.
            func inNewVersion(_ check: () -> Void) throws {
                try realm.write { realm.create(Sack.self) }
                check()
            }
            let others = realm.objects(Sack.self).dropFirst().prefix(3)
            for number in [0, 1, 999, 1000, 1001, 2499] {
                try inNewVersion { expect(sack.numbers[number] == number && sack.numbers.count == 2500) }
                try inNewVersion { expectEqual(sack.names["\(number)"]??.numbers.first, number) }
                try inNewVersion { expect(sack.days.contains(Date(timeIntervalSince1970: Double(number) / 8))) }
                try inNewVersion { expect(sack.weights.contains(Double(number) / 4)) }
                try inNewVersion { expect(sack.prices.contains(Decimal128(number: number))) }
                try inNewVersion { expectEqual(sack.things.contains(.int(number)), (number % 2 == 0)) }
                try inNewVersion { expectEqual(sack.things.contains(.string("\(number)")), (number % 2 == 1)) }
            }
            for other in others { try inNewVersion { expect(sack.sacks.contains(other)) } }
            try inNewVersion {
                expect(sack.names["x"] == nil && sack.names["2500"] == nil && sack.names[""] == nil)
                expect(!sack.days.contains(Date(timeIntervalSince1970: 0.1)) && !sack.weights.contains(0.1))
                expect(sack.prices.contains(nil) && !sack.prices.contains("0.5") && sack.things.contains(.float(0.5)))
                expect(!sack.things.contains(.none) && !sack.sacks.contains(sack))
            }
            // Enough reads to load the whole collection.
            try inNewVersion { expect((0..<2500).allSatisfy { sack.numbers[$0] == $0 }) }
            try inNewVersion {
                expect((0..<2500).allSatisfy { (number: Int) in sack.names["\(number)"]??.numbers.first == number })
            }
            try inNewVersion {
                expect((0..<2500).allSatisfy { sack.days.contains(Date(timeIntervalSince1970: Double($0) / 8)) })
            }
        }
    }

    /// Collections of objects in several clusters, read alternately by count and by single elements.
    @Test(arguments: [0, 1, 5, 63, 64, 65, 300])
    func `elements of short collections are read in place`(count: Int) throws {
        let test = TestRealm([Sack.self])
        test.configuration.encryptionKey = Data((0..<64).map { $0 })
        for realm in [try TestRealm([Sack.self]).open(), try test.open()] {
            let places = [0, 299, 599]
            try realm.write {
                let sacks = (0..<600).map { _ in realm.create(Sack.self) }
                for place in places {
                    for number in 0..<count {
                        sacks[place].numbers.append(place + number)
                        sacks[place].weights.insert(Double(place + number))
                        sacks[place].sacks.insert(sacks[number])
                        sacks[place].names["\(number)"] = sacks[number]
                    }
                }
            }
            let kept = places.map { realm.objects(Sack.self)[$0].numbers }
            for added in 0..<3 {
                for (index, place) in places.enumerated() {
                    func sack() -> Sack { realm.objects(Sack.self)[place] }
                    expect(sack().numbers.count == count + added && kept[index].count == count + added)
                    expect(sack().weights.count == count && sack().sacks.count == count)
                    expectEqual(sack().names.count, count)
                    for number in [0, count / 2, count - 1] where number >= 0 && number < count {
                        expectEqual(sack().numbers[number], place + number)
                        expectEqual(kept[index][number], place + number)
                        expect(sack().weights.contains(Double(place + number)))
                        expect(sack().sacks.contains(realm.objects(Sack.self)[number]))
                        expectEqual(
                            sack().names["\(number)"]??.isSameObject(as: realm.objects(Sack.self)[number]), true)
                    }
                    expectEqual(sack().numbers.first, (count + added > 0 ? count > 0 ? place : -1 : nil))
                    expectEqual(sack().numbers.last, (added > 0 ? -added : count > 0 ? place + count - 1 : nil))
                    expect(!sack().weights.contains(-1) && !sack().sacks.contains(realm.objects(Sack.self)[400]))
                    expect(sack().names["\(count)"] == nil && sack().names[""] == nil)
                }
                try realm.write { for numbers in kept { numbers.append(-1 - added) } }
            }
        }
    }

    /// A frozen collection reads nothing before the first access; then any threads read some or all of it.
    @Test(arguments: [5, 3000]) func `frozen collections are read by many threads at once`(count: Int) throws {
        let test = TestRealm([Sack.self])
        test.configuration.encryptionKey = Data((0..<64).map { $0 })
        for realm in [try TestRealm([Sack.self]).open(), try test.open()] {
            let sack = try realm.write {
                let sack = realm.create(Sack.self)
                for number in 0..<count {
                    sack.numbers.append(number)
                    sack.weights.insert(Double(number))
                    sack.names["\(number)"] = sack
                }
                return sack
            }
            for _ in 0..<8 {
                let frozen = sack.freeze()
                let (numbers, weights, names) = (frozen.numbers, frozen.weights, frozen.names)
                nonisolated(unsafe) let shared = (frozen: frozen, numbers: numbers, weights: weights, names: names)
                let wrong = Mutex(0)
                DispatchQueue.concurrentPerform(iterations: 4) { thread in
                    func note(_ holds: Bool) { if !holds { wrong.withLock { $0 += 1 } } }
                    for round in 0..<40 {
                        let number = (thread * 7919 + round * 104_729) % count
                        note(shared.numbers.count == count && shared.frozen.numbers.count == count)
                        note(shared.numbers[number] == number && shared.frozen.numbers[number] == number)
                        note(shared.weights.contains(Double(number)) && !shared.weights.contains(0.5))
                        note(shared.names["\(number)"]??.numbers.last == count - 1 && shared.names["x"] == nil)
                        if round == 20 * (thread % 2) { note(shared.numbers.reduce(0, +) == count * (count - 1) / 2) }
                    }
                }
                expectEqual(wrong.withLock { $0 }, 0)
                // Another version has other frozen objects.
                try realm.write { realm.create(Sack.self) }
            }
        }
    }

    @Test func `only existing elements are found`() throws {
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
        expectEqual(bag.notes["a"]?.listValue?.first, .int(0))
        expect(!bag.bags.contains(Bag()) && realm.objects(Bag.self).count == 3, "who asks adds nothing")
        bag.words.remove("a")
        bag.prices["B"] = nil
        bag.bags.insert(bags[2])
        realm.delete(bags[1])
        expect(!bag.bags.contains(bags[1]))
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
