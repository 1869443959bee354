import Expectations
import RealmObjects
import Testing

/// Objects that are created from other objects.
@Suite struct CreationTests {
    @Test func `objects of another realm are copied`() throws {
        let (file, otherFile) = (TestRealm(kennelTypes), TestRealm(kennelTypes))
        let (realm, other) = (try file.open(), try otherFile.open())
        let ann = Person(id: 1, name: "Ann", address: Address(value: ["street": "Main Street"]))
        let rex = Dog(name: "Rex", age: 3)
        rex.owner = ann
        ann.dogs.append(objectsIn: [rex, rex])
        try other.write { other.add(ann) }
        let copy = try realm.write { realm.create(Person.self, value: ann) }
        expect(copy.realm == realm && copy.dogs.map(\.name) == ["Rex", "Rex"] && copy.dogs[0].age == 3)
        // Cycles are preserved in the copy.
        expect(copy.dogs[0].owner?.isSameObject(as: copy) ?? false && realm.objects(Person.self).count == 1)
        expect(copy.address?.street == "Main Street" && realm.objects(Dog.self).count == 1)
        expect(ann.realm == other && ann.dogs.count == 2 && ann.address?.realm == other)
        try other.write {
            ann.name = "Anna"
            rex.age = 4
        }
        try realm.write { realm.create(Person.self, value: ann, update: .modified) }
        expect(copy.name == "Anna" && copy.dogs[0].age == 4 && realm.objects(Dog.self).count == 1)
    }

    @Test func `objects in memory stay in memory`() throws {
        let file = TestRealm(kennelTypes)
        let realm = try file.open()
        let (rex, address) = (Dog(name: "Rex", age: 3), Address(value: ["city": "Busan"]))
        let made = try realm.write {
            realm.create(Person.self, value: ["id": 1, "dogs": [rex], "address": address] as [String: Any])
        }
        expect(rex.realm == nil && address.realm == nil)
        expect(made.dogs[0]._id == rex._id && made.address?.city == "Busan")
        // The appended object becomes managed.
        let bea = Dog(name: "Bea", age: 1)
        try realm.write { made.dogs.append(bea) }
        expectEqual(bea.realm, realm)
    }

    @Test func `collections are not shared`() {
        let (ann, bob) = (Person(id: 1, name: "Ann"), Person(id: 2, name: "Bob"))
        ann.dogs.append(Dog(name: "Rex", age: 3))
        bob.dogs = ann.dogs
        let carl = Person(value: ann)
        bob.dogs.append(Dog(name: "Bea", age: 1))
        carl.dogs.removeAll()
        expect(ann.dogs.count == 1 && bob.dogs.count == 2)
    }

    @Test func `a collection in memory stays valid when the property gets other elements`() {
        let (club, other) = (DogClub(), DogClub())
        let (members, tags, prices) = (club.members, club.tags, club.prices)
        club.members = List<Person>()
        members.append(Person(id: 1, name: "Ann"))
        tags.insert("old")
        club["tags"] = ["small"]
        prices["old"] = 1
        other.prices["year"] = 20
        club.prices = other.prices
        expect(club.members.map(\.name) == ["Ann"] && Array(tags) == ["small"] && prices["year"] == 20)
        tags.insert("loud")
        prices["day"] = 2
        expect(club.tags.count == 2 && club.prices.count == 2 && other.prices.count == 1)
    }

    @Test(arguments: [Realm.UpdatePolicy.modified, .all])
    func `updating an object with itself changes nothing`(_ policy: Realm.UpdatePolicy) throws {
        let file = TestRealm(kennelTypes)
        let realm = try file.open()
        let ann = Person(id: 1, name: "Ann", address: Address(value: ["city": "Busan"]))
        try realm.write { realm.add(ann) }
        let address = try #require(ann.address)
        try realm.write {
            expect(realm.create(Person.self, value: ann, update: policy).isSameObject(as: ann))
            expectEqual(realm.dynamicCreate("Person", value: ann, update: policy)["name"] as? String, "Ann")
        }
        expect(!address.isInvalidated && address.city == "Busan" && ann.address?.isSameObject(as: address) ?? false)
    }

    @Test func `texts with different bytes are different, even if they look the same`() throws {
        let file = TestRealm(kennelTypes)
        let realm = try file.open()
        let (composed, decomposed) = ("Jos\u{e9}", "Jose\u{301}")
        try realm.write {
            realm.add(Person(id: 1, name: composed))
            realm.create(Person.self, value: ["id": 1, "name": decomposed], update: .modified)
        }
        let name = try #require(realm.objects(Person.self).first?.name)
        expect(name.utf8.elementsEqual(decomposed.utf8))
    }

