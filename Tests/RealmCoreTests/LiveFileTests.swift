import Expectations
import Foundation
import RealmCore
import RealmLayout
import RealmStorage
import TestSupport
import Testing

/// Files that are written while they are read: the result is from one commit, or an error.
@Suite struct LiveFileTests {
    /// Returns the commit numbers stored in the objects, without checking that they agree.
    private static func read(_ snapshot: Snapshot) throws -> (commits: Set<Int>, texts: Set<String>) {
        let table = try snapshot.table(named: LiveFile.className)
        var commits: Set<Int> = []
        var texts: Set<String> = []
        var cursor = table.objects
        while let object = try cursor.next() {
            guard case .int(let commit) = try object.value(at: 0), case .string(let text) = try object.value(at: 1)
            else { throw FormatError(.badValue, "neither a number nor a text") }
            commits.insert(Int(commit))
            texts.insert(text)
        }
        return (commits, texts)
    }

    /// Another process commits continuously; a successful check always means one commit.
    @Test func `every read of a file that is being written has one commit, or is refused`() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/live.realm"
        let writer = try WriterProcess(path: path, objects: 64)
        defer { writer.end() }
        var (accepted, refused, mixed) = (0, 0, 0)
        var seen: Set<UInt64> = []
        // Over all shares. A machine that reads so fast that few commits fall in between needs more reads; the loop is
        // bounded all the same.
        while accepted < 10_000 / Share.current.count || (accepted < 1_000_000 && (refused <= 100 || seen.count <= 100))
        {
            var found: (commits: Set<Int>, texts: Set<String>)?
            do {
                let database = try RealmDatabase(path: path)
                do {
                    let snapshot = try database.snapshot()
                    found = try Self.read(snapshot)
                    try snapshot.checkUnchanged()
                    let commit = Int(snapshot.commitNumber)
                    expectEqual(found?.commits, [commit])
                    expectEqual(found?.texts, [LiveFile.text(commit)])
                    accepted += 1
                    seen.insert(snapshot.commitNumber)
                } catch let error as FormatError where error.code != .fileChanged {
                    // Half-written nodes occur only in a file that has changed.
                    #expect(throws: FormatError(.fileChanged, "")) { try database.checkUnchanged() }
                    refused += 1
                }
            } catch let error as FormatError {
                expectEqual(error.code, .fileChanged)
                refused += 1
                if let found, found.commits.count > 1 || found.texts.count > 1 { mixed += 1 }
            }
        }
        // Otherwise the writer was idle, and the test is meaningless.
        expect(seen.count > 100)
        expect(refused > 100)
        print("\(accepted) reads of \(seen.count) commits accepted, \(refused) refused, \(mixed) of them mixed")
    }

    /// The header of every second commit is the same: its bytes alone prove nothing.
    @Test func `a repeated header does not prove the same commit`() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/live.realm"
        let file = LiveFile(path: path, objects: 512)
        file.commitNext()
        let database = try RealmDatabase(path: path)
        let snapshot = try database.snapshot()
        try expectEqual(Self.read(snapshot).commits, [2])
        try snapshot.checkUnchanged()
        let header = try header(path)
        file.commitNext()
        #expect(throws: FormatError(.fileChanged, "")) { try snapshot.checkUnchanged() }
        file.commitNext()
        try expectEqual(self.header(path), header)
        #expect(throws: FormatError(.fileChanged, "")) { try snapshot.checkUnchanged() }
        #expect(throws: FormatError(.fileChanged, "")) { try database.checkUnchanged() }
        try expectEqual(Self.read(RealmDatabase(path: path).snapshot()).commits, [4])
    }

    /// A private copy is unchanged, and leaves no files in the folder of the original.
    @Test func `a private copy is unchanged, and leaves no files`() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/live.realm"
        let file = LiveFile(path: path, objects: 512)
        let copy = try ByteSource.privateCopy(ofFileAt: path)
        let bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
        expectEqual(copy.bytes, bytes)
        for _ in 0..<3 { file.commitNext() }
        let snapshot = try RealmDatabase(source: copy).snapshot()
        try expect(Self.read(snapshot) == ([1], [LiveFile.text(1)]))
        try snapshot.checkUnchanged()
        try expectEqual(FileManager.default.contentsOfDirectory(atPath: folder.path), ["live.realm"])
        expectEqual(copy.bytes, bytes)
    }

    /// Copies of a file that another process writes are each from one commit.
    @Test func `copies of a live file each have one commit`() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/live.realm"
        let writer = try WriterProcess(path: path, objects: 16)
        defer { writer.end() }
        for _ in 0..<200 {
            let copy = try ByteSource.privateCopy(ofFileAt: path, attempts: 1000)
            let snapshot = try RealmDatabase(source: copy).snapshot()
            let commit = Int(snapshot.commitNumber)
            try expect(Self.read(snapshot) == ([commit], [LiveFile.text(commit)]))
        }
    }

    /// A file in streaming form and one that is replaced in place.
    @Test(arguments: ["kennel", "format-23-scalars-stream"])
    func `a file that is replaced in place is detected`(_ name: String) throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/file.realm"
        var bytes = try KnownFile.fixture(name).bytes()
        try Data(bytes).write(to: URL(filePath: path))
        let snapshot = try RealmDatabase(path: path).snapshot()
        try snapshot.checkUnchanged()
        let top = try #require(snapshot.topRef).offset
        bytes[top + 8] ^= 1
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        try handle.seek(toOffset: UInt64(top))
        try handle.write(contentsOf: bytes[top..<top + 16])
        #expect(throws: FormatError(.fileChanged, "")) { try snapshot.checkUnchanged() }
    }

    /// Truncation is detected before the file is read again.
    @Test func `a truncated file is detected before it is read again`() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/file.realm"
        try Data(KnownFile.fixture("kennel").bytes()).write(to: URL(filePath: path))
        let snapshot = try RealmDatabase(path: path).snapshot()
        try FileHandle(forWritingTo: URL(filePath: path)).truncate(atOffset: 0)
        #expect(throws: FormatError(.fileChanged, "")) { try snapshot.checkUnchanged() }
    }

    private func header(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)).prefix(24) }
}
