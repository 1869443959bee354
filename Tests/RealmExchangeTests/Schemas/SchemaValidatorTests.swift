import Expectations
import RealmCore
import RealmExchange
import TestSupport
import Testing

/// Validators are valid, and accept the documents of the files that they were made from.
@Suite struct SchemaValidatorTests {
    @Test(arguments: KnownFile.fixtures + KnownFile.legacyFixtures)
    func `a validator accepts the documents of a fixture`(_ file: KnownFile) throws { try check(file) }

    @Test(
        .enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"),
        arguments: KnownFile.corpus.filter { $0.isPlain && (try? $0.bytes().count) ?? 0 < 300_000 })
    func `a validator accepts the documents of a corpus file`(_ file: KnownFile) throws { try check(file) }

    private func check(_ file: KnownFile) throws {
        let snapshot = try file.snapshot()
        let schemas = DocumentSchema(snapshot.schema, dialect: .mongoValidator)
        for table in snapshot.tables where table.schema.kind != .embedded {
            let schema = try schemas.document(for: table.schema).parsed()[required: "$jsonSchema"].members()
            try SchemaValidator.check(schema, at: table.name)
            var objects = table.objects
            while let object = try objects.next() {
                for keepsNulls in [true, false] {
                    let shape = try DocumentShape(object, keepsNulls: keepsNulls)
                    let refusal = try SchemaValidator.refusal(of: shape, by: schema, at: table.name)
                    expectEqual(refusal, nil, "object \(object.key)")
                }
            }
        }
    }
}
