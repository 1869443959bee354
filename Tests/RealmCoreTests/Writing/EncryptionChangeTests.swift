import Expectations
import HostileProperties
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import TestSupport
import Testing

/// Encrypted and decrypted files have the data of the original, to the last byte.
@Suite struct EncryptionChangeTests {
    private let folder: TemporaryFolder
    private static let key = PageEncryptor.plainKey
    private static let otherKey = [UInt8](PageEncryptor.plainKey.reversed())

    init() throws { folder = try TemporaryFolder() }

    /// Writes `old` with another key, or plain, and returns the new bytes.
    private func change(
        _ old: ByteSource, _ oldKey: [UInt8]?, to newKey: [UInt8]?, _ name: String = "new.realm"
    ) throws -> (bytes: [UInt8], report: EncryptionReport) {
        let change = try EncryptionChange(old, key: oldKey.map { try EncryptionKey(bytes: $0) })
        let prepared = try change.prepare(
            path: folder.file(name), key: newKey.map { try EncryptionKey(bytes: $0) }, replacing: true)
        try prepared.commit()
        let bytes = try #require(folder.bytes(name))
        expectEqual(prepared.report.newSize, bytes.count)
        expectEqual(prepared.report.oldSize, old.count)
        expectEqual(prepared.report.isEncrypted, (newKey != nil))
        expectEqual(prepared.report.wasEncrypted, (oldKey != nil))
        return (bytes, prepared.report)
    }

    /// Returns the result of an independent implementation; the sizes are those that Realm Core gives a file.
    private func expected(_ plain: [UInt8], _ key: [UInt8]) -> [UInt8] {
        let padded = PageEncryptor.padded(plain, to: 16_384)
        var encryptor = PageEncryptor(key: key)
        encryptor.hasTrailingTable = padded.count % 262_144 == 0
        return encryptor.encrypt(padded)
    }

    static let files =
        KnownFile.fixtures + KnownFile.legacyFixtures + KnownFile.encryptedFixtures
        + KnownFile.corpus.filter { $0.isPlain || $0.keyFile != nil }

    /// Encrypts and decrypts every file of every format, and changes its key.
    @Test(arguments: files)
    func `a file that is encrypted and decrypted again has the same bytes`(_ file: KnownFile) throws {
        let original = ByteSource(bytes: try file.bytes())
        let oldKey = try file.keyFile == nil ? nil : file.key()
        var plain = original.bytes
        if let oldKey {
            let made = try change(original, oldKey, to: nil)
            plain = made.bytes
            // The reader of encrypted files sees the same bytes.
            let data = try DatabaseImage.decrypted(original, EncryptionKey(bytes: oldKey))
            expectEqual(data.view.bytes, plain)
            expectEqual(made.report.dataSize, plain.count)
            expect(made.report.isComplete)
        }
        let made = try change(original, oldKey, to: Self.key)
        expectEqual(made.bytes, expected(plain, Self.key))
        expectEqual(made.report.dataSize, plain.count)
        let encrypted = ByteSource(bytes: made.bytes)
        try expectEqual(change(encrypted, Self.key, to: Self.otherKey).bytes, expected(plain, Self.otherKey))
        try expectEqual(change(encrypted, Self.key, to: nil).bytes, PageEncryptor.padded(plain, to: 16_384))
        expectEqual(folder.names, ["new.realm"])
    }

    /// The content of the files equals that of the original according to Realm Core.
    @Test(arguments: KnownFile.fixtures + KnownFile.encryptedFixtures)
    func `an encrypted copy has the content that Realm Core lists`(_ file: KnownFile) throws {
        let oldKey = try file.keyFile == nil ? nil : file.key()
        let source = try ByteSource(path: file.url.path)
        _ = try change(source, oldKey, to: Self.key, "encrypted.realm")
        let encrypted = try RealmDatabase(path: folder.file("encrypted.realm"), key: EncryptionKey(bytes: Self.key))
        _ = try change(ByteSource(path: folder.file("encrypted.realm")), Self.key, to: nil, "plain.realm")
        for database in [encrypted, try RealmDatabase(path: folder.file("plain.realm"))] {
            let snapshot = try database.snapshot()
            let format = Int(snapshot.version.number)
            var found = try TypedDump(snapshot)
            found.upgrade(from: format)
            found.forgetOrder(changedFrom: format)
            var expected = try file.dump.map { try TypedDump(contentsOf: $0) } ?? TypedDump()
            expected.forgetOrder(changedFrom: format)
            expectEqual(expected.differences(to: found), [])
        }
    }

