import Expectations
import Foundation
import HostileProperties
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import TestSupport
import Testing

/// The content of encrypted files equals that according to Realm Core, however few pages are cached.
@Suite struct EncryptedContentTests {
    static let corpus = KnownFile.corpus.filter { $0.keyFile != nil }
    /// The default, and 16 pages.
    static let limits = [64 << 20, 16 * 4096]

    @Test(arguments: KnownFile.encryptedFixtures, limits)
    func `an encrypted fixture matches its dump`(_ file: KnownFile, _ limit: Int) throws {
        try compare(file, limit)
    }

    @Test(.enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"), arguments: corpus, limits)
    func `an encrypted corpus file matches its dump`(_ file: KnownFile, _ limit: Int) throws {
        try compare(file, limit)
    }

    @Test(.enabled(if: KnownFile.hasCorpus, "\(KnownFile.corpusComment)"))
    func `no encrypted corpus file is missing`() { expectEqual(Self.corpus.count, 8) }

    private func compare(_ file: KnownFile, _ limit: Int) throws {
        let database = try RealmDatabase(
            path: file.url.path, key: EncryptionKey(bytes: file.key()), decryptedLimit: limit)
        let snapshot = try database.snapshot()
        let format = Int(snapshot.version.number)
        var found = try TypedDump(snapshot)
        found.upgrade(from: format)
        if format < 10 { found.tables.removeAll { $0.kind == "embedded" } }
        found.forgetOrder(changedFrom: format)
        var expected = try file.dump.map { try TypedDump(contentsOf: $0) } ?? TypedDump()
        expected.forgetOrder(changedFrom: format)
        let differences = expected.differences(to: found)
        expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
        let encryption = try #require(database.encryption)
        try expectEqual(encryption.census().failing, 0)
    }

    // Fixtures encrypted by the tests

    private static let key = PageEncryptor.plainKey

    private func open(
        _ file: [UInt8], key: [UInt8] = EncryptedContentTests.key, limit: Int = 64 << 20
    ) throws -> RealmDatabase {
        try RealmDatabase(source: ByteSource(bytes: file), key: EncryptionKey(bytes: key), decryptedLimit: limit)
    }

    private func code(_ file: [UInt8], key: [UInt8] = EncryptedContentTests.key) -> FormatError.Code? {
        do {
            _ = try open(file, key: key).snapshot()
            return nil
        } catch {
            return (error as? FormatError)?.code
        }
    }

    /// Every fixture, of all formats and in both forms, has the same content encrypted and plain.
    @Test(arguments: KnownFile.fixtures + KnownFile.legacyFixtures)
    func `every fixture has the same content encrypted and plain`(_ file: KnownFile) throws {
        let plain = try file.bytes()
        let expected = try TypedDump(RealmDatabase(bytes: plain).snapshot())
        var forms: [Int: PageEncryptor.Form] = [:]
        for page in 0..<plain.count / 4096 + 1 {
            let counter = UInt32(page + 3)
            switch page % 3 {
            case 0: forms[page] = .interruptedRewrite(counter, before: counter - 1)
            case 1: forms[page] = .written(counter, before: counter - 1)
            default: break
            }
        }
        // Streaming files end with the pages of the machine that wrote them.
        for size in [4096, 16_384, 65_536] {
            let encrypted = PageEncryptor(key: Self.key, forms).encrypt(PageEncryptor.padded(plain, to: size))
            let database = try open(encrypted, limit: size == 4096 ? 8 * 4096 : 64 << 20)
            expectEqual(database.fileSize, encrypted.count)
            expectEqual(database.dataSize, (plain.count + size - 1) / size * size)
            let differences = expected.differences(to: try TypedDump(database.snapshot()))
            expect(differences.isEmpty, "\(size): \(differences.joined(separator: "\n"))")
        }
    }

    /// For the data of a real file, the encryptor of these tests produces the bytes of that file.
    @Test(arguments: KnownFile.encryptedFixtures)
    func `the encryptor of these tests produces the bytes of a real file`(_ file: KnownFile) throws {
        let bytes = try file.bytes()
        let key = try file.key()
        let source = ByteSource(bytes: bytes)
        let data = try DatabaseImage.decrypted(source, EncryptionKey(bytes: key))
        var forms: [Int: PageEncryptor.Form] = [:]
        var counters: [Int: UInt32] = [:]
        for page in 0..<data.view.count / 4096 {
            let entry = page / 64 * 266_240 + page % 64 * 64
            let counter = (0..<4).reduce(UInt32(0)) { $0 | UInt32(bytes[entry + $1]) << UInt32(8 * $1) }
            counters[page] = counter
            forms[page] = counter == 0 ? .neverWritten : .written(counter)
        }
        let made = PageEncryptor(key: key, forms).encrypt(data.view.bytes)
        for (page, counter) in counters where counter != 0 {
            let entry = page / 64 * 266_240 + page % 64 * 64
            let start = (page + page / 64 + 1) * 4096
            // For the previous write only the code is known, not the data.
            expectEqual(made[entry..<entry + 32], bytes[entry..<entry + 32], "entry of page \(page)")
            expectEqual(made[start..<start + 4096], bytes[start..<start + 4096], "page \(page)")
        }
    }

    /// The decrypted bytes printed in the Spec equal those of the fixtures.
    @Test func `the decrypted bytes in the Spec match the fixtures`() throws {
        let lines = try SpecDocument.load().plainLines
        expect(lines.count > 5)
        for line in lines {
            let name = String(line.fixture.dropLast(".realm".count))
            let file = try KnownFile.fixture(name)
            let data = try DatabaseImage.decrypted(ByteSource(bytes: file.bytes()), EncryptionKey(bytes: file.key()))
            let found = data.view.bytes[line.offset..<line.offset + line.bytes.count]
            expectEqual(Array(found), line.bytes, "\(line.chapter): 0x\(String(line.offset, radix: 16))")
        }
    }

    // Keys and files that do not match

    private func kennel() throws -> [UInt8] { try KnownFile.fixture("kennel").bytes() }

    @Test func `a wrong key is reported`() throws {
        let file = PageEncryptor(key: Self.key).encrypt(try kennel())
        expectEqual(code(file), nil)
        var key = Self.key
        key[40] ^= 1
        let error = try #require(throws: FormatError.self) { try open(file, key: key) }
        expectEqual(error.code, .wrongKey)
        expect(error.detail.contains("written only once"))
        // A page that was written more than once cannot be a first write.
        let rewritten = PageEncryptor(key: Self.key, [0: .written(5, before: 4)]).encrypt(try kennel())
        let second = try #require(throws: FormatError.self) { try open(rewritten, key: key) }
        expectEqual(second.code, .wrongKey)
        expect(!second.detail.contains("written only once"))
        // Only the AES half.
        key = Self.key
        key[3] ^= 1
        let third = try #require(throws: FormatError.self) { try open(file, key: key) }
        expectEqual(third.code, .wrongCipherKey)
        expect(third.detail.contains("second half of the key is right"))
    }

    @Test func `other files are not mistaken for encrypted ones`() throws {
        expectEqual(code(try kennel()), .notEncrypted)
        expectEqual(code(try KnownFile.fixture("links-stream").bytes()), .notEncrypted)
        // Shorter than any encrypted file.
        expectEqual(code(Array(try kennel()[..<4096])), .notEncrypted)
        expectEqual(code([]), .emptyFile)
        expectEqual(code([1, 2, 3]), .tooShort)
        expectEqual(code([UInt8](repeating: 0, count: 8192)), .zeroedFile)
        expectEqual(code(Array("SQLite format 3\0".utf8) + [UInt8](repeating: 7, count: 20_000)), .notARealm)
        let file = PageEncryptor(key: Self.key).encrypt(try kennel())
        expectEqual(code(Array(file[..<4096])), .truncated)
        expectEqual(code(Array(file[..<8191])), .truncated)
        // The data is there, but it is not a Realm file, or its header was zeroed.
        expectEqual(code(PageEncryptor(key: Self.key).encrypt([UInt8](repeating: 0, count: 9000))), .zeroedHeader)
        expectEqual(code(PageEncryptor(key: Self.key).encrypt([UInt8](repeating: 9, count: 9000))), .wrongCipherKey)
    }

    /// Damage to page 0 is not mistaken for a wrong key.
    @Test func `damage to page 0 is not mistaken for a wrong key`() throws {
        var file = PageEncryptor(key: Self.key).encrypt(try kennel())
        file[4096 + 100] ^= 1
        let error = try #require(throws: FormatError.self) { try open(file) }
        expectEqual(error.code, .damagedPage)
        expect(error.detail.contains("page 0, at 0x1000"))
        expect(error.detail.contains("page 1 verifies"))
    }

    // Truncation

    @Test func `a truncated file is reported`() throws {
        let plain = try KnownFile.fixture("links-stream").bytes()
        let file = PageEncryptor(key: Self.key).encrypt(plain)
        expectEqual(code(file), nil)
        for count in stride(from: 8192, to: file.count, by: 1000) {
            let error = try #require(throws: FormatError.self) { try open(Array(file[..<count])).snapshot() }
            expectEqual(error.code, .truncated, "\(count)")
            expectEqual(error.detail.contains("multiple of 4096"), (count % 4096 != 0), "\(count): \(error.detail)")
        }
        let committed = PageEncryptor(key: Self.key).encrypt(try KnownFile.fixture("format-20-people").bytes())
        for count in stride(from: 8192, to: committed.count, by: 1000) {
            expectEqual(code(Array(committed[..<count])), .truncated, "\(count)")
        }
        // Bytes were added, but none are missing.
        let longer = try open(file + [1, 2, 3])
        expectEqual(longer.encryption?.strayBytes, 3)
        try expectEqual(longer.snapshot().classes.isEmpty, false)
    }

    // Damage

    /// A node in a page without data is an error of its table; other tables can be read.
    @Test func `a node in a page without data is an error of its table only`() throws {
        let plain = try KnownFile.fixture("links-stream").bytes()
        let whole = try RealmDatabase(bytes: plain).snapshot()
        let pages = PageEncryptor.padded(plain).count / 4096
        for form in [
            PageEncryptor.Form.neverWritten, .zeroed(4, before: 3), .interruptedFirstWrite,
        ] {
            var broken = 0
            for page in 1..<pages - 1 {
                let file = PageEncryptor(key: Self.key, [page: form]).encrypt(plain)
                let snapshot = try open(file).snapshot(toleratingDamage: true)
                let outcome = readAll(snapshot)
                guard !outcome.errors.isEmpty else { continue }
                broken += 1
                let isDamage = if case .interruptedFirstWrite = form { true } else { false }
                // Links to an unreadable table do not resolve.
                for error in outcome.errors where error.code != .badLink {
                    expectEqual(error.code, (isDamage ? .damagedPage : .unwrittenPage))
                    expectEqual(error.offset, page * 4096)
                    expect(error.detail.contains("page \(page), at 0x\(String((page + 1) * 4096, radix: 16))"))
                    expect(error.table != nil || error.detail.contains("page"))
                }
                expect(outcome.values < readAll(whole).values)
            }
            expect(broken > 0)
        }
    }

    private func readAll(_ snapshot: Snapshot) -> (values: Int, errors: [FormatError]) {
        var values = 0
        var errors = snapshot.damage
        for table in snapshot.tables {
            do throws(FormatError) {
                var objects = table.objects
                while let object = try objects.next() {
                    for index in table.schema.properties.indices {
                        do throws(FormatError) {
                            _ = try object.value(at: index)
                            values += 1
                        } catch { errors.append(error) }
                    }
                }
            } catch { errors.append(error) }
        }
        return (values, errors)
    }

    // The cache

    /// Objects that are kept can be read after all their pages were evicted.
    @Test func `kept objects can be read after their pages were evicted`() throws {
        let plain = try KnownFile.fixture("primary-keys-stream").bytes()
        let expected = try values(of: RealmDatabase(bytes: plain).snapshot())
        let database = try open(PageEncryptor(key: Self.key).encrypt(plain), limit: 4096)
        let objects = try allObjects(of: database.snapshot())
        for _ in 0..<2 {
            let found = try objects.map { object in try object.values().map { DumpValue($0) } }
            expectEqual(found, expected)
        }
        let statistics = try #require(database.encryption).statistics
        expect(statistics.now < database.dataSize / 4096 / 2)
        expect(statistics.total > database.dataSize / 4096)
    }

    private func allObjects(of snapshot: Snapshot) throws -> [StoredObject] {
        var all: [StoredObject] = []
        for table in snapshot.tables {
            var objects = table.objects
            while let object = try objects.next() { all.append(object) }
        }
        return all
    }

    private func values(of snapshot: Snapshot) throws -> [[DumpValue]] {
        try allObjects(of: snapshot).map { object in try object.values().map { DumpValue($0) } }
    }

    /// Threads that read the same file with too small a cache get the same values.
    @Test func `threads with a small cache get the same values`() async throws {
        let plain = try KnownFile.fixture("links-stream").bytes()
        let expected = try values(of: RealmDatabase(bytes: plain).snapshot())
        let database = try open(PageEncryptor(key: Self.key).encrypt(plain), limit: 2 * 4096)
        let snapshot = try database.snapshot()
        let wrong = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<6 { group.addTask { try values(of: snapshot) != expected } }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        expectEqual(wrong, 0)
        try expect(#require(database.encryption).statistics.total > database.dataSize / 4096)
    }

    /// Values from the inspector stay valid after their node is released and other threads read.
    @Test func `values of the inspector stay valid while other threads read`() throws {
        let plain = try KnownFile.fixture("primary-keys-stream").bytes()
        let encrypted = PageEncryptor(key: Self.key).encrypt(plain)
        let path = [1, 0, 2, 1]
        let expected = try #require(
            try NodeInspector(RealmDatabase(bytes: plain).snapshot()).node(at: path).values)
        let snapshot = try open(encrypted, limit: 0).snapshot()
        func kept() throws -> InspectedValues? { try NodeInspector(snapshot).node(at: path).values }
        let found = try #require(try kept())
        _ = try values(of: snapshot)
        expect(found.count == expected.count && found.count > 1)
        for index in 0..<found.count { expectEqual(found.text(at: index), expected.text(at: index)) }
    }

    /// A node from the inspector stays valid while other threads read.
    @Test func `a node of the inspector stays valid while other threads read`() throws {
        let plain = try KnownFile.fixture("primary-keys-stream").bytes()
        let database = try open(PageEncryptor(key: Self.key).encrypt(plain), limit: 4096)
        let snapshot = try database.snapshot()
        let node = try NodeInspector(snapshot).node(at: [1, 0])
        let before = (0..<node.count).map { node.element(at: $0) }
        _ = try values(of: snapshot)
        expectEqual((0..<node.count).map { node.element(at: $0).raw }, before.map(\.raw))
        let plainNode = try NodeInspector(RealmDatabase(bytes: plain).snapshot()).node(at: [1, 0])
        expectEqual((0..<node.count).map { plainNode.element(at: $0).raw }, before.map(\.raw))
        for offset in stride(from: 0, to: plain.count, by: 999) {
            let (first, second) = (
                try NodeInspector(snapshot).whereabouts(
                    of: offset, isStreaming: database.isStreaming, fileSize: database.dataSize),
                try NodeInspector(RealmDatabase(bytes: plain).snapshot())
                    .whereabouts(of: offset, isStreaming: database.isStreaming, fileSize: plain.count)
            )
            if case .node(let found, let paths) = first, case .node(let expected, let others) = second {
                expect(found.ref == expected.ref && paths == others)
            } else {
                expectEqual("\(first)".prefix(8), "\(second)".prefix(8))
            }
        }
    }
}
