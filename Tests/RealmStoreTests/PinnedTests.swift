import Expectations
import RealmCore
import RealmForensics
import RealmStorage
import RealmStore
import TestSupport
import Testing

private import class Foundation.ProcessInfo

/// Snapshots of very many versions that exist at the same time.
@Suite struct PinnedTests {
    private static let dogs = 500

    /// `REALMFILE_PINNED_SNAPSHOTS` increases their number.
    private static let count =
        ProcessInfo.processInfo.environment["REALMFILE_PINNED_SNAPSHOTS"].flatMap { Int($0) } ?? 300

    private static func update(_ store: RealmStore, _ round: Int) throws {
        try store.write { transaction in
            let dog = try #require(try transaction.object("Dog", primaryKey: .int(Int64(round * 7 % dogs))))
            try transaction.set(dog, "age", .int(Int64(round)))
        }
    }

    /// Checks the values of a dog that a commit changed, and of one that it did not.
    private static func isRight(_ snapshot: Snapshot, _ round: Int) throws -> Bool {
        func age(_ number: Int) throws -> Int? {
            try snapshot.table(named: "Dog").object(primaryKey: .int(Int64(number)))?.get("age", as: Int.self)
        }
        let next = (round + 1) * 7 % dogs
        let before = round + 1 - dogs
        return try age(round * 7 % dogs) == round && age(next) == (before < 0 ? 1 : before)
    }

    @Test func `a link returned in a transaction leads to the state at that time`() throws {
        let folder = try TemporaryFolder()
        let store = try RealmStore(path: DogKennel.make(folder, dogs: 10), options: .init(durability: .none))
        let (key, position, friend) = try store.read { snapshot in
            let table = try snapshot.table(named: "Dog")
            let friend = try #require(table.schema.properties.propertyIndex(named: "friend"))
            return (try #require(try table.object(primaryKey: .int(1))).key, table.position, friend)
        }
        let link = try store.write { transaction in
            try transaction.set(ObjectReference("Dog", key), "friend", .link("Dog", primaryKey: 7))
            // Writes the uncommitted state to memory.
            _ = try transaction.schemaVersion
            return try transaction.value(of: key, inTableAt: position, property: friend)
        }
        guard case .link(let link) = link else { throw WriteError.internalInconsistency("no link") }
        for round in 0..<20 {
            try store.write { transaction in
                for number in 0..<10 {
                    let dog = try #require(try transaction.object("Dog", primaryKey: .int(Int64(number))))
                    try transaction.set(dog, "name", .string("round \(round)"))
                }
            }
        }
        try expectEqual(link.object()?.get("name", as: String.self), "dog 0", "the seventh")
    }

    @Test func `each of very many snapshots is unchanged, and their space is reused`() throws {
        let folder = try TemporaryFolder()
        let path = try DogKennel.make(folder, dogs: Self.dogs)
        let store = try RealmStore(path: path, options: .init(durability: .none))
        var pinned: [Snapshot] = []
        for round in 0..<Self.count {
            try Self.update(store, round)
            pinned.append(store.snapshot())
        }
        expectEqual(Set(pinned.map(\.commitNumber)).count, Self.count)
        for (round, snapshot) in pinned.enumerated() { try expect(Self.isRight(snapshot, round), "snapshot \(round)") }
        let peak = store.snapshot().logicalSize
        let hash = try pinned[0].contentHash()
        // All but the first are released: it still needs its own nodes, and no other space stays in use.
        pinned.removeLast(Self.count - 1)
        for round in 0..<20 { try Self.update(store, round) }
        try expectEqual(pinned[0].contentHash(), hash)
        expect(Verification(level: .deep).run(on: try ByteSource(path: path)).findings.isEmpty)
        pinned = []
        for round in 0..<20 { try Self.update(store, round) }
        let left = store.snapshot().logicalSize
        for round in 0..<200 { try Self.update(store, round) }
        expectEqual(store.snapshot().logicalSize, left)
        expect(left < peak + peak / 4)
        try expect(#require(try store.snapshot().freeBytes()) > peak / 2)
        expect(Verification(level: .deep).run(on: try ByteSource(path: path)).findings.isEmpty)
    }
}
