import Expectations
import Foundation
import RealmObjects
import Testing

/// Queries on unmanaged objects, and comparisons with managed ones.
@Suite struct MatchingTests {
    struct Coin: CustomPersistable {
        var cents: Int
        var land: String?
        var persistableValue: Metal { Metal(value: [cents, land as Any]) }
        init(persistedValue: Metal) { (cents, land) = (persistedValue.cents, persistedValue.land) }
        init(_ cents: Int, _ land: String?) { (self.cents, self.land) = (cents, land) }
    }

    final class Metal: EmbeddedObject {
        @Persisted var cents = 0
        @Persisted var land: String?
    }

    final class Purse: Object {
        @Persisted var name = ""
        @Persisted var coin: Coin
        @Persisted var other: Coin?
        @Persisted var coins: List<Coin>
        @Persisted var kept: Map<String, Coin?>
        @Persisted var thing: AnyRealmValue
        @Persisted var things: List<AnyRealmValue>
        @Persisted var named: Map<String, Dog?>
        @Persisted var days: List<Date>
        @Persisted var purses: List<Purse>
        @Persisted var numbers: List<Int>
    }

    private let types: [ObjectBase.Type] = [Purse.self, Metal.self] + kennelTypes

    private func names(_ purses: Results<Purse>) -> [String] { purses.map(\.name).sorted() }

    @Test func `lists in memory are queried like those of a realm`() throws {
        let numbers = List<Int>()
        numbers.append(objectsIn: [3, 7, 7, 9])
        expect(numbers.index(matching: "self == 7") == 1 && numbers.index(matching: "SELF > %@", 8) == 3)
        expect(numbers.index(matching: { $0 > 7 && $0 < 10 }) == 3 && numbers.index(matching: { $0 == 4 }) == nil)
        let texts = List<String?>()
        texts.append(objectsIn: ["a", nil, "Bc"])
        expect(texts.index(matching: "self == nil") == 1 && texts.index(matching: "self BEGINSWITH[c] 'b'") == 2)
        let ann = Person(id: 1, name: "Ann")
        let dogs = [Dog(name: "Rex", age: 3), Dog(name: "Bea", age: 5), Dog(name: "Ida", age: 5)]
        dogs[2].owner = ann
        ann.dogs.append(objectsIn: dogs)
        expectEqual(ann.dogs.index(matching: "age == 5 AND owner.name == 'Ann'"), 2)
        expect(ann.dogs.index(matching: { $0.name == "Bea" }) == 1 && ann.dogs.index(matching: "age > 5") == nil)
        expect(dogs.allSatisfy { $0.realm == nil } && ann.realm == nil)
    }

