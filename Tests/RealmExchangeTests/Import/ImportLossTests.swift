import Expectations
import RealmCore
import RealmExchange
import RealmLayout
import TestSupport
import Testing

/// Every loss is counted, with its first place.
@Suite struct ImportLossTests {
    /// A schema of one class with a property of each interesting type.
    private static let schema = """
        {"realmSchema": 1, "schemaVersion": null, "classes": [
          {"table": "class_T", "kind": "topLevel", "primaryKey": "_id", "properties": [
            {"name": "_id", "type": "int", "nullable": false},
            {"name": "i", "type": "int", "nullable": false},
            {"name": "s", "type": "string", "nullable": true},
            {"name": "f", "type": "float", "nullable": true},
            {"name": "d", "type": "double", "nullable": true},
            {"name": "m", "type": "mixed", "nullable": true},
            {"name": "set", "type": "int", "nullable": false, "collection": "set"},
            {"name": "dict", "type": "int", "nullable": false, "collection": "dictionary", "keyType": "string"},
            {"name": "link", "type": "link", "nullable": true, "target": "class_T"},
            {"name": "links", "type": "link", "nullable": false, "collection": "list", "target": "class_T"},
            {"name": "e", "type": "link", "nullable": true, "target": "class_E"}]},
          {"table": "class_E", "kind": "embedded", "primaryKey": null, "properties": [
            {"name": "n", "type": "int", "nullable": false}]}]}
        """

    private static let long = String(repeating: "long ", count: 30)

