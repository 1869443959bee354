import Expectations
import Foundation
import RealmCore
import RealmExchange
import RealmLayout
import TestSupport
import Testing

/// Imports of dumps, archives, JSON and CSV, with and without a schema.
@Suite struct ImportDocumentTests {
    /// The formats of exports, and whether they are compressed.
    enum Form: CaseIterable {
        case bson, compressed, archive, extendedJSON, array, json, csv
    }

    /// With the exact schema next to it, everything that the mongo profile keeps is restored, whatever the format.
    @Test(arguments: Form.allCases)
    func `everything that the mongo profile keeps is restored`(_ form: Form) async throws {
        let source = try RealmDatabase(path: KnownFile.fixture("kennel").url.path).snapshot()
        let hash = try source.contentHash(by: .primaryKey)
        let exported = try await Exported(source, compressing: form == .compressed) { options in
            switch form {
            case .bson, .compressed, .archive: options.format = .bson
            case .extendedJSON: options.format = .ejson
            case .array: (options.format, options.isJSONArray) = (.ejson, true)
            case .json: options.format = .json
            case .csv: options.format = .csv
            }
        }
        expect(exported.report.losses.isEmpty)
        var path = exported.folder.path
        let folder = try TemporaryFolder()
        if form == .archive {
            path = folder.file("kennel.archive")
            _ = try await Exporter(source).exportArchive(to: path, database: "kennel")
        }
        let imported = try Imported(path: path) { options in
            options.schemaPath = exported.folder.appending(path: "db/_realm/realm-schema.json").path
        }
        expect(imported.losses.isEmpty)
        try expectEqual(imported.snapshot.contentHash(by: .primaryKey), hash)
    }

    /// The App Services schemas give classes, types, links and required properties.
    @Test func `the schemas of App Services determine types, links and required properties`() async throws {
        let source = try RealmDatabase(path: KnownFile.fixture("kennel").url.path).snapshot()
        let exported = try await Exported(source)
        let imported = try Imported(path: exported.folder.path) { options in
            options.schemaPath = exported.folder.appending(path: "db/_realm/schema").path
        }
        expect(imported.losses.isEmpty)
        expectEqual(
            imported.schemaText,
            """
            class Dog
              _id   objectId  primary key, indexed
              name  string
              age   int

            class DogClub
              _id                      int            primary key, indexed
              name                     string
              members                  list<Person>
              regionalOfficeAddresses  list<Address>  embedded

            embedded class Address
              street      string?
              city        string?
              country     string?
              postalCode  string?

            class Person
              _id      int        primary key, indexed
              id       int        indexed
              name     string
              dogs     list<Dog>
              address  Address?   embedded

            """)
        for name in ["Dog", "Person"] {
            let (old, new) = (try source.table(named: name), try imported.snapshot.table(named: name))
            try expectEqual(old.count, new.count)
        }
    }

    /// Types, nullability, the primary key and nesting are inferred from the documents.
    @Test func `types and the primary key are inferred from the documents`() throws {
        let imported = try Imported([
            "Shop.json": """
            {"_id": {"$oid": "0123456789abcdef01234567"}, "name": "a", "size": 1, "price": 1.5, "both": 1,
             "open": true, "place": {"street": "b", "no": 1}, "tags": ["x", "y"], "any": 1, "odd": [1, "z"],
             "owner": {"$ref": "Person", "$id": 2}, "codes": {"a.b": 1}, "none": null}
            {"_id": {"$oid": "0123456789abcdef01234568"}, "name": null, "size": 2, "price": 2.5, "both": 0.5,
             "open": false, "place": {"street": "c"}, "tags": [], "any": "s", "odd": [], "staff": [{"n": 1}],
             "owner": {"$ref": "Person", "$id": 1}, "codes": {"a.b": 3}, "none": null}
            """,
            "Person.json": #"[{"_id": 1, "n": "p"}, {"_id": 2, "n": "q"}]"#,
        ])
        expectEqual(
            imported.schemaText,
            """
            class Person
              _id  int     primary key, indexed
              n    string

            class Shop
              _id    objectId          primary key, indexed
              name   string?
              size   int
              price  double
              both   double
              open   bool
              place  Shop_place?       embedded
              tags   list<string>
              any    mixed
              odd    list<mixed>
              owner  Person?
              codes  Shop_codes?       embedded
              none   mixed
              staff  list<Shop_staff>  embedded

            embedded class Shop_place
              street  string
              no      int?

            embedded class Shop_codes
              a.b  int

            embedded class Shop_staff
              n  int

            """)
        let shops = try imported.values("Shop")
        expectEqual(shops.map { $0[1] }, [.string("a"), .null])
        expectEqual(shops.map { $0[4] }, [.double(1), .double(0.5)])
        expectEqual(shops.map { $0[9] }, [.list([.int(1), .string("z")]), .list([])])
        guard case .link(let owner) = shops[0][10] else { throw TestSupportError("no link") }
        try expectEqual(owner.object()?["n"], .string("q"))
        expect(imported.losses.isEmpty)
    }