    @Test func `collections in memory compute totals`() {
        let ann = Person(id: 1, name: "Ann")
        expect(ann.dogs.sum(of: \.age) == 0 && (ann.dogs.max(of: \.age) as Int?) == nil)
        ann.dogs.append(objectsIn: [Dog(name: "Rex", age: 3), Dog(name: "Bea", age: 6)])
        expect(ann.dogs.max(of: \.age) == 6 && ann.dogs.min(ofProperty: "age") as Int? == 3)
        expect(ann.dogs.sum(of: \.age) == 9 && ann.dogs.average(ofProperty: "age") as Double? == 4.5)
    }

    @Test func `nothing is equal to an unmanaged object`() throws {
        let file = TestRealm(kennelTypes)
        let realm = try file.open()
        try realm.write { realm.add(Dog(name: "Rex", age: 3)) }
        let stranger = Person(id: 1, name: "Ann")
        expect(realm.objects(Dog.self).filter("owner == %@", stranger).isEmpty)
        expectEqual(realm.objects(Dog.self).filter("owner != %@", stranger).count, 1)
        expectEqual(realm.objects(Dog.self).filter("owner == nil").count, 1)
        expectEqual(realm.objects(Dog.self).sorted(by: []).map(\.name), ["Rex"])
    }

    @Test func `descriptions equal those of RealmSwift`() throws {
        let ann = Person(id: 1, name: "Ann")
        ann.dogs.append(Dog(value: ["name": "Rex", "age": 3, "_id": try ObjectId(string: "1234567890ab1234567890ab")]))
        let text = ann.description.replacing(#/0x[0-9a-f]+/#, with: "0x")
        expectEqual(
            text,
            """
            Person {
            	id = 1;
            	name = Ann;
            	dogs = List<Dog> <0x> (
            		[0] Dog {
            			_id = 1234567890ab1234567890ab;
            			name = Rex;
            			age = 3;
            			breed = (null);
            			owner = (null);
            		}
            	);
            	address = (null);
            }
            """)
        ann.dogs[0].owner = ann
        expect(ann.description.contains("<Maximum depth exceeded>"))
    }

    final class Renamed: Object {
        @Persisted var number = 1
        @Persisted var others: List<Renamed>
        override class func _realmObjectName() -> String? { "Name in the file" }
    }

    @Test func `descriptions contain the names of the program`() throws {
        let realm = try TestRealm([Renamed.self]).open()
        let renamed = Renamed()
        let text = "Renamed {\n\tnumber = 1;\n\tothers = List<Renamed> <0x> (\n\t\n\t);\n}"
        expectEqual(renamed.description.replacing(#/0x[0-9a-f]+/#, with: "0x"), text)
        try realm.write { realm.add(renamed) }
        expectEqual(renamed.description.replacing(#/0x[0-9a-f]+/#, with: "0x"), text)
        expect(realm.dynamicObjects("Name in the file")[0].description.hasPrefix("Name in the file {"))
    }

    @Test func `invalidated objects report it`() throws {
        let file = TestRealm(kennelTypes)
        let realm = try file.open()
        let ann = Person(id: 1, name: "Ann")
        try realm.write { realm.add(ann) }
        let (all, dogs) = (realm.objects(Person.self), ann.dogs)
        expect(!all.isInvalidated && !dogs.isInvalidated)
        realm.invalidate()
        expect(all.isInvalidated && dogs.isInvalidated && ann.isInvalidated)
        expect(!realm.objects(Person.self).isInvalidated)
    }

    @Test func `a deleted object has no realm, but other instances of it have one`() throws {
        let realm = try TestRealm(kennelTypes).open()
        let (dog, person) = (Dog(value: ["name": "Rex"]), Person(value: ["id": 1]))
        try realm.write { realm.add([dog, person]) }
        let other = try #require(realm.objects(Dog.self).first)
        realm.beginWrite()
        realm.delete([dog])
        expect(dog.realm == nil && dog.isInvalidated)
        expect(other.realm == realm && other.isInvalidated && person.realm == realm)
        // The deletion was rolled back.
        realm.cancelWrite()
        expect(dog.realm == realm && dog.name == "Rex")
        try realm.write {
            realm.delete(dog)
            realm.delete(realm.objects(Person.self))
        }
        expect(dog.realm == nil && dog.isInvalidated && person.realm == realm && person.isInvalidated)
    }
}
