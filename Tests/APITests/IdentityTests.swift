import Expectations
import RealmFile
import Testing

/// Equality, hashing and descriptions of values and objects.
@Suite struct IdentityTests {
    @Test func `objects of different files, tables and commits are not equal`() throws {
        let database = try RealmDatabase(path: Kennel.path)
        let current = try database.snapshot()
        let person = try #require(try current.table(named: "Person").object(ObjectKey(0)))
        expectEqual(person, (try current.table(named: "Person").object(ObjectKey(0))))
        expectEqual(person, (try database.snapshot().table(named: "Person").object(ObjectKey(0))))
        expect(person != (try current.table(named: "Dog").object(ObjectKey(0))))
        expect(person != (try Kennel.people().object(ObjectKey(0))))
        let before = try database.snapshot(.otherSlot)
        expect(person.table != before.tables.first { $0.name == "Person" })
    }

    @Test func `objects, links and values are elements of sets`() throws {
        let snapshot = try Kennel.snapshot()
        let people = try snapshot.table(named: "Person")
        let objects = Set(try people.objects.collect())
        expectEqual(objects.count, 5)
        expect(objects.contains(try #require(try people.object(ObjectKey(3)))))
        let dogs = Set(try people.objects.collect().flatMap { try $0.get("dogs", as: [Link].self) })
        expectEqual(dogs.count, 6)
        // As in the file: values are compared by the bits of numbers and the bytes of strings.
        expectEqual(Set<Value>([.double(0), .double(-0.0), .double(.nan), .double(.nan)]).count, 3)
        expectEqual(Set<Value>([.string("e\u{301}"), .string("é"), .string("é")]).count, 2)
        expectEqual(Set<Value>([.int(1), .bool(true), .null, .list([.int(1)]), .list([.int(1)])]).count, 4)
    }

    @Test func `descriptions show the content`() throws {
        let person = try #require(try Kennel.people().object(ObjectKey(3)))
        expectEqual("\(try person["name"])", "Bjørn")
        expectEqual("\(try person["dogs"])", "[Dog object 6, Dog object 7, Dog object 8]")
        expectEqual(
            person.description,
            "Person object 3 {id: 4, name: \"Bjørn\", dogs: [Dog object 6, Dog object 7, Dog object 8], address: "
                + "Address object 2 {street: \"3 Main St\", city: \"Berlin\", country: null, postalCode: \"10111\"}}")
        expectEqual("\(person.table)", "Person (5 objects)")
        expectEqual(
            person.table.schema.properties.map(\.description),
            [
                "id: int", "name: string", "dogs: list<Dog>", "address: Address",
            ])
        expectEqual("\([Value.string("a"), .binary([1, 255]), .bool(true)])", "[\"a\", <01ff>, true]")
    }

    @Test func `descriptions have a limited length`() {
        let long = Value.list(Array(repeating: .string(String(repeating: "x", count: 10_000)), count: 10_000))
        expect(long.description.utf8.count < 2000)
        let deep = (0..<100).reduce(Value.int(1)) { value, _ in .list([value]) }
        expectEqual(deep.description, "[[[[[…]]]]]")
    }
}
