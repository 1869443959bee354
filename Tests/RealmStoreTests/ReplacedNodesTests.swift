import Expectations
import RealmCore
import RealmForensics
import RealmStorage
import RealmStore
import TestSupport
import Testing

/// Transactions that repeatedly read their own changes: each read writes clusters that the next one replaces.
@Suite struct ReplacedNodesTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func findings(_ path: String) throws -> [String] {
        Verification(level: .deep).run(on: try ByteSource(path: path)).findings.map { "\($0)" }
    }

    @Test func `a transaction that reads its added objects does not make the file larger`() throws {
        var sizes: [Int] = []
        for isRead in [false, true] {
            let path = try DogKennel.make(folder, name: "kennel \(isRead).realm")
            let store = try RealmStore(path: path, options: .init(durability: .none))
            try store.write { transaction in
                for number in 1000..<2500 {
                    try transaction.addDog(number)
                    if isRead { _ = try transaction.snapshot() }
                }
            }
            try expectEqual(store.snapshot().table(named: "Dog").count, 1600)
            try expectEqual(findings(path), [])
            sizes.append(store.snapshot().logicalSize)
        }
        expect(sizes[1] <= sizes[0] * 2, "\(sizes)")
    }

    /// The approximate memory of a `WriteTransaction` whose objects are read after each change.
    private static let most = 24 << 20

    @Test func `a transaction that reads its added objects needs bounded memory`() throws {
        let path = try DogKennel.make(folder, dogs: 1000)
        let store = try RealmStore(path: path, options: .init(durability: .none))
        var kept: [(snapshot: Snapshot, hash: ContentHash)] = []
        try store.write { transaction in
            var largest = 0
            for number in 1000..<5000 {
                try transaction.addDog(number)
                let dog = try #require(try transaction.object("Dog", primaryKey: .int(Int64(number - 900))))
                try transaction.set(dog, "name", .string("before \(number)"))
                let snapshot = try transaction.snapshot()
                largest = max(largest, transaction.size)
                if number % 500 == 0 { kept.append((snapshot, try snapshot.contentHash())) }
            }
            expect(largest < Self.most)
        }
        // Intermediate snapshots are unchanged.
        for (snapshot, hash) in kept { try expectEqual(snapshot.contentHash(), hash) }
        expect(zip(kept, kept.dropFirst()).allSatisfy { $0.hash != $1.hash })
        let last = store.snapshot()
        try expectEqual(DogKennel.keys(last), Array(0..<5000))
        try expectEqual(last.changes(since: kept[0].snapshot).table(named: "Dog")?.inserted.count, 3999)
        let dog = try last.table(named: "Dog").object(primaryKey: .int(4000))
        try expectEqual(dog?.get("name", as: String.self), "before 4900")
        try expectEqual(findings(path), [])
    }

    @Test func `an earlier schema change is kept after nodes have moved`() throws {
        let path = try DogKennel.make(folder, dogs: 1000)
        let store = try RealmStore(path: path, options: .init(durability: .none))
        try store.write { transaction in
            try transaction.addClass(TableDefinition(class: "Cat", [PropertyDefinition("name", .string)]))
            try transaction.addProperty(PropertyDefinition("weight", .double, isNullable: true), to: "Dog")
            try transaction.renameProperty("age", of: "Dog", to: "years")
            for number in 0..<1500 {
                let dog = try #require(try transaction.object("Dog", primaryKey: .int(Int64(number % 1000))))
                try transaction.set(dog, "weight", .double(Double(number)))
                _ = try transaction.add("Cat", ["name": .string("cat \(number)")])
                _ = try transaction.snapshot()
            }
            expect(transaction.size < Self.most)
            try transaction.renameClass("Cat", to: "Tomcat")
        }
        let last = store.snapshot()
        try expectEqual(last.table(named: "Tomcat").count, 1500)
        let dog = try last.table(named: "Dog").object(primaryKey: .int(400))
        try expectEqual(dog?.get("weight", as: Double.self), 1400)
        try expectEqual(dog?.get("years", as: Int.self), 1)
        try expectEqual(findings(path), [])
    }

    private struct Stop: Error {}

    @Test func `the nodes that a job has moved are restored when it is undone`() async throws {
        let path = try DogKennel.make(folder, dogs: 1000)
        let store = try RealmStore(path: path, options: .init(durability: .none))
        // All of them share a commit: none gets the write lock before they all wait.
        let first = try await store.begin()
        let jobs = (0..<4).map { job in
            Task {
                try await store.write { transaction in
                    for number in 0..<1500 {
                        let dog = try #require(try transaction.object("Dog", primaryKey: .int(Int64(number % 1000))))
                        try transaction.set(dog, "age", .int(Int64(10 * number + job)))
                        _ = try transaction.snapshot()
                    }
                    try transaction.addDog(2000 + job)
                    if job % 2 == 1 { throw Stop() }
                }
            }
        }
        while store.waitingCount < jobs.count { await Task.yield() }
        first.cancel()
        var results: [Bool] = []
        for job in jobs { results.append((try? await job.value) != nil) }
        expectEqual(results, [true, false, true, false])
        let last = store.snapshot()
        try expectEqual(DogKennel.keys(last), Array(0..<1000) + [2000, 2002])
        let age = try last.table(named: "Dog").object(primaryKey: .int(400))?.get("age", as: Int.self)
        expect(age == 14_000 || age == 14_002)
        try expectEqual(findings(path), [])
    }
}
