import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import RealmStore
import TestSupport
import Testing

// Changing the type or nullability of properties.
extension SchemaChangeTests {
    @Test func `properties are made nullable, or not nullable`() throws {
        let store = try Self.store(dogs: 30)
        try store.write { transaction in
            expectMisfit(
                .nullNotAllowed,
                "Dog.age (object 0): 10 objects have null there, and nothing is given in its place"
            ) { try transaction.setOptional(false, "age", of: "Dog") }
            expectMisfit(
                .nullNotAllowed,
                "Dog.marks (object 0): 6 objects have null there, and nothing is given in its place"
            ) { try transaction.setOptional(false, "marks", of: "Dog") }
            expectMisfit(
                .badSchema, "Dog.friend: links and Mixed values have no choice of what they are, or of nulls"
            ) {
                try transaction.setOptional(false, "friend", of: "Dog")
            }
            try transaction.setOptional(false, "age", of: "Dog", insteadOfNull: 99)
            try transaction.setOptional(false, "marks", of: "Dog", insteadOfNull: -1)
            try transaction.setOptional(true, "name", of: "Dog")
            try transaction.setOptional(true, "_id", of: "Dog")
            _ = try transaction.add("Dog", ["_id": .null, "age": 1])
        }
        let dogs = try Self.table("Dog", of: store)
        expectEqual(dogs.schema.properties.map(\.name), ["friend", "home", "any", "age", "marks", "name", "_id"])
        expectEqual(dogs.schema.properties.map(\.isNullable), [true, true, true, false, false, true, true])
        try expectEqual(dogs.object(primaryKey: .int(6))?["age"], .int(99))
        try expectEqual(dogs.object(primaryKey: .int(7))?["age"], .int(7))
        try expectEqual(dogs.object(primaryKey: .int(5))?["marks"], .list([.int(5), .int(-1)]))
        try expectEqual(dogs.object(primaryKey: .null)?["name"], .null)
        expectEqual(dogs.schema.property(named: "name")?.index, .general)
    }

    @Test func `types are converted, and impossible conversions are reported with their object`() throws {
        let store = try Self.store(dogs: 30)
        try store.write { transaction in
            try transaction.changeType(of: "age", in: "Dog", to: .double)
            try transaction.changeType(of: "_id", in: "Dog", to: .string)
            try transaction.changeType(of: "marks", in: "Dog", to: .mixed)
            expectMisfit(
                .notRepresentable, "Dog.name (object 0): the string \"dog 0\" cannot be of type int"
            ) { try transaction.changeType(of: "name", in: "Dog", to: .int) }
            expectMisfit(.notRepresentable, "Dog.any (object 1): a link cannot be of type string") {
                try transaction.changeType(of: "any", in: "Dog", to: .string, isOptional: true)
            }
            let dog = try #require(try transaction.object("Dog", primaryKey: "7"))
            try transaction.set(dog, "age", 0.5)
        }
        let dogs = try Self.table("Dog", of: store)
        try expectEqual(dogs.object(primaryKey: .string("7"))?["age"], .double(0.5))
        try expectEqual(dogs.object(primaryKey: .string("8"))?["age"], .double(8))
        try expectEqual(dogs.object(primaryKey: .string("9"))?["age"], .null)
        try expectEqual(dogs.object(primaryKey: .string("5"))?["marks"], .list([.int(5), .null]))
        try store.write { transaction in
            try transaction.changeType(of: "_id", in: "Dog", to: .int)
            try transaction.changeType(of: "marks", in: "Dog", to: .string, isOptional: false, insteadOfNull: "-")
        }
        let back = try Self.table("Dog", of: store)
        try expectEqual(back.object(primaryKey: .int(5))?["marks"], .list([.string("5"), .string("-")]))
        expectEqual(back.schema.primaryKeyName, "_id")
    }
}
