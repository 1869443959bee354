import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import RealmStore
import TestSupport
import Testing

// Indexes and primary keys.
extension SchemaChangeTests {
    @Test func `indexes are added and removed`() throws {
        let store = try Self.store(dogs: 700)
        try store.write { transaction in
            try transaction.setIndex(.general, of: "age", in: "Dog")
            try transaction.setIndex(.fullText, of: "name", in: "Dog")
            try transaction.setIndex(.general, of: "any", in: "Dog")
            expectMisfit(.badSchema, "Dog.marks: such a property cannot have an index") {
                try transaction.setIndex(.general, of: "marks", in: "Dog")
            }
            expectMisfit(.badSchema, "Dog._id: such a property cannot have a full-text index") {
                try transaction.setIndex(.fullText, of: "_id", in: "Dog")
            }
        }
        var dogs = try Self.table("Dog", of: store)
        expectEqual(
            dogs.schema.properties.map(\.index), [.general, .fullText, .general, .none, .none, .none, .general])
        try store.write { transaction in
            for name in ["age", "name", "any", "_id"] { try transaction.setIndex(.none, of: name, in: "Dog") }
        }
        dogs = try Self.table("Dog", of: store)
        // The index of the primary key stays.
        expectEqual(dogs.schema.properties.map(\.index), [.general, .none, .none, .none, .none, .none, .none])
        try expect(dogs.object(primaryKey: .int(600)) != nil)
        try store.write { transaction in try transaction.setPrimaryKey(nil, of: "Dog") }
        try expect(Self.table("Dog", of: store).schema.properties.allSatisfy { $0.index == .none })
    }

    @Test func `a primary key is set and changed, and refused if two objects have the same`() throws {
        let store = try Self.store(dogs: 20)
        try store.write { transaction in
            expectMisfit(
                .duplicatePrimaryKey, "Dog.name (object 9): the objects 0 and 9 both have \"dog 0\""
            ) { try transaction.setPrimaryKey("name", of: "Dog") }
            expectMisfit(.duplicatePrimaryKey, "Dog.age (object 3): the objects 0 and 3 both have null") {
                try transaction.setPrimaryKey("age", of: "Dog")
            }
            expectMisfit(.badSchema, "Dog.any: a primary key is an int, a string, an objectId or a uuid") {
                try transaction.setPrimaryKey("any", of: "Dog")
            }
            try transaction.setPrimaryKey("name", of: "Person")
            try transaction.setPrimaryKey(nil, of: "Dog")
            for number in 9..<20 { try transaction.delete(ObjectReference("Dog", ObjectKey(Int64(number)))) }
            try transaction.setPrimaryKey("name", of: "Dog")
            try expectEqual(transaction.object("Dog", primaryKey: "dog 4")?.key, ObjectKey(4))
            expectMisfit(
                .duplicatePrimaryKey, "Person.name: there is an object with the primary key \"person 1\""
            ) { _ = try transaction.add("Person", ["name": "person 1"]) }
        }
        let dogs = try Self.table("Dog", of: store)
        expectEqual(dogs.schema.primaryKeyName, "name")
        try expectEqual(dogs.object(primaryKey: .string("dog 8"))?["_id"], .int(8))
        let persons = try store.snapshot().table(named: "Person")
        try expect(persons.object(primaryKey: .string("person 2")) != nil)
    }
}