    /// Pages that were never written, or whose write was interrupted, are copied as a reader sees them.
    @Test func `pages of an interrupted write are copied as a reader sees them`() throws {
        let plain = PageEncryptor.padded(try KnownFile.fixture("links-stream").bytes())
        let forms: [Int: PageEncryptor.Form] = [
            0: .written(9, before: 8), 1: .neverWritten, 2: .interruptedRewrite(5, before: 4), 3: .zeroed(3, before: 2),
        ]
        let file = PageEncryptor(key: Self.key, forms).encrypt(plain)
        let made = try change(ByteSource(bytes: file), Self.key, to: nil)
        var expected = plain
        for page in [1, 3] {
            expected.replaceSubrange(page * 4096..<(page + 1) * 4096, with: [UInt8](repeating: 0, count: 4096))
        }
        expectEqual(made.bytes, expected)
        expectEqual(made.report.emptyPages, 2)
        // Both contained nodes; none of these is damaged by that.
        expect(made.report.lostPages == [1, 3] && made.report.doubtfulPages.isEmpty && !made.report.isCutOff)
        expect(!made.report.isComplete)
        // An incomplete page at the end belongs to nothing.
        let stray = try change(ByteSource(bytes: file + [1, 2, 3]), Self.key, to: nil)
        expectEqual(stray.bytes, expected)
        expectEqual(stray.report.strayBytes, 3)
    }

    /// A page without data is free space only if no node of either commit is in it.
    @Test(arguments: [
        // The table's entry of page 1, and its bytes.
        (64..<128, [1], [Int]()), (8192..<12_288, [1], []),
    ])
    func `a page without data is free space only if no node is in it`(
        _ zeros: Range<Int>, _ lost: [Int], _ doubtful: [Int]
    ) throws {
        let file = try KnownFile.fixture("Encrypted/people")
        var bytes = try file.bytes()
        let key = try file.key()
        // The last page was never written, and is free.
        let whole = try change(ByteSource(bytes: bytes), key, to: nil).report
        expect(whole.emptyPages == 1 && whole.lostPages.isEmpty && whole.doubtfulPages.isEmpty && whole.isComplete)
        bytes.replaceSubrange(zeros, with: [UInt8](repeating: 0, count: zeros.count))
        for newKey in [nil, Self.otherKey] {
            let report = try change(ByteSource(bytes: bytes), key, to: newKey).report
            expect(report.emptyPages == 2 && !report.isCutOff && !report.isComplete)
            expect(report.lostPages == lost && report.doubtfulPages == doubtful)
        }
    }

    /// Each page of a file in turn: it is lost if the verifier misses it in a commit.
    @Test func `a page is lost if the verifier misses it in a commit`() throws {
        let file = try KnownFile.fixture("Encrypted/many-commits")
        let bytes = try file.bytes()
        let key = try file.key()
        let whole = try change(ByteSource(bytes: bytes), key, to: nil).report
        expect(whole.isComplete)
        var states: Set<Bool> = []
        for page in 1..<(bytes.count / 4096 - 1) {
            var damaged = bytes
            damaged.replaceSubrange(page * 64..<(page + 1) * 64, with: [UInt8](repeating: 0, count: 64))
            let report = try change(ByteSource(bytes: damaged), key, to: nil).report
            let verified = try Verification(level: .standard).run(
                on: ByteSource(bytes: damaged), key: EncryptionKey(bytes: key))
            let isMissed = !verified.isSound || (verified.totalsByCheck[.otherSlot] ?? 0) > 0
            expectEqual(report.isComplete, !isMissed, "page \(page): \(report)")
            expectEqual(report.lostPages.contains(page), isMissed, "page \(page): \(report)")
            states.insert(isMissed)
        }
        expect(states.contains(true))
    }

