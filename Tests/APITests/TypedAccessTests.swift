import Expectations
import Foundation
import RealmFile
import Testing

/// Access to values as Swift types.
@Suite struct TypedAccessTests {
    @Test func `values of the kennel are read as Swift types`() throws {
        var index = 0
        var cursor = try Kennel.people().objects
        while let person = try cursor.next() {
            try expectEqual(person.get("id", as: Int.self), index + 1)
            try expectEqual(person.get("name", as: String.self), Kennel.names[index])
            let dogs: [Link] = try person.get("dogs")
            expectEqual(dogs.map(\.objectKey.value), Kennel.dogsOfPeople[index])
            try expectEqual(
                person.get("dogs", as: [StoredObject].self).map { try $0.get("age", as: Int8.self) },
                Kennel.dogsOfPeople[index].map { Int8($0) })
            let address = try person.get("address", as: StoredObject?.self)
            try expectEqual(address?.get("street", as: String?.self) ?? nil, Kennel.streets[index])
            try expectEqual(address?.get("city", as: String.self), Kennel.cities[index])
            index += 1
        }
        expectEqual(index, 5)
    }

    @Test func `a looked-up property reads the same value as its name`() throws {
        let people = try Kennel.people()
        let name = try people.property("name", as: String.self)
        let id = try people.property("id", as: UInt16.self)
        try expectEqual(people.objects.map { try $0[name] }.collect(), Kennel.names)
        try expectEqual(people.objects.map { try $0[id] }.collect(), [1, 2, 3, 4, 5])
        expectEqual(name.property.type, .string)
        let dog = try #require(try Kennel.dogs().objects.first())
        let error = try #require(throws: FormatError.self) { try dog[name] }
        expectEqual(error.code, .wrongType)
    }

    @Test func `a wrong type is a usage error that names property, class and both types`() throws {
        let person = try #require(try Kennel.people().objects.first())
        let error = try #require(throws: FormatError.self) { try person.get("name", as: Int.self) }
        expectEqual(error.code, .wrongType)
        expect(error.isUsage)
        expect(error.table == "class_Person" && error.property == "name" && error.objectKey == ObjectKey(0))
        expectEqual(error.detail, "the property is of type string, and the value \"Minjun\" is no Int")
        expectEqual((error as any Error).localizedDescription, error.description)
    }

    @Test func `null is read only as an optional`() throws {
        let alice = try #require(try Kennel.people().object(primaryKey: .int(3)))
        try expectEqual(alice.get("address", as: StoredObject?.self), nil)
        let error = try #require(throws: FormatError.self) { try alice.get("address", as: StoredObject.self) }
        expectEqual(error.detail, "the value is null, which is no StoredObject: ask for StoredObject?")
    }

    @Test func `a misspelt name is reported with the nearest one`() throws {
        let person = try #require(try Kennel.people().objects.first())
        let error = try #require(throws: FormatError.self) { try person.get("nmae", as: String.self) }
        expect(error.code == .noSuchProperty && error.isUsage)
        expectEqual(error.detail, "there is no property called nmae; did you mean name?")
        let snapshot = try Kennel.snapshot()
        #expect(throws: FormatError(.noSuchTable, "")) { try snapshot.table(named: "Persons") }
    }

    @Test func `integers out of range do not fit`() {
        expectEqual((try? Int8(storedValue: .int(127))), 127)
        expectEqual((try? Int8(storedValue: .int(128))), .some(.none))
        expectEqual((try? UInt64(storedValue: .int(-1))), .some(.none))
        expectEqual((try? Int64(storedValue: .int(.min))), .min)
    }

    enum Breed: String, StoredValueConvertible { case rex = "Rex", bori = "Bori" }

    @Test func `enums are created from raw values`() throws {
        let dogs = try Kennel.dogs().objects.collect()
        try expectEqual(dogs[0].get("name", as: Breed.self), .rex)
        try expectEqual(dogs[1].get("name", as: Breed?.self), .bori)
        #expect(throws: FormatError.self) { try dogs[2].get("name", as: Breed.self) }
    }

    @Test func `values convert to Foundation types and back`() throws {
        let time = try #require(Timestamp(seconds: 1_600_000_719, nanoseconds: 312_500_000))
        try expectEqual(Date(storedValue: .timestamp(time)), Date(timeIntervalSince1970: 1_600_000_719.3125))
        expectEqual(Timestamp(Date(timeIntervalSince1970: 1_600_000_719.3125)), time)
        expectEqual(Timestamp(Date(timeIntervalSince1970: -0.5)), Timestamp(seconds: 0, nanoseconds: -500_000_000))
        expectEqual(Timestamp(Date(timeIntervalSince1970: .infinity)), nil)
        let uuid = UUID()
        expectEqual(UUIDBytes(uuid).description, uuid.uuidString.lowercased())
        expectEqual(UUIDBytes(uuid).uuid, uuid)
        try expectEqual(Data(storedValue: .binary([1, 2, 255])), Data([1, 2, 255]))
        try expectEqual([UInt8](storedValue: .binary([1, 2, 255])), [1, 2, 255])
        try expectEqual(URL(storedValue: .string("https://example.org/a"))?.host(), "example.org")
        try expectEqual(Decimal(storedValue: .decimal128(Decimal128Bits("12.50")!)), Decimal(string: "12.5"))
    }

    @Test func `collections are created from collections`() throws {
        let list = Value.list([.int(1), .null, .int(3)])
        try expectEqual([Int?](storedValue: list), [1, nil, 3])
        try expectEqual([Int](storedValue: list), nil)
        try expectEqual(Set<String>(storedValue: .set([.string("a"), .string("b")])), ["a", "b"])
        let entries = [DictionaryEntry(key: .string("k"), value: .double(2.5))]
        try expectEqual([String: Double](storedValue: .dictionary(entries)), ["k": 2.5])
    }
}
