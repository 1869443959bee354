import Expectations
import Foundation
import HostileProperties
import RealmLayout
import RealmStorage
import TestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The content of new database files, and their names at each stage.
@Suite struct DatabaseOutputTests {
    private let folder: TemporaryFolder
    private static let header = Array("0123456789abcdefT-DB".utf8) + [24, 24, 0, 1]

    init() throws { folder = try TemporaryFolder() }

    /// Returns bytes with a long period.
    static func content(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: ($0 &* 2_654_435_761) >> 13) }
    }

    /// Writes `content` in parts of these sizes, repeatedly.
    private func write(
        _ content: [UInt8], parts: [Int], key: [UInt8]? = nil, system: FaultySystem = FaultySystem()
    ) throws {
        let output = try DatabaseOutput(
            path: folder.file("new.realm"), overwrite: false, key: key.map { try EncryptionKey(bytes: $0) },
            system: system)
        expectEqual(output.position, 24)
        var offset = 0
        var index = 0
        while offset < content.count {
            let part = Array(content[offset..<min(content.count, offset + parts[index % parts.count])])
            switch index % 3 {
            case 0: try output.append(part)
            case 1: try ByteView.with(part) { try output.append($0) }
            default: try ByteView.with(part) { try output.write($0) }
            }
            offset += part.count
            index += 1
            expectEqual(output.position, 24 + offset)
        }
        expectEqual(folder.bytes("new.realm"), nil)
        try output.finish(header: Self.header)
    }

    private static let mebibyte = 1 << 20
    static let sizes = [
        0, 8, 4096 - 24, 4096 - 23, 16_384 - 24, 262_144 - 24, 262_144, mebibyte - 24, mebibyte, mebibyte + 300_000,
        2 * mebibyte - 24,
    ]

    @Test(arguments: sizes) func `a plain file has the written bytes`(_ size: Int) throws {
        let content = Self.content(size)
        try write(content, parts: size < 5000 ? [1, 7, 16] : [16, 24, 100_000, 3_000_000])
        let expected = Self.header + content
        expectEqual(folder.bytes("new.realm"), expected + [UInt8](repeating: 0, count: -expected.count & 4095))
        expectEqual(folder.names, ["new.realm"])
    }

    /// Encrypted files are byte for byte equal to those of an independent implementation, with the size that Realm Core
    /// gives a file.
    @Test(arguments: sizes) func `encrypted files have the same bytes as those of another program`(_ size: Int) throws {
        let content = Self.content(size)
        try write(content, parts: [16, 24, 100_000, 3_000_000], key: PageEncryptor.plainKey)
        let plain = PageEncryptor.padded(Self.header + content, to: 16_384)
        var encryptor = PageEncryptor(key: PageEncryptor.plainKey)
        encryptor.hasTrailingTable = plain.count % 262_144 == 0
        expectEqual(folder.bytes("new.realm"), encryptor.encrypt(plain))
    }

    /// The system may write fewer bytes than requested, any number of times.
    @Test func `the system may write less than requested`() throws {
        try write(
            Self.content(50_000), parts: [60_000], key: PageEncryptor.plainKey, system: FaultySystem(longestWrite: 1000)
        )
        let whole = try #require(folder.bytes("new.realm"))
        try FileManager.default.removeItem(atPath: folder.file("new.realm"))
        try write(Self.content(50_000), parts: [60_000], key: PageEncryptor.plainKey)
        expectEqual(folder.bytes("new.realm"), whole)
    }

    /// Returns the code of the error that `body` throws.
    private func code(_ body: () throws -> Void) -> Int32? {
        do {
            try body()
            return nil
        } catch {
            return (error as? StorageError)?.code
        }
    }

    private func begin(_ name: String, overwrite: Bool) throws -> DatabaseOutput {
        try DatabaseOutput(path: folder.file(name), overwrite: overwrite, key: nil)
    }

    @Test func `existing files stay`() throws {
        try folder.write([1], "old.realm")
        expectEqual(code { _ = try begin("old.realm", overwrite: false) }, EEXIST)
        expectEqual(code { _ = try begin("", overwrite: true) }, EISDIR)
        expectEqual(code { _ = try begin("missing/new.realm", overwrite: true) }, ENOENT)
        expectEqual(mkfifo(folder.file("pipe"), 0o600), 0)
        expectEqual(code { _ = try begin("pipe", overwrite: true) }, ESPIPE)
        symlink("nowhere", folder.file("dangling"))
        expectEqual(code { _ = try begin("dangling", overwrite: false) }, EEXIST)
        // It appears after the output was started.
        let output = try begin("late.realm", overwrite: false)
        try folder.write([2], "late.realm")
        expectEqual(code { try output.finish(header: Self.header) }, EEXIST)
        expectEqual(folder.bytes("old.realm"), [1])
        expectEqual(folder.bytes("late.realm"), [2])
        expectEqual(folder.names, ["dangling", "late.realm", "old.realm", "pipe"])
    }

    @Test func `a file is replaced on request`() throws {
        try folder.write([1], "old.realm")
        expectEqual(chmod(folder.file("old.realm"), 0o600), 0)
        let output = try begin("old.realm", overwrite: true)
        expectEqual(folder.bytes("old.realm"), [1])
        try output.finish(header: Self.header)
        expectEqual(folder.bytes("old.realm")?.prefix(24), Self.header[...])
        // The new file has the access rights of the old one.
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("old.realm"))
        expectEqual(attributes[.posixPermissions] as? Int, 0o600)
        expectEqual(folder.names, ["old.realm"])
    }

    /// The temporary name for a file with the longest possible name is not longer.
    @Test func `the temporary name of a file with the longest name is not longer`() throws {
        for name in [String(repeating: "a", count: 255), String(repeating: "é😀", count: 42)] {
            try begin(name, overwrite: false).finish(header: Self.header)
            expectEqual(folder.bytes(name)?.count, 4096)
        }
    }

    @Test func `permissions are those requested, except for the mask`() throws {
        let path = folder.file("new.realm")
        try DatabaseOutput(path: path, overwrite: false, key: nil, permissions: 0o640).finish(header: Self.header)
        let mask = umask(0)
        umask(mask)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        expectEqual(attributes[.posixPermissions] as? Int, Int(0o640 & ~mask))
    }

    /// A link is kept, and its target is replaced.
    @Test func `a link stays, and its target is replaced`() throws {
        try FileManager.default.createDirectory(atPath: folder.file("elsewhere"), withIntermediateDirectories: true)
        try folder.write([1], "elsewhere/real.realm")
        symlink("elsewhere/real.realm", folder.file("link.realm"))
        try begin("link.realm", overwrite: true).finish(header: Self.header)
        expectEqual(folder.bytes("elsewhere/real.realm")?.count, 4096)
        let kind = try FileManager.default.attributesOfItem(atPath: folder.file("link.realm"))[.type]
        expectEqual(kind as? FileAttributeType, .typeSymbolicLink)
        // A session under either name counts.
        for name in ["link.realm.lock", "elsewhere/real.realm.lock"] {
            try folder.write([], name)
            let session = open(folder.file(name), O_RDWR)
            expectEqual(flock(session, LOCK_SH), 0)
            expectEqual(code { _ = try begin("link.realm", overwrite: true) }, EBUSY)
            close(session)
            expectEqual(code { _ = try begin("link.realm", overwrite: true) }, nil)
        }
    }

    @Test func `a file that a session has open is not replaced`() throws {
        try folder.write([1], "old.realm")
        try folder.write([9, 9], "old.realm.lock")
        let session = open(folder.file("old.realm.lock"), O_RDWR)
        expectEqual(flock(session, LOCK_SH), 0)
        expectEqual(code { _ = try begin("old.realm", overwrite: true) }, EBUSY)
        flock(session, LOCK_UN)
        // It begins after the output was started.
        let output = try begin("old.realm", overwrite: true)
        flock(session, LOCK_SH)
        do {
            try output.finish(header: Self.header)
            Issue.record("a file in use was replaced")
        } catch {
            expect(error.isInUse)
            expect(error.description.contains("old.realm: cannot replace: a process has it open; close the app"))
        }
        expectEqual(folder.bytes("old.realm"), [1])
        expectEqual(folder.bytes("old.realm.lock"), [9, 9])
        flock(session, LOCK_UN)
        // Leftovers of a crash do not count, and are not a session of the new file.
        try begin("old.realm", overwrite: true).finish(header: Self.header)
        expectEqual(folder.bytes("old.realm")?.count, 4096)
        expectEqual(folder.bytes("old.realm.lock"), [])
        expectEqual(flock(session, LOCK_EX | LOCK_NB), 0)
        close(session)
        // No lock file is created where there was none.
        try begin("new.realm", overwrite: true).finish(header: Self.header)
        expectEqual(folder.names, ["new.realm", "old.realm", "old.realm.lock"])
    }

    @Test func `an output that is abandoned or discarded leaves no files`() throws {
        do {
            let output = try begin("new.realm", overwrite: false)
            try output.append(Self.content(3 * Self.mebibyte))
            expectEqual(folder.names.count, 1)
        }
        expect(folder.names.isEmpty)
        let output = try begin("new.realm", overwrite: false)
        output.discard()
        expectEqual(code { try output.append([1]) }, EBADF)
        expectEqual(code { try output.finish(header: Self.header) }, EBADF)
        expect(folder.names.isEmpty)
        // Leftovers of another process with this number are not touched.
        let name = ".new.realm.\(getpid()).partial"
        try folder.write([7], name)
        try begin("new.realm", overwrite: false).finish(header: Self.header)
        expectEqual(folder.bytes(name), [7])
        expectEqual(folder.names, [name, "new.realm"])
    }

    /// A process that was killed leaves its temporary file, which the next one removes. No process has a number beyond
    /// those that systems give.
    @Test func `temporary files of processes that are gone are removed`() throws {
        let gone = [".new.realm.99999999.partial", ".new.realm.99999999-2.partial"]
        let others = [
            ".new.realm.\(getpid())-7.partial", ".new.realm.x.partial", ".old.realm.99999999.partial",
            ".new.realm.99999999.partly",
        ]
        for name in gone + others { try folder.write([7], name) }
        try begin("new.realm", overwrite: false).finish(header: Self.header)
        expectEqual(folder.names, (others + ["new.realm"]).sorted())
    }
}
