import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import RealmStore
import TestSupport
import Testing
import TransactionTestSupport
import WriterTestSupport

/// In-place changes of encrypted files: keys, damaged pages, and files on disk.
@Suite struct EncryptedStoreTests {
    private static let schema = SchemaDefinition([
        TableDefinition(
            class: "Note", primaryKey: "id",
            [
                PropertyDefinition("id", .int, index: .general), PropertyDefinition("text", .string),
                PropertyDefinition("number", .int),
            ])
    ])

    private static func key(_ byte: UInt8 = 3) throws -> EncryptionKey {
        try EncryptionKey(bytes: [UInt8](repeating: byte, count: 64))
    }

    private static func write(_ folder: TemporaryFolder, notes: Int) throws -> String {
        var file = NewFile(folder.file("notes.realm"))
        file.key = try key()
        let builder = try RealmBuilder(schema, at: file)
        for number in 0..<notes {
            _ = try builder.add(
                "Note", ["id": .int(Int64(number)), "text": .string("note \(number)"), "number": .int(Int64(number))])
        }
        try builder.finish()
        return folder.file("notes.realm")
    }

    /// Returns the numbers of all notes, as read after reopening the file.
    private static func numbers(_ database: RealmDatabase) throws -> [Int64] {
        var objects = try database.snapshot().table(named: "Note").objects
        var numbers: [Int64] = []
        while let object = try objects.next() {
            if case .int(let number) = try object["number"] { numbers.append(number) }
        }
        return numbers
    }

    @Test(arguments: [false, true])
    func `an encrypted file is compacted with its key, and stays usable`(whenOpened: Bool) throws {
        let folder = try TemporaryFolder()
        let path = try Self.write(folder, notes: 20_000)
        var options = RealmStore.Options(key: try Self.key())
        do {
            let store = try RealmStore(path: path, options: options)
            try store.write { transaction in
                for number: Int64 in 100..<20_000 { try transaction.delete(ObjectReference("Note", ObjectKey(number))) }
            }
        }
        let large = try ByteSource(path: path).count
        if whenOpened { options.compactWhen = { total, used in used * 2 < total } }
        let store = try RealmStore(path: path, options: options)
        let before = store.snapshot()
        if !whenOpened { try store.compact() }
        try expect(ByteSource(path: path).count < large / 10)
        expectEqual(store.snapshot().commitNumber, before.commitNumber)
        for round: Int64 in 0..<10 {
            try store.write { try $0.set(ObjectReference("Note", ObjectKey(round)), "number", .int(-1 - round)) }
        }
        let numbers = (0..<10).map { -1 - Int64($0) } + (10..<100).map { Int64($0) }
        try expectEqual(Self.numbers(RealmDatabase(path: path, key: Self.key())), numbers)
        // The earlier snapshot reads the old file or the current one, depending on the time of compaction.
        try expectEqual(before.table(named: "Note").count, 100)
        try expectEqual(before.table(named: "Note").object(ObjectKey(5))?.get("number", as: Int.self), 5)
        let report = try Verification(level: .deep).run(on: ByteSource(path: path), key: Self.key())
        expect(report.isSound && report.findings.isEmpty)
        // None of it is on disk in plain text.
        #expect(throws: (any Error).self) { try RealmDatabase(path: path) }
        expectEqual(folder.names, ["notes.realm", "notes.realm.lock"])
    }

