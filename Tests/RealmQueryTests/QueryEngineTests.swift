import Expectations
import Foundation
import RealmCore
import RealmLayout
import RealmQuery
import RealmStorage
import TestSupport
import Testing
import WriterTestSupport

/// The engine, which compares columns, finds the same as the evaluator, which examines single objects.
@Suite struct QueryEngineTests {
    /// The maximum number of values to examine for a query: consecutive lists of links multiply.
    private static let most = 2_000_000

    /// Compares both; returns the number of valid queries.
    private func compare(_ table: Table, seed: UInt64, queries: Int, _ name: String) throws -> Int {
        guard !table.schema.properties.isEmpty else { return 0 }
        var random = try RandomQueries(table, seed: seed)
        var meant = 0
        for _ in 0..<queries {
            let (query, arguments) = random.next()
            let expected: [ObjectKey]
            do {
                expected =
                    try table.objectsOneByOne(
                        matching: query, arguments: arguments, budget: QueryBudget(work: Self.most)
                    ).keys
            } catch QueryError.exhausted(_) {
                continue
            } catch let error as QueryError {
                #expect(throws: error, "\(name): \(query)") { try table.objects(matching: query, arguments: arguments) }
                continue
            }
            meant += 1
            let found = try table.objects(matching: query, arguments: arguments).keys
            expectEqual(found, expected, "\(name), \(table.name): \(query) \(arguments)")
            try expectEqual(table.count(matching: query, arguments: arguments), expected.count, "\(name): \(query)")
            let scanned = try table.objects(
                matching: query, arguments: arguments, options: QueryOptions(usesIndexes: false))
            expectEqual(scanned.keys, expected, "\(name), \(table.name), without indexes: \(query) \(arguments)")
            let first = try table.first(matching: query, arguments: arguments)
            expectEqual(first?.key, expected.first, "\(name), \(table.name), the first: \(query) \(arguments)")
            var cursor = try table.cursor(matching: query, arguments: arguments)
            var walked: [ObjectKey] = []
            while let object = try cursor.next() { walked.append(object.key) }
            expectEqual(walked, expected, "\(name), \(table.name), one after the other: \(query) \(arguments)")
            let keys = random.someKeys()
            let among = try table.objects(matching: query, arguments: arguments, among: keys)
            let expectedAmong = try table.objectsOneByOne(matching: query, arguments: arguments, among: keys)
            expectEqual(among, expectedAmong, "\(name), \(table.name), among some: \(query) \(arguments)")
        }
        return meant
    }

    @Test(arguments: UInt64(1)...30)
    func `the engine finds the matching values in random databases`(seed: UInt64) throws {
        let snapshot = try RandomDatabase.snapshot(seed: seed)
        for table in snapshot.classes {
            _ = try compare(table, seed: seed &* 31, queries: 40, "seed \(seed)")
        }
    }

    /// `REALMFILE_RANDOM_QUERIES=1000000 REALMFILE_RANDOM_SEED=7 tools/test --filter manyRandomQueries` runs that many
    /// queries.
    @Test(.enabled(if: ProcessInfo.processInfo.environment["REALMFILE_RANDOM_QUERIES"] != nil))
    func manyRandomQueries() throws {
        let environment = ProcessInfo.processInfo.environment
        let wanted = try #require(environment["REALMFILE_RANDOM_QUERIES"].flatMap { Int($0) })
        var seed = environment["REALMFILE_RANDOM_SEED"].flatMap { UInt64($0) } ?? 1000
        var (asked, meant, files) = (0, 0, 0)
        while asked < wanted {
            let snapshot = try RandomDatabase.snapshot(seed: seed)
            for table in snapshot.classes where try table.count <= 300 {
                meant += try compare(table, seed: seed &* 77, queries: 400, "seed \(seed)")
                asked += 400
            }
            seed += 1
            files += 1
            if files % 20 == 0 { print("\(asked) queries on \(files) files, \(meant) meant something, seed \(seed)") }
        }
        print("\(asked) queries on \(files) files, \(meant) meant something")
    }

    @Test func `the engine finds the matching values in fixtures`() throws {
        var meant = 0
        for (number, file) in (KnownFile.fixtures + KnownFile.legacyFixtures).enumerated() {
            let snapshot = try RealmDatabase(path: file.url.path).snapshot()
            for table in snapshot.classes where try table.count < 3000 {
                meant += try compare(table, seed: UInt64(number), queries: 25, file.name)
            }
        }
        expect(meant > 700)
    }

    @Test(.enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"))
    func `the engine finds the matching values in corpus files`() throws {
        var meant = 0
        for (number, file) in KnownFile.corpusSample.enumerated() where file.isPlain && file.keyFile == nil {
            guard let snapshot = try? RealmDatabase(path: file.url.path).snapshot() else { continue }
            for table in snapshot.classes where try table.count < 1500 {
                meant += try compare(table, seed: UInt64(number), queries: 10, file.name)
            }
        }
        expect(meant > 100)
    }
}
