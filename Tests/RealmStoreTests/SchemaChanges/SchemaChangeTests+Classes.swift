import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import RealmStore
import TestSupport
import Testing

// Adding, removing and converting classes.
extension SchemaChangeTests {
    @Test func `classes that link to each other are added, and accept objects immediately`() throws {
        let store = try Self.store(dogs: 5)
        try store.write { transaction in
            try transaction.addClasses([
                TableDefinition(
                    class: "Club", primaryKey: "name",
                    [
                        PropertyDefinition("name", .string),
                        PropertyDefinition("members", .link, collection: .list, target: "Member"),
                        PropertyDefinition("dogs", .link, collection: .set, target: "Dog"),
                    ]),
                TableDefinition(
                    class: "Member",
                    [
                        PropertyDefinition("club", .link, target: "Club"),
                        PropertyDefinition("text", .string, index: .fullText),
                    ]),
            ])
            let club = try transaction.add("Club", ["name": "paws"])
            let member = try transaction.add("Member", ["club": .link(club), "text": "brown fox"])
            let dog = try #require(try transaction.object("Dog", primaryKey: 3))
            try transaction.mutableList(of: club, "members").append(.link(member))
            _ = try transaction.mutableSet(of: club, "dogs").insert(.link(dog))
        }
        let clubs = try Self.table("Club", of: store)
        expectEqual(clubs.schema.key, TableKey(4))
        expectEqual(clubs.schema.primaryKeyName, "name")
        expectEqual(clubs.schema.properties.map(\.name), ["name", "members", "dogs"])
        let club = try #require(try clubs.object(primaryKey: .string("paws")))
        guard case .list(let members) = try club["members"], case .link(let link) = members.first else {
            Issue.record("no members")
            return
        }
        try expectEqual(link.object()?["text"], .string("brown fox"))
        let dogs = try store.snapshot().table(named: "Dog")
        expect(dogs.schema.incoming.map(\.tableName).contains("class_Club"))
        try store.write { transaction in
            try transaction.delete(try #require(try transaction.object("Dog", primaryKey: 3)))
        }
        let emptied = try Self.table("Club", of: store).object(primaryKey: .string("paws"))
        try expectEqual(emptied?["dogs"], .set([]))
    }

    @Test func `an invalid class is refused, and the transaction continues`() throws {
        let store = try Self.store(dogs: 3)
        try store.write { transaction in
            expectMisfit(.badSchema, "Dog: there are two tables of this name") {
                try transaction.addClass(TableDefinition(class: "Dog", []))
            }
            expectMisfit(.badSchema, "Cat.of: its target Nobody is not a table") {
                try transaction.addClass(
                    TableDefinition(class: "Cat", [PropertyDefinition("of", .link, target: "Nobody")]))
            }
            expectMisfit(.badSchema, "Home: there are two tables of this name") {
                try transaction.renameClass("Dog", to: "Home")
            }
            expectMisfit(.badSchema, "Dog: Person.dogs leads to it") { try transaction.removeClass("Dog") }
            expectMisfit(.noSuchTable, "there is no class or table called Dgo; did you mean Dog?") {
                try transaction.removeClass("Dgo")
            }
            try transaction.addClass(TableDefinition(class: "Cat", [PropertyDefinition("name", .string)]))
        }
        try expectEqual(Self.table("Cat", of: store).count, 0)
    }

    @Test func `a class is removed with its objects, and its slot gets another tag`() throws {
        let store = try Self.store(dogs: 300)
        try store.write { transaction in
            try transaction.removeProperty("dogs", of: "Person")
            try transaction.removeClass("Dog")
        }
        let persons = try Self.table("Person", of: store)
        // Links in Mixed values were removed from their lists.
        try expectEqual(Self.values("any", of: persons), [.list([.int(1)]), .list([.int(1)]), .list([.int(1)])])
        try expectEqual(store.snapshot().table(named: "Home").count, 0)
        #expect(throws: FormatError.self) { try store.snapshot().table(named: "Dog") }
        try store.write { transaction in
            try transaction.addClass(TableDefinition(class: "Cat", [PropertyDefinition("name", .string)]))
            _ = try transaction.add("Cat", ["name": "Tom"])
        }
        let cats = try Self.table("Cat", of: store)
        expectEqual(cats.schema.key, TableKey(1 << 16))
        try expectEqual(Self.values("name", of: cats), [.string("Tom")])
        let changes = try store.snapshot().changes(since: store.snapshot())
        expect(changes.isEmpty)
    }

    @Test func `a class is renamed, and its links are kept`() throws {
        let store = try Self.store(dogs: 3)
        let before = store.snapshot()
        try store.write { transaction in
            try transaction.renameClass("Dog", to: "Hound")
            let hound = try #require(try transaction.object("Hound", primaryKey: 2))
            try transaction.set(hound, "age", 5)
        }
        let hounds = try Self.table("Hound", of: store)
        try expectEqual(hounds.object(primaryKey: .int(2))?["age"], .int(5))
        try expectEqual(store.snapshot().table(named: "Person").schema.property(named: "dogs")?.target, "class_Hound")
        let changes = try store.snapshot().changes(since: before)
        expect(changes.tables.map(\.name) == ["Hound"] && changes.tables.map(\.formerName) == ["Dog"])
    }

    @Test func `classes become embedded if each object has one owner, and ordinary again`() throws {
        let store = try Self.store(dogs: 4)
        try store.write { transaction in
            try transaction.setEmbedded(false, "Home")
            let home = try transaction.add("Home", ["street": "lonely"])
            expectMisfit(
                .badSchema,
                "Home (object \(home.key)): 1 object is without an owner, but objects that live inside others have one each"
            ) { try transaction.setEmbedded(true, "Home") }
            let dog = try #require(try transaction.object("Dog", primaryKey: 0))
            try transaction.set(dog, "any", .link(home))
            expectMisfit(
                .badSchema,
                "Home (object \(home.key)): 1 object is in Mixed values, but objects that live inside others have one each"
            ) { try transaction.setEmbedded(true, "Home") }
            try transaction.delete(home)
            try transaction.setEmbedded(true, "Home")
            expectMisfit(.badSchema, "Dog._id: embedded objects have no primary key") {
                try transaction.setEmbedded(true, "Dog")
            }
            try transaction.set(dog, "home", .embedded(["street": "new"]))
            // Two objects that only have each other as owners, and one that owns itself.
            try transaction.addClass(TableDefinition(class: "Box", [PropertyDefinition("inner", .link, target: "Box")]))
            let (left, right) = (try transaction.add("Box", [:]), try transaction.add("Box", [:]))
            try transaction.set(left, "inner", .link(right))
            try transaction.set(right, "inner", .link(left))
            expectMisfit(.badSchema, "Box (object \(left.key)): the object would live inside itself") {
                try transaction.setEmbedded(true, "Box")
            }
            try transaction.removeClass("Box")
        }
        let homes = try Self.table("Home", of: store)
        expectEqual(homes.schema.kind, .embedded)
        try expectEqual(Set(Self.values("street", of: homes).map { "\($0)" }).count, 4)
    }
}
