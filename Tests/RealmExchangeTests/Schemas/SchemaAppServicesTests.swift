import Expectations
import RealmCore
import RealmExchange
import TestSupport
import Testing

/// Schemas and relationships as documented by MongoDB for App Services.
@Suite struct SchemaAppServicesTests {
    private func schema(_ fixture: String, _ name: String) throws -> String {
        let snapshot = try KnownFile.fixture(fixture).snapshot()
        let table = try snapshot.table(named: name).schema
        return DocumentSchema(snapshot.schema, dialect: .appServices).document(for: table).compact
    }

    private func relationships(_ fixture: String, _ name: String) throws -> String {
        let snapshot = try KnownFile.fixture(fixture).snapshot()
        let table = try snapshot.table(named: name).schema
        return Relationships(snapshot.schema, database: "db").document(for: table).compact
    }

    @Test func `a primary key under another name is described`() throws {
        let address =
            #"{"title":"Address","bsonType":"object","required":[],"properties":{"#
            + #""street":{"bsonType":"string"},"city":{"bsonType":"string"},"#
            + #""country":{"bsonType":"string"},"postalCode":{"bsonType":"string"}}}"#
        try expectEqual(
            schema("kennel", "Person"),
            #"{"title":"Person","bsonType":"object","required":["_id","id","name"],"properties":{"#
                + #""_id":{"bsonType":"long"},"id":{"bsonType":"long"},"name":{"bsonType":"string"},"#
                + #""dogs":{"bsonType":"array","items":{"bsonType":"objectId"}},"address":"# + address + "}}")
    }

    @Test func `a class without a primary key is described`() throws {
        try expect(
            schema("kennel", "DogClub").hasPrefix(
                #"{"title":"DogClub","bsonType":"object","required":["_id","name"],"properties":{"_id":{"bsonType":"long"}"#
            ))
    }

    @Test func `relationships of embedded objects are described`() throws {
        let text = try relationships("embedded", "EmbParent")
        let link = ##"{"ref":"#/relationship/mongodb-atlas/db/EmbLinkTarget","foreign_key":"_id","is_list":false}"##
        for path in ["one.geo.link", "one.geos.[].link", "many.[].geo.link", "dict.[].geos.[].link"] {
            expect(text.contains("\"\(path)\":\(link)"), "\(path)")
        }
    }

    /// The schema of a class that contains itself is finite.
    @Test func `the schema of a class that contains itself is finite`() throws {
        let text = try schema("embedded", "EmbTag")
        expect(text.contains(#""children":{"bsonType":"array","items":{"title":"EmbTag","bsonType":"object"}}"#))
    }

    @Test func `collections are described`() throws {
        let lists = try schema("collections-stream", "ListOfAll")
        expect(lists.contains(#""UUIDReq":{"bsonType":"array","items":{"bsonType":"uuid"}}"#))
        expect(lists.contains(#""MixedOpt":{"bsonType":"array","items":{"bsonType":"mixed"}}"#))
        expect(lists.contains(#""FloatReq":{"bsonType":"array","items":{"bsonType":"double"}}"#))
        expect(lists.contains(#""required":["_id"]"#))
        let sets = try schema("collections-stream", "SetOfAll")
        expect(sets.contains(#""IntReq":{"bsonType":"array","uniqueItems":true,"items":{"bsonType":"long"}}"#))
        let snapshot = try KnownFile.fixture("links-stream").snapshot()
        let linkA = try snapshot.table(named: "LinkA").schema
        let text = DocumentSchema(snapshot.schema, dialect: .appServices).document(for: linkA).compact
        expect(text.contains(#""dict":{"bsonType":"object","additionalProperties":{"bsonType":"#))
    }

    /// Every type that App Services supported, and no other.
    @Test(arguments: KnownFile.fixtures)
    func `types match those of App Services`(_ file: KnownFile) throws {
        let known: Set<String> = [
            "long", "bool", "string", "binData", "mixed", "date", "double", "decimal", "objectId", "uuid", "array",
            "object",
        ]
        let snapshot = try file.snapshot()
        let schemas = DocumentSchema(snapshot.schema, dialect: .appServices)
        for table in snapshot.classes {
            let text = schemas.document(for: table.schema).compact
            for part in text.split(separator: "\"bsonType\":\"").dropFirst() {
                expect(known.contains(String(part.prefix { $0 != "\"" })))
            }
        }
    }
}
