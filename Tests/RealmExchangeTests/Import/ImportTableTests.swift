import Expectations
import RealmCore
import RealmExchange
import RealmLayout
import TestSupport
import Testing

/// Delimited text in common variants: other separators, types without declarations, other forms of dates, and error
/// positions.
@Suite struct ImportTableTests {
    private static let date = Timestamp(seconds: 1_704_153_600, nanoseconds: 0)

    @Test(
        arguments: [
            ("T.csv", "a,b\n1,x\n"), ("T.csv", "a;b\n1;x\n"), ("T.csv", "a\tb\n1\tx\n"), ("T.tsv", "a\tb\n1\tx\n"),
            ("T.csv", "\"a\";b\n1;x\n"),
        ] as [(String, String)]) func `separators are found`(_ name: String, _ text: String) throws
    {
        let imported = try Imported([name: text])
        expectEqual(imported.losses, [])
        try expectEqual(imported.values("T"), [[.int(1), .string("x")]])
        try expectEqual(imported.snapshot.table(named: "T").schema.properties.map(\.name), ["a", "b"])
    }

    /// With commas, semicolons are text; with tabs, everything else is.
    @Test func `other separators stay text`() throws {
        try expectEqual(Imported(["T.csv": "a;b,c\nx;y,z\n"]).values("T"), [[.string("x;y"), .string("z")]])
        try expectEqual(Imported(["T.tsv": "a,b;c\nx,y;z\n"]).values("T"), [[.string("x,y;z")]])
        let decimals = try Imported(["T.csv": "price;n\n1,50;2\n"])
        try expectEqual(decimals.values("T"), [[.string("1,50"), .int(2)]])
    }

    /// A column, its type, and its values.
    static let columns: [(texts: [String], type: StoredPropertyType)] = [
        (["1", "-2", "9223372036854775807"], .int), (["1", "2.5"], .double), (["1.50", "-0.5", "NaN"], .double),
        (["1e5", "2e6"], .string), (["1.5e+20", "1e-7"], .double), (["007", "008"], .string), (["+1", "2"], .string),
        (["9223372036854775808", "1"], .string), (["9007199254740993", "0.5"], .string), (["true", "false"], .bool),
        (["true", "1"], .string), (["2024-01-02", "2024-01-02T10:00:00Z"], .timestamp), (["2024-13-02"], .string),
        (["2024-01-02 10:00"], .string), (["2024-01-02 10:00:00+02:00"], .timestamp),
        (["5f8a1c5e-0c3b-4b1e-9a55-0123456789ab"], .uuid), (["5f8a1c5e0c3b4b1e9a550123456789ab"], .string),
        (["a", "1"], .string), ([""], .string),
    ]

    @Test(arguments: columns.indices) func `types are found from the lines`(_ number: Int) throws {
        let (texts, type) = Self.columns[number]
        let imported = try Imported(["T.csv": "n,v\n" + texts.map { "x,\($0)\n" }.joined() + "x,\n"])
        expectEqual(imported.losses, [])
        let property = try #require(imported.snapshot.table(named: "T").schema.properties.last)
        expectEqual(property.type, type)
        expect(property.isNullable)
        let values = try imported.values("T").map { $0[1] }
        expectEqual(values.last, .null)
        if type == .string { expectEqual(values.dropLast(), texts.map { $0.isEmpty ? .null : .string($0) }[...]) }
    }

    @Test(
        arguments: [
            ("2024-01-02", 0), ("2024-01-02T00:00:00Z", 0), ("2024-01-02 00:00:00Z", 0),
            ("2024-01-02T02:00:00+02:00", 0),
            ("2024-01-01T19:00-0500", 0), ("2024-01-02T01:00:00.5+01", 500_000_000),
        ] as [(String, Int64)]) func `dates are read in common forms`(
            _ text: String, _ nanoseconds: Int64
        ) throws
    {
        let imported = try Imported(["T.csv": "_id.int64(),at.date()\n1,\(text)\n"])
        expectEqual(imported.losses, [])
        let time = try #require(Timestamp(seconds: 1_704_153_600, nanoseconds: nanoseconds))
        try expectEqual(imported.values("T")[0][1], .timestamp(time))
    }

    @Test(arguments: [
        "2024-01-02T10:00:00", "2024-01-02 10:00", "2024-1-2x", "2024-01", "2024-02-30", "2024-01-02T10Z",
        "2024-01-02T10:00:00+2",
        "2024-01-02T25:00:00Z", "2024-01-02T10:00:00+02:60", "20240102", "",
    ]) func `invalid dates are reported`(_ text: String) throws {
        let imported = try Imported(["T.csv": "_id.int64(),at.date()\n1,2024-01-02\n2,\"\(text)\"\n"])
        expectEqual(imported.losses, ["T.at wrongType 1 1"])
        expectEqual(imported.report.losses.first?.line, 3)
        expectEqual(imported.report.losses.first?.value, "\"\(text)\"")
    }

    /// Lines are counted as in editors.
    @Test func `lines are counted as in editors`() throws {
        let text = "_id.int64(),s,n.int64()\r\n1,\"two\nlines\",1\r\n2,x,one\r\n"
        let imported = try Imported(["T.csv": text])
        expectEqual(imported.report.losses.map { "\($0.line ?? 0) \($0.value ?? "")" }, ["4 \"one\""])
        do {
            _ = try Imported(["T.csv": "a,b\n1,2\n3\n"])
            Issue.record("no error")
        } catch ImportError.document(let error) {
            expect(error.description.hasSuffix("T.csv: line 3: 1 field, header has 2"))
        }
    }

    /// Each field without a property is named, even if it has an empty name.
    @Test func `each lost field is reported`() throws {
        let schema = #"""
            {"realmSchema": 1, "schemaVersion": null, "classes": [{"table": "class_T", "kind": "topLevel",
            "primaryKey": "_id", "properties": [{"name": "_id", "type": "int", "nullable": false}]}]}
            """#
        let imported = try Imported([
            "T.jsonl": #"{"_id": 1, "b": 1, "": 2, "a": 3} {"_id": 2, "b": 4}"#, "realm-schema.json": schema,
        ])
        expectEqual(imported.losses, ["T. unknownField 1 0", "T.a unknownField 1 0", "T.b unknownField 2 0"])
        let many = (0..<150).map { #""f\#($0)": 1"# }.joined(separator: ",")
        let most = try Imported(["T.jsonl": #"{"_id": 1, \#(many)}"#, "realm-schema.json": schema])
        expect(most.report.losses.count == 101 && most.report.lossCount == 150)
    }

    /// Output of mongoexport is not silently read as plain JSON.
    @Test func `output of mongoexport is not silently read as plain JSON`() throws {
        for document in [
            #"{"_id": {"$oid": "0123456789abcdef01234567"}}"#,
            #"{"_id": 1, "at": [{"$date": "2024-01-02T00:00:00Z"}]}"#,
            #"{"_id": 1, "a": {"b": {"$numberLong": "1"}}}"#,
        ] {
            let error = #expect(throws: ImportError.self) { try Imported(["T.json": document]) { $0.format = .json } }
            expectEqual(error?.description.contains("types of Extended JSON"), true)
            try expectEqual(Imported(["T.json": document]).losses, [])
        }
        try expectEqual(Imported(["T.json": #"{"_id": 1, "a": {"$b": 1}}"#]) { $0.format = .json }.losses, [])
    }
}
