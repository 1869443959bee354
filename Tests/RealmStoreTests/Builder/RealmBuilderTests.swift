import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import RealmStore
import TestSupport
import Testing

/// The input that `RealmBuilder` accepts and refuses, and its error messages.
@Suite struct RealmBuilderTests {
    private static let schema = SchemaDefinition(
        [
            TableDefinition(
                class: "Dog", primaryKey: "_id",
                [PropertyDefinition("_id", .int), PropertyDefinition("name", .string, isNullable: true)]),
            TableDefinition(
                class: "Address", kind: .embedded,
                [
                    PropertyDefinition("street", .string),
                    PropertyDefinition("dog", .link, target: "class_Dog"),
                    PropertyDefinition("lines", .string, collection: .list),
                ]),
            TableDefinition(
                class: "Person",
                [
                    PropertyDefinition("name", .string),
                    PropertyDefinition("dogs", .link, collection: .list, target: "class_Dog"),
                    PropertyDefinition("address", .link, target: "class_Address"),
                    PropertyDefinition("old", .link, collection: .list, target: "class_Address"),
                    PropertyDefinition("any", .mixed),
                    PropertyDefinition("numbers", .int, collection: .set),
                    PropertyDefinition("ratings", .double, collection: .dictionary(.string)),
                    PropertyDefinition("born", .timestamp, isNullable: true),
                ]),
            TableDefinition(class: "Event", kind: .asymmetric, primaryKey: "_id", [PropertyDefinition("_id", .int)]),
        ], version: 3)

    private let folder: TemporaryFolder
    private let builder: RealmBuilder

    init() throws {
        folder = try TemporaryFolder()
        builder = try RealmBuilder(Self.schema, at: NewFile(folder.file("new.realm")))
    }

    private func finished() throws -> Snapshot {
        try builder.finish()
        let path = folder.file("new.realm")
        let findings = Verification(level: .deep).run(on: try ByteSource(path: path)).findings
        expect(findings.isEmpty, "\(findings.map(\.message))")
        return try RealmDatabase(path: path).snapshot()
    }

    @Test func `links, embedded objects and lists are stored in their places`() throws {
        let rex = try builder.add("Dog", ["_id": 1, "name": "Rex"])
        let ann = try builder.add(
            "Person",
            [
                "name": "Ann", "dogs": [.link(rex), .link(primaryKey: 2), .link(rex)],
                "address": .embedded(["street": "Main", "dog": .link(primaryKey: 2), "lines": ["a", "b"]]),
                "old": [.embedded(["street": "First"]), .embedded(["street": "Second"])],
                "any": [1, "x", ["k": 2.5, "to": .link("Dog", primaryKey: 2)]],
                "numbers": [3, 1, 3], "ratings": ["b": 2.0, "a": 1.5],
            ])
        let fido = try builder.add("Dog", ["_id": 2, "name": nil])
        expectEqual([rex.key, fido.key, ann.key], [ObjectKey(0), ObjectKey(1), ObjectKey(0)])
        let snapshot = try finished()
        expectEqual(snapshot.schema.version, 3)
        let dogs = try snapshot.table(named: "Dog")
        try expectEqual(dogs.object(fido.key)?.values(), [.int(2), .null])
        let person = try #require(try snapshot.table(named: "Person").object(ann.key))
        func link(_ reference: ObjectReference) -> Value { .link(Link(table: dogs, objectKey: reference.key)) }
        try expectEqual(person["name"], .string("Ann"))
        try expectEqual(person["dogs"], .list([link(rex), link(fido), link(rex)]))
        guard case .embedded(let address) = try person["address"], case .list(let old) = try person["old"],
            case .embedded(let second) = old.last
        else {
            Issue.record("no embedded objects")
            return
        }
        try expectEqual(address.values(), [.string("Main"), link(fido), .list([.string("a"), .string("b")])])
        expectEqual(old.count, 2)
        try expectEqual(second["street"], .string("Second"))
        try expectEqual(
            person["any"],
            .list([
                .int(1), .string("x"),
                .dictionary([
                    DictionaryEntry(key: .string("k"), value: .double(2.5)),
                    DictionaryEntry(key: .string("to"), value: link(fido)),
                ]),
            ]))
        try expectEqual(person["numbers"], .set([.int(1), .int(3)]))
        try expectEqual(
            person["ratings"],
            .dictionary([
                DictionaryEntry(key: .string("a"), value: .double(1.5)),
                DictionaryEntry(key: .string("b"), value: .double(2)),
            ]))
        try expectEqual(person["born"], .null)
        try expectEqual(dogs.object(fido.key)?.backlinkCount, 3)
    }

