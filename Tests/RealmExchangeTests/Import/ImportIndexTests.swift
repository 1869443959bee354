import Expectations
import Foundation
import RealmCore
import RealmExchange
import RealmStore
import TestSupport
import Testing

/// The indexes in a dump's metadata become search indexes; those that Realm does not support are reported.
@Suite struct ImportIndexTests {
    private static let documents = #"""
        {"_id": 1, "email": "a", "age": 3, "price": 1.5, "bio": "some words", "tags": ["x"], "place": {"city": "B"}, "at": 1}
        {"_id": 2, "email": "b", "age": 4, "price": 2.5, "bio": "other words", "tags": [], "place": {"city": "C"}, "at": 2}
        """#

    /// An index and its loss; nil where it is kept.
    static let cases: [(index: String, property: String?, kind: ImportLossKind?)] = [
        (#""key": {"email": 1}"#, "email", nil),
        (#""key": {"age": {"$numberInt": "-1"}}"#, "age", nil),
        (#""key": {"age": {"$numberDouble": "1.0"}}"#, "age", nil),
        (#""key": {"age": "hashed"}"#, "age", nil),
        (#""key": {"tags": 1}"#, "tags", nil),
        (#""key": {"_fts": "text", "_ftsx": 1}, "weights": {"bio": 1}"#, "bio", nil),
        (#""key": {"email": 1}, "unique": true"#, "email", .indexOptions),
        (#""key": {"at": 1}, "expireAfterSeconds": 60"#, "at", .indexOptions),
        (#""key": {"email": 1}, "partialFilterExpression": {"age": {"$gt": 3}}"#, "email", .indexOptions),
        (#""key": {"email": 1, "age": 1}"#, nil, .indexKind),
        (#""key": {"price": 1}"#, nil, .indexKind),
        (#""key": {"place.city": 1}"#, nil, .indexKind),
        (#""key": {"place": "2dsphere"}"#, nil, .indexKind),
        (#""key": {"nothing": 1}"#, nil, .indexKind),
        (#""key": {"_fts": "text", "_ftsx": 1}, "weights": {"age": 1}"#, nil, .indexKind),
        (#""key": {"_id": 1}"#, nil, nil),
    ]

    @Test(arguments: cases.indices) func `an index becomes a search index, or is reported`(_ number: Int) throws {
        let (index, property, kind) = Self.cases[number]
        let imported = try Imported([
            "users.json": Self.documents,
            "users.metadata.json":
                #"{"indexes": [{"v": 2, "key": {"_id": 1}, "name": "_id_"}, {\#(index), "name": "it"}], "collectionName": "users"}"#,
        ])
        let schema = try imported.snapshot.table(named: "users").schema
        expectEqual(
            schema.properties.filter { $0.index != .none && $0.name != "_id" }.map(\.name),
            [property].compactMap(\.self))
        expectEqual(imported.losses, [kind].compactMap { $0.map { "users.it \($0.name) 1 0" } })
        // It is found by its index.
        if property == "bio" { expectEqual(schema.properties.first { $0.name == "bio" }?.index, .fullText) }
        if kind != nil {
            #expect(throws: ImportError.self) {
                try Imported([
                    "users.json": Self.documents, "users.metadata.json": #"{"indexes": [{\#(index), "name": "it"}]}"#,
                ]) { $0.allowsLosses = false }
            }
        }
    }

    /// The indexes in an export's metadata are restored without the sidecar, from folders and archives.
    @Test(arguments: [false, true]) func `indexes of exports are restored without the sidecar`(isArchive: Bool)
        async throws
    {
        let folder = try TemporaryFolder()
        let properties = [
            PropertyDefinition("_id", .int), PropertyDefinition("s", .string, index: .general),
            PropertyDefinition("words", .string, index: .fullText),
            PropertyDefinition("more", .string, index: .fullText),
            PropertyDefinition("i", .int, index: .general), PropertyDefinition("plain", .int),
        ]
        let schema = SchemaDefinition([TableDefinition(class: "T", primaryKey: "_id", properties)])
        let builder = try RealmBuilder(schema, at: NewFile(folder.file("source.realm")))
        try builder.add("T", ["_id": 1, "s": "a", "words": "b c", "more": "d", "i": 2, "plain": 3])
        try builder.finish()
        let exporter = Exporter(try RealmDatabase(path: folder.file("source.realm")).snapshot())
        if isArchive {
            _ = try await exporter.exportArchive(to: folder.file("data"), database: "db")
        } else {
            _ = try await exporter.export(toFolder: folder.file("data"), database: "db")
            try FileManager.default.removeItem(atPath: folder.file("data/db/_realm"))
        }
        let imported = try Imported(path: folder.file("data"))
        expectEqual(imported.losses, [])
        let found = try imported.snapshot.table(named: "T").schema.properties
        expectEqual(found.map(\.name), properties.map(\.name))
        expectEqual(found.map(\.index), [.general, .general, .fullText, .fullText, .general, .none])
    }
}