    /// Documents, the expected losses, and the value of a property of the first object.
    static let cases: [(documents: String, losses: [String], property: Int, value: Value)] = [
        (#"{"_id": 1, "i": 1, "x": 1, "y": 2}"#, ["T.x unknownField 1 0", "T.y unknownField 1 0"], 1, .int(1)),
        (#"{"_id": 1, "i": "no"}"#, ["T.i wrongType 1 0", "T.i missingValue 1 0"], 1, .int(0)),
        (#"{"_id": 1}"#, ["T.i missingValue 1 0"], 1, .int(0)),
        (#"{"_id": 1, "i": null}"#, ["T.i nullNotAllowed 1 0", "T.i missingValue 1 0"], 1, .int(0)),
        (
            #"{"_id": 1, "i": 1, "s": {"$regularExpression": {"pattern": "a", "options": ""}}}"#,
            ["T.s unmappableType 1 0"], 2, .null
        ),
        (#"{"_id": 1, "i": 1, "f": 0.10000000001}"#, ["T.f inexactNumber 1 0"], 3, .float(0.1)),
        // The text of a float, as exports write it.
        (#"{"_id": 1, "i": 1, "f": 0.1}"#, [], 3, .float(0.1)),
        (
            #"{"_id": 1, "i": 1, "d": {"$numberLong": "9007199254740993"}}"#,
            ["T.d inexactNumber 1 0"], 4, .double(9_007_199_254_740_992)
        ),
        (#"{"_id": 1, "i": 1.0}"#, [], 1, .int(1)),
        (
            #"{"_id": 1, "i": 1, "m": {"$binary": {"base64": "AQ==", "subType": "80"}}}"#,
            ["T.m binarySubtype 1 0"], 5, .binary([1])
        ),
        (#"{"_id": 1, "i": 1, "m": {"$minKey": 1}}"#, ["T.m unmappableType 1 0"], 5, .null),
        (
            #"{"_id": 1, "i": 1, "set": [3, 3, null, 1]}"#,
            ["T.set nullNotAllowed 1 0", "T.set duplicateElement 1 0"], 6, .set([.int(1), .int(3)])
        ),
        (
            #"{"_id": 1, "i": 1, "dict": {"a": "x", "a.b": 2}}"#, ["T.dict wrongType 1 0", "T.dict escapedKey 1 0"], 7,
            .dictionary([])
        ),
        (
            #"{"_id": 1, "i": 1, "link": 7, "links": [1, 8, 9]}"#,
            ["T.link danglingLink 1 0", "T.links danglingLink 2 0"], 8, .null
        ),
        (#"{"_id": 1, "i": 1, "set": null}"#, ["T.set nullNotAllowed 1 0"], 6, .set([])),
        (#"{"_id": 1, "i": 1, "e": [1]}"#, ["T.e wrongType 1 0"], 10, .null),
        (
            #"{"_id": 1, "i": 1} {"_id": 1, "i": 2} {"i": 3} {"_id": "a", "i": 4}"#,
            ["T missingIdentity 2 2", "T duplicateIdentity 1 1"], 1, .int(1)
        ),
        (#"{"_id": 1, "i": 1, "i": 2}"#, ["T.i duplicateField 1 0"], 1, .int(1)),
        (#"{"_id": 1, "i": 1, "e": {"n": 5}, "e": {"n": 6}}"#, ["T.e duplicateField 1 0"], 1, .int(1)),
        (#"{"_id": 1, "i": 1, "link": null, "link": 1}"#, ["T.link duplicateField 1 0"], 8, .null),
        // Strings that are stored at the end of their object.
        (#"{"_id": 1, "i": 1, "s": "\#(long)", "s": "x"}"#, ["T.s duplicateField 1 0"], 2, .string(long)),
        (#"{"_id": 1, "i": 1, "s": "x", "s": "\#(long)"}"#, ["T.s duplicateField 1 0"], 2, .string("x")),
        (
            #"{"m": "\#(long)", "s": "\#(long)", "_id": 1, "m": 2, "i": 1}"#, ["T.m duplicateField 1 0"], 5,
            .string(long)
        ),
        (#"{"m": "\#(long)", "s": "\#(long)", "_id": 1}"#, ["T.i missingValue 1 0"], 2, .string(long)),
    ]

    @Test(arguments: cases.indices)
    func `a loss is counted, with its place`(_ index: Int) throws {
        let (documents, losses, property, value) = Self.cases[index]
        let files = ["T.jsonl": documents, "realm-schema.json": Self.schema]
        let imported = try Imported(files)
        expectEqual(imported.losses.sorted(), losses.sorted())
        let found = try imported.values("T")[0][property]
        if case .dictionary(let entries) = found {
            expectEqual(entries.map(\.key), [.string("a%2Eb")])
        } else {
            expectEqual(found, value)
        }
        guard !losses.isEmpty else { return }
        // Nothing is written when losses are not allowed.
        #expect(throws: ImportError.self) { try Imported(files) { $0.allowsLosses = false } }
    }

    /// The first of duplicate links that resolves or is null counts; it does not make two backlinks.
    @Test(
        arguments: [
            (#"{"_id": 1, "i": 1, "link": 1, "link": null}"#, "T.link duplicateField 1 0"),
            (#"{"_id": 1, "i": 1, "link": 1, "link": 1}"#, "T.link duplicateField 1 0"),
            (#"{"_id": 1, "i": 1, "link": 7, "link": 1}"#, "T.link danglingLink 1 0"),
        ] as [(String, String)])
    func `the first of two links in one place is used`(_ document: String, _ loss: String) throws {
        let imported = try Imported(["T.jsonl": document, "realm-schema.json": Self.schema])
        expectEqual(imported.losses, [loss])
        guard case .link(let link) = try imported.values("T")[0][8] else {
            Issue.record("no link")
            return
        }
        expectEqual(link.objectKey, ObjectKey(0))
    }

    /// Realm Core does not accept longer elements in the index of a list of strings.
    @Test func `elements of indexed lists are limited to the length in Realm Core`() throws {
        let schema = #"""
            {"realmSchema": 1, "fileFormat": 24, "schemaVersion": 1, "classes": [
            {"name": "t", "table": "class_t", "kind": "topLevel", "primaryKey": "_id", "properties": [
              {"name": "_id", "type": "int", "nullable": false, "index": "general"},
              {"name": "tags", "type": "string", "nullable": false, "collection": "list", "index": "general"},
              {"name": "other", "type": "string", "nullable": false, "collection": "list", "index": "none"}]}]}
            """#
        let (fits, long) = (String(repeating: "x", count: 200), String(repeating: "x", count: 201))
        let document = #"{"_id": 1, "tags": ["\#(fits)", "\#(long)", "a"], "other": ["\#(long)"]}"#
        let imported = try Imported(["t.json": document, "realm-schema.json": schema])
        expectEqual(imported.losses, ["t.tags tooLong 1 0"])
        let expected: [Value] = [.int(1), .list([.string(fits), .string("a")]), .list([.string(long)])]
        try expectEqual(imported.values("t"), [expected])
    }
}