    /// The options decide about nested documents.
    @Test func `nested documents are imported according to the options`() throws {
        let files = ["T.jsonl": #"{"_id": 1, "d": {"a": 1, "b.c": 2}}"# + "\n"]
        let dictionary = try Imported(files) { $0.nesting = .dictionary }
        expect(dictionary.schemaText.contains("d    dictionary<int>"))
        guard case .dictionary(let entries) = try dictionary.values("T")[0][1] else { throw TestSupportError("none") }
        expectEqual(entries.map(\.key), [.string("a"), .string("b%2Ec")])
        expectEqual(dictionary.losses, ["T.d escapedKey 1 0"])
        let mixed = try Imported(files) { $0.nesting = .mixed }
        expect(mixed.schemaText.contains("d    mixed"))
    }

    /// Headers with types determine the schema of comma-separated values.
    @Test func `headers with types determine the schema`() throws {
        let imported = try Imported([
            "T.csv": #"""
            _id.int64(),name,at.date(),ok.boolean(),d.decimal(),f.double(),u.uuid(),b.binary(),o.objectId()
            1,"a, ""b""",2024-02-29T12:34:56.123456789Z,true,1.10,-0.5,00112233-4455-6677-8899-aabbccddeeff,AQID,0123456789abcdef01234567
            2,"",1969-12-31T23:59:59.5Z,,,NaN,,"",

            """#
        ])
        expect(imported.losses.isEmpty)
        let rows = try imported.values("T")
        guard rows.count == 2 else { return }
        expectEqual(rows[0][1], .string("a, \"b\""))
        expectEqual(rows[1][1], .string(""))
        expectEqual(rows[0][2], Timestamp(seconds: 1_709_210_096, nanoseconds: 123_456_789).map { .timestamp($0) })
        expectEqual(rows[1][2], Timestamp(seconds: 0, nanoseconds: -500_000_000).map { .timestamp($0) })
        expect(rows[0][3] == .bool(true) && rows[1][3] == .null)
        expectEqual(rows[0][4], .decimal128(Decimal128Bits(high: 0x303C_0000_0000_0000, low: 110)))
        expect(rows[0][7] == .binary([1, 2, 3]) && rows[1][7] == .binary([]))
        expectEqual(rows[1][8], .null)
    }

    /// With nested objects of one class, the inner ones end first and get the lower keys.
    @Test func `inner objects of a class get the lower keys`() throws {
        let schema = """
            {"realmSchema": 1, "schemaVersion": null, "classes": [
              {"table": "class_T", "kind": "topLevel", "primaryKey": "_id", "properties": [
                {"name": "_id", "type": "int", "nullable": false},
                {"name": "tree", "type": "link", "nullable": true, "target": "class_N"}]},
              {"table": "class_N", "kind": "embedded", "primaryKey": null, "properties": [
                {"name": "n", "type": "int", "nullable": false},
                {"name": "one", "type": "link", "nullable": true, "target": "class_N"},
                {"name": "all", "type": "link", "nullable": false, "collection": "list", "target": "class_N"},
                {"name": "link", "type": "link", "nullable": true, "target": "class_T"}]}]}
            """
        let documents = """
            {"_id": 7, "tree": {"link": 8, "n": 1, "one": {"n": 2, "link": 7},
              "all": [{"all": [{"n": 4, "link": 9}], "n": 3, "link": 7}, {"n": 5}]}}
            {"_id": 8, "tree": {"n": 6}}
            """
        let imported = try Imported(["T.jsonl": documents, "realm-schema.json": schema])
        expectEqual(imported.losses, ["N.link danglingLink 1 0"])
        let rows = try imported.values("N")
        expectEqual(rows.map { $0[0] }, [2, 4, 3, 5, 1, 6].map { .int($0) })
        let links = rows.map { row in if case .link(let link) = row[3] { link.objectKey } else { nil as ObjectKey? } }
        expectEqual(links, [ObjectKey(0), nil, ObjectKey(0), nil, ObjectKey(1), nil])
    }
}