    @Test(arguments: [RealmStore.Durability.full, .ordered, .none])
    func `commits are visible to the next reader of the file`(durability: RealmStore.Durability) throws {
        let folder = try TemporaryFolder()
        let path = try Self.write(folder, notes: 20_000)
        do {
            let store = try RealmStore(path: path, options: .init(key: Self.key(), durability: durability))
            let before = store.snapshot()
            for round: Int64 in 0..<10 {
                try store.write { transaction in
                    try transaction.set(ObjectReference("Note", ObjectKey(round * 1999)), "number", .int(-round - 1))
                    _ = try transaction.add(
                        "Note", ["id": .int(100_000 + round), "text": "new", "number": .int(100_000 + round)])
                }
                let found = try Self.numbers(RealmDatabase(path: path, key: Self.key()))
                expect(found.count == 20_001 + Int(round) && found[Int(round) * 1999] == -round - 1)
                expectEqual(found.last, 100_000 + round)
            }
            // The snapshot is unchanged.
            try expectEqual(before.table(named: "Note").count, 20_000)
            let object = try #require(try before.table(named: "Note").object(ObjectKey(1999)))
            try expectEqual(object["number"], .int(1999))
        }
        // Again, in another store.
        let store = try RealmStore(path: path, options: .init(key: Self.key(), durability: durability))
        try store.write { try $0.delete(ObjectReference("Note", ObjectKey(0))) }
        let found = try Self.numbers(RealmDatabase(path: path, key: Self.key()))
        expect(found.count == 20_009 && found.first == 1)
    }