    /// In another database, an object's key identifies a different object or none: RealmSwift raises an exception.
    @Test func `a query with an object of another database ends the program`() async throws {
        let text = "Object must be from the Realm being queried"
        let results = [
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let (dogs, ann) = try Self.strangers()
                _ = dogs.filter("owner == %@", ann).count
            },
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let (dogs, ann) = try Self.strangers()
                _ = dogs.filter(
                    RealmPredicate(notPredicateWithSubpredicate: RealmPredicate(format: "owner IN %@", [ann])))
            },
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let (dogs, ann) = try Self.strangers()
                _ = dogs.where { $0.owner == ann || $0.age == 3 }.count
            },
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let (dogs, ann) = try Self.strangers()
                _ = dogs.index { $0.owner == ann }
            },
        ]
        for result in results {
            let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            expect(said.contains(text))
        }
        let realm = try TestRealm(kennelTypes).open()
        let ann = Person(id: 1, name: "Ann")
        ann.dogs.append(Dog(name: "Rex", age: 3))
        try realm.write {
            realm.add(ann)
            ann.dogs[0].owner = ann
        }
        // A frozen object belongs to the same database.
        expectEqual(realm.objects(Dog.self).filter("owner == %@", ann.freeze()).count, 1)
        expectEqual(realm.freeze().objects(Dog.self).where { $0.owner == ann }.count, 1)
    }

    /// Returns dogs, and a person of another database.
    private static func strangers() throws -> (Results<Dog>, Person) {
        let (realm, other) = (try TestRealm(kennelTypes).open(), try TestRealm(kennelTypes).open())
        let ann = Person(id: 1, name: "Ann")
        try other.write { other.add(ann) }
        return (realm.objects(Dog.self), ann)
    }

    @Test func `unmanaged objects are not found`() throws {
        let realm = try TestRealm(kennelTypes).open()
        let ann = Person(id: 1, name: "Ann")
        ann.dogs.append(Dog(name: "Rex", age: 3))
        try realm.write { realm.add([ann, Person(id: 2, name: "Bob")]) }
        let (people, dogs, stranger) = (realm.objects(Person.self), realm.objects(Dog.self), Dog(name: "Rex", age: 3))
        expect(
            people.where { $0.dogs.contains(stranger) }.isEmpty && people.filter("ANY dogs == %@", stranger).isEmpty)
        expectEqual(people.where { $0.dogs.containsAny(in: [stranger, ann.dogs[0]]) }.map(\.name), ["Ann"])
        expect(people.filter("ANY dogs IN %@", [stranger]).isEmpty)
        // The dog's owner is null, which is not the same as an unmanaged object.
        expect(dogs.where { $0.owner == Person(id: 3, name: "C") }.isEmpty)
        expectEqual(dogs.where { $0.owner != Person(id: 3, name: "C") }.count, 1)
        expect(dogs.where { $0.owner == nil }.count == 1 && dogs.where { $0.owner == ann }.isEmpty)
    }

    @Test func `an unmanaged object is in no list, whatever the quantifier`() throws {
        let realm = try TestRealm(types).open()
        let (rex, gone, stranger) = (Dog(name: "Rex", age: 3), Dog(name: "Old", age: 9), Dog(name: "Rex", age: 3))
        let (ann, bob) = (Person(id: 1, name: "Ann"), Person(id: 2, name: "Bob"))
        ann.dogs.append(rex)
        try realm.write {
            realm.add([ann, bob])
            realm.add(gone)
            realm.delete(gone)
            for thing: AnyRealmValue in [.none, .int(1), .object(rex)] {
                realm.create(Purse.self, value: ["thing": thing])
            }
            let full = realm.objects(Purse.self)[0]
            full.name = "a"
            full.named["k"] = rex
            full.things.append(.object(rex))
        }
        func people(_ text: String, _ arguments: Any...) -> String {
            realm.objects(Person.self).filter(RealmPredicate(format: text, argumentArray: arguments)).map(\.name)
                .joined(separator: " ")
        }
        for nobody in [stranger, gone] {
            expect(people("ANY dogs != %@", nobody) == "Ann" && people("%@ != ANY dogs", nobody) == "Ann")
            expect(people("ALL dogs == %@", nobody) == "Bob" && people("ALL dogs != %@", nobody) == "Ann Bob")
            expect(people("NONE dogs == %@", nobody) == "Ann Bob" && people("NONE dogs != %@", nobody) == "Bob")
            expect(people("ANY dogs IN {%@, %@}", nobody, rex) == "Ann" && people("ANY dogs IN {%@}", nobody).isEmpty)
            expect(people("NOT ANY dogs IN {%@}", nobody) == "Ann Bob" && people("%@ IN dogs", nobody).isEmpty)
            let purses = realm.objects(Purse.self)
            expect(purses.filter("thing == %@", nobody).isEmpty && purses.filter("thing != %@", nobody).count == 3)
            expect(purses.where { $0.thing == .object(nobody) }.isEmpty)
            expect(names(purses.where { $0.named.values == nobody }).isEmpty)
            expectEqual(names(purses.where { $0.named.values != nobody }), ["a"])
            expectEqual(names(purses.filter("named.@allValues != %@", nobody)), ["a"])
            expect(
                names(purses.filter("ANY things != %@", nobody)) == ["a"]
                    && purses.filter("ALL things != %@", nobody).count == 3)
        }
    }

    @Test func `custom types stored as embedded objects are compared member by member`() throws {
        let realm = try TestRealm(types).open()
        let (mark, krone) = (Coin(100, "D"), Coin(100, "S"))
        try realm.write {
            let (one, two) = (Purse(value: ["name": "one"]), Purse(value: ["name": "two"]))
            (one.coin, one.other, two.coin) = (mark, mark, krone)
            one.coins.append(objectsIn: [mark, Coin(5, nil)])
            // Each property matches in one of them, but not in the same one.
            two.coins.append(objectsIn: [krone, Coin(5, "D")])
            one.kept["k"] = mark
            two.kept["k"] = krone
            realm.add([one, two])
        }
        let purses = realm.objects(Purse.self)
        expect(
            names(purses.where { $0.coin == mark }) == ["one"] && names(purses.where { $0.coin != mark }) == ["two"])
        expect(
            names(purses.where { $0.other == mark }) == ["one"] && names(purses.where { $0.other != mark }) == ["two"])
        expect(
            names(purses.where { $0.coins == mark }) == ["one"]
                && names(purses.where { $0.coins.contains(krone) }) == ["two"])
        expectEqual(names(purses.where { $0.coins != mark }), ["one", "two"])
        expectEqual(names(purses.where { $0.coins == Coin(5, nil) }), ["one"])
        expect(
            names(purses.where { $0.kept.values == mark }) == ["one"]
                && names(purses.where { $0.kept.values != mark }) == ["two"])
        expectEqual(names(purses.where { $0.coin.persistableValue.land == "S" || $0.coin == mark }), ["one", "two"])
    }

    @Test func `lists and dictionaries in mixed values are compared by content`() throws {
        let realm = try TestRealm(types).open()
        let things: [AnyRealmValue] = [
            .fromArray([.int(1), .string("a"), .none]), .fromArray([.int(1)]), .fromArray([]),
            .fromDictionary(["k": .int(1), "l": .fromArray([.bool(true)])]), .int(1),
        ]
        try realm.write {
            for (index, thing) in things.enumerated() {
                let purse = Purse(value: ["name": "\(index)"])
                purse.thing = thing
                realm.add(purse)
            }
        }
        let purses = realm.objects(Purse.self)
        for (index, thing) in things.enumerated() {
            expectEqual(names(purses.where { $0.thing == thing }), ["\(index)"], "\(index)")
        }
        expectEqual(names(purses.where { $0.thing != things[1] }), ["0", "2", "3", "4"])
        expect(purses.where { $0.thing == .fromArray([.int(2)]) }.isEmpty)
        expect(purses.where { $0.thing == .fromDictionary(["k": .int(1), "l": .fromArray([.bool(false)])]) }.isEmpty)
    }

    @Test func `one common element is enough for a match`() throws {
        let realm = try TestRealm(types + kennelTypes).open()
        try realm.write {
            realm.add(Purse(value: ["name": "one", "numbers": [1, 2]]))
            realm.add(Purse(value: ["name": "two", "numbers": [3]]))
            let ann = Person(id: 1, name: "Ann")
            ann.dogs.append(objectsIn: [Dog(name: "Rex", age: 3), Dog(name: "Bea", age: 5)])
            realm.add(ann)
            realm.add(DogClub(value: ["prices": ["a": 1.0, "b": 2.0], "tags": ["x", "y"]]))
        }
        let purses = realm.objects(Purse.self)
        expectEqual(names(purses.where { $0.numbers.containsAny(in: [2, 7, 9]) }), ["one"])
        expectEqual(names(purses.where { $0.numbers.containsAny(in: [2, 3]) }), ["one", "two"])
        expect(purses.where { $0.numbers.containsAny(in: []) }.isEmpty)
        expectEqual(realm.objects(Person.self).where { $0.dogs.age.in([4, 5, 6]) }.count, 1)
        expect(realm.objects(Person.self).where { $0.dogs.age.in([4, 6]) }.isEmpty)
        expectEqual(
            realm.objects(Person.self).where { ($0.dogs.age.in([3, 4, 6]) && $0.dogs.name == "Rex").count == 1 }.count,
            1)
        let clubs = realm.objects(DogClub.self)
        expectEqual(
            clubs.where { $0.tags.containsAny(in: ["y", "z"]) && $0.prices.containsAny(in: [7, 2, 3]) }.count, 1)
        expect(
            clubs.where { $0.prices["b"].in([2, 5]) }.count == 1 && clubs.where { $0.prices["b"].in([1, 5]) }.isEmpty)
        expectEqual(clubs.where { $0.prices.keys.in(["b", "c"]) }.count, 1)
    }

    final class Switches: Object {
        @Persisted var list: List<Bool>
        @Persisted var set: MutableSet<Bool>
        @Persisted var map: Map<String, Bool>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    @Test func `collections of truth values are matched`() throws {
        let realm = try TestRealm([Switches.self]).open()
        try realm.write {
            realm.add(Switches(value: ["list": [true], "set": [true], "map": ["a": true]]))
            realm.add(Switches(value: ["list": [false], "set": [false], "map": ["a": false]]))
        }
        let all = realm.objects(Switches.self)
        expectEqual(all.where { $0.list.containsAny(in: [true, true]) }.count, 1)
        expectEqual(all.where { $0.set.containsAny(in: [true, true]) }.count, 1)
        expectEqual(all.where { $0.map.containsAny(in: [true, true]) }.count, 1)
        expect(all.where { $0.set.contains(true) }.count == 1 && all.where { $0.map.values == false }.count == 1)
    }

    @Test func `ranges of dates and nested subqueries are matched`() throws {
        let realm = try TestRealm(types).open()
        func day(_ number: Int) -> Date { Date(timeIntervalSince1970: Double(number) * 86_400) }
        try realm.write {
            let (one, two) = (Purse(value: ["name": "one"]), Purse(value: ["name": "two"]))
            one.days.append(objectsIn: [day(1), day(3)])
            two.days.append(objectsIn: [day(2), day(9)])
            two.numbers.append(objectsIn: [1, 2])
            one.purses.append(two)
            two.purses.append(one)
            realm.add([one, two])
        }
        let purses = realm.objects(Purse.self)
        expectEqual(names(purses.where { $0.days.contains(day(1)...day(3)) }), ["one"])
        expectEqual(names(purses.where { $0.days.contains(day(2)..<day(9)) }), [])
        expectEqual(purses.filter("days.@max == %@", day(9)).count, 1)
        expectEqual(names(purses.where { ($0.purses.numbers.count >= 2).count > 0 }), ["one"])
        expectEqual(
            names(purses.where { ($0.purses.numbers.count == 0 && $0.purses.name == "one").count == 1 }), ["two"])
        // The inner collection belongs to the outer object.
        expectEqual(
            names(purses.where { ($0.purses.numbers.count >= 2 && ($0.purses.name == "one").count == 1).count == 1 }),
            ["one"])
    }

    @Test func `key paths continue after keys and custom types`() {
        expect(
            _name(for: \Purse.kept) == "kept" && _name(for: \Purse.coin) == "coin"
                && _name(for: \Purse.coins) == "coins")
        expectEqual(_name(for: \Wardrobe.drawers["a"]??.things), "drawers.things")
    }

    final class Wardrobe: Object {
        @Persisted var drawers: Map<String, Drawer?>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Drawer: Object {
        @Persisted var things: List<Int>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    struct Even: FailableCustomPersistable {
        let number: Int
        var persistableValue: Int { number }
        init?(persistedValue: Int) {
            guard persistedValue.isMultiple(of: 2) else { return nil }
            number = persistedValue
        }
    }

    final class Scale: Object {
        @Persisted var weight: Even?
        @Persisted var weights: List<Even?>
        @Persisted var named: Map<String, Even?>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    @Test func `a value that an optional refuses is nil`() throws {
        let values: [String: Any] = ["weight": 3, "weights": [2, 3, NSNull()], "named": ["a": 5, "b": 6]]
        let realm = try TestRealm([Scale.self]).open()
        let made = try realm.write { realm.create(Scale.self, value: values) }
        for scale in [Scale(value: values), made] {
            expect(scale.weight == nil && scale.weights.map { $0?.number } == [2, nil, nil])
            expect(scale.named["b"]??.number == 6 && scale.named["a"]! == nil && scale.named.count == 2)
        }
    }

    @Test func `maps in memory compute totals`() {
        let kennel = Kennel()
        kennel.dogs["a"] = Dog(name: "Rex", age: 3)
        kennel.dogs["b"] = Dog(name: "Bea", age: 6)
        kennel.dogs["c"] = .some(nil)
        expect(kennel.dogs.max(ofProperty: "age") as Int? == 6 && kennel.dogs.min(of: \.age) == 3)
        expect(
            kennel.dogs.sum(ofProperty: "age") as Int == 9 && kennel.dogs.average(ofProperty: "age") as Double? == 4.5)
    }

    final class Kennel: Object {
        @Persisted var dogs: Map<String, Dog?>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }
}
