import Expectations
import Foundation
import RealmObjects
import Testing

/// Details of the meaning of NSPredicate and RealmSwift's queries.
@Suite struct AskingTests {
    final class Owner: Object {
        @Persisted(primaryKey: true) var name = ""
        @Persisted var pets: List<Pet>
        @Persisted var first: Owner?
        @Persisted var byName: Map<String, Pet?>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Pet: Object {
        @Persisted var name = ""
        @Persisted var age = 0
        @Persisted var weight: Double?
        @Persisted var born = Date(timeIntervalSince1970: 0)
        @Persisted var isOld = false
        @Persisted var owner: Owner?
        @Persisted(originProperty: "pets") var owners: LinkingObjects<Owner>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private func pet(_ name: String, _ age: Int) -> Pet {
        let day = Date(timeIntervalSince1970: Double(age))
        return Pet(
            value: ["name": name, "age": age, "weight": Double(age), "born": day, "isOld": age > 5] as [String: Any])
    }

    /// Ann has pets of 1 and 9 years, Bob one of 3, Cec none. Bob is the first of Cec, and Ann the first of Bob.
    private func open() throws -> Realm {
        let realm = try TestRealm([Owner.self, Pet.self]).open()
        try realm.write {
            let (ann, bob) = (Owner(value: ["name": "Ann"]), Owner(value: ["name": "Bob"]))
            ann.pets.append(objectsIn: [pet("a", 1), pet("b", 9)])
            bob.pets.append(pet("c", 3))
            (ann.byName["x"], ann.byName["y"], bob.byName["x"]) = (ann.pets[0], ann.pets[1], bob.pets[0])
            bob.first = ann
            realm.add([ann, bob, Owner(value: ["name": "Cec", "first": bob])])
        }
        return realm
    }

    private func names(_ owners: Results<Owner>) -> [String] { owners.map(\.name).sorted() }

    @Test func `one single object of a collection lies in a range with its ends`() throws {
        let owners = try open().objects(Owner.self)
        func time(_ age: Int) -> Date { Date(timeIntervalSince1970: Double(age)) }
        expectEqual(names(owners.filter("ANY pets.age BETWEEN {2, 5}")), ["Bob"])
        expectEqual(names(owners.where { $0.pets.age.contains(2...5) }), ["Bob"])
        expectEqual(names(owners.where { $0.pets.age.contains(1...8) }), ["Ann", "Bob"])
        expectEqual(names(owners.where { $0.pets.weight.contains(2.0...5.0) }), ["Bob"])
        expectEqual(names(owners.where { $0.pets.born.contains(time(2)...time(5)) }), ["Bob"])
        expectEqual(names(owners.where { $0.byName.values.age.contains(2...5) }), ["Bob"])
        expectEqual(names(owners.where { $0.first.pets.age.contains(2...5) }), ["Cec"])
        expectEqual(names(owners.where { !$0.pets.age.contains(2...5) }), ["Ann", "Cec"])
        expectEqual(names(owners.where { $0.pets.age.contains(2...5) || $0.pets.age.contains(9...9) }), ["Ann", "Bob"])
        // For a half-open range, each bound is a separate condition, as in RealmSwift.
        expectEqual(names(owners.where { $0.pets.age.contains(2..<5) }), ["Ann", "Bob"])
        // The pets of a subquery are single objects anyway.
        expectEqual(names(owners.where { ($0.pets.age.contains(2...5) && $0.pets.name == "c").count == 1 }), ["Bob"])
        let pets = try #require(owners.realm).objects(Pet.self)
        expectEqual(pets.where { $0.age.contains(2...5) }.map(\.name), ["c"])
        expectEqual(pets.where { $0.owners.pets.age.contains(2...5) }.map(\.name), ["c"])
    }

    @Test func `SELF is the queried object`() throws {
        let realm = try open()
        let (owners, pets) = (realm.objects(Owner.self), realm.objects(Pet.self))
        expectEqual(names(owners.filter("SELF.name == %@", "Ann")), ["Ann"])
        expectEqual(names(owners.filter("ANY self.pets.age > 5 AND Self.first == nil")), ["Ann"])
        expectEqual(names(owners.filter("SUBQUERY(SELF.pets, $pet, $pet.age < 5).@count == 1")), ["Ann", "Bob"])
        // Booleans are numbers after it too.
        expectEqual(pets.filter("SELF.isOld == 1").map(\.name), ["b"])
        expectEqual(owners.first?.pets.index(matching: "SELF.age > 3"), 1)
        let list = List<Pet>()
        list.append(objectsIn: [pet("x", 1), pet("y", 2)])
        expectEqual(list.index(matching: "self.age == %d", 2), 1)
    }

    @Test(arguments: ["%d", "%li", "%hd", "%hhu", "%lld", "%qu", "%zd", "%x", "%tX", "%i", "%@", "%g", "%Lf", "%e"])
    func `placeholders of values are those of printf`(form: String) throws {
        let pets = try open().objects(Pet.self)
        expectEqual(pets.filter("age > \(form) AND name != %@", 2, "c").map(\.name), ["b"])
    }

    @Test func `a stored condition uses the current values of its objects`() throws {
        let realm = try open()
        let (pets, dan) = (realm.objects(Pet.self), Owner(value: ["name": "Dan"]))
        let isHis = RealmPredicate(format: "owner == %@", dan)
        let isAmong = RealmPredicate(format: "owner IN %@", [dan])
        let isOther = RealmPredicate(notPredicateWithSubpredicate: isHis)
        let isBoth = RealmPredicate(andPredicateWithSubpredicates: [isHis, RealmPredicate(format: "age < %d", 5)])
        func found() -> [Int] { [isHis, isAmong, isOther, isBoth].map { pets.filter($0).count } }
        expectEqual(found(), [0, 0, 3, 0])
        try realm.write {
            realm.add(dan)
            for pet in pets where pet.age != 3 { pet.owner = dan }
        }
        expectEqual(found(), [2, 2, 1, 1])
        let isStillHis = RealmPredicate(format: "owner == %@", dan)
        expectEqual(pets.filter(isStillHis).count, 2)
        try realm.write { realm.delete(dan) }
        expect(found() == [0, 0, 3, 0] && pets.filter(isStillHis).isEmpty)
    }
}
