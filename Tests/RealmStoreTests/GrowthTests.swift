import Expectations
import RealmCore
import RealmForensics
import RealmStorage
import RealmStore
import TestSupport
import Testing
import TransactionTestSupport
import WriterTestSupport

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Space: the size of files, and stores whose disk is full.
@Suite struct GrowthTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func update(_ store: RealmStore, round: Int) throws {
        try store.write { transaction in
            for number in 0..<10 {
                let key = Int64((round * 37 + number * 91) % 1000)
                let dog = try #require(try transaction.object("Dog", primaryKey: .int(key)))
                try transaction.set(dog, "age", .int(Int64(round)))
                try transaction.set(dog, "name", .string("dog \(round % 11)"))
            }
        }
    }

    @Test(arguments: [RealmStore.Durability.none, .ordered])
    func `a file under steady updates grows only by the space that snapshots need`(durability: RealmStore.Durability)
        throws
    {
        let path = try DogKennel.make(folder, dogs: 1000)
        let store = try RealmStore(path: path, options: .init(durability: durability))
        var last: [(Snapshot, ContentHash)] = []
        var sizes: [Int] = []
        for round in 0..<200 {
            try Self.update(store, round: round)
            // There is always a reader four commits behind.
            let snapshot = store.snapshot()
            last.append((snapshot, try snapshot.contentHash()))
            if last.count > 4 {
                let (snapshot, hash) = last.removeFirst()
                if round % 10 == 0 { try expectEqual(snapshot.contentHash(), hash) }
            }
            sizes.append(snapshot.logicalSize)
        }
        expectEqual(sizes[199], sizes[80], "\(Set(sizes).sorted())")
        expect(Verification(level: .deep).run(on: try ByteSource(path: path)).findings.isEmpty)
    }

    /// Some nodes of a commit remain for hundreds of commits, because of an index and links everywhere; the gaps
    /// between them must still be reused.
    @Test func `the gaps between kept nodes are reused when objects are added one by one`() throws {
        let path = folder.file("persons.realm")
        let schema = SchemaDefinition([
            TableDefinition(
                class: "Person", primaryKey: "_id",
                [
                    PropertyDefinition("_id", .int), PropertyDefinition("name", .string),
                    PropertyDefinition("score", .double), PropertyDefinition("city", .string, index: .general),
                    PropertyDefinition("owner", .link, target: "Owner"),
                ]),
            TableDefinition(class: "Owner", primaryKey: "_id", [PropertyDefinition("_id", .int)]),
        ])
        let builder = try RealmBuilder(schema, at: NewFile(path))
        let owners = try (0..<1000).map { try builder.add("Owner", ["_id": .int($0)]) }
        func values(_ id: Int) -> [String: NewValue] {
            [
                "_id": .int(Int64(id)), "name": .string("Person \(id)"), "score": .double(Double(id)),
                "city": .string("City \((id &* 7919) % 500)"), "owner": .link(owners[id % 1000]),
            ]
        }
        for id in 0..<30_000 { _ = try builder.add("Person", values(id)) }
        try builder.finish()
        let store = try RealmStore(path: path, options: .init(durability: .none))
        var sizes: [Int] = []
        for id in 30_000..<30_600 {
            try store.write { _ = try $0.add("Person", values(id)) }
            sizes.append(store.snapshot().logicalSize)
        }
        expectEqual(sizes[599], sizes[99], "\(Set(sizes).sorted())")
        expect(Verification(level: .deep).run(on: try ByteSource(path: path)).findings.isEmpty)
    }

    @Test func `the space of an old snapshot is reused after its release`() throws {
        let path = try DogKennel.make(folder, dogs: 1000)
        let store = try RealmStore(path: path, options: .init(durability: .none))
        var pinned: (Snapshot, ContentHash)? = (store.snapshot(), try store.snapshot().contentHash())
        for round in 0..<100 { try Self.update(store, round: round) }
        let peak = store.snapshot().logicalSize
        try expectEqual(pinned?.0.contentHash(), pinned?.1)
        pinned = nil
        for round in 100..<250 { try Self.update(store, round: round) }
        expectEqual(store.snapshot().logicalSize, peak)
        let free = try #require(try store.snapshot().freeBytes())
        expect(free > peak / 2)
        expect(Verification(level: .deep).run(on: try ByteSource(path: path)).findings.isEmpty)
    }

    /// Snapshots that are kept for thousands of commits: space that they do not use themselves is reused, even if its
    /// content is newer.
    @Test(arguments: [RealmStore.Durability.none, .ordered], [false, true])
    func `a snapshot that is kept for long only needs its own space`(
        durability: RealmStore.Durability, isEncrypted: Bool
    ) throws {
        var path = try DogKennel.make(folder, dogs: 1000)
        let key = isEncrypted ? try EncryptionKey(bytes: [UInt8](repeating: 7, count: 64)) : nil
        if let key {
            var file = NewFile(folder.file("encrypted.realm"))
            file.key = key
            try RealmDatabase(path: path).snapshot().write(to: file)
            path = file.path
        }
        let store = try RealmStore(path: path, options: .init(key: key, durability: durability))
        let first = (store.snapshot(), try store.snapshot().contentHash())
        // With different ages: there are always four, each kept for 400 commits.
        var kept: [(Snapshot, ContentHash)] = []
        var sizes: [Int] = []
        for round in 0..<1200 {
            try Self.update(store, round: round)
            sizes.append(store.snapshot().logicalSize)
            guard round % 100 == 0 else { continue }
            kept.append((store.snapshot(), try store.snapshot().contentHash()))
            guard kept.count > 4 else { continue }
            let (snapshot, hash) = kept.removeFirst()
            try expectEqual(snapshot.contentHash(), hash)
        }
        try expectEqual(first.0.contentHash(), first.1)
        expectEqual(sizes[1199], sizes[500], "\(Set(sizes).sorted())")
        expect(sizes[1199] < sizes[0] * 12, "\(Set(sizes).sorted())")
        let (source, verification) = (try ByteSource(path: path), Verification(level: .deep))
        let report = try key.map { try verification.run(on: source, key: $0) } ?? verification.run(on: source)
        expect(report.findings.isEmpty)
    }

    /// Runs a transaction that needs more space than there is.
    private static func addMany(_ store: RealmStore) throws {
        try store.write { transaction in
            for number in 0..<3000 {
                _ = try transaction.add(
                    "Dog",
                    ["_id": .int(Int64(5000 + number)), "name": .string("a long name, number \(number)"), "age": 1])
            }
        }
    }

    @Test func `a full disk fails the commit, and the store stays usable`() throws {
        let path = try DogKennel.make(folder, dogs: 200)
        let bytes = try #require(folder.bytes("kennel.realm"))
        let whole = FaultySystem()
        try Self.addMany(RealmStore(on: FileDevice(path: path, system: whole)))
        let select = whole.calls.count - 4
        let hash = try RealmDatabase(bytes: bytes).snapshot().contentHash()
        expect(whole.calls.contains("grow"))
        // The first call synchronises the remains of the previous session.
        for call in 1..<select {
            try folder.write(bytes, "kennel.realm")
            let system = FaultySystem(.init(call: call, code: ENOSPC))
            let store = try RealmStore(on: FileDevice(path: path, system: system))
            #expect {
                try Self.addMany(store)
            } throws: {
                if case WriteError.storage(let error) = $0 { error.code == ENOSPC } else { false }
            }
            try expectEqual(store.snapshot().contentHash(), hash)
            try expectEqual(RealmDatabase(path: path).snapshot().contentHash(), hash)
            // There is space for a smaller transaction, or now for the whole one.
            try store.write { try $0.addDog(4000) }
            try Self.addMany(store)
            try expectEqual(RealmDatabase(path: path).snapshot().table(named: "Dog").count, 3201)
            let findings = Verification(level: .deep).run(on: try ByteSource(path: path)).findings
            expect(findings.isEmpty, "call \(call): \(findings)")
        }
    }

    /// A power failure between commits that are only ordered restores one of them, complete.
    @Test(arguments: [512, 4096])
    func `a power failure between ordered commits loses only the last ones`(sector: Int) throws {
        _ = try DogKennel.make(folder, dogs: 300)
        let before = try #require(folder.bytes("kennel.realm"))
        let disk = try LyingDisk(before)
        let store = try RealmStore(on: disk, durability: .ordered)
        disk.forgetEvents()
        var known = [try store.snapshot().contentHash()]
        // The number of events after each commit.
        var ends = [0]
        for round in 0..<8 {
            try store.write { transaction in
                for number in 0..<20 {
                    let key = Int64((round * 7 + number * 13) % 300)
                    let dog = try #require(try transaction.object("Dog", primaryKey: .int(key)))
                    try transaction.set(dog, "name", .string("round \(round)"))
                }
                try transaction.addDog(1000 + round)
            }
            known.append(try store.snapshot().contentHash())
            ends.append(disk.events.count)
        }
        let events = disk.events
        // One sync for each commit, and one for the remains of the previous session.
        expectEqual(events.count { if case .synchronize = $0 { true } else { false } }, 9)
        var random = Numbers(state: UInt64(sector))
        var lost = 0
        for end in 0...events.count {
            for attempt in 0..<4 {
                let image = events.image(of: before, upTo: end, sector: sector) {
                    attempt == 0 ? false : attempt == 1 ? true : Bool.random(using: &random)
                }
                let snapshot = try RealmDatabase(source: ByteSource(bytes: image)).snapshot()
                let found = try #require(known.firstIndex(of: try snapshot.contentHash()), "\(end) of \(events.count)")
                let complete = ends.lastIndex { $0 <= end } ?? 0
                expect(found >= complete - 1 && found <= complete + 1)
                if found < complete { lost += 1 }
                if end % 8 == 0 {
                    let findings = Verification(level: .deep).run(on: ByteSource(bytes: image)).findings
                    expect(!findings.contains { $0.severity == .error }, "\(findings)")
                }
            }
        }
        expect(lost > 0)
    }
}