    /// Truncation at a page boundary is reported, not refused: the rest may be useful.
    @Test func `truncation at the end of a page is reported and not refused`() throws {
        let file = try KnownFile.fixture("Encrypted/people")
        let report = try change(ByteSource(bytes: Array(file.bytes().prefix(8192))), file.key(), to: nil).report
        expect(report.isCutOff && !report.isComplete && report.strayBytes == 0)
        let plain = try KnownFile.fixture("kennel").bytes()
        let half = try change(ByteSource(bytes: Array(plain.prefix(4096))), nil, to: Self.key).report
        expect(half.isCutOff && !half.isComplete)
        try expect(change(ByteSource(bytes: plain), nil, to: Self.key).report.isComplete)
    }

    /// Nothing is written for a file that cannot be read to its end, or not with the key.
    @Test func `nothing is written for a file that cannot be read to its end`() throws {
        let plain = try KnownFile.fixture("kennel").bytes()
        let stream = try KnownFile.fixture("links-stream").bytes()
        var damaged = PageEncryptor(key: Self.key).encrypt(stream)
        damaged[3 * 4096 + 7] ^= 1
        let cases: [([UInt8], [UInt8]?, FormatError.Code)] = [
            (plain, Self.key, .notEncrypted),
            (PageEncryptor(key: Self.key).encrypt(plain), nil, .encrypted),
            (PageEncryptor(key: Self.key).encrypt(plain), Self.otherKey, .wrongKey),
            (damaged, Self.key, .damagedPage),
            (Array(stream.dropLast(8)), nil, .truncated),
            ([UInt8](repeating: 0, count: 4096), nil, .zeroedFile),
            ([], nil, .emptyFile),
        ]
        for (bytes, key, code) in cases {
            let error = #expect(throws: FormatError.self) {
                try change(ByteSource(bytes: bytes), key, to: Self.otherKey)
            }
            expectEqual(error?.code, code)
            expect(folder.names.isEmpty)
        }
    }

    /// However much of a file is missing, the result is a copy of the rest, or an error and no file.
    @Test func `a truncated file gives a copy of the rest, or an error and no file`() throws {
        let stream = try KnownFile.fixture("format-23-empty-stream").bytes()
        let encrypted = PageEncryptor(key: Self.key).encrypt(stream)
        for count in 0...stream.count {
            // The last byte belongs to the footer's mark.
            let made = try? change(ByteSource(bytes: Array(stream[..<count])), nil, to: Self.key)
            expectEqual((made != nil), (count == stream.count), "\(count)")
        }
        for count in stride(from: 0, through: encrypted.count, by: 64) {
            let made = try? change(ByteSource(bytes: Array(encrypted[..<count])), Self.key, to: nil)
            expectEqual((made != nil), (count == encrypted.count), "\(count)")
        }
        expectEqual(folder.names, ["new.realm"])
    }

    /// A file that another process changes during the copy does not get its name.
    @Test func `a copy of a file that changes meanwhile does not get its name`() throws {
        let live = LiveFile(path: folder.file("live.realm"), objects: 256)
        let change = try EncryptionChange(ByteSource(path: folder.file("live.realm")))
        live.commitNext()
        let key = try EncryptionKey(bytes: Self.key)
        let error = #expect(throws: FormatError.self) { try change.prepare(path: folder.file("new.realm"), key: key) }
        expectEqual(error?.code, .fileChanged)
        expectEqual(folder.names, ["live.realm"])
        // Without a commit in between.
        let again = try EncryptionChange(ByteSource(path: folder.file("live.realm")))
        try again.prepare(path: folder.file("new.realm"), key: key).commit()
        expectEqual(folder.bytes("new.realm"), expected(try #require(folder.bytes("live.realm")), Self.key))
    }
}
