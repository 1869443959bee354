import Expectations
import RealmCore
import RealmLayout
import RealmStore
import Testing
import TransactionTestSupport
import WriterTestSupport

/// Upserts that write only differences.
@Suite struct UpsertTests {
    private static let schema = SchemaDefinition([
        TableDefinition(
            class: "Dog", primaryKey: "_id",
            [
                PropertyDefinition("_id", .int, index: .general),
                PropertyDefinition("name", .string, isNullable: true),
                PropertyDefinition("weight", .double),
                PropertyDefinition("friend", .link, isNullable: true, target: "class_Dog"),
                PropertyDefinition("friends", .link, collection: .list, target: "class_Dog"),
                PropertyDefinition(
                    "byName", .link, isNullable: true, collection: .dictionary(.string), target: "class_Dog"),
                PropertyDefinition("tags", .string, collection: .set),
                PropertyDefinition("any", .mixed, isNullable: true),
                PropertyDefinition("home", .link, isNullable: true, target: "class_Home"),
                PropertyDefinition("homes", .link, collection: .list, target: "class_Home"),
            ]),
        TableDefinition(
            class: "Home", kind: .embedded,
            [
                PropertyDefinition("street", .string, isNullable: true),
                PropertyDefinition("numbers", .int, collection: .list),
            ]),
    ])

    private static let values: [String: NewValue] = [
        "_id": 1, "name": "Rex", "weight": .double(-0.0), "friend": .link("Dog", primaryKey: 0),
        "friends": .list([.link("Dog", primaryKey: 0), .link("Dog", primaryKey: 0)]),
        "byName": .dictionary([NewEntry("a", .link("Dog", primaryKey: 0)), NewEntry("b", .null)]),
        "tags": .list(["b", "a", "b"]),
        "any": .list([1, .dictionary([NewEntry("k", .list(["x"]))]), .link("Dog", primaryKey: 0)]),
        "home": .embedded(["street": "Elm", "numbers": .list([1, 2])]),
        "homes": .list([.embedded(["street": "Oak"]), .embedded([:])]),
    ]

    private func store() throws -> RealmStore {
        let store = try RealmStore(inMemory: Self.schema)
        try store.write { transaction in
            _ = try transaction.add("Dog", ["_id": 0, "weight": 1.5])
            _ = try transaction.add("Dog", Self.values)
        }
        return store
    }

    @Test func `equal values are not written`() throws {
        let store = try store()
        let before = store.snapshot()
        try store.write { transaction in _ = try transaction.upsert("Dog", Self.values, onlyChanged: true) }
        expectEqual(store.snapshot().commitNumber, before.commitNumber)
        // A full upsert writes everything; embedded objects are then new ones.
        try store.write { transaction in _ = try transaction.upsert("Dog", Self.values) }
        try expectEqual(store.snapshot().changes(since: before).table(named: "Home")?.deleted.count, 3)
    }

    /// Another value of each property, and its path in the changes.
    @Test(
        arguments: [
            ("name", .null), ("name", "rex"), ("weight", 0.0), ("friend", .null),
            ("friend", .link("Dog", primaryKey: 1)),
            ("friends", .list([.link("Dog", primaryKey: 0)])), ("friends", .list([])),
            ("byName", .dictionary([NewEntry("a", .link("Dog", primaryKey: 0))])),
            ("byName", .dictionary([NewEntry("a", .link("Dog", primaryKey: 1)), NewEntry("b", .null)])),
            ("tags", .list(["a", "a"])), ("tags", .list(["a", "b", "c"])), ("tags", .list([])), ("any", .null),
            ("any", 1),
            ("any", .list([1.0, .dictionary([NewEntry("k", .list(["x"]))]), .link("Dog", primaryKey: 0)])),
            ("any", .list([1, .dictionary([NewEntry("k", .list(["y"]))]), .link("Dog", primaryKey: 0)])),
            ("home", .null), ("home", .embedded(["street": "Elm", "numbers": .list([1, 3])])),
            ("home", .embedded(["street": "Elm"])),
            ("homes", .list([.embedded(["street": "Oak"])])), ("homes", .list([.embedded([:]), .embedded([:])])),
        ] as [(String, NewValue)])
    func `only different values are written`(property: String, value: NewValue) throws {
        let (store, expected) = (try store(), try store())
        let before = store.snapshot()
        var values = Self.values
        values[property] = value
        try store.write { transaction in _ = try transaction.upsert("Dog", values, onlyChanged: true) }
        try expected.write { transaction in
            let dog = try #require(try transaction.object("Dog", primaryKey: 1))
            try transaction.set(dog, property, value)
        }
        let dogs = try store.snapshot().changes(since: before).table(named: "Dog")
        expectEqual(dogs?.modified.map { $0.properties.map(\.name) }, [[property]])
        let texts = try [store, expected].map { try Set(BuiltContent($0.snapshot(), Self.schema).text) }
        expectEqual(texts[0], texts[1])
    }

    @Test func `a value that does not fit is reported as usual`() throws {
        let store = try store()
        let before = store.snapshot().commitNumber
        try store.write { transaction in
            for (name, value) in [("name", 1), ("colour", "brown")] as [(String, NewValue)] {
                var values = Self.values
                values[name] = value
                let misfit = values
                #expect(throws: WriteError.self) { _ = try transaction.upsert("Dog", misfit, onlyChanged: true) }
            }
        }
        expectEqual(store.snapshot().commitNumber, before)
    }
}
