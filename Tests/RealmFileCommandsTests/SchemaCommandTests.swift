import CommandTestSupport
import Expectations
import RealmFileCommands
import TestSupport
import Testing

/// `schema` in all its formats.
@Suite struct SchemaCommandTests {
    /// The exact schema equals that of Realm Core's dump.
    @Test(arguments: KnownFile.fixtures)
    func `the exact schema equals that of the dump`(_ file: KnownFile) async throws {
        let run = await Run("schema", file.url.path, "--format", "realm-json", "--include-system")
        expectEqual(run.status, .success)
        let document = try run.json()
        try expectEqual(document.number("realmSchema"), 1)
        try expectEqual(document.number("fileFormat"), file.format)
        let dump = try TypedDump(contentsOf: #require(file.dump))
        // Upgrades add indexes and replace column keys; everything else is unchanged.
        let isExact = file.format == 24
        let expected = dump.tables.map { table in
            let columns = table.columns.map { column in
                [
                    column.name, column.type, "\(column.isNullable)",
                    column.collection == "dict" ? "dictionary" : column.collection, column.target ?? "",
                    "\(column.isEnumerated)", isExact ? "\(column.index) \(column.key)" : "",
                ].joined(separator: "|")
            }
            return ([table.name, "\(table.key)", table.kind.lowercased(), table.primaryKey ?? "-"] + columns)
                .joined(separator: "\n")
        }
        let found = try document.objects("classes").map { table in
            let columns = try table.objects("properties").map { property in
                let index = ["none": 0, "general": 1, "fullText": 2][try property.text("index")]
                let exact = "\(index ?? -1) \(try property.number("columnKey"))"
                return [
                    try property.text("name"), try property.text("type"),
                    "\(try property[required: "nullable"].bool())",
                    try property[optional: "collection"]?.string() ?? "",
                    try property[optional: "target"]?.string() ?? "",
                    "\(try property[required: "enumerated"].bool())", isExact ? exact : "",
                ].joined(separator: "|")
            }
            let key = try? table.text("primaryKey")
            return
                ([
                    try table.text("table"), "\(try table.number("tableKey"))", try table.text("kind").lowercased(),
                    key ?? "-",
                ] + columns).joined(separator: "\n")
        }
        expectEqual(found, expected)
    }

    @Test(arguments: ["text", "realm-json", "json-schema", "mongo-validator", "swift"])
    func `only the requested class is shown`(_ format: String) async throws {
        let path = try KnownFile.fixture("kennel").url.path
        let run = await Run("schema", path, "--format", format, "--class", "Dog")
        expectEqual(run.status, .success)
        expect(run.output.contains("Dog"))
        expect(!run.output.contains("DogClub"))
    }

    @Test func `an unknown class is reported`() async throws {
        let run = await Run("schema", try KnownFile.fixture("kennel").url.path, "--class", "Cat")
        expectEqual(run.status, .usage)
        expectEqual(run.messages.count, 1)
        expect(run.messages[0].hasSuffix("there is no class 'Cat'; classes are Address, Dog, DogClub, Person"))
    }

    /// A class can have the name of a table that is not a class: each has a member of its own, named as in exports.
    @Test(arguments: ["json-schema", "mongo-validator"])
    func `each of two equal names has its own member`(_ format: String) async throws {
        var file = HandmadeFile()
        for name in ["metadata", "class_metadata"] {
            let cluster = file.cluster(1, [file.writer.integers([7])])
            file.addTable(name, [HandmadeFile.Column("value", .int)], objects: cluster)
        }
        let copy = try TemporaryFile(file.bytes())
        let run = await Run("schema", copy.path, "--format", format, "--include-system")
        expectEqual(run.status, .success)
        try expectEqual(run.json().map(\.name), ["%6Detadata", "metadata"])
    }

    @Test func `options without effect are refused`() async throws {
        let path = try KnownFile.fixture("kennel").url.path
        for more in [
            ["--verbose", "--format", "swift"], ["--db", "x"], ["--db", "x", "--format", "mongo-validator"],
        ] {
            await expectEqual(Run(["schema", path] + more).status, .usage)
        }
    }

    @Test func `text shows types`() async throws {
        let run = await Run("schema", try KnownFile.fixture("kennel").url.path)
        for line in [
            "embedded class Address", "  street      string?", "class Dog", "  members                  list<Person>",
            "  _id   objectId  primary key, indexed", "  address  Address?   embedded",
        ] {
            expect(run.output.contains(line + "\n"), "\(line)")
        }
    }

    @Test func `the database of relationships is set by the option`() async throws {
        let path = try KnownFile.fixture("kennel").url.path
        let plain = try await Run("schema", path, "--format", "json-schema").json()
        let dogs = try plain.object("Person").object("relationships").object("dogs")
        try expectEqual(dogs.text("ref"), "#/relationship/mongodb-atlas/kennel/Dog")
        let named = try await Run("schema", path, "--format", "json-schema", "--db", "zoo").json()
        try expectEqual(
            named.object("Person").object("relationships").object("dogs").text("ref"),
            "#/relationship/mongodb-atlas/zoo/Dog")
    }
}
