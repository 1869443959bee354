import RealmReader
import TestSupport
import Testing

/// Every value of every file is what Realm Core says it is.
@Suite struct TruthTests {
    @Test(arguments: KnownFile.fixtures)
    func fixture(_ file: KnownFile) throws {
        try compare(file)
    }

    @Test(
        .enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"),
        arguments: KnownFile.corpus.filter(\.isClustered))
    func corpusFile(_ file: KnownFile) throws {
        try compare(file)
    }

    /// The comparison cannot come to compare nothing: files by format, and how many of them have no dump.
    @Test func noFixtureIsMissing() {
        #expect(count(KnownFile.fixtures) == [0: 1, 10: 1, 11: 1, 20: 1, 21: 1, 22: 1, 23: 2, 24: 15])
        #expect(KnownFile.fixtures.allSatisfy { $0.dump != nil })
    }

    @Test(.enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"))
    func noCorpusFileIsMissing() {
        let files = KnownFile.corpus.filter(\.isClustered)
        #expect(count(files) == [0: 1, 10: 16, 11: 14, 20: 16, 21: 16, 22: 20, 23: 14, 24: 57])
        // An empty file in streaming form of each format, and one in which nothing was ever written.
        #expect(files.count { $0.dump == nil } == 7)
    }

    private func count(_ files: [KnownFile]) -> [Int: Int] {
        Dictionary(files.map { ($0.format ?? -1, 1) }, uniquingKeysWith: +)
    }

    private func compare(_ file: KnownFile) throws {
        let snapshot = try RealmDatabase(path: file.url.path).snapshot()
        let format = Int(snapshot.version.number)
        var found = try TypedDump(snapshot)
        found.upgrade(from: format)
        found.forgetOrder(changedFrom: format)
        var expected = try file.dump.map { try TypedDump(contentsOf: $0) } ?? TypedDump()
        expected.forgetOrder(changedFrom: format)
        let differences = expected.differences(to: found)
        #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    }
}
