import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import RealmStore
import TestSupport
import Testing

// Applying whole schemas, and rolling back transactions.
extension SchemaChangeTests {
    @Test func `a schema is applied if nothing is lost, and other differences are reported`() throws {
        let store = try Self.store(dogs: 10)
        var dog = Self.schema.tables[0]
        dog.properties.removeAll { $0.name == "any" }
        dog.properties[1].index = .fullText
        dog.properties[2] = PropertyDefinition("age", .int, index: .general)
        dog.properties[5] = PropertyDefinition("marks", .string, collection: .list)
        dog.properties.append(PropertyDefinition("club", .link, target: "Club"))
        dog.primaryKey = "name"
        var home = Self.schema.tables[1]
        home.kind = .topLevel
        let club = TableDefinition(class: "Club", [PropertyDefinition("best", .link, target: "Dog")])
        let wanted = SchemaDefinition([dog, home, club])
        let before = store.snapshot().schema.steps(to: wanted)
        expectEqual(
            before.map(\.description),
            [
                "Class 'Club' has been added.",
                "Property 'Dog.age' has been made required.",
                "Property 'Dog.age' has been made indexed.",
                "Property 'Dog.marks' has been changed from 'array<int>' to 'array<string>'.",
                "Property 'Dog.any' has been removed.",
                "Property 'Dog.club' has been added.",
                "Primary Key for class 'Dog' has changed from '_id' to 'name'.",
                "Class 'Home' has been changed from Embedded to TopLevel.",
                "Class 'Person' has been removed.",
            ])
        let left = try store.write { transaction in
            let left = try transaction.apply(wanted)
            _ = try transaction.add("Club", ["best": .link(try #require(try transaction.object("Dog", primaryKey: 1)))])
            return left
        }
        expectEqual(left, before.filter { !$0.isAdditive })
        expectEqual(
            left.map(\.kind),
            [
                .makeRequired, .changeType, .removeProperty, .changePrimaryKey, .changeClassKind, .removeClass,
            ])
        let dogs = try Self.table("Dog", of: store)
        expectEqual(dogs.schema.property(named: "age")?.index, .general)
        expectEqual(dogs.schema.property(named: "club")?.target, "class_Club")
        try expectEqual(store.snapshot().table(named: "Club").count, 1)
        // The second time there is nothing to do.
        let commit = store.snapshot().commitNumber
        try expectEqual(store.write { try $0.apply(wanted) }, left)
        expectEqual(store.snapshot().commitNumber, commit)
    }

    @Test func `the version of the schema is set and removed`() throws {
        let store = try Self.store(dogs: 3)
        expectEqual(store.snapshot().schema.version, 3)
        try store.write { transaction in
            try expectEqual(transaction.schemaVersion, 3)
            try transaction.setSchemaVersion(8)
            try expectEqual(transaction.schemaVersion, 8)
        }
        try Self.check(store.snapshot())
        expectEqual(store.snapshot().schema.version, 8)
        try store.write { transaction in try transaction.setSchemaVersion(nil) }
        expectEqual(store.snapshot().schema.version, nil)
        try store.write { transaction in
            try transaction.removeClass("metadata")
            try transaction.setSchemaVersion(1)
        }
        try Self.check(store.snapshot())
        expectEqual(store.snapshot().schema.version, 1)
    }

    @Test func `a thrown error undoes changes of the schema as well`() throws {
        struct Stop: Error {}
        let store = try Self.store(dogs: 30)
        let before = store.snapshot()
        #expect(throws: Stop.self) {
            try store.write { transaction in
                try transaction.removeProperty("name", of: "Dog")
                try transaction.renameClass("Dog", to: "Cat")
                _ = try transaction.add("Cat", ["_id": 100])
                throw Stop()
            }
        }
        expectEqual(store.snapshot().schema, before.schema)
        try expectEqual(Self.table("Dog", of: store).count, 30)
    }
}
