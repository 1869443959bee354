import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import RealmStore
import TestSupport
import Testing
import WriterTestSupport

/// The changes between two snapshots, value by value.
@Suite struct ChangeTests {
    private static let schema = SchemaDefinition([
        TableDefinition(
            class: "Dog", primaryKey: "_id",
            [
                PropertyDefinition("_id", .int, index: .general),
                PropertyDefinition("name", .string),
                PropertyDefinition("age", .int, isNullable: true),
                PropertyDefinition("toys", .string, collection: .list),
                PropertyDefinition("friends", .link, collection: .list, target: "class_Dog"),
                PropertyDefinition("tags", .string, collection: .set),
                PropertyDefinition("marks", .mixed, isNullable: true, collection: .dictionary(.string)),
                PropertyDefinition("any", .mixed, isNullable: true),
                PropertyDefinition("home", .link, isNullable: true, target: "class_Home"),
            ]),
        TableDefinition(class: "Home", kind: .embedded, [PropertyDefinition("street", .string)]),
        TableDefinition(class: "Cat", [PropertyDefinition("name", .string)]),
    ])

    private static func store(dogs: Int = 1000) throws -> RealmStore {
        let folder = try TemporaryFolder()
        let path = folder.file("dogs.realm")
        let builder = try RealmBuilder(schema, at: NewFile(path))
        for number in 0..<dogs {
            _ = try builder.add(
                "Dog",
                [
                    "_id": .int(Int64(number)), "name": .string("dog \(number)"), "age": .int(Int64(number % 10)),
                    "toys": .list(["ball", "bone", "stick", "shoe"]), "home": .embedded(["street": "Main"]),
                ])
        }
        for number in 0..<10 { _ = try builder.add("Cat", ["name": .string("cat \(number)")]) }
        try builder.finish()
        return try RealmStore(bytes: try #require(folder.bytes("dogs.realm")))
    }

    private static func dog(_ transaction: WriteTransaction, _ id: Int64) throws -> ObjectReference {
        try #require(try transaction.object("Dog", primaryKey: .int(id)))
    }

    @Test func `changed objects and properties are reported by class`() throws {
        let store = try Self.store()
        let before = store.snapshot()
        var keys: [Int64: ObjectKey] = [:]
        var new: ObjectKey?
        try store.write { transaction in
            for id: Int64 in [3, 400, 401, 999] { keys[id] = try Self.dog(transaction, id).key }
            try transaction.set(Self.dog(transaction, 3), "name", "Rex")
            try transaction.set(Self.dog(transaction, 3), "age", .null)
            // The same value again.
            try transaction.set(Self.dog(transaction, 400), "age", 0)
            try transaction.delete(Self.dog(transaction, 401))
            try transaction.set(Self.dog(transaction, 999), "any", .list([1, .dictionary(["a": 2])]))
            new = try transaction.add("Dog", ["_id": 2000, "name": "new"]).key
        }
        let changes = try store.snapshot().changes(since: before)
        expect(!changes.isEmpty)
        expectEqual(changes.tables.map(\.name), ["Dog", "Home"])
        let dogs = try #require(changes.table(named: "Dog"))
        expectEqual(dogs.inserted, [try #require(new)])
        expectEqual(dogs.deleted, [try #require(keys[401])])
        expectEqual(
            dogs.modified,
            [
                ChangedObject(
                    key: try #require(keys[3]),
                    properties: [
                        ChangedProperty(name: "name", elements: nil), ChangedProperty(name: "age", elements: nil),
                    ]),
                ChangedObject(
                    key: try #require(keys[999]), properties: [ChangedProperty(name: "any", elements: nil)]),
            ])
        expect(dogs.schema.isEmpty && dogs.formerName == nil)
        // The embedded object was deleted with its owner.
        let homes = try #require(changes.table(named: "Home"))
        expect(homes.deleted.count == 1 && homes.inserted.isEmpty && homes.modified.isEmpty)
        // In the opposite direction.
        let back = try before.changes(since: store.snapshot())
        expectEqual(back.table(named: "Dog")?.inserted, dogs.deleted)
        expectEqual(back.table(named: "Dog")?.deleted, dogs.inserted)
        expectEqual(back.table(named: "Dog")?.modified, dogs.modified)
        try expect(store.snapshot().changes(since: store.snapshot()).isEmpty)
    }

    @Test func `links to an object do not modify it`() throws {
        let store = try Self.store()
        let before = store.snapshot()
        var key: ObjectKey?
        try store.write { transaction in
            key = try Self.dog(transaction, 5).key
            try transaction.set(Self.dog(transaction, 5), "friends", .list([.link(Self.dog(transaction, 900))]))
        }
        let changes = try store.snapshot().changes(since: before)
        expectEqual(changes.tables.map(\.name), ["Dog"])
        expectEqual(changes.tables.first?.modified.map(\.key), [try #require(key)])
        expectEqual(changes.tables.first?.modified.first?.properties.first?.elements?.insertions, [0])
    }

    @Test func `collections with the same elements are not reported as modified`() throws {
        let store = try Self.store(dogs: 10)
        try store.write { transaction in
            let dog = try Self.dog(transaction, 1)
            try transaction.set(dog, "tags", .list(["a", "b"]))
            try transaction.set(dog, "marks", .dictionary(["x": 1, "y": .list([1, 2])]))
            try transaction.set(dog, "any", .dictionary(["x": .list(["deep"])]))
        }
        let before = store.snapshot()
        try store.write { transaction in
            let dog = try Self.dog(transaction, 1)
            try transaction.set(dog, "tags", .list(["b", "a"]))
            try transaction.set(dog, "marks", .dictionary(["y": .list([1, 2]), "x": 1]))
            try transaction.set(dog, "any", .dictionary(["x": .list(["deep"])]))
            try transaction.set(dog, "toys", .list(["ball", "bone", "stick", "shoe"]))
        }
        try expect(store.snapshot().changes(since: before).isEmpty)
        try store.write { transaction in
            let dog = try Self.dog(transaction, 1)
            try transaction.set(dog, "tags", .list(["b", "a", "c"]))
            try transaction.set(dog, "marks", .dictionary(["y": .list([1, 3]), "x": 1]))
            try transaction.set(dog, "any", .dictionary(["x": .list(["deeper"])]))
        }
        let changed = try store.snapshot().changes(since: before).table(named: "Dog")?.modified.first?.properties
        expectEqual(changed?.map(\.name), ["tags", "marks", "any"])
        expectEqual(changed?.allSatisfy { $0.elements == nil }, true)
    }

    @Test(
        arguments: [
            // (old, new, deletions, insertions, moves, modifications)
            ("abcd", "abcd", [], [], [], []),
            ("abcd", "acd", [1], [], [], []),
            ("abcd", "abxcd", [], [2], [], []),
            ("abcd", "abxd", [], [], [], [[2, 2]]),
            ("abcd", "bcda", [], [], [[0, 3]], []),
            ("abcd", "dabc", [], [], [[3, 0]], []),
            ("abcd", "", [0, 1, 2, 3], [], [], []),
            ("", "ab", [], [0, 1], [], []),
            ("aab", "ab", [1], [], [], []),
            ("abcdef", "xbfcde", [], [], [[5, 2]], [[0, 0]]),
            ("abc", "cba", [], [], [[2, 0], [1, 1]], []),
            ("abcd", "axyzd", [], [3], [], [[1, 1], [2, 2]]),
            ("aba", "bab", [], [], [[1, 0]], [[2, 2]]),
        ] as [(String, String, [Int], [Int], [[Int]], [[Int]])])
    func `changes of lists are reported by index`(
        old: String, new: String, deletions: [Int], insertions: [Int], moves: [[Int]], modifications: [[Int]]
    ) throws {
        let changes = ListChanges(from: Array(old), to: Array(new), after: 0)
        expectEqual(changes.applied(to: old.map { "\($0)" }, new: new.map { "\($0)" }), new.map { "\($0)" })
        expectEqual(changes.deletions, deletions)
        expectEqual(changes.insertions, insertions)
        expectEqual(changes.moves, moves.map { ListChanges.Places(old: $0[0], new: $0[1]) })
        expectEqual(changes.modifications, modifications.map { ListChanges.Places(old: $0[0], new: $0[1]) })
        let store = try Self.store(dogs: 3)
        try store.write { transaction in
            try transaction.set(Self.dog(transaction, 1), "toys", .list(old.map { .string("\($0)") }))
        }
        let before = store.snapshot()
        try store.write { transaction in
            try transaction.set(Self.dog(transaction, 1), "toys", .list(new.map { .string("\($0)") }))
        }
        let told = try store.snapshot().changes(since: before).table(named: "Dog")?.modified.first
        expectEqual(told?.properties.first?.elements, (changes.isEmpty ? nil : changes))
    }

    @Test func `a transaction reports its changes so far`() throws {
        struct Stop: Error {}
        let store = try Self.store()
        let before = store.snapshot()
        var first: Snapshot?
        try? store.write { transaction in
            try transaction.set(Self.dog(transaction, 7), "name", "first")
            let snapshot = try transaction.snapshot()
            try expectEqual(snapshot.changes(since: before).table(named: "Dog")?.modified.count, 1)
            first = snapshot
            throw Stop()
        }
        try store.write { transaction in
            try transaction.set(Self.dog(transaction, 8), "name", "second")
            try transaction.set(Self.dog(transaction, 9), "name", "third")
            let snapshot = try transaction.snapshot()
            // The nodes of two transactions have the same refs.
            let abandoned = try #require(first)
            try expectEqual(snapshot.changes(since: abandoned).table(named: "Dog")?.modified.count, 3)
            try expectEqual(snapshot.changes(since: before).table(named: "Dog")?.modified.count, 2)
        }
        try expectEqual(store.snapshot().changes(since: before).table(named: "Dog")?.modified.count, 2)
        try expectEqual(store.snapshot().changes(since: try #require(first)).table(named: "Dog")?.modified.count, 3)
    }

    @Test func `many commits at once are reported as one`() throws {
        let store = try Self.store()
        let before = store.snapshot()
        for round in 0..<20 {
            try store.write { transaction in
                for id in 0..<50 {
                    try transaction.set(
                        Self.dog(transaction, Int64(id * 20 + round)), "age", .int(Int64(100 + round)))
                }
            }
        }
        let changes = try store.snapshot().changes(since: before)
        expectEqual(changes.table(named: "Dog")?.modified.count, 1000)
        expectEqual(changes.table(named: "Dog")?.modified.allSatisfy { $0.properties.map(\.name) == ["age"] }, true)
    }

    @Test func `snapshots of different stores are refused`() throws {
        let (one, other) = (try Self.store(dogs: 3), try Self.store(dogs: 3))
        #expect {
            try one.snapshot().changes(since: other.snapshot())
        } throws: {
            ($0 as? FormatError)?.code == .otherDatabase
        }
        let folder = try TemporaryFolder()
        let path = folder.file("dogs.realm")
        try RealmBuilder(Self.schema, at: NewFile(path)).finish()
        let (left, right) = (try RealmDatabase(path: path).snapshot(), try RealmDatabase(path: path).snapshot())
        #expect(throws: FormatError.self) { try left.changes(since: right) }
        try expect(left.changes(since: left).isEmpty)
    }
}