    /// A timestamp with parts of different signs is stored in normalised form.
    @Test func `a time with parts of different signs is stored in normalised form`() throws {
        let time = try #require(Timestamp(seconds: 1, nanoseconds: -1))
        try builder.add("Person", ["name": "Ann", "born": .timestamp(time), "any": [.timestamp(time)]])
        let person = try #require(try finished().table(named: "Person").object(ObjectKey(0)))
        let expected = Value.timestamp(try #require(Timestamp(seconds: 0, nanoseconds: 999_999_999)))
        try expectEqual(person["born"], expected)
        try expectEqual(person["any"], .list([expected]))
    }

    @Test func `links lead to tombstones`() throws {
        let gone = try builder.addTombstone("Dog", primaryKey: 7)
        let rex = try builder.add("Dog", ["_id": 1])
        try builder.addTombstone("Dog", primaryKey: 8)
        try builder.add("Person", ["name": "Ann", "dogs": [.link(gone), .link(rex), .link(primaryKey: 8)]])
        #expect(throws: WriteError.self) { try builder.addTombstone("Dog", primaryKey: 1) }
        #expect(throws: WriteError.self) { try builder.add("Dog", ["_id": 8]) }
        #expect(throws: WriteError.self) { try builder.addTombstone("Person", primaryKey: 1) }
        let snapshot = try finished()
        guard case .list(let dogs) = try snapshot.table(named: "Person").object(ObjectKey(0))?["dogs"] else {
            Issue.record("no list")
            return
        }
        let keys: [Value?] = try dogs.map { value in
            guard case .link(let link) = value else { return nil }
            expectEqual(link.isUnresolved, (link.objectKey != rex.key))
            return try link.primaryKey()
        }
        expectEqual(keys, [.int(7), .int(1), .int(8)])
        try expectEqual(snapshot.table(named: "Dog").tombstoneCount, 2)
    }

    /// Primary keys always have a general index: without it no SDK opens the file.
    @Test(arguments: [IndexKind.none, .general, .fullText], [StoredPropertyType.int, .string])
    func `primary keys always have a general index`(_ index: IndexKind, _ type: StoredPropertyType)
        throws
    {
        let folder = try TemporaryFolder()
        let schema = SchemaDefinition([
            TableDefinition(class: "Word", primaryKey: "_id", [PropertyDefinition("_id", type, index: index)])
        ])
        let builder = try RealmBuilder(schema, at: NewFile(folder.file("words.realm")))
        try builder.add("Word", ["_id": type == .int ? 5 : "two words"])
        try builder.finish()
        let path = folder.file("words.realm")
        expect(Verification(level: .deep).run(on: try ByteSource(path: path)).findings.isEmpty)
        let words = try RealmDatabase(path: path).snapshot().table(named: "Word")
        expectEqual(words.schema.properties[0].index, .general)
        try expect(words.object(primaryKey: type == .int ? .int(5) : .string("two words")) != nil)
    }

    @Test func `chosen object keys have to be ascending`() throws {
        let high = try builder.add("Person", ["name": "high"], key: ObjectKey(1 << 50))
        let low = try builder.add("Person", ["name": "low", "any": .link(high)], key: ObjectKey(5))
        try builder.add("Dog", ["_id": 5])
        refusal(
            .badObjectKey, "Dog (object 0): the key is not higher than 0, which was not chosen (primary key 6)"
        ) {
            try $0.add("Dog", ["_id": 6], key: ObjectKey(0))
        }
        refusal(.badObjectKey, "Person (object -3): -3 is not an object key") {
            try $0.add("Person", ["name": "a"], key: ObjectKey(-3))
        }
        let snapshot = try finished()
        var cursor = try snapshot.table(named: "Person").objects
        try expectEqual(cursor.next()?.key, low.key)
        try expectEqual(cursor.next()?["name"], .string("high"))
        try expectEqual(cursor.next(), nil)
    }

    private func refusal(
        _ code: InvalidValue.Code, _ description: String, location: SourceLocation = #_sourceLocation,
        _ body: (RealmBuilder) throws -> Void
    ) {
        do {
            try body(builder)
            Issue.record("was not refused", sourceLocation: location)
        } catch WriteError.misfit(let misfit) {
            expectEqual(misfit.code, code, sourceLocation: location)
            expectEqual(misfit.description, description, sourceLocation: location)
        } catch {
            Issue.record("\(error)", sourceLocation: location)
        }
    }

    /// Every misfit is reported with its place, nothing of the object is written, and the builder can continue.
    @Test func `a value that does not fit is reported with its place and its object is not written`() throws {
        let rex = try builder.add("Dog", ["_id": 1])
        let ann = try builder.add("Person", ["name": "Ann"])
        refusal(.noSuchTable, "there is no class Cat") { try $0.add("Cat", [:]) }
        refusal(.wrongType, "Address: objects of Address are embedded: they are part of the value of a property") {
            try $0.add("Address", ["street": "x"])
        }
        refusal(.noSuchProperty, "Dog.age (object 1): the class Dog has no such property (primary key 2)") {
            try $0.add("Dog", ["_id": 2, "age": 3])
        }
        // A misspelled name is reported, not the missing value of the intended property.
        refusal(
            .noSuchProperty, "Person.nmae (object 1): the class Person has no such property; did you mean name?"
        ) {
            try $0.add("Person", ["nmae": "Ann"])
        }
        refusal(
            .noSuchProperty, "Person.Name (object 1): the class Person has no such property; did you mean name?"
        ) {
            try $0.add("Person", ["Name": "Ann"])
        }
        refusal(.missingValue, "Person.name (object 1): has no value") { try $0.add("Person", [:]) }
        refusal(.nullNotAllowed, "Person.name (object 1): cannot be null") { try $0.add("Person", ["name": nil]) }
        refusal(.wrongType, "Dog.name (object 1): is of type string, not an int (primary key 2)") {
            try $0.add("Dog", ["_id": 2, "name": 3])
        }
        refusal(.duplicatePrimaryKey, "Dog._id (object 1): the object 0 has the same primary key (primary key 1)") {
            try $0.add("Dog", ["_id": 1])
        }
        func person(
            _ code: InvalidValue.Code, _ description: String, _ values: [String: NewValue],
            location: SourceLocation = #_sourceLocation
        ) {
            refusal(code, "Person.\(description)", location: location) {
                try $0.add("Person", values.merging(["name": "x"]) { given, _ in given })
            }
        }
        person(
            .wrongType, "address.lines[1] (object 1): is of type string, not a bool",
            ["address": .embedded(["street": "s", "lines": ["a", true]])])
        person(
            .missingValue, "old[1].street (object 1): has no value",
            ["old": [.embedded(["street": ""]), .embedded([:])]])
        person(.wrongType, "dogs[0] (object 1): links to Dog, not to Person", ["dogs": [.link(ann)]])
        person(.nullNotAllowed, "dogs[1] (object 1): an element cannot be null", ["dogs": [.link(rex), nil]])
        person(
            .wrongType, "dogs[0] (object 1): the primary key of Dog is of type int, not a string",
            ["dogs": [.link(primaryKey: "1")]])
        person(.wrongType, "dogs (object 1): is a list, not an int", ["dogs": 1])
        person(.wrongType, "numbers (object 1): is a set, not a dictionary", ["numbers": ["a": 1]])
        person(.wrongType, "ratings[\"a\"] (object 1): is of type double, not an int", ["ratings": ["a": 1]])
        person(.duplicateValue, "ratings[\"a\"] (object 1): the key is there twice", ["ratings": ["a": 1.0, "a": 2.0]])
        person(.wrongType, "ratings[1] (object 1): the key is an int, not a string", ["ratings": [1: 1.0]])
        person(.wrongType, "any (object 1): is of type mixed, not an embedded object", ["any": .embedded([:])])
        person(
            .noSuchTable, "any[0] (object 1): a link by primary key in a mixed value needs the name of the class",
            ["any": [.link(primaryKey: 1)]])
        person(
            .wrongType, "any (object 1): nothing can link to the asymmetric class Event",
            ["any": .link("Event", primaryKey: 1)])
        let deep = (0..<100).reduce(NewValue.int(1)) { inner, _ in .list([inner]) }
        try builder.add("Person", ["name": "deep", "any": deep])
        person(
            .tooDeep,
            "any\(String(repeating: "[0]", count: 100)) (object 2): collections are nested more than 100 levels deep",
            ["any": [deep]])
        person(
            .tooLong, "name (object 2): a string of 16777200 bytes; at most 16777199 fit",
            ["name": .string(String(repeating: "x", count: 16_777_200))])
        let snapshot = try finished()
        try expectEqual(snapshot.table(named: "Dog").count, 1)
        try expectEqual(snapshot.table(named: "Person").count, 2)
        try expectEqual(snapshot.table(named: "Address").count, 0)
    }

    /// A set contains a link once, and its target has one backlink.
    @Test func `a set contains a link once and its target has one backlink`() throws {
        let schema = SchemaDefinition([
            TableDefinition(
                class: "Node",
                [
                    PropertyDefinition("links", .link, collection: .set, target: "class_Node"),
                    PropertyDefinition("any", .mixed, collection: .set),
                ])
        ])
        let path = folder.file("sets.realm")
        let builder = try RealmBuilder(schema, at: NewFile(path))
        let node = try builder.add("Node", [:])
        let twice = NewValue.list([.link(node), .link(node)])
        try builder.add("Node", ["links": twice, "any": twice])
        try builder.finish()
        let table = try RealmDatabase(path: path).snapshot().table(named: "Node")
        try expectEqual(table.object(node.key)?.backlinkCount, 2)
        expect(Verification(level: .deep).run(on: try ByteSource(path: path)).findings.isEmpty)
    }

    @Test func `an object that is linked by its primary key has to be added`() throws {
        try builder.add("Person", ["name": "Ann", "address": .embedded(["street": "s", "dog": .link(primaryKey: 4)])])
        refusal(
            .danglingLink,
            "Person.address (object 0): links to the Dog with the primary key 4, which was not added"
        ) { try $0.finish() }
        expectEqual(folder.bytes("new.realm"), nil)
        refusal(.badObjectKey, "Dog (object 9): links lead to it already, by which its key is 0 (primary key 4)") {
            try $0.add("Dog", ["_id": 4], key: ObjectKey(9))
        }
        try builder.add("Dog", ["_id": 5])
        let four = try builder.add("Dog", ["_id": 4])
        expectEqual(four.key, ObjectKey(0))
        let snapshot = try finished()
        try expectEqual(snapshot.table(named: "Dog").object(four.key)?.backlinkCount, 1)
        // The file exists, and the builder is finished.
        for action in [{ _ = try self.builder.add("Dog", ["_id": 6]) }, { try self.builder.finish() }]
            as [() throws -> Void]
        {
            do {
                try action()
                Issue.record("the builder goes on")
            } catch WriteError.misfit(let misfit) {
                expect(misfit.code == .finished && misfit.description.contains("is finished"))
            }
        }
    }

    @Test func `an object that is linked by its object key has to be added`() throws {
        try builder.add("Person", ["name": "Ann", "dogs": [.link(ObjectReference("Dog", ObjectKey(12)))]])
        refusal(
            .danglingLink,
            "Dog: Person.dogs of the object 0 links to the object 12, which does not exist"
        ) { try $0.finish() }
        expectEqual(folder.names, [])
        // It is too late to add it.
        refusal(
            .danglingLink,
            "Dog: Person.dogs of the object 0 links to the object 12, which does not exist"
        ) { try $0.add("Dog", ["_id": 6], key: ObjectKey(12)) }
    }

    @Test func `an object key is used only once`() throws {
        try builder.add("Person", ["name": "a"], key: ObjectKey(3))
        try builder.add("Person", ["name": "b"], key: ObjectKey(3))
        refusal(.duplicateKey, "Person (object 3): is there twice") { try $0.finish() }
        expectEqual(folder.names, [])
    }

    @Test func `no file is left if the builder is not finished`() throws {
        do {
            let builder = try RealmBuilder(Self.schema, at: NewFile(folder.file("other.realm")))
            try builder.add("Dog", ["_id": 1])
        }
        expect(!folder.names.contains { $0.contains("other") })
    }
}
