import Expectations
import RealmLayout
import RealmStorage
import TestSupport
import Testing

import RealmForensics

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Q: files next to a file are reported and not changed.
struct SurroundingsTests {
    static let checks: [CheckIdentifier] = [.openElsewhere, .staleLock, .upgradeBackup, .compactionRemains]

    /// A folder with `app.realm`.
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(KnownFile.fixture("kennel").bytes(), "app.realm")
    }

    private func found(besides name: String = "app.realm") throws -> [CheckIdentifier] {
        let before = folder.names
        let path = folder.file(name)
        let report = Verification(level: .quick, path: path).run(on: try ByteSource(path: path))
        expectEqual(folder.names, before)
        expect(report.isSound)
        return report.findings.map(\.check).filter { $0.rawValue.hasPrefix("Q") }
    }

    /// Returns the first bytes of a lock file.
    private func lockFile(processes: UInt8, layout: UInt8 = 14, isComplete: Bool = true) -> [UInt8] {
        [isComplete ? 1 : 0, 0, 0, 0, 24, 2, layout, 0, 0, 0, 0, 0, processes, 0, 0, 0]
            + [UInt8](repeating: 0, count: 48)
    }

    @Test func `nothing is reported for a file without related files`() throws {
        try folder.write([], "other.realm.lock")
        try folder.write([], "other.v9.backup.realm")
        try expectEqual(found(), [])
    }

    @Test func `a file that is open elsewhere is reported`() throws {
        try folder.write(lockFile(processes: 1), "app.realm.lock")
        let descriptor = open(folder.file("app.realm.lock"), O_RDWR)
        defer { close(descriptor) }
        expectEqual(flock(descriptor, LOCK_SH), 0)
        try expectEqual(found(), [.openElsewhere])
        expectEqual(flock(descriptor, LOCK_UN), 0)
        try expectEqual(found(), [.staleLock])
    }

    @Test func `a stale lock file is reported`() throws {
        try folder.write(lockFile(processes: 2), "app.realm.lock")
        try expectEqual(found(), [.staleLock])
        let bytes = folder.bytes("app.realm.lock")
        expectEqual(bytes, lockFile(processes: 2))
        // Closed, incomplete, of an unknown layout, truncated: no finding.
        let silent = [
            lockFile(processes: 0), lockFile(processes: 2, isComplete: false), lockFile(processes: 2, layout: 3),
            Array(lockFile(processes: 2).prefix(15)), [],
        ]
        for bytes in silent {
            try folder.write(bytes, "app.realm.lock")
            try expectEqual(found(), [])
        }
    }

    /// A pipe with the name of the lock file does not block.
    @Test func `a pipe with the name of the lock file does not block`() throws {
        expectEqual(mkfifo(folder.file("app.realm.lock"), 0o600), 0)
        try expectEqual(found(), [])
    }

    @Test func `the backup of an upgrade is reported`() throws {
        try folder.write([], "app.v9.backup.realm")
        try folder.write([], "app.v22.backup.realm")
        try folder.write([], "app.vx.backup.realm")
        try folder.write([], "app.v.backup.realm")
        try expectEqual(found(), [.upgradeBackup, .upgradeBackup])
    }

    @Test func `remains of a compaction are reported`() throws {
        try folder.write([], "app.realm.tmp_compaction_space")
        try folder.write([], "app.tmp_compaction_space")
        try expectEqual(found(), [.compactionRemains])
    }

    @Test func `a file without a path has no related files`() throws {
        try folder.write([], "app.realm.tmp_compaction_space")
        let report = Verification().run(on: try ByteSource(path: folder.file("app.realm")))
        expectEqual(report.totalsByCheck[.compactionRemains], nil)
    }
}
