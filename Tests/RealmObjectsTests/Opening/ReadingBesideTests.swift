import Expectations
import Foundation
import RealmObjects
import Synchronization
import Testing

/// A read-only realm while another process writes the file.
@Suite struct ReadingBesideTests {
    final class Entry: OtherClass {
        @Persisted var number = 0
        @Persisted(indexed: true) var commit = 0
        @Persisted var text = ""
    }

    private static let key = Data(repeating: 7, count: 64)

    private static func text(_ commit: Int, _ number: Int) -> String {
        String(repeating: "entry \(number) of commit \(commit) ", count: 1 + (commit + number) % 40)
    }

    private static let count = 32

    /// Each commit changes all objects; the first one creates them.
    private static func commit(_ number: Int, _ realm: Realm) throws {
        try realm.write {
            for entry in 0..<(number == 0 ? count : 0) { realm.add(Entry(value: ["number": entry])) }
            for entry in realm.objects(Entry.self) {
                entry.commit = number
                entry.text = text(number, entry.number)
            }
        }
    }

    private static func configuration(_ path: String, _ readOnly: Bool, _ isEncrypted: Bool) -> Realm.Configuration {
        .init(
            fileURL: URL(filePath: path), encryptionKey: isEncrypted ? key : nil, readOnly: readOnly,
            objectTypes: [Entry.self])
    }

    /// A thread that commits repeatedly; tasks would wait for other tests.
    private final class Writer: Sendable {
        private let isEnding = Atomic(false)
        private let result = Mutex<(any Error)?>(nil)
        private let ended = DispatchSemaphore(value: 0)

        /// The pipe whose opening by the reader it waits for.
        private let pipe: String
        /// The file that it creates when it stops writing.
        private let marker: String

        /// - Parameter commit: receives the number of the next commit, and returns that of the one after its own.
        ///   The commits end when the reader does: its end may be noticed here long after, as tasks wait for other tests.
        init(
            after pipe: String, marker: String, readerEnd: String, _ commit: @escaping @Sendable (Int) throws -> Int
        ) {
            (self.pipe, self.marker) = (pipe, marker)
            Thread.detachNewThread {
                var number = 4
                close(open(pipe, O_RDONLY))
                while !self.isEnding.load(ordering: .relaxed), !FileManager.default.fileExists(atPath: readerEnd) {
                    do {
                        number = try commit(number)
                    } catch {
                        self.result.withLock { $0 = error }
                        break
                    }
                }
                _ = FileManager.default.createFile(atPath: marker, contents: nil)
                self.ended.signal()
            }
        }

        /// - Throws: the error of a commit.
        func end() throws {
            isEnding.store(true, ordering: .relaxed)
            // In case the other process ended before it opened the pipe.
            let descriptor = open(pipe, O_RDWR)
            ended.wait()
            if descriptor >= 0 { close(descriptor) }
            if let error = result.withLock({ $0 }) { throw error }
        }
    }

    /// The number of reads of a commit before looking for the next one.
    private static let rounds = 20

    private static func pipe(_ path: String) -> String { path + ".opened" }
    private static func marker(_ path: String) -> String { path + ".written" }
    private static func readerEnd(_ path: String) -> String { path + ".read" }

    /// The other process: opens the file, then reads it repeatedly while it is written, until it has seen several
    /// commits, or the writer has stopped.
    private static func read(_ path: String, _ isEncrypted: Bool, writerIsFirst: Bool) throws {
        defer { _ = FileManager.default.createFile(atPath: readerEnd(path), contents: nil) }
        var seen: Set<Int> = []
        var isAwaited = true
        func releaseWriter() {
            if isAwaited { close(open(pipe(path), O_WRONLY)) }
            isAwaited = false
        }
        if writerIsFirst { releaseWriter() }
        repeat {
            let realm = try Realm(configuration: configuration(path, true, isEncrypted))
            let commit = realm.objects(Entry.self).first?.commit ?? -1
            precondition(commit >= 3 && commit >= seen.max() ?? 0, "commit \(commit) after \(seen)")
            seen.insert(commit)
            releaseWriter()
            for _ in 0..<rounds {
                let entries = realm.objects(Entry.self)
                precondition(entries.count == count, "\(entries.count) objects")
                for entry in entries {
                    precondition(entry.commit == commit && entry.text == text(commit, entry.number), "mixed commits")
                }
                precondition(entries.where { $0.commit == commit }.count == count, "a wrong index")
                // This reads the file itself, without a copy.
                let version = try schemaVersionAtURL(URL(filePath: path), encryptionKey: isEncrypted ? key : nil)
                precondition(version == 0, "version \(version)")
            }
            realm.invalidate()
        } while seen.count < 4 && !FileManager.default.fileExists(atPath: marker(path))
        precondition(seen.count >= 4, "nobody wrote after \(seen)")
    }

