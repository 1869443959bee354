import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import RealmStore
import TestSupport
import Testing

/// Databases that are created empty.
@Suite struct EmptyDatabaseTests {
    private static let schema = SchemaDefinition(
        [
            TableDefinition(
                class: "Dog", primaryKey: "_id",
                [
                    PropertyDefinition("_id", .int), PropertyDefinition("name", .string, index: .fullText),
                    PropertyDefinition("friends", .link, collection: .list, target: "Dog"),
                    PropertyDefinition("home", .link, target: "Home"),
                ]),
            TableDefinition(class: "Home", kind: .embedded, [PropertyDefinition("street", .string)]),
        ], version: 7)

    @Test func `a database created from a schema has its classes and no objects`() throws {
        let bytes = try EmptyDatabase.bytes(of: Self.schema)
        expect(Verification(level: .deep).run(on: ByteSource(bytes: bytes)).findings.isEmpty)
        let snapshot = try RealmDatabase(source: ByteSource(bytes: bytes)).snapshot()
        expectEqual(snapshot.schema.version, 7)
        expect(snapshot.schema.steps(to: Self.schema).isEmpty)
        expectEqual(snapshot.classes.map(\.name), ["Dog", "Home"])
        try expect(snapshot.classes.allSatisfy { try $0.count == 0 })
        // The bytes are reproducible.
        try expectEqual(EmptyDatabase.bytes(of: Self.schema), bytes)
        let store = try RealmStore(bytes: bytes)
        try store.write { transaction in
            let rex = try transaction.add("Dog", ["_id": 1, "name": "Rex", "home": .embedded(["street": "Main"])])
            _ = try transaction.add("Dog", ["_id": 2, "name": "Fido", "friends": [.link(rex)]])
        }
        try SchemaChangeTests.check(store.snapshot())
        try expectEqual(store.snapshot().table(named: "Dog").object(primaryKey: .int(2))?["name"], .string("Fido"))
    }

    @Test(arguments: ["nothing", "a header", "a file of Realm Core"])
    func `files without a commit are opened for writing`(kind: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("empty.realm")
        let bytes: [UInt8] =
            switch kind {
            case "nothing": []
            case "a header": [UInt8](repeating: 0, count: 16) + Array("T-DB".utf8) + [0, 0, 0, 0]
            default: try #require(KnownFile.fixtures.first { $0.name.hasSuffix("empty-new") }).bytes()
            }
        try folder.write(bytes, "empty.realm")
        do {
            let store = try RealmStore(path: path)
            expect(store.snapshot().tables.isEmpty)
            try store.write { transaction in
                try transaction.apply(Self.schema)
                try transaction.setSchemaVersion(2)
                _ = try transaction.add("Dog", ["_id": 1, "name": "Rex"])
            }
        }
        let snapshot = try RealmDatabase(path: path).snapshot()
        expectEqual(snapshot.schema.version, 2)
        try expectEqual(snapshot.table(named: "Dog").count, 1)
        expect(Verification(level: .deep).run(on: try ByteSource(path: path)).findings.isEmpty)
    }
}
