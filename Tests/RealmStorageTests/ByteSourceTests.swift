import Expectations
import Foundation
import RealmStorage
import TestSupport
import Testing

/// Bytes from a map, a copy, or memory are the same.
@Suite struct ByteSourceTests {
    @Test func `a map and a copy have the same bytes`() throws {
        let file = try KnownFile.fixture("kennel")
        let bytes = try file.bytes()
        try expectEqual(ByteSource(path: file.url.path).bytes, bytes)
        try expectEqual(ByteSource(mapping: OpenedFile(path: file.url.path)).bytes, bytes)
        expectEqual(ByteSource(bytes: bytes).bytes, bytes)
        expectEqual(ByteSource(bytes: []).count, 0)
    }

    @Test func `an empty file has no bytes`() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "empty-\(UUID().uuidString).realm")
        try Data().write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        try expectEqual(ByteSource(path: url.path).count, 0)
    }

    /// Devices can be endless.
    @Test(arguments: ["/dev/random", "/dev/zero"]) func `a device without an end is refused`(_ path: String) throws {
        let error = try #require(throws: StorageError.self) { try ByteSource(path: path) }
        expectEqual(error.description, "\(path): cannot open: it is a device, not a file")
    }

    /// Data from a pipe is copied, in more than one read.
    @Test(.timeLimit(.minutes(60))) func `data from a pipe is copied`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        let bytes = (0..<3_000_001).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
        // Both sides block until the other one is open: the writer has its own thread.
        Thread.detachNewThread {
            guard let file = try? FileHandle(forWritingTo: URL(filePath: path)) else { return }
            try? file.write(contentsOf: Data(bytes))
            try? file.close()
        }
        let source = try ByteSource(path: path)
        expectEqual(source.bytes, bytes)
        expect(source.mappedFile != nil)
    }

    /// Otherwise a program started on another thread at that moment would keep it, and its disk space.
    @Test func `a copy without a name is not inherited by started programs`() throws {
        let file = try OpenedFile(path: KnownFile.fixture("kennel").url.path)
        let copy = try #require(try file.unnamedCopy(size: 24))
        expect(fcntl(copy.descriptor, F_GETFD) & FD_CLOEXEC != 0)
    }

    /// Standard input can be a partially read file.
    @Test func `the rest of standard input is read`() throws {
        let file = try KnownFile.fixture("kennel")
        let opened = try OpenedFile(path: file.url.path)
        var start = [UInt8](repeating: 0, count: 24)
        let count = try unsafe start.withUnsafeMutableBytes { buffer in
            unsafe try opened.readNext(into: try #require(buffer.baseAddress), count: buffer.count)
        }
        expectEqual(count, 24)
        try expectEqual(start + ByteSource(opened).bytes, file.bytes())
    }

    @Test func `paths that cannot be opened are errors`() throws {
        let missing = try #require(throws: StorageError.self) { try ByteSource(path: "/no/such/file.realm") }
        expect((missing.code, missing.path) == (ENOENT, "/no/such/file.realm"))
        expect(missing.description.hasPrefix("/no/such/file.realm: cannot open: "))
        let folder = try #require(throws: StorageError.self) { try ByteSource(path: KnownFile.packageRoot.path) }
        expectEqual(folder.code, EISDIR)
    }
}
