import Expectations
import RealmExchange
import TestSupport
import Testing

/// BSON of the `mongo` profile, read back with libbson, contains every value of the typed dump according to the
/// mapping; the metadata are well-formed and name the indexes.
@Suite struct MongoBSONTests {
    @Test(arguments: ExportedFiles.fixtures)
    func `every value of a fixture is in its BSON`(_ file: KnownFile) async throws {
        try await Self.compare(Content(file))
    }

    @Test(
        .enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"),
        arguments: Share.current.of(KnownFile.corpus.filter(\.isPlain), sequence: 9))
    func `every value of a corpus file is in its BSON`(_ file: KnownFile) async throws {
        try await Self.compare(Content(file))
    }

    static func compare(_ content: Content) async throws {
        for keepsNulls in [false, true] {
            let exported = try await Exported(content.snapshot) { $0.keepsNulls = keepsNulls }
            var expected = ExpectedDocuments<BSONValue>(content, .bson)
            expected.keepsNulls = keepsNulls
            expect(exported.report.damage.isEmpty)
            try expectEqual(
                exported.files().filter { $0.hasSuffix(".bson") },
                content.collections.map { "\(Exported.database)/\($0.className).bson" }.sorted())
            for table in content.collections {
                let documents = try expected.documents(of: table)
                let bytes = try exported.bytes("\(table.className).bson")
                let found = try BSONValue.documents(in: bytes, allowingAnyKey: expected.hasOddKeys)
                let differences = differences(documents, found, in: table.className)
                expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
                let counted = exported.report.collections.first { $0.name == table.className }
                expectEqual(counted?.objects, documents.count)
                expectEqual(counted?.bytes, bytes.count)
                try LayoutTests.checkMetadata(of: table, in: exported)
            }
            for path in try exported.files() where path.hasSuffix(".json") {
                _ = try PlainJSON(parsing: exported.bytes(path: path))
            }
            expected.countOrphans()
            expectEqual(exported.losses, expected.losses)
        }
    }
}
