import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import RealmStore
import TestSupport
import Testing

// Adding and removing properties.
extension SchemaChangeTests {
    @Test func `added properties get the given value, null, or zero`() throws {
        let store = try Self.store()
        try store.write { transaction in
            try transaction.addProperty(PropertyDefinition("weight", .double), to: "Dog", value: 2.5)
            try transaction.addProperty(PropertyDefinition("legs", .int), to: "Dog")
            try transaction.addProperty(PropertyDefinition("owner", .link, target: "Person"), to: "Dog")
            try transaction.addProperty(PropertyDefinition("toys", .string, collection: .set), to: "Dog")
            try transaction.addProperty(PropertyDefinition("chip", .uuid, isNullable: true), to: "Dog")
            try transaction.addProperty(PropertyDefinition("note", .mixed), to: "Dog", value: "a note")
            try transaction.addProperty(
                PropertyDefinition("long", .string, index: .general), to: "Dog",
                value: .string(String(repeating: "x", count: 100)))
            let dog = try #require(try transaction.object("Dog", primaryKey: 77))
            try transaction.set(dog, "legs", 4)
            _ = try transaction.add("Dog", ["_id": 5000, "name": "new", "weight": 1, "legs": 3, "long": "y"].asDoubles)
            expectMisfit(.wrongType, "Dog.x: is of type int, not a string") {
                try transaction.addProperty(PropertyDefinition("x", .int), to: "Dog", value: "text")
            }
            expectMisfit(.nullNotAllowed, "Dog.x: cannot be null") {
                try transaction.addProperty(PropertyDefinition("x", .int), to: "Dog", value: .null)
            }
            expectMisfit(.badSchema, "Dog.age: there are two properties of this name") {
                try transaction.addProperty(PropertyDefinition("age", .int), to: "Dog")
            }
        }
        let dogs = try Self.table("Dog", of: store)
        try expectEqual(
            Self.values("weight", of: dogs),
            [RealmCore.Value](repeating: .double(2.5), count: 600) + [
                .double(1)
            ])
        try expect(Self.values("note", of: dogs).prefix(600).allSatisfy { $0 == .string("a note") })
        try expect(Self.values("chip", of: dogs).allSatisfy { $0 == .null })
        try expect(Self.values("owner", of: dogs).allSatisfy { $0 == .null })
        try expect(Self.values("toys", of: dogs).allSatisfy { $0 == .set([]) })
        try expectEqual(Self.values("legs", of: dogs).filter { $0 == .int(0) }.count, 599)
        try expectEqual(dogs.object(primaryKey: .int(77))?["legs"], .int(4))
        expectEqual(dogs.schema.property(named: "long")?.index, .general)
    }

    @Test func `the place of a removed property is reused by a column with another key`() throws {
        let store = try Self.store(dogs: 300)
        let before = try store.snapshot().table(named: "Dog").schema
        try store.write { transaction in
            try transaction.removeProperty("age", of: "Dog")
            try transaction.removeProperty("any", of: "Dog")
        }
        let without = try Self.table("Dog", of: store).schema
        expectEqual(without.properties.map(\.name), ["_id", "name", "friend", "home", "marks"])
        try store.write { transaction in
            try transaction.addProperty(PropertyDefinition("age", .string), to: "Dog", value: "old")
            try transaction.set(try #require(try transaction.object("Dog", primaryKey: 4)), "age", "young")
        }
        let dogs = try Self.table("Dog", of: store)
        let (old, new) = (
            try #require(before.property(named: "age")), try #require(dogs.schema.property(named: "age"))
        )
        expectEqual(new.columnKey.index, old.columnKey.index)
        // Two properties were removed, and the backlinks of one of them.
        expect(old.columnKey.tag == 0 && new.columnKey.tag == 3)
        expectEqual(dogs.schema.properties.last?.name, "age")
        try expectEqual(dogs.object(primaryKey: .int(4))?["age"], .string("young"))
        try expectEqual(dogs.object(primaryKey: .int(5))?["age"], .string("old"))
        #expect(throws: FormatError.self) { _ = try dogs.object(primaryKey: .int(5))?["any"] }
    }

    /// Realm Core could not remove the objects otherwise (Spec 220).
    @Test func `backlinks within a class come after their Mixed values`() throws {
        let store = try Self.store(dogs: 10)
        try store.write { transaction in
            try transaction.addClass(
                TableDefinition(
                    class: "Node",
                    [
                        PropertyDefinition("gap", .int), PropertyDefinition("any", .mixed, collection: .list),
                        PropertyDefinition("last", .int, isNullable: true),
                    ]))
            try transaction.removeProperty("gap", of: "Node")
            let node = try transaction.add("Node", [:])
            let other = try transaction.add("Node", ["any": [.link(node)]])
            try transaction.set(node, "any", [.link(other), .link(ObjectReference("Dog", ObjectKey(1)))])
        }
        let nodes = try Self.table("Node", of: store)
        let any = try #require(nodes.schema.property(named: "any")).columnKey.index.number
        expectEqual(nodes.core.backlinkColumns.map { $0.index.number }, [any + 2])
        // A backlink column of another class fills the gap.
        try store.write { transaction in
            let dog = try #require(try transaction.object("Dog", primaryKey: 4))
            try transaction.set(dog, "any", .link(ObjectReference("Node", ObjectKey(0))))
        }
        try expectEqual(Self.table("Node", of: store).core.backlinkColumns.map { $0.index.number }, [any + 2, 0])
        try Self.check(store.snapshot())
    }

    @Test func `a property is removed with its embedded objects, and a primary key with its index`() throws {
        let store = try Self.store(dogs: 50)
        try store.write { transaction in
            try transaction.removeProperty("home", of: "Dog")
            try transaction.removeProperty("_id", of: "Dog")
            _ = try transaction.add("Dog", ["name": "keyless"])
        }
        try expectEqual(Self.table("Home", of: store).count, 0)
        let dogs = try store.snapshot().table(named: "Dog")
        expectEqual(dogs.schema.primaryKeyName, nil)
        try expectEqual(dogs.count, 51)
    }

    @Test func `a property is renamed`() throws {
        let store = try Self.store(dogs: 10)
        try store.write { transaction in
            try transaction.renameProperty("_id", of: "Dog", to: "number")
            try transaction.renameProperty("name", of: "Dog", to: "called")
            expectMisfit(.badSchema, "Dog.age: there are two properties of this name") {
                try transaction.renameProperty("called", of: "Dog", to: "age")
            }
            let dog = try #require(try transaction.object("Dog", primaryKey: 3))
            try transaction.set(dog, "called", "Rex")
        }
        let dogs = try Self.table("Dog", of: store)
        expectEqual(dogs.schema.primaryKeyName, "number")
        try expectEqual(dogs.object(primaryKey: .int(3))?["called"], .string("Rex"))
        expectEqual(dogs.schema.property(named: "called")?.index, .general)
    }
}
