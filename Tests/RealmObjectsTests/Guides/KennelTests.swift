import Expectations
import Foundation
import RealmCore
import RealmLayout
import RealmObjects
import Testing

/// Uses of dogs and persons from the guides, value by value.
@Suite struct KennelTests {
    @Test func `objects in memory behave like any object`() {
        let dog = Dog(name: "Rex", age: 3)
        expectEqual(dog.realm, nil)
        expect(dog.name == "Rex" && dog.age == 3 && dog.breed == nil && dog.owner == nil)
        expectEqual(dog._id, dog._id)
        dog.breed = "Poodle"
        expectEqual(dog.breed, "Poodle")
        let person = Person(id: 1, name: "Ann", address: Address(value: ["street": "1 Lane", "city": "Oz"]))
        person.dogs.append(dog)
        expect(person.dogs.count == 1 && person.dogs[0] === dog)
        expectEqual(person.address?.city, "Oz")
        expect(dog.keepers.isEmpty)
    }

    @Test func `objects are created from values by name and position`() {
        let ben = Dog(value: ["name": "Ben", "age": 13])
        expect(ben.name == "Ben" && ben.age == 13)
        let jane = Person(value: [27, "Jane"])
        expect(jane.id == 27 && jane.name == "Jane")
        let family = Person(value: [
            "id": 2, "name": "Tim", "dogs": [["name": "A"], ["name": "B", "age": 2]], "address": ["city": "X"],
        ])
        expect(family.dogs.map(\.name) == ["A", "B"] && family.address?.city == "X")
    }

