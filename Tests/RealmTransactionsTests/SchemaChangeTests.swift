import RealmLayout
import RealmReader
import RealmStorage
import RealmTransactions
import RealmVerifier
import RealmWriter
import TestSupport
import Testing

/// Schema changes inside transactions, value by value.
@Suite struct SchemaChangeTests {
    static let schema = SchemaDefinition(
        [
            TableDefinition(
                class: "Dog", primaryKey: "_id",
                [
                    PropertyDefinition("_id", .int, index: .general),
                    PropertyDefinition("name", .string, index: .general),
                    PropertyDefinition("age", .int, isNullable: true),
                    PropertyDefinition("friend", .link, target: "Dog"),
                    PropertyDefinition("home", .link, target: "Home"),
                    PropertyDefinition("marks", .int, isNullable: true, collection: .list),
                    PropertyDefinition("any", .mixed),
                ]),
            TableDefinition(class: "Home", kind: .embedded, [PropertyDefinition("street", .string)]),
            TableDefinition(
                class: "Person",
                [
                    PropertyDefinition("name", .string),
                    PropertyDefinition("dogs", .link, collection: .list, target: "Dog"),
                    PropertyDefinition("any", .mixed),
                ]),
        ], version: 3)

    /// A store with dogs, each with a home, and persons that have all of them.
    static func store(dogs: Int = 600) throws -> RealmStore {
        let folder = try TemporaryFolder()
        let builder = try RealmBuilder(schema, at: NewFile(folder.file("dogs.realm")))
        var references: [ObjectReference] = []
        for number in 0..<dogs {
            references.append(
                try builder.add(
                    "Dog",
                    [
                        "_id": .int(Int64(number)), "name": .string("dog \(number % 9)"),
                        "age": number % 3 == 0 ? .null : .int(Int64(number % 10)),
                        "friend": references.last.map { .link($0) } ?? .null,
                        "home": .embedded(["street": .string("street \(number)")]),
                        "marks": .list([.int(Int64(number)), number % 5 == 0 ? .null : 7]),
                        "any": references.first.map { .link($0) } ?? .null,
                    ]))
        }
        for number in 0..<3 {
            try builder.add(
                "Person",
                [
                    "name": .string("person \(number)"), "dogs": .list(references.map { .link($0) }),
                    "any": references.last.map { .list([.link($0), 1]) } ?? .null,
                ])
        }
        try builder.finish()
        return try RealmStore(bytes: try #require(folder.bytes("dogs.realm")))
    }

    /// The table after a commit, in which nothing is wrong.
    static func table(_ name: String, of store: RealmStore) throws -> Table {
        let snapshot = store.snapshot()
        try check(snapshot)
        return try snapshot.table(named: name)
    }

    static func check(_ snapshot: Snapshot) throws {
        let findings = Verification(level: .deep).run(on: snapshot.data.source).findings
        try #require(findings.isEmpty, "\(findings.map { "\($0.place): \($0.message)" }.prefix(5))")
    }

    /// All values of a property, in the order of the objects.
    static func values(_ property: String, of table: Table) throws -> [RealmReader.Value] {
        var values: [RealmReader.Value] = []
        var objects = table.objects
        while let object = try objects.next() { values.append(try object[property]) }
        return values
    }

    private func expectMisfit(
        _ code: Misfit.Code, _ words: String, _ body: () throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        do {
            try body()
            Issue.record("nothing was thrown", sourceLocation: sourceLocation)
        } catch WriteError.misfit(let misfit) {
            #expect(misfit.code == code, sourceLocation: sourceLocation)
            #expect(misfit.description == words, sourceLocation: sourceLocation)
        } catch {
            Issue.record("\(error)", sourceLocation: sourceLocation)
        }
    }

    // MARK: Classes

    @Test func `classes that link to each other are added, and take objects at once`() throws {
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
            try transaction.list(club, "members").append(.link(member))
            _ = try transaction.set(club, "dogs").insert(.link(dog))
        }
        let clubs = try Self.table("Club", of: store)
        #expect(clubs.schema.key == TableKey(4))
        #expect(clubs.schema.primaryKeyName == "name")
        #expect(clubs.schema.properties.map(\.name) == ["name", "members", "dogs"])
        let club = try #require(try clubs.object(primaryKey: .string("paws")))
        guard case .list(let members) = try club["members"], case .link(let link) = members.first else {
            Issue.record("no members")
            return
        }
        #expect(try link.object()?["text"] == .string("brown fox"))
        let dogs = try store.snapshot().table(named: "Dog")
        #expect(dogs.schema.incoming.map(\.tableName).contains("class_Club"))
        try store.write { transaction in
            try transaction.delete(try #require(try transaction.object("Dog", primaryKey: 3)))
        }
        let emptied = try Self.table("Club", of: store).object(primaryKey: .string("paws"))
        #expect(try emptied?["dogs"] == .set([]))
    }

    @Test func `what cannot be a class is refused, and the transaction goes on`() throws {
        let store = try Self.store(dogs: 3)
        try store.write { transaction in
            expectMisfit(.badSchema, "class_Dog: there are two tables of this name") {
                try transaction.addClass(TableDefinition(class: "Dog", []))
            }
            expectMisfit(.badSchema, "class_Cat.of: its target Nobody is not a table") {
                try transaction.addClass(
                    TableDefinition(class: "Cat", [PropertyDefinition("of", .link, target: "Nobody")]))
            }
            expectMisfit(.badSchema, "class_Home: there are two tables of this name") {
                try transaction.renameClass("Dog", to: "Home")
            }
            expectMisfit(.badSchema, "class_Dog: Person.dogs leads to it") { try transaction.removeClass("Dog") }
            expectMisfit(.noSuchTable, "there is no class or table called Dgo; did you mean Dog?") {
                try transaction.removeClass("Dgo")
            }
            try transaction.addClass(TableDefinition(class: "Cat", [PropertyDefinition("name", .string)]))
        }
        #expect(try Self.table("Cat", of: store).count == 0)
    }

    @Test func `a class goes with its objects, and its slot gets another tag`() throws {
        let store = try Self.store(dogs: 300)
        try store.write { transaction in
            try transaction.removeProperty("dogs", of: "Person")
            try transaction.removeClass("Dog")
        }
        let persons = try Self.table("Person", of: store)
        // Links in Mixed values went from their lists.
        #expect(try Self.values("any", of: persons) == [.list([.int(1)]), .list([.int(1)]), .list([.int(1)])])
        #expect(try store.snapshot().table(named: "Home").count == 0)
        #expect(throws: FormatError.self) { try store.snapshot().table(named: "Dog") }
        try store.write { transaction in
            try transaction.addClass(TableDefinition(class: "Cat", [PropertyDefinition("name", .string)]))
            _ = try transaction.add("Cat", ["name": "Tom"])
        }
        let cats = try Self.table("Cat", of: store)
        #expect(cats.schema.key == TableKey(1 << 16))
        #expect(try Self.values("name", of: cats) == [.string("Tom")])
        let changes = try store.snapshot().changes(since: store.snapshot())
        #expect(changes.isEmpty)
    }

    @Test func `a class gets another name, links stay`() throws {
        let store = try Self.store(dogs: 3)
        let before = store.snapshot()
        try store.write { transaction in
            try transaction.renameClass("Dog", to: "Hound")
            let hound = try #require(try transaction.object("Hound", primaryKey: 2))
            try transaction.set(hound, "age", 5)
        }
        let hounds = try Self.table("Hound", of: store)
        #expect(try hounds.object(primaryKey: .int(2))?["age"] == .int(5))
        #expect(try store.snapshot().table(named: "Person").schema.property(named: "dogs")?.target == "class_Hound")
        let changes = try store.snapshot().changes(since: before)
        #expect(changes.tables.map(\.name) == ["Hound"] && changes.tables.map(\.formerName) == ["Dog"])
    }

    @Test func `classes become embedded where each object has one owner, and back`() throws {
        let store = try Self.store(dogs: 4)
        try store.write { transaction in
            try transaction.setEmbedded(false, "Home")
            let home = try transaction.add("Home", ["street": "lonely"])
            expectMisfit(
                .badSchema,
                "class_Home (object \(home.key)): 1 object is without an owner, but objects that live inside others have one each"
            ) { try transaction.setEmbedded(true, "Home") }
            let dog = try #require(try transaction.object("Dog", primaryKey: 0))
            try transaction.set(dog, "any", .link(home))
            expectMisfit(
                .badSchema,
                "class_Home (object \(home.key)): 1 object is in Mixed values, but objects that live inside others have one each"
            ) { try transaction.setEmbedded(true, "Home") }
            try transaction.delete(home)
            try transaction.setEmbedded(true, "Home")
            expectMisfit(.badSchema, "class_Dog._id: embedded objects have no primary key") {
                try transaction.setEmbedded(true, "Dog")
            }
            try transaction.set(dog, "home", .embedded(["street": "new"]))
            // Two that have nobody but each other, and one that has itself.
            try transaction.addClass(TableDefinition(class: "Box", [PropertyDefinition("inner", .link, target: "Box")]))
            let (left, right) = (try transaction.add("Box", [:]), try transaction.add("Box", [:]))
            try transaction.set(left, "inner", .link(right))
            try transaction.set(right, "inner", .link(left))
            expectMisfit(.badSchema, "class_Box (object \(left.key)): the object would live inside itself") {
                try transaction.setEmbedded(true, "Box")
            }
            try transaction.removeClass("Box")
        }
        let homes = try Self.table("Home", of: store)
        #expect(homes.schema.kind == .embedded)
        #expect(try Set(Self.values("street", of: homes).map { "\($0)" }).count == 4)
    }

    // MARK: Properties

    @Test func `properties get the value that is given, null, or zero`() throws {
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
            expectMisfit(.wrongType, "class_Dog.x: is of type int, not a string") {
                try transaction.addProperty(PropertyDefinition("x", .int), to: "Dog", value: "text")
            }
            expectMisfit(.nullNotAllowed, "class_Dog.x: cannot be null") {
                try transaction.addProperty(PropertyDefinition("x", .int), to: "Dog", value: .null)
            }
            expectMisfit(.badSchema, "class_Dog.age: there are two properties of this name") {
                try transaction.addProperty(PropertyDefinition("age", .int), to: "Dog")
            }
        }
        let dogs = try Self.table("Dog", of: store)
        #expect(
            try Self.values("weight", of: dogs) == [RealmReader.Value](repeating: .double(2.5), count: 600) + [
                .double(1)
            ])
        #expect(try Self.values("note", of: dogs).prefix(600).allSatisfy { $0 == .string("a note") })
        #expect(try Self.values("chip", of: dogs).allSatisfy { $0 == .null })
        #expect(try Self.values("owner", of: dogs).allSatisfy { $0 == .null })
        #expect(try Self.values("toys", of: dogs).allSatisfy { $0 == .set([]) })
        #expect(try Self.values("legs", of: dogs).filter { $0 == .int(0) }.count == 599)
        #expect(try dogs.object(primaryKey: .int(77))?["legs"] == .int(4))
        #expect(dogs.schema.property(named: "long")?.index == .general)
    }

    @Test func `the place of a property that went is used again, by a column with another key`() throws {
        let store = try Self.store(dogs: 300)
        let before = try store.snapshot().table(named: "Dog").schema
        try store.write { transaction in
            try transaction.removeProperty("age", of: "Dog")
            try transaction.removeProperty("any", of: "Dog")
        }
        let without = try Self.table("Dog", of: store).schema
        #expect(without.properties.map(\.name) == ["_id", "name", "friend", "home", "marks"])
        try store.write { transaction in
            try transaction.addProperty(PropertyDefinition("age", .string), to: "Dog", value: "old")
            try transaction.set(try #require(try transaction.object("Dog", primaryKey: 4)), "age", "young")
        }
        let dogs = try Self.table("Dog", of: store)
        let (old, new) = (
            try #require(before.property(named: "age")), try #require(dogs.schema.property(named: "age"))
        )
        #expect(new.columnKey.index == old.columnKey.index)
        // Two properties went, and the backlinks of one of them.
        #expect(old.columnKey.tag == 0 && new.columnKey.tag == 3)
        #expect(dogs.schema.properties.last?.name == "age")
        #expect(try dogs.object(primaryKey: .int(4))?["age"] == .string("young"))
        #expect(try dogs.object(primaryKey: .int(5))?["age"] == .string("old"))
        #expect(throws: FormatError.self) { _ = try dogs.object(primaryKey: .int(5))?["any"] }
    }

    /// Realm Core could not remove the objects otherwise (Spec 220).
    @Test func `backlinks within a class stand behind the Mixed values that they belong to`() throws {
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
        let any = try #require(nodes.schema.property(named: "any")).columnKey.index
        #expect(nodes.core.backlinkColumns.map { $0.index } == [any + 2])
        // Of another class the hole is filled.
        try store.write { transaction in
            let dog = try #require(try transaction.object("Dog", primaryKey: 4))
            try transaction.set(dog, "any", .link(ObjectReference("Node", ObjectKey(0))))
        }
        #expect(try Self.table("Node", of: store).core.backlinkColumns.map { $0.index } == [any + 2, 0])
        try Self.check(store.snapshot())
    }

    @Test func `a property goes with the objects that live inside it, and a primary key with its index`() throws {
        let store = try Self.store(dogs: 50)
        try store.write { transaction in
            try transaction.removeProperty("home", of: "Dog")
            try transaction.removeProperty("_id", of: "Dog")
            _ = try transaction.add("Dog", ["name": "keyless"])
        }
        #expect(try Self.table("Home", of: store).count == 0)
        let dogs = try store.snapshot().table(named: "Dog")
        #expect(dogs.schema.primaryKeyName == nil)
        #expect(try dogs.count == 51)
    }

    @Test func `a property gets another name`() throws {
        let store = try Self.store(dogs: 10)
        try store.write { transaction in
            try transaction.renameProperty("_id", of: "Dog", to: "number")
            try transaction.renameProperty("name", of: "Dog", to: "called")
            expectMisfit(.badSchema, "class_Dog.age: there are two properties of this name") {
                try transaction.renameProperty("called", of: "Dog", to: "age")
            }
            let dog = try #require(try transaction.object("Dog", primaryKey: 3))
            try transaction.set(dog, "called", "Rex")
        }
        let dogs = try Self.table("Dog", of: store)
        #expect(dogs.schema.primaryKeyName == "number")
        #expect(try dogs.object(primaryKey: .int(3))?["called"] == .string("Rex"))
        #expect(dogs.schema.property(named: "called")?.index == .general)
    }

    // MARK: Indexes and primary keys

    @Test func `indexes come and go`() throws {
        let store = try Self.store(dogs: 700)
        try store.write { transaction in
            try transaction.setIndex(.general, of: "age", in: "Dog")
            try transaction.setIndex(.fullText, of: "name", in: "Dog")
            try transaction.setIndex(.general, of: "any", in: "Dog")
            expectMisfit(.badSchema, "class_Dog.marks: such a property cannot have an index") {
                try transaction.setIndex(.general, of: "marks", in: "Dog")
            }
            expectMisfit(.badSchema, "class_Dog._id: such a property cannot have a full-text index") {
                try transaction.setIndex(.fullText, of: "_id", in: "Dog")
            }
        }
        var dogs = try Self.table("Dog", of: store)
        #expect(dogs.schema.properties.map(\.index) == [.general, .fullText, .general, .none, .none, .none, .general])
        try store.write { transaction in
            for name in ["age", "name", "any", "_id"] { try transaction.setIndex(.none, of: name, in: "Dog") }
        }
        dogs = try Self.table("Dog", of: store)
        // That of the primary key stays.
        #expect(dogs.schema.properties.map(\.index) == [.general, .none, .none, .none, .none, .none, .none])
        #expect(try dogs.object(primaryKey: .int(600)) != nil)
        try store.write { transaction in try transaction.setPrimaryKey(nil, of: "Dog") }
        #expect(try Self.table("Dog", of: store).schema.properties.allSatisfy { $0.index == .none })
    }

    @Test func `a primary key is set, changed, and refused where two objects have the same`() throws {
        let store = try Self.store(dogs: 20)
        try store.write { transaction in
            expectMisfit(
                .duplicatePrimaryKey, "class_Dog.name (object 9): the objects 0 and 9 both have \"dog 0\""
            ) { try transaction.setPrimaryKey("name", of: "Dog") }
            expectMisfit(.duplicatePrimaryKey, "class_Dog.age (object 3): the objects 0 and 3 both have null") {
                try transaction.setPrimaryKey("age", of: "Dog")
            }
            expectMisfit(.badSchema, "class_Dog.any: a primary key is an int, a string, an objectId or a uuid") {
                try transaction.setPrimaryKey("any", of: "Dog")
            }
            try transaction.setPrimaryKey("name", of: "Person")
            try transaction.setPrimaryKey(nil, of: "Dog")
            for number in 9..<20 { try transaction.delete(ObjectReference("Dog", ObjectKey(Int64(number)))) }
            try transaction.setPrimaryKey("name", of: "Dog")
            #expect(try transaction.object("Dog", primaryKey: "dog 4")?.key == ObjectKey(4))
            expectMisfit(
                .duplicatePrimaryKey, "class_Person.name: there is an object with the primary key \"person 1\""
            ) { _ = try transaction.add("Person", ["name": "person 1"]) }
        }
        let dogs = try Self.table("Dog", of: store)
        #expect(dogs.schema.primaryKeyName == "name")
        #expect(try dogs.object(primaryKey: .string("dog 8"))?["_id"] == .int(8))
        let persons = try store.snapshot().table(named: "Person")
        #expect(try persons.object(primaryKey: .string("person 2")) != nil)
    }

    // MARK: Conversions

    @Test func `values may be null, or must not`() throws {
        let store = try Self.store(dogs: 30)
        try store.write { transaction in
            expectMisfit(
                .nullNotAllowed,
                "class_Dog.age (object 0): 10 objects have null there, and nothing is given in its place"
            ) { try transaction.setOptional(false, "age", of: "Dog") }
            expectMisfit(
                .nullNotAllowed,
                "class_Dog.marks (object 0): 6 objects have null there, and nothing is given in its place"
            ) { try transaction.setOptional(false, "marks", of: "Dog") }
            expectMisfit(
                .badSchema, "class_Dog.friend: links and Mixed values have no choice of what they are, or of nulls"
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
        #expect(dogs.schema.properties.map(\.name) == ["friend", "home", "any", "age", "marks", "name", "_id"])
        #expect(dogs.schema.properties.map(\.isNullable) == [true, true, true, false, false, true, true])
        #expect(try dogs.object(primaryKey: .int(6))?["age"] == .int(99))
        #expect(try dogs.object(primaryKey: .int(7))?["age"] == .int(7))
        #expect(try dogs.object(primaryKey: .int(5))?["marks"] == .list([.int(5), .int(-1)]))
        #expect(try dogs.object(primaryKey: .null)?["name"] == .null)
        #expect(dogs.schema.property(named: "name")?.index == .general)
    }

    @Test func `types are converted, and what is impossible names its object`() throws {
        let store = try Self.store(dogs: 30)
        try store.write { transaction in
            try transaction.changeType(of: "age", in: "Dog", to: .double)
            try transaction.changeType(of: "_id", in: "Dog", to: .string)
            try transaction.changeType(of: "marks", in: "Dog", to: .mixed)
            expectMisfit(
                .notRepresentable, "class_Dog.name (object 0): the string \"dog 0\" cannot be of type int"
            ) { try transaction.changeType(of: "name", in: "Dog", to: .int) }
            expectMisfit(.notRepresentable, "class_Dog.any (object 1): a link cannot be of type string") {
                try transaction.changeType(of: "any", in: "Dog", to: .string, isOptional: true)
            }
            let dog = try #require(try transaction.object("Dog", primaryKey: "7"))
            try transaction.set(dog, "age", 0.5)
        }
        let dogs = try Self.table("Dog", of: store)
        #expect(try dogs.object(primaryKey: .string("7"))?["age"] == .double(0.5))
        #expect(try dogs.object(primaryKey: .string("8"))?["age"] == .double(8))
        #expect(try dogs.object(primaryKey: .string("9"))?["age"] == .null)
        #expect(try dogs.object(primaryKey: .string("5"))?["marks"] == .list([.int(5), .null]))
        try store.write { transaction in
            try transaction.changeType(of: "_id", in: "Dog", to: .int)
            try transaction.changeType(of: "marks", in: "Dog", to: .string, isOptional: false, insteadOfNull: "-")
        }
        let back = try Self.table("Dog", of: store)
        #expect(try back.object(primaryKey: .int(5))?["marks"] == .list([.string("5"), .string("-")]))
        #expect(back.schema.primaryKeyName == "_id")
    }

    // MARK: Whole schemas

    @Test func `a schema is applied as far as nothing is lost, and the rest is told`() throws {
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
        #expect(
            before.map(\.description) == [
                "Property 'Dog.age' has been made required.",
                "Property 'Dog.age' has been made indexed.",
                "Property 'Dog.marks' has been changed from 'array<int>' to 'array<string>'.",
                "Property 'Dog.any' has been removed.",
                "Property 'Dog.club' has been added.",
                "Primary Key for class 'Dog' has changed from '_id' to 'name'.",
                "Class 'Home' has been changed from Embedded to TopLevel.",
                "Class 'Club' has been added.",
                "Class 'Person' has been removed.",
            ])
        let left = try store.write { transaction in
            let left = try transaction.apply(wanted)
            _ = try transaction.add("Club", ["best": .link(try #require(try transaction.object("Dog", primaryKey: 1)))])
            return left
        }
        #expect(left == before.filter { !$0.isAdditive })
        #expect(
            left.map(\.kind) == [
                .makeRequired, .changeType, .removeProperty, .changePrimaryKey, .changeClassKind, .removeClass,
            ])
        let dogs = try Self.table("Dog", of: store)
        #expect(dogs.schema.property(named: "age")?.index == .general)
        #expect(dogs.schema.property(named: "club")?.target == "class_Club")
        #expect(try store.snapshot().table(named: "Club").count == 1)
        // Once more there is nothing to do.
        let commit = store.snapshot().commitNumber
        #expect(try store.write { try $0.apply(wanted) } == left)
        #expect(store.snapshot().commitNumber == commit)
    }

    @Test func `the version of the schema is set, and taken away`() throws {
        let store = try Self.store(dogs: 3)
        #expect(store.snapshot().schema.version == 3)
        try store.write { transaction in
            #expect(try transaction.schemaVersion == 3)
            try transaction.setSchemaVersion(8)
            #expect(try transaction.schemaVersion == 8)
        }
        try Self.check(store.snapshot())
        #expect(store.snapshot().schema.version == 8)
        try store.write { transaction in try transaction.setSchemaVersion(nil) }
        #expect(store.snapshot().schema.version == nil)
        try store.write { transaction in
            try transaction.removeClass("metadata")
            try transaction.setSchemaVersion(1)
        }
        try Self.check(store.snapshot())
        #expect(store.snapshot().schema.version == 1)
    }

    @Test func `what is thrown undoes changes of the schema as well`() throws {
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
        #expect(store.snapshot().schema == before.schema)
        #expect(try Self.table("Dog", of: store).count == 30)
    }
}

extension [String: NewValue] {
    /// The same with a double for the int of `weight`.
    fileprivate var asDoubles: [String: NewValue] {
        var copy = self
        if case .int(let number)? = copy["weight"] { copy["weight"] = .double(Double(number)) }
        return copy
    }
}
