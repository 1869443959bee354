import Foundation
import RealmStorage
import TestSupport
import Testing

/// Bytes come from a map, from a copy, or from memory, and are the same.
@Suite struct ByteSourceTests {
    @Test func mapAndCopy() throws {
        let file = try KnownFile.fixture("kennel")
        let bytes = try file.bytes()
        #expect(try ByteSource(path: file.url.path).bytes == bytes)
        #expect(try ByteSource(mapping: OpenedFile(path: file.url.path)).bytes == bytes)
        #expect(ByteSource(bytes: bytes).bytes == bytes)
        #expect(ByteSource(bytes: []).count == 0)
    }

    @Test func emptyFile() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "empty-\(UUID().uuidString).realm")
        try Data().write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        #expect(try ByteSource(path: url.path).count == 0)
    }

    /// What is read without a map, because it has no size.
    @Test func device() throws {
        #expect(try ByteSource(path: "/dev/null").count == 0)
    }

    @Test func pathsThatCannotBeOpened() throws {
        let missing = try #require(throws: StorageError.self) { try ByteSource(path: "/no/such/file.realm") }
        #expect((missing.code, missing.path) == (ENOENT, "/no/such/file.realm"))
        #expect(missing.description.hasPrefix("/no/such/file.realm: cannot open: "))
        let folder = try #require(throws: StorageError.self) { try ByteSource(path: KnownFile.packageRoot.path) }
        #expect(folder.code == EISDIR)
    }
}