    @Test func `added objects are live`() throws {
        let file = TestRealm(kennelTypes)
        let realm = try file.open()
        let dog = Dog(name: "Rex", age: 3)
        try realm.write { realm.add(dog) }
        expect(dog.realm == realm && dog.name == "Rex")
        let other = try #require(realm.objects(Dog.self).first)
        expect(other !== dog && other == dog && other.isSameObject(as: dog))
        try realm.write {
            dog.age = 4
            expect(dog.age == 4 && other.age == 4)
            dog.name = "Max"
            other.breed = "Pug"
        }
        expect(other.age == 4 && other.name == "Max" && dog.breed == "Pug")
        let found = realm.object(ofType: Dog.self, forPrimaryKey: dog._id)
        expectEqual(found?.name, "Max")
        expectEqual(realm.object(ofType: Dog.self, forPrimaryKey: ObjectId()), nil)
        let snapshot = try file.verified()
        let stored = try #require(
            try snapshot.table(named: "Dog").object(primaryKey: .objectId(ObjectID(dog._id.stringValue)!)))
        try expectEqual(stored["name"], .string("Max"))
        try expectEqual(stored["age"], .int(4))
        try expectEqual(stored["breed"], .string("Pug"))
    }

    @Test func `links and lists lead to objects and back`() throws {
        let file = TestRealm(kennelTypes)
        let realm = try file.open()
        let person = Person(id: 1, name: "Ann", address: Address(value: ["street": "1 Lane", "country": "Oz"]))
        let rex = Dog(name: "Rex", age: 3)
        rex.owner = person
        person.dogs.append(rex)
        person.dogs.append(Dog(name: "Fido", age: 5))
        let kept = person.dogs
        try realm.write { realm.add(person) }
        expect(rex.realm == realm && kept.realm == realm)
        expectEqual(person.dogs.map(\.name), ["Rex", "Fido"])
        expectEqual(rex.owner?.address?.country, "Oz")
        expect(rex.keepers.count == 1 && rex.keepers[0].name == "Ann")
        expectEqual(realm.objects(Dog.self).count, 2)
        try realm.write {
            rex.owner?.address?.country = "Kansas"
            expectEqual(person.address?.country, "Kansas")
            person.dogs.append(Dog(name: "Lassie", age: 1))
            expect(person.dogs.count == 3 && person.dogs[2].name == "Lassie")
            person.dogs.move(from: 2, to: 0)
            expectEqual(person.dogs.map(\.name), ["Lassie", "Rex", "Fido"])
            person.dogs.remove(at: 1)
            expectEqual(person.dogs.map(\.name), ["Lassie", "Fido"])
        }
        expectEqual(kept.map(\.name), ["Lassie", "Fido"])
        expect(rex.keepers.isEmpty)
        try realm.write {
            person.address = Address(value: ["city": "Emerald"])
            expectEqual(person.address?.city, "Emerald")
        }
        expect(person.address?.country == nil && person.address?.city == "Emerald")
        try realm.write { realm.delete(rex) }
        expect(rex.isInvalidated)
        expectEqual(realm.objects(Dog.self).count, 2)
        let snapshot = try file.verified()
        try expectEqual(snapshot.table(named: "Address").count, 1)
    }

    @Test func `embedded objects live in lists`() throws {
        let file = TestRealm(kennelTypes)
        let realm = try file.open()
        let club = DogClub(value: [
            "name": "Paws", "regionalOffices": [["city": "A"], ["city": "B"]], "tags": ["x", "y", "x"],
        ])
        club.prices["entry"] = 2.5
        try realm.write { realm.add(club) }
        let office = club.regionalOffices[1]
        expectEqual(office.city, "B")
        try realm.write {
            office.city = "C"
            let added = Address(value: ["city": "D"])
            club.regionalOffices.append(added)
            expect(added.realm == realm && added.city == "D")
            added.street = "S"
            club.prices["exit"] = 1
            club.prices["entry"] = nil
            club.tags.insert("z")
            club.tags.remove("x")
            club.founded = 1999
        }
        expectEqual(club.regionalOffices.map(\.city), ["A", "C", "D"])
        expectEqual(club.regionalOffices[2].street, "S")
        expectEqual(Set(club.tags), ["y", "z"])
        expect(club.prices.keys == ["exit"] && club.prices["exit"] == 1)
        expectEqual(club.founded, 1999)
        try realm.write { club.regionalOffices.remove(at: 0) }
        try expectEqual(file.verified().table(named: "Address").count, 2)
    }

    @Test func `objects are created and updated by their primary key`() throws {
        let file = TestRealm(kennelTypes)
        let realm = try file.open()
        try realm.write {
            realm.create(Person.self, value: ["id": 1, "name": "Jane", "dogs": [["name": "A", "age": 1]]])
            realm.create(Person.self, value: [2, "Tim"])
            let updated = realm.create(Person.self, value: ["id": 1, "name": "Joan"], update: .modified)
            expect(updated.dogs.count == 1 && updated.name == "Joan")
            realm.add(Person(id: 2, name: "Tom"), update: .all)
        }
        expectEqual(realm.objects(Person.self).map(\.name), ["Joan", "Tom"])
        expectEqual(realm.objects(Person.self).count, 2)
        try realm.write { realm.deleteAll() }
        expect(realm.isEmpty)
        _ = try file.verified()
    }

    @Test func `cancelled changes are gone`() throws {
        struct Stop: Error {}
        let file = TestRealm(kennelTypes)
        let realm = try file.open()
        let dog = Dog(name: "Rex", age: 3)
        try realm.write { realm.add(dog) }
        let other = Dog(name: "New", age: 0)
        #expect(throws: Stop.self) {
            try realm.write {
                dog.age = 10
                realm.add(other)
                throw Stop()
            }
        }
        expect(dog.age == 3 && realm.objects(Dog.self).count == 1)
        expect(other.isInvalidated)
        realm.beginWrite()
        dog.age = 7
        realm.cancelWrite()
        expectEqual(dog.age, 3)
        realm.beginWrite()
        dog.age = 7
        try realm.commitWrite()
        expect(dog.age == 7 && !realm.isInWriteTransaction)
        try realm.write { realm.add(Dog(name: "Next", age: 1)) }
        expect(other.isInvalidated)
    }

    @Test func `objects are found, sorted and totalled`() throws {
        let file = TestRealm(kennelTypes)
        let realm = try file.open()
        try realm.write {
            for index in 0..<20 {
                let person = Person(
                    id: index, name: "P\(index)", address: index % 2 == 0 ? Address(value: ["country": "Oz"]) : nil)
                for age in 0..<(index % 4) { person.dogs.append(Dog(name: "D\(index)-\(age)", age: age + index)) }
                realm.add(person)
            }
        }
        let people = realm.objects(Person.self)
        expectEqual(people.filter("id > %@", 15).map(\.id), [16, 17, 18, 19])
        expectEqual(people.where { $0.id > 15 && $0.id < 18 }.map(\.id), [16, 17])
        expectEqual(people.where { $0.address.country == "Oz" }.count, 10)
        expectEqual(people.where { $0.dogs.count == 3 }.map(\.id), [3, 7, 11, 15, 19])
        expectEqual(people.where { $0.dogs.age > 20 }.map(\.id), [19])
        expectEqual(people.where { !($0.name.starts(with: "P1")) || $0.id == 1 }.count, 10)
        expectEqual(people.where { $0.name.contains("p3", options: .caseInsensitive) }.map(\.id), [3])
        expectEqual(people.where { $0.id.in([1, 2, 99]) }.map(\.id), [1, 2])
        expectEqual(people.where { ($0.dogs.age > 19 && $0.dogs.name.ends(with: "2")).count > 0 }.map(\.id), [19])
        expectEqual(people.sorted(by: \.name, ascending: false).first?.name, "P9")
        expectEqual(people.sorted(byKeyPath: "id", ascending: false).filter("id < 3").map(\.id), [2, 1, 0])
        let dogs = realm.objects(Dog.self)
        expectEqual(
            dogs.sum(of: \.age),
            (0..<20).reduce(0) { sum, index in sum + (0..<(index % 4)).reduce(0) { $0 + $1 + index } })
        expect(dogs.max(ofProperty: "age") == 21 && dogs.min(of: \.age) == 1)
        expectEqual(dogs.distinct(by: [\Dog.age]).count, Set(dogs.map(\.age)).count)
        let average: Double? = dogs.average(ofProperty: "age")
        expectEqual(average, Double(dogs.sum(of: \.age)) / Double(dogs.count))
        let owner = try #require(people.last)
        expectEqual(owner.dogs.filter("age > 19").map(\.age), [20, 21])
        expectEqual(owner.dogs.sorted(by: \.age, ascending: false).map(\.age), [21, 20, 19])
        expectEqual(dogs.where { $0.keepers.name == "P3" }.count, 3)
        expectEqual(people.index(matching: "id == 7"), 7)
        expectEqual(people[2..<5].map(\.id), [2, 3, 4])
        let live = dogs.where { $0.age >= 100 }
        expect(live.isEmpty)
        try realm.write {
            owner.dogs[0].age = 100
            expectEqual(live.count, 1)
        }
        expect(live.count == 1 && live[0].age == 100)
    }

    @Test func `properties are read and set by name`() throws {
        let file = TestRealm(kennelTypes)
        let realm = try file.open()
        let dog = Dog(name: "Rex", age: 3)
        dog["breed"] = "Pug"
        try realm.write { realm.add(dog) }
        expect(dog["name"] as? String == "Rex" && dog["breed"] as? String == "Pug")
        try realm.write { dog["age"] = 9 }
        expectEqual(dog.age, 9)
        let dynamic = try #require(realm.dynamicObjects("Dog").first)
        expect(dynamic["name"] as? String == "Rex" && dynamic.age as? Int == 9)
        expectEqual(dog.objectSchema.properties.map(\.name), ["_id", "name", "age", "breed", "owner"])
        expectEqual(dog.objectSchema.primaryKeyProperty?.name, "_id")
        expectEqual(realm.schema.objectSchema.map(\.className), ["Address", "Dog", "DogClub", "Person"])
        expect(dog.description.contains("name = Rex;"))
    }
}
