import Expectations
import Foundation
import RealmCore
import RealmLayout
import RealmQuery
import RealmStorage
import TestSupport
import Testing

/// Queries give the same results in a file of an older format, which is read as it is, and in its copy in the current
/// format.
@Suite struct OldFileTests {
    /// - Returns: the number of queries with results.
    private func compare(_ old: Snapshot, _ name: String, queries: Int) throws -> Int {
        let folder = try TemporaryFolder()
        _ = try Rebuild(old).write(to: NewFile(folder.file("upgraded.realm")))
        let new = try RealmDatabase(path: folder.file("upgraded.realm")).snapshot()
        var found = 0
        for table in old.classes where try table.count > 0 && table.count < 3000 && !table.schema.properties.isEmpty {
            let upgraded = try new.table(named: table.name)
            var random = try RandomQueries(table, seed: UInt64(name.utf8.reduce(7) { ($0 &* 31 + Int($1)) & 0xFFFF }))
            for _ in 0..<queries {
                let (query, arguments) = random.next()
                // A link belongs to its file.
                guard !arguments.contains(where: \.hasLink) else { continue }
                guard let expected = try? upgraded.objects(matching: query, arguments: arguments).keys else { continue }
                let keys = try table.objects(matching: query, arguments: arguments).keys
                expectEqual(keys, expected, "\(name), \(table.name): \(query) \(arguments)")
                if !keys.isEmpty { found += 1 }
            }
        }
        return found
    }

    @Test func `fixtures of old formats give the same results as their upgraded copies`() throws {
        var found = 0
        for file in KnownFile.fixtures + KnownFile.legacyFixtures where file.isPlain {
            let snapshot = try RealmDatabase(path: file.url.path).snapshot()
            guard snapshot.version.number < 24 else { continue }
            found += try compare(snapshot, file.name, queries: 40)
        }
        expect(found > 100)
    }

    @Test(.enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"))
    func `corpus files of old formats give the same results as their upgraded copies`() throws {
        var found = 0
        for file in KnownFile.corpusSample where file.isPlain && file.keyFile == nil {
            guard let snapshot = try? RealmDatabase(path: file.url.path).snapshot(), snapshot.version.number < 24
            else { continue }
            // Some of them have dangling links, which end a query.
            found += (try? compare(snapshot, file.name, queries: 15)) ?? 0
        }
        expect(found > 20)
    }
}

extension QueryArgument {
    fileprivate var hasLink: Bool {
        switch self {
        case .value(let value): value.isLink
        case .list(let values): values.contains(where: \.isLink)
        case .shape: false
        }
    }
}

extension Value {
    fileprivate var isLink: Bool {
        switch self {
        case .link, .embedded: true
        default: false
        }
    }
}
