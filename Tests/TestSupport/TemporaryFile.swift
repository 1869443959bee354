private import Foundation

/// A file that is deleted with this value.
package final class TemporaryFile {
    package let path: String

    package init(_ bytes: [UInt8], name: String = "test.realm") throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "realmfile-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = folder.appending(path: name)
        try Data(bytes).write(to: url)
        path = url.path
    }

    /// A fixture whose bytes are changed.
    package convenience init(fixture: String, _ change: (inout [UInt8]) -> Void) throws {
        var bytes = try KnownFile.fixture(fixture).bytes()
        change(&bytes)
        try self.init(bytes)
    }

    deinit {
        try? FileManager.default.removeItem(at: URL(filePath: path).deletingLastPathComponent())
    }
}
