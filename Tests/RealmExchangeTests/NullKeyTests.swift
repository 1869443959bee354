import Expectations
import RealmCore
import RealmExchange
import RealmLayout
import RealmStore
import TestSupport
import Testing

/// Null as a primary key: one object of a class may have it.
@Suite struct NullKeyTests {
    private static let types: [StoredPropertyType] = [.int, .string, .objectId, .uuid]

    private static func key(_ type: StoredPropertyType, _ number: Int) -> NewValue {
        switch type {
        case .int: .int(Int64(number))
        case .string: .string(number == 1 ? "" : "key \(number)")
        case .objectId: ObjectID([UInt8](repeating: UInt8(number), count: 12)).map { .objectId($0) } ?? .null
        default: UUIDBytes([UInt8](repeating: UInt8(number), count: 16)).map { .uuid($0) } ?? .null
        }
    }

    /// Returns one class for each type with a null key between two other keys, each with links to all of them.
    private static func database(keyName: String, in folder: TemporaryFolder) throws -> Snapshot {
        let path = folder.file("null-keys.realm")
        var tables: [TableDefinition] = []
        for type in types {
            let name = "class_\(type)"
            tables.append(
                TableDefinition(
                    class: "\(type)", primaryKey: keyName,
                    [
                        PropertyDefinition("name", .string),
                        PropertyDefinition(keyName, type, isNullable: true),
                        PropertyDefinition("one", .link, target: name),
                        PropertyDefinition("list", .link, collection: .list, target: name),
                        PropertyDefinition("set", .link, collection: .set, target: name),
                        PropertyDefinition("dictionary", .link, collection: .dictionary(.string), target: name),
                        PropertyDefinition("any", .mixed),
                        PropertyDefinition("anys", .mixed, collection: .list),
                    ]))
        }
        let builder = try RealmBuilder(SchemaDefinition(tables), at: NewFile(path))
        for type in types {
            let keys: [NewValue] = [key(type, 1), .null, key(type, 2)]
            for (index, own) in keys.enumerated() {
                let links = keys.map { NewValue.link("\(type)", primaryKey: $0) }
                try builder.add(
                    "\(type)",
                    [
                        "name": .string("object \(index)"), keyName: own, "one": links[index],
                        "list": .list(links + links), "set": .list(links),
                        "dictionary": .dictionary(["a": links[0], "b": links[1], "c": links[2]]),
                        "any": links[2 - index], "anys": .list(links),
                    ])
            }
        }
        try builder.finish()
        return try RealmDatabase(path: path).snapshot()
    }

    /// Everything is restored except links that look like null, which are counted.
    @Test(arguments: ExchangeForm.all, ["_id", "code"])
    func `an object with the key null is restored`(_ form: ExchangeForm, keyName: String) async throws {
        let folder = try TemporaryFolder()
        let source = try Self.database(keyName: keyName, in: folder)
        let exported = try await Exported(source) { form.set(&$0) }
        let isCanonical = form.profile == .canonical
        var expected: [Loss: Int] = [:]
        for type in Self.types where !isCanonical {
            expected[Loss(className: "\(type)", property: "one", kind: .linkToNullKey)] = 1
            expected[Loss(className: "\(type)", property: "dictionary", kind: .linkToNullKey)] = 3
        }
        expectEqual(exported.losses.filter { $0.key.property != "any" && $0.key.property != "anys" }, expected)
        let imported = try Imported(path: exported.folder.path) { form.set(&$0) }
        expectEqual(imported.losses.filter { !$0.contains(".any") }, [])
        let difference = try source.contentDifference(to: imported.snapshot, by: .primaryKey)
        for type in Self.types {
            let table = difference.tables.first { $0.name == "\(type)" }
            expect(table?.added ?? 0 == 0 && table?.removed ?? 0 == 0)
            let changes = (table?.objects ?? []).flatMap { object in
                object.changes.map { "\(object.primaryKey ?? "null") \($0.property)" }
            }
            // For Mixed values in CSV, other tests apply.
            let others = changes.filter { !$0.contains("any") }.map { String($0.split(separator: " ").last ?? "") }
            let lost: [String] = isCanonical ? [] : ["dictionary", "dictionary", "dictionary", "one"]
            expectEqual(others.sorted(), lost, "\(changes)")
            if !form.format.isTable { expect(changes.allSatisfy { !$0.contains("any") }, "\(changes)") }
            // The second object has the null key, and its list contains two links to it.
            let rows = try imported.values("\(type)")
            let names = rows.map { $0[0] }
            expectEqual(names, [.string("object 0"), .string("object 1"), .string("object 2")])
            expectEqual(rows[1][1], Value.null)
            guard case .list(let links) = rows[1][3], case .link(let link) = links[1] else {
                Issue.record("no list of links")
                continue
            }
            expectEqual(links.count, 6)
            try expectEqual(link.object()?["name"], .string("object 1"))
        }
    }

    /// The same when identities do not fit into memory.
    @Test func `an object with the key null is restored from the disk`() async throws {
        let folder = try TemporaryFolder()
        let source = try Self.database(keyName: "code", in: folder)
        let exported = try await Exported(source)
        let imported = try Imported(path: exported.folder.path) { $0.memoryOfKeys = 0 }
        expectEqual(imported.losses, [])
        for type in Self.types {
            let row = try imported.values("\(type)")[1]
            expectEqual(row[1], .null)
            guard case .list(let links) = row[3], case .link(let link) = links[4] else {
                Issue.record("no list of links")
                continue
            }
            try expectEqual(link.object()?["name"], .string("object 1"))
        }
    }

    /// Without a schema, a single null among the keys makes them nullable; with several, or none, the property is an
    /// ordinary one.
    @Test func `one null makes the keys nullable without a schema`() throws {
        let one = try Imported(["T.jsonl": #"{"_id": 1, "n": 1} {"_id": null, "n": 2}"#])
        expectEqual(one.losses, [])
        try expectEqual(one.values("T"), [[.int(1), .int(1)], [.null, .int(2)]])
        try expectEqual(one.snapshot.table(named: "T").schema.primaryKeyName, "_id")
        let two = try Imported(["T.jsonl": #"{"_id": 1, "n": 1} {"_id": null, "n": 2} {"_id": null, "n": 3}"#])
        expectEqual(two.losses, [])
        try expectEqual(two.values("T").count, 3)
        try expectEqual(two.snapshot.table(named: "T").schema.primaryKeyName, nil)
    }

    /// A second null is a duplicate; a document without an identity has none.
    @Test func `a second null is a duplicate`() throws {
        let schema = #"""
            {"realmSchema": 1, "schemaVersion": null, "classes": [{"table": "class_T", "kind": "topLevel",
            "primaryKey": "_id", "properties": [{"name": "_id", "type": "string", "nullable": true}]}]}
            """#
        let imported = try Imported([
            "T.jsonl": #"{"_id": null} {"_id": ""} {"_id": null} {"x": 1}"#, "realm-schema.json": schema,
        ])
        expectEqual(imported.losses, ["T missingIdentity 1 3", "T duplicateIdentity 1 2"])
        try expectEqual(imported.values("T"), [[.null], [.string("")]])
    }
}
