import Expectations
import RealmCore
import TestSupport
import Testing

/// Every value of every file equals that according to Realm Core.
@Suite struct TruthTests {
    @Test(arguments: KnownFile.fixtures)
    func `a fixture matches its dump`(_ file: KnownFile) throws {
        try compare(file)
    }

    @Test(
        .enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"),
        arguments: KnownFile.corpus.filter(\.isClustered))
    func `a corpus file matches its dump`(_ file: KnownFile) throws {
        try compare(file)
    }

    /// Guards against an empty comparison: files by format, and the number of them without a dump.
    @Test func `no fixture is missing`() {
        expectEqual(count(KnownFile.fixtures), [0: 1, 10: 1, 11: 1, 20: 1, 21: 1, 22: 1, 23: 2, 24: 15])
        expect(KnownFile.fixtures.allSatisfy { $0.dump != nil })
    }

    @Test(.enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"))
    func `no corpus file is missing`() throws {
        let listed = try KnownFile.corpusListing()
        let names = Set(listed.filter { $0.hasSuffix(".realm") }.map { String($0.dropLast(".realm".count)) })
        expectEqual(Set(KnownFile.corpus.map(\.name)), names)
        // The files not compared here are compared in `LegacyTruthTests` and `EncryptedContentTests`.
        let rest = KnownFile.corpus.filter { !$0.isClustered && !$0.isLegacy && $0.keyFile == nil }
        expectEqual(rest.map(\.name), [])
        let files = KnownFile.corpus.filter(\.isClustered)
        expectEqual(Set(count(files).keys), [0, 10, 11, 20, 21, 22, 23, 24])
        // Files are named after the generation that wrote the format.
        for file in KnownFile.old where file.keyFile == nil {
            let generation = file.name.dropFirst("old/v".count).prefix { $0.isNumber }
            expectEqual(file.isClustered, (Int(generation).map { $0 >= 10 }), "\(file)")
        }
        for file in files where file.dump == nil {
            let dumps = listed.filter {
                $0.hasPrefix("\(file.name).full.jsonl") || $0.hasPrefix("\(file.name).expected.full.jsonl")
            }
            expectEqual(dumps, [], "\(file)")
        }
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
        expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    }
}
