import Expectations
import Foundation
import RealmCore
import RealmLayout
import RealmQuery
import RealmStorage
import TestSupport
import Testing

/// Comparison with Realm Core 14.14.0's answers to queries on the same files. `Truth/README.md` describes how they were
/// made.
@Suite struct QueryTruthTests {
    /// A query on a class, and the keys of Core's results in order; nil when Core refused the query.
    struct Case {
        let className: String
        let query: String
        /// The text for `TruthArgument`.
        let arguments: String
        let answer: String
    }

    /// Returns the cases by file.
    private static func cases(_ name: String) throws -> [String: [Case]] {
        try cases(at: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Truth/\(name)"))
    }

    private static func cases(at url: URL) throws -> [String: [Case]] {
        var cases: [String: [Case]] = [:]
        for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            try #require(parts.count == 4 || parts.count == 5, "\(line)")
            let arguments = parts.count == 5 ? parts[3] : ""
            cases[parts[0], default: []].append(
                Case(className: parts[1], query: parts[2], arguments: arguments, answer: parts[parts.count - 1]))
        }
        return cases
    }

    /// Returns the keys, or their number and a hash (FNV-1a of their text).
    private func text(_ keys: [ObjectKey]) -> String {
        let words = keys.map { String($0.value) }
        guard words.count > 12 else { return words.joined(separator: " ") }
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in words.joined(separator: " ").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        let digits = String(hash, radix: 16)
        return "#\(words.count) \(String(repeating: "0", count: 16 - digits.count))\(digits)"
    }

    /// The maximum number of objects for the evaluator: examining more objects one by one takes too long.
    private static let mostOneByOne = 3000

    /// Checks the engine and the reference evaluator, which examines single values.
    private func check(_ cases: [Case], _ snapshot: Snapshot) throws {
        for test in cases {
            let table = try snapshot.table(named: test.className)
            let arguments = try TruthArgument.arguments(test.arguments, in: snapshot)
            let asked = "\(test.className): \(test.query) \(test.arguments)"
            do throws(QueryError) {
                let query: ObjectQuery
                do throws(QuerySyntaxError) { query = try ObjectQuery(test.query) } catch { throw .syntax(error) }
                let results = try table.objects(matching: query, arguments: arguments)
                expectEqual(text(results.keys), test.answer, "\(asked)")
                guard (try? table.count) ?? 0 <= Self.mostOneByOne else { continue }
                let values = try? table.objectsOneByOne(matching: query, arguments: arguments).keys
                expectEqual(values.map { text($0) }, test.answer, "\(asked), by values")
            } catch {
                expectEqual(test.answer, "error", "\(asked): \(error)")
            }
        }
    }

    @Test func `queries on fixtures give the results of Realm Core`() throws {
        let cases = try Self.cases("fixtures.tsv")
        expect(cases.count > 20)
        expect(cases.values.reduce(0) { $0 + $1.count } > 1200)
        for (name, cases) in cases {
            let file = try KnownFile.fixture(name)
            try check(cases, try RealmDatabase(path: file.url.path).snapshot())
        }
    }

    /// Queries with `$0`, `$1` and so on, and their arguments.
    @Test func `queries with arguments give the results of Realm Core`() throws {
        let cases = try Self.cases("arguments.tsv")
        expect(cases.values.reduce(0) { $0 + $1.count } > 400)
        for (name, cases) in cases {
            if let file = TruthFile(rawValue: name) {
                try check(cases, try RealmDatabase(bytes: file.build()).snapshot())
            } else {
                try check(cases, try RealmDatabase(path: KnownFile.fixture(name).url.path).snapshot())
            }
        }
    }

    @Test(arguments: TruthFile.allCases)
    func `queries on built files give the results of Realm Core`(_ file: TruthFile) throws {
        let snapshot = try RealmDatabase(bytes: file.build()).snapshot()
        let cases = try Self.cases("built.tsv")[file.rawValue] ?? []
        expect(cases.count > 200)
        try check(cases, snapshot)
    }

    /// `REALMFILE_TRUTH=answers.tsv` tests any files; their first column is a path.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["REALMFILE_TRUTH"] != nil))
    func givenAnswers() throws {
        let path = try #require(ProcessInfo.processInfo.environment["REALMFILE_TRUTH"])
        for (name, cases) in try Self.cases(at: URL(filePath: path)) {
            try check(cases, try RealmDatabase(path: name).snapshot())
        }
    }

    @Test(.enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"))
    func `queries on corpus files give the results of Realm Core`() throws {
        let cases = try Self.cases("corpus.tsv").merging(Self.cases("corpus-arguments.tsv")) { $0 + $1 }
        expect(cases.count > 30)
        for file in KnownFile.corpus where cases[file.url.deletingPathExtension().lastPathComponent] != nil {
            let name = file.url.deletingPathExtension().lastPathComponent
            guard file.url.path.contains("/current/"), let cases = cases[name] else { continue }
            try check(cases, try RealmDatabase(path: file.url.path).snapshot())
        }
    }
}