    @Test(arguments: [(false, true), (false, false), (true, true), (true, false)])
    func `a read-only realm stays consistent while another process writes the file`(
        isEncrypted: Bool, writerIsFirst: Bool
    ) async throws {
        let file = TestRealm([Entry.self])
        if isEncrypted { file.configuration.encryptionKey = Self.key }
        let path = file.path
        defer {
            for path in [Self.pipe(path), Self.marker(path), Self.readerEnd(path)] {
                try? FileManager.default.removeItem(atPath: path)
            }
        }
        let writing = Self.configuration(path, false, isEncrypted)
        try {
            let realm = try Realm(configuration: writing)
            for number in 0...3 { try Self.commit(number, realm) }
        }()
        // As in a place where the file was never written.
        if !writerIsFirst { try FileManager.default.removeItem(atPath: path + ".lock") }
        try #require(mkfifo(Self.pipe(path), 0o600) == 0)
        let writer = Writer(
            after: Self.pipe(path), marker: Self.marker(path), readerEnd: Self.readerEnd(path)
        ) { number in
            let realm = try Realm(configuration: writing)
            for number in number..<number + 8 { try Self.commit(number, realm) }
            return number + 8
        }
        // The standard error is relevant only in case of a failure.
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [path = path as String, isEncrypted = isEncrypted as Bool, writerIsFirst = writerIsFirst as Bool] in
            do { try Self.read(path, isEncrypted, writerIsFirst: writerIsFirst) } catch { fatalError("\(error)") }
            fatalError("all was whole")
        }
        try writer.end()
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        expect(said.contains("all was whole"), "\(said)")
        _ = try file.verified()
    }

    @Test func `without room for a copy, the process with the open file is named, and an unopened file is read`()
        async throws
    {
        let file = TestRealm([Entry.self])
        let path = file.path
        try {
            let realm = try file.open()
            try Self.commit(0, realm)
        }()
        await #expect(processExitsWith: .success) { [path = path as String] in
            setenv("TMPDIR", "/nowhere/at/all", 1)
            let realm = try Realm(configuration: Self.configuration(path, true, false))
            precondition(realm.objects(Entry.self).count == Self.count)
        }
        let realm = try file.open()
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            [path = path as String] in
            setenv("TMPDIR", "/nowhere/at/all", 1)
            do { _ = try Realm(configuration: Self.configuration(path, true, false)) } catch { fatalError("\(error)") }
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        expect(said.contains("process \(getpid()) ("), "\(said)")
        expect(said.contains("has it open, and no copy can be made to read"), "\(said)")
        withExtendedLifetime(realm) {}
    }

    @Test(.enabled(if: geteuid() != 0, "an administrator may write every file"))
    func `a file without write permission is read in place, and nothing is left beside it`() throws {
        let file = TestRealm([Entry.self])
        try {
            let realm = try file.open()
            try Self.commit(0, realm)
        }()
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let copy = folder.appending(path: "read.realm")
        defer {
            try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder.path)
            try? FileManager.default.removeItem(at: folder)
        }
        try FileManager.default.copyItem(atPath: file.path, toPath: copy.path)
        try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: copy.path)
        try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder.path)
        let realm = try Realm(configuration: Self.configuration(copy.path, true, false))
        expectEqual(realm.objects(Entry.self).count, Self.count)
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.path), ["read.realm"])
    }
}
