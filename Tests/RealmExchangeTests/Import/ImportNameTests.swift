import Expectations
import Foundation
import RealmCore
import RealmExchange
import RealmStore
import TestSupport
import Testing

/// Names and keys that must be changed for a file.
@Suite struct ImportNameTests {
    private static let long = String(repeating: "field", count: 20)

    /// Renamed properties are reported and keep their values.
    @Test func `names that are too long are changed and reported`() throws {
        let imported = try Imported(["people.json": #"{"_id": 1, "\#(Self.long)": 5, "b": {"\#(Self.long)": "x"}}"#])
        let renamed = imported.report.renamed
        expectEqual(renamed.map(\.className), ["people", "people_b"])
        expect(renamed.allSatisfy { $0.nameInDocuments == Self.long && $0.property?.utf8.count == 63 })
        expect(imported.losses.isEmpty && !imported.report.isComplete)
        try expectEqual(imported.values("people").first?[1], .int(5))
    }

    /// Renamed classes too.
    @Test func `a name of a class that is too long is changed and reported`() throws {
        let imported = try Imported(["\(Self.long).json": #"{"_id": 1, "\#(Self.long)": "x"}"#])
        expectEqual(imported.report.renamed.map(\.property?.utf8.count), [nil, 63])
        expectEqual(imported.report.renamed.map(\.nameInDocuments), [Self.long, Self.long])
        expectEqual(imported.report.tables.map(\.name.utf8.count), [57])
    }

    /// The same for the schemas of an App Services app.
    @Test func `names in a schema that are too long are changed and reported`() throws {
        let folder = try TemporaryFolder()
        let schema = #"""
            {"title": "t", "bsonType": "object", "required": ["_id"],
             "properties": {"_id": {"bsonType": "int"}, "\#(Self.long)": {"bsonType": "string"}}}
            """#
        try folder.write(Array(schema.utf8), "t.json")
        let imported = try Imported(["t.json": #"{"_id": 1, "\#(Self.long)": "x"}"#]) { options in
            options.schemaPath = folder.file("t.json")
        }
        expectEqual(imported.report.renamed.map(\.nameInDocuments), [Self.long])
        expect(imported.losses.isEmpty)
        try expectEqual(imported.values("t"), [[.int(1), .string("x")]])
    }

    /// The last of several entries with one key counts. Nothing is written for the rest, as it would have no owner (the
    /// deep check in `Imported` would find it).
    @Test(arguments: ["embedded", "mixed"])
    func `the last of several entries with one key is used`(_ kind: String) throws {
        let property =
            kind == "mixed"
            ? #"{"name": "d", "type": "mixed", "nullable": true, "collection": "dictionary", "index": "none"}"#
            : #"""
            {"name": "d", "type": "link", "nullable": true, "collection": "dictionary", "target": "class_part",
             "index": "none"}
            """#
        let schema = #"""
            {"realmSchema": 1, "fileFormat": 24, "schemaVersion": 1, "classes": [
            {"name": "part", "table": "class_part", "kind": "embedded", "primaryKey": null, "properties": [
              {"name": "n", "type": "int", "nullable": false, "index": "none"}]},
            {"name": "whole", "table": "class_whole", "kind": "topLevel", "primaryKey": "_id", "properties": [
              {"name": "_id", "type": "int", "nullable": false, "index": "general"}, \#(property)]}]}
            """#
        let document = #"{"_id": 1, "d": {"a": {"n": 1}, "b": {"n": 2}, "a": {"n": 3}, "c": null, "a": {"n": 4}}}"#
        let imported = try Imported(["whole.json": document, "realm-schema.json": schema])
        expectEqual(imported.losses, ["whole.d duplicateKey 2 0"])
        let value = try #require(try imported.values("whole").first?[1])
        guard case .dictionary(let entries) = value else {
            Issue.record("\(value)")
            return
        }
        expectEqual(entries.map(\.key), [.string("a"), .string("b"), .string("c")])
        if kind == "embedded" {
            expectEqual(imported.report.tables.first { $0.name == "part" }?.objects, 2)
        } else {
            guard case .dictionary(let inner) = entries[0].value else {
                Issue.record("\(entries[0].value)")
                return
            }
            expectEqual(inner.map(\.value), [.int(4)])
        }
    }

    /// Links are created from a `relationships.json` next to the documents, without a schema.
    @Test func `relationships without a schema become links`() throws {
        let imported = try Imported([
            "dogs.json": #"{"_id": 7, "owner": "ann"}"#, "people.json": #"{"_id": "ann"}"#,
            "relationships.json": #"{"dogs": {"owner": {"ref": "mongodb/atlas/d/people", "foreignKey": "_id"}}}"#,
        ])
        guard case .link(let link) = try imported.values("dogs").first?[1] else {
            Issue.record("no link")
            return
        }
        expectEqual(link.table.schema.name, "people")
        expect(imported.losses.isEmpty)
        // A collection of this name is still a collection.
        let collection = try Imported(["relationships.json": #"{"_id": 1, "with": "ann"}"#, "a.json": #"{"_id": 2}"#])
        expectEqual(collection.report.tables.map(\.name), ["a", "relationships"])
        expectEqual(collection.report.objects, 2)
    }

    /// A class named like a system table, whose collection has no prefix either: both are restored, each with its own
    /// content.
    @Test(arguments: [ExportOptions.Format.bson, .ejson])
    func `a class named like a system table is restored next to it`(_ format: ExportOptions.Format) async throws {
        let folder = try TemporaryFolder()
        let schema = SchemaDefinition(
            [
                TableDefinition(class: "metadata", primaryKey: "_id", [PropertyDefinition("_id", .string)]),
                TableDefinition(class: "Link", [PropertyDefinition("to", .link, target: "class_metadata")]),
            ], version: 7)
        let builder = try RealmBuilder(schema, at: NewFile(folder.file("old.realm")))
        let mine = try builder.add("class_metadata", ["_id": "mine"])
        try builder.add("Link", ["to": .link(mine)])
        try builder.finish()
        let old = try RealmDatabase(path: folder.file("old.realm")).snapshot()
        expectEqual(old.tables.map(\.schema.tableName), ["class_metadata", "class_Link", "metadata"])

        for profile in [ExportOptions.Profile.mongo, .canonical] {
            var options = ExportOptions()
            (options.profile, options.format, options.includesSystemTables) = (profile, format, true)
            let data = folder.file("\(profile)")
            let report = try await Exporter(old, options).export(toFolder: data, database: "db")
            expect(report.damage.isEmpty)
            let ending = format == .bson ? "bson" : "jsonl"
            let files = try FileManager.default.contentsOfDirectory(atPath: data + "/db").filter {
                $0.hasSuffix(".\(ending)")
            }
            expectEqual(files.sorted(), ["%6Detadata", "Link", "metadata"].map { "\($0).\(ending)" })
            guard profile == .canonical else { continue }
            let path = folder.file("new.realm")
            _ = try await Importer([data]).run(to: path)
            let new = try RealmDatabase(path: path).snapshot()
            expectEqual(new.schema.version, 7)
            try expectEqual(
                new.contentHash(includesSystemTables: true), old.contentHash(includesSystemTables: true))
        }
    }

    /// Names that look alike but differ in bytes, as files can contain: both are restored, in a copy and through
    /// documents.
    @Test(arguments: [ExportOptions.Format.bson, .ejson])
    func `names that look alike are restored`(_ format: ExportOptions.Format) async throws {
        let folder = try TemporaryFolder()
        let schema = SchemaDefinition([
            TableDefinition(
                class: "cafeXY", [PropertyDefinition("cafeXY", .int), PropertyDefinition("caf\u{E9}", .int)]),
            TableDefinition(class: "caf\u{E9}", [PropertyDefinition("x", .link, target: "cafeXY")]),
        ])
        let builder = try RealmBuilder(schema, at: NewFile(folder.file("old.realm")))
        let first = try builder.add("cafeXY", ["cafeXY": 1, "caf\u{E9}": 2])
        try builder.add("caf\u{E9}", ["x": .link(first)])
        try builder.finish()
        var bytes = try #require(folder.bytes("old.realm"))
        let name = Array("cafeXY".utf8)
        var places = 0
        for offset in 0...(bytes.count - name.count) where bytes[offset..<(offset + name.count)].elementsEqual(name) {
            bytes.replaceSubrange(offset..<(offset + name.count), with: Array("cafe\u{301}".utf8))
            places += 1
        }
        expectEqual(places, 2)
        let old = try RealmDatabase(bytes: bytes).snapshot()
        let hash = try old.contentHash()
        try Rebuild(old).write(to: NewFile(folder.file("copy.realm")))
        try expectEqual(RealmDatabase(path: folder.file("copy.realm")).snapshot().contentHash(), hash)
        var options = ExportOptions()
        (options.profile, options.format) = (.canonical, format)
        let report = try await Exporter(old, options).export(toFolder: folder.file("data"), database: "db")
        expect(report.damage.isEmpty && report.objects == 2)
        let imported = try Imported(path: folder.file("data"))
        expect(imported.losses.isEmpty)
        try expectEqual(imported.snapshot.contentHash(), hash)
    }
}
