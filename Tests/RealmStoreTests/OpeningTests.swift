import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import RealmStore
import TestSupport
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Opening a store: files that are created, upgraded and compacted, and in-memory databases.
@Suite struct OpeningTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func findings(_ path: String) throws -> [String] {
        Verification(level: .deep).run(on: try ByteSource(path: path)).findings.filter { $0.severity != .info }.map {
            "\($0)"
        }
    }

    @Test func `a missing file is created with the classes of the options`() throws {
        let path = folder.file("new.realm")
        // A failure leaves no files.
        #expect { try RealmStore(path: path) } throws: { ($0 as? StorageError)?.code == ENOENT }
        expect(folder.names.isEmpty)
        do {
            let store = try RealmStore(path: path, options: .init(schema: DogKennel.schema))
            try expect(DogKennel.keys(store.snapshot()).isEmpty)
            try store.write { try $0.addDog(1) }
        }
        // An existing file is not created again.
        let store = try RealmStore(path: path, options: .init(schema: DogKennel.schema))
        try expectEqual(DogKennel.keys(store.snapshot()), [1])
        try expectEqual(findings(path), [])
        expectEqual(folder.names, ["new.realm", "new.realm.lock"])
    }

    @Test func `the name of a copied file is on the disk before the first commit`() throws {
        let seed = try DogKennel.make(folder)
        let system = FaultySystem()
        var options = RealmStore.Options()
        options.seedPath = seed
        let store = try RealmStore(path: folder.file("copy.realm"), options: options, system: system)
        let renamed = try #require(system.calls.lastIndex(of: "rename"))
        expect(system.calls[renamed...].contains("synchronizeFolder"))
        try expectEqual(DogKennel.keys(store.snapshot()).count, 100)
    }

    @Test func `a file without any commit gets the classes`() throws {
        let empty = try #require(KnownFile.fixtures.first { $0.name.hasSuffix("empty-new") })
        for bytes in [[], try empty.bytes()] {
            try folder.write(bytes, "empty.realm")
            // A file without classes can be replaced.
            try RealmStore(path: folder.file("empty.realm")).close()
            let store = try RealmStore(path: folder.file("empty.realm"), options: .init(schema: DogKennel.schema))
            try store.write { try $0.addDog(7) }
            try expectEqual(DogKennel.keys(RealmDatabase(path: folder.file("empty.realm")).snapshot()), [7])
        }
        // A damaged file does not count as empty.
        var damaged = try #require(folder.bytes("empty.realm"))
        damaged[23] ^= 1
        damaged.replaceSubrange(
            Int(damaged[23] & 1) * 8..<Int(damaged[23] & 1) * 8 + 8, with: [UInt8](repeating: 0, count: 8))
        try folder.write(damaged, "damaged.realm")
        #expect(throws: FormatError.self) {
            try RealmStore(path: folder.file("damaged.realm"), options: .init(schema: DogKennel.schema))
        }
        expectEqual(folder.bytes("damaged.realm"), damaged)
    }

    @Test func `an encrypted file is created with the classes of the options`() throws {
        let key = try EncryptionKey(bytes: [UInt8](repeating: 7, count: 64))
        let path = folder.file("new.realm")
        let store = try RealmStore(path: path, options: .init(schema: DogKennel.schema, key: key))
        try store.write { try $0.addDog(3) }
        try expectEqual(DogKennel.keys(RealmDatabase(path: path, key: key).snapshot()), [3])
    }

    // MARK: Memory

    @Test func `a database in memory is saved as a file, also in the middle of a transaction`() throws {
        let store = try RealmStore(inMemory: DogKennel.schema)
        try store.write { try $0.addDog(1) }
        let before = store.snapshot()
        try store.write { transaction in
            try transaction.addDog(2)
            try transaction.snapshot().write(to: NewFile(folder.file("middle.realm")))
            try transaction.addDog(3)
        }
        try before.write(to: NewFile(folder.file("before.realm")))
        try store.snapshot().write(to: NewFile(folder.file("after.realm")))
        for (name, keys) in [("before", [1]), ("middle", [1, 2]), ("after", [1, 2, 3])] {
            let path = folder.file("\(name).realm")
            try expectEqual(DogKennel.keys(RealmDatabase(path: path).snapshot()), keys)
            try expectEqual(findings(path), [])
            try RealmStore(path: path).write { try $0.addDog(9) }
        }
        #expect(throws: WriteError.self) { try before.write(to: NewFile(folder.file("before.realm"))) }
    }

    // MARK: Compacting

    /// Returns the path of a file that consists mostly of free space, after most of its objects were removed.
    private func loose() throws -> String {
        let path = try DogKennel.make(folder, dogs: 20_000)
        let store = try RealmStore(path: path, options: .init(durability: .none))
        try store.write { transaction in
            for number in 100..<20_000 {
                let dog = try #require(try transaction.object("Dog", primaryKey: .int(Int64(number))))
                try transaction.delete(dog)
            }
        }
        return path
    }

    private func size(_ path: String) throws -> Int { try ByteSource(path: path).count }

    @Test func `compacting makes the file small, and it stays usable`() throws {
        let path = try loose()
        let store = try RealmStore(path: path)
        let before = store.snapshot()
        let hash = try before.contentHash()
        let large = try size(path)
        try store.compact()
        try expect(size(path) < large / 10)
        expectEqual(store.snapshot().commitNumber, before.commitNumber)
        try expectEqual(store.snapshot().contentHash(), hash)
        try expect(store.snapshot().changes(since: before).isEmpty)
        for number in 0..<20 {
            try store.write { transaction in
                let dog = try #require(try transaction.object("Dog", primaryKey: .int(Int64(number))))
                try transaction.set(dog, "age", 5)
            }
        }
        expectEqual(store.snapshot().commitNumber, before.commitNumber + 20)
        // An observer gets the changes since an earlier snapshot.
        let changes = try #require(try store.snapshot().changes(since: before).table(named: "Dog"))
        expect(changes.inserted.isEmpty && changes.deleted.isEmpty)
        expectEqual(changes.modified.map(\.key.value), Array(0..<20))
        expect(changes.modified.allSatisfy { $0.properties.map(\.name) == ["age"] })
        // The snapshot of the old file is unchanged.
        try expectEqual(before.contentHash(), hash)
        try expectEqual(findings(path), [])
        try expectEqual(RealmDatabase(path: path).snapshot().contentHash(), store.snapshot().contentHash())
        // Another store cannot open the file.
        #expect { try RealmStore(path: path) } throws: { ($0 as? StorageError)?.isInUse == true }
        expectEqual(folder.names, ["kennel.realm", "kennel.realm.lock"])
        let transaction = try store.begin()
        #expect(throws: WriteError.self) { try store.compact() }
        transaction.cancel()
    }

    @Test func `a database in memory is compacted`() throws {
        let path = try loose()
        let file = try ByteSource(path: path)
        let store = try RealmStore(bytes: file.bytes)
        let hash = try store.snapshot().contentHash()
        try store.compact()
        expect(store.snapshot().logicalSize < file.count / 10)
        try expectEqual(store.snapshot().contentHash(), hash)
        try store.write { try $0.addDog(20_001) }
        try expectEqual(store.snapshot().table(named: "Dog").count, 101)
    }

    @Test func `a file is compacted on opening if the options require it`() throws {
        let path = try loose()
        let large = try size(path)
        var options = RealmStore.Options(compactWhen: { total, used in
            expect(total > used * 10)
            return false
        })
        _ = try RealmStore(path: path, options: options)
        try expectEqual(size(path), large)
        options.compactWhen = { total, used in used * 2 < total }
        let store = try RealmStore(path: path, options: options)
        try expect(size(path) < large / 10)
        try expectEqual(store.snapshot().table(named: "Dog").count, 100)
        try store.write { try $0.addDog(20_001) }
        try expectEqual(findings(path), [])
    }

    // MARK: Upgrades

    private static let old = [
        "format-9-people", "format-5-shapes", "format-22-links", "format-23-scalars-stream", "format-11-people",
    ]

    @Test(arguments: old)
    func `an older format is refused, or upgraded with a backup`(name: String) throws {
        let file = try #require((KnownFile.fixtures + KnownFile.legacyFixtures).first { $0.name.hasSuffix(name) })
        let format = try #require(file.format)
        let bytes = try file.bytes()
        let path = folder.file("app.realm")
        try folder.write(bytes, "app.realm")
        let source = try RealmDatabase(bytes: bytes).snapshot()
        #expect { try RealmStore(path: path) } throws: { ($0 as? FormatError)?.code == .unknownFormat }
        expectEqual(folder.bytes("app.realm"), bytes)
        // A backup from another time is not overwritten.
        try folder.write([1, 2, 3], "app.realm.format-\(format).backup")
        let store = try RealmStore(path: path, options: .init(upgrade: .withBackup))
        expectEqual(store.snapshot().version.number, 24)
        try expectEqual(store.snapshot().contentHash(), source.contentHash())
        expectEqual(folder.bytes("app.realm.format-\(format).backup"), [1, 2, 3])
        expectEqual(folder.bytes("app.realm.format-\(format).backup-2"), bytes)
        expectEqual(folder.names.count, 4)
        let found = try findings(path)
        expectEqual(found, [], "\(found)")
        // The upgraded file opens without the option.
        try store.close()
        let again = try RealmStore(bytes: try #require(folder.bytes("app.realm")))
        try expectEqual(again.snapshot().contentHash(), source.contentHash())
    }

    @Test func `a synchronised database is refused in every format, and unchanged`() throws {
        let bytes = try KnownFile.synchronised()
        try folder.write(bytes, "app.realm")
        #expect {
            try RealmStore(path: folder.file("app.realm"), options: .init(upgrade: .withBackup))
        } throws: {
            "\($0)".contains("synchronised")
        }
        expectEqual(folder.bytes("app.realm"), bytes)
        expectEqual(folder.names, ["app.realm", "app.realm.lock"])
    }

    @Test func `an upgrade of the current format does nothing`() throws {
        let path = try DogKennel.make(folder)
        let bytes = folder.bytes("kennel.realm")
        _ = try RealmStore(path: path, options: .init(upgrade: .withBackup))
        expectEqual(folder.bytes("kennel.realm"), bytes)
        expectEqual(folder.names, ["kennel.realm", "kennel.realm.lock"])
    }

    // MARK: Many

    @Test func `a thousand stores can be open at once`() throws {
        var limit = rlimit()
        #if canImport(Glibc)
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #else
            getrlimit(RLIMIT_NOFILE, &limit)
        #endif
        // A store needs two descriptors.
        let count = min(1000, (Int(limit.rlim_cur) - 200) / 2)
        let path = try DogKennel.make(folder, dogs: 3)
        let bytes = try #require(folder.bytes("kennel.realm"))
        let before = Self.addresses()
        var stores: [RealmStore] = []
        for number in 0..<count {
            try folder.write(bytes, "\(number).realm")
            stores.append(try RealmStore(path: folder.file("\(number).realm"), options: .init(durability: .none)))
        }
        for (number, store) in stores.enumerated() { try store.write { try $0.addDog(100 + number) } }
        for (number, store) in stores.enumerated() {
            try expectEqual(DogKennel.keys(store.snapshot()), [0, 1, 2, 100 + number])
        }
        if let before, let after = Self.addresses() {
            // A few megabytes of address space each, and space for some transactions, including those of other tests.
            expect(after - before < count << 24 + 40 << 36)
        }
        _ = path
    }

    /// Returns the address space that this process uses; nil where the system does not report it.
    private static func addresses() -> Int? {
        guard let file = try? OpenedFile(path: "/proc/self/statm"), let bytes = try? file.contents(at: 0, count: 100)
        else { return nil }
        let pages = String(decoding: bytes, as: UTF8.self).split(separator: " ").first.flatMap { Int($0) }
        return pages.map { $0 << 12 }
    }
}