    @Test func `wrong, missing and unneeded keys are reported`() throws {
        let folder = try TemporaryFolder()
        let path = try Self.write(folder, notes: 10)
        let bytes = try #require(folder.bytes("notes.realm"))
        func refusal(_ key: EncryptionKey?, _ path: String) -> FormatError.Code? {
            do {
                _ = try RealmStore(path: path, options: .init(key: key))
            } catch let error as FormatError {
                return error.code
            } catch {}
            return nil
        }
        expectEqual(refusal(try Self.key(4), path), .wrongKey)
        expectEqual(refusal(nil, path), .encrypted)
        let plain = folder.file("plain.realm")
        let builder = try RealmBuilder(Self.schema, at: NewFile(plain))
        _ = try builder.add("Note", ["id": 1, "text": "a", "number": 1])
        try builder.finish()
        expectEqual(refusal(try Self.key(), plain), .notEncrypted)
        try expectEqual(#require(folder.bytes("notes.realm")), bytes)
    }

    @Test func `a damaged page is refused if it is used, and harmless if it is free`() throws {
        let folder = try TemporaryFolder()
        let path = try Self.write(folder, notes: 20_000)
        // Frees the space of the notes.
        do {
            let store = try RealmStore(path: path, options: .init(key: Self.key()))
            try store.write { transaction in
                for key: Int64 in 0..<10_000 { try transaction.delete(ObjectReference("Note", ObjectKey(key))) }
            }
            // Released space can be used by the commit after the next one.
            for number: Int64 in 0..<2 {
                try store.write {
                    try $0.set(ObjectReference("Note", ObjectKey(19_999)), "number", .int(19_998 + number))
                }
            }
        }
        let bytes = try #require(folder.bytes("notes.realm"))
        var (refused, unread, free) = (0, 0, 0)
        let pages = bytes.count / 4096
        for page in 1..<pages where page % 65 != 0 {
            var damaged = bytes
            damaged[page * 4096 + 100] ^= 1
            let disk = try LyingDisk(damaged)
            do {
                let store = try RealmStore(on: disk, key: Self.key())
                try store.write { _ = try $0.add("Note", ["id": -1, "text": "new", "number": 7]) }
            } catch {
                let code = (error as? FormatError)?.code
                guard code == .damagedPage || Self.isDamagedPage(error) else { throw error }
                try expectEqual(disk.bytes, damaged)
                refused += 1
                continue
            }
            do {
                let numbers = try Self.numbers(RealmDatabase(source: ByteSource(bytes: disk.bytes), key: Self.key()))
                expectEqual(numbers, (10_000..<20_000).map { $0 } + [7])
                free += 1
            } catch let error as FormatError {
                // The commit did not need it.
                expectEqual(error.code, .damagedPage)
                unread += 1
            }
        }
        expect(refused > 3 && unread > 10 && free > 10, "\(refused) refused, \(unread) not needed, \(free) free")
    }

    private static func isDamagedPage(_ error: any Error) -> Bool {
        if case WriteError.source(let error) = error { return error.code == .damagedPage }
        return false
    }

    /// Page 0, torn in every way that sectors of 512 bytes allow, between each commit and the next.
    @Test func `a torn first page is restored from its copy`() throws {
        let folder = try TemporaryFolder()
        _ = try Self.write(folder, notes: 100)
        let (first, second) = try { () -> ([UInt8], [UInt8]) in
            let disk = try LyingDisk(try #require(folder.bytes("notes.realm")))
            let store = try RealmStore(on: disk, key: Self.key())
            func change(_ number: Int64) throws -> [UInt8] {
                try store.write { try $0.set(ObjectReference("Note", ObjectKey(5)), "number", .int(number)) }
                return try disk.bytes
            }
            _ = try change(500)
            return (try change(501), try change(502))
        }()
        expectEqual(first.count, second.count)
        for mask in 0..<256 {
            var torn = second
            for sector in 0..<8 where mask >> sector & 1 == 0 {
                let range = 4096 + sector * 512..<4096 + (sector + 1) * 512
                torn.replaceSubrange(range, with: first[range])
            }
            let number: Int64 = mask & 1 == 0 ? 501 : 502
            // Read-only access reads the copy as well.
            try expectEqual(Self.numbers(RealmDatabase(source: ByteSource(bytes: torn), key: Self.key()))[5], number)
            guard mask % 7 == 3 else { continue }
            let disk = try LyingDisk(torn)
            let store = try RealmStore(on: disk, key: Self.key())
            try store.write { try $0.set(ObjectReference("Note", ObjectKey(6)), "number", 600) }
            let bytes = try disk.bytes
            let numbers = try Self.numbers(RealmDatabase(source: ByteSource(bytes: bytes), key: Self.key()))
            expect(numbers[5] == number && numbers[6] == 600)
            try expect(Verification(level: .deep).run(on: ByteSource(bytes: bytes), key: Self.key()).findings.isEmpty)
        }
    }

    /// Pages are decrypted on demand, and old snapshots keep the pages that they need.
    @Test func `opening and changing a large file decrypts only a few pages`() throws {
        let folder = try TemporaryFolder()
        let path = try Self.write(folder, notes: 100_000)
        let bytes = try #require(folder.bytes("notes.realm"))
        let store = try RealmStore(path: path, options: .init(key: Self.key()))
        let before = store.snapshot()
        let pages = try #require(before.data.pages)
        try store.write { try $0.set(ObjectReference("Note", ObjectKey(77)), "number", 1) }
        expect(pages.statistics.total < 100 && pages.file.geometry.pageCount > 500, "\(pages.statistics)")
        let hash = try before.contentHash()
        for round: Int64 in 0..<300 {
            try store.write { transaction in
                for key in stride(from: round, to: 100_000, by: 20_011) {
                    try transaction.set(ObjectReference("Note", ObjectKey(key)), "number", .int(-round))
                }
            }
        }
        try expectEqual(before.contentHash(), hash)
        try expectEqual(RealmDatabase(source: ByteSource(bytes: bytes), key: Self.key()).snapshot().contentHash(), hash)
        try expect(store.snapshot().contentHash() != hash)
    }

    /// Each commit frees as much as it needs, though not necessarily whole pages at once.
    @Test func `a file under steady changes stops growing`() throws {
        let folder = try TemporaryFolder()
        let path = try Self.write(folder, notes: 5000)
        let store = try RealmStore(path: path, options: .init(key: Self.key(), durability: .none))
        var numbers = Numbers(state: 5)
        func change(_ count: Int) throws {
            for _ in 0..<count {
                try store.write { transaction in
                    for _ in 0..<3 {
                        let key = ObjectKey(Int64.random(in: 0..<5000, using: &numbers))
                        try transaction.set(
                            ObjectReference("Note", key), "number", .int(Int64.random(in: 0..<9999, using: &numbers)))
                    }
                }
            }
        }
        try change(600)
        let size = try #require(folder.bytes("notes.realm")).count
        try change(600)
        let later = try #require(folder.bytes("notes.realm")).count
        expect(later <= size + size / 10, "\(size) and \(later) bytes")
    }
}
