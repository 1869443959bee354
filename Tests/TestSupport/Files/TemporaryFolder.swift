private import Foundation

/// A folder that is deleted with this value.
package final class TemporaryFolder {
    package let path: String

    package init() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "realmfile-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Returns the path of a file in it.
    package func file(_ name: String) -> String { "\(path)/\(name)" }

    /// Creates a file in it.
    package func write(_ bytes: [UInt8], _ name: String) throws { try Data(bytes).write(to: URL(filePath: file(name))) }

    /// Returns the bytes of a file in it; nil when there is none.
    package func bytes(_ name: String) -> [UInt8]? {
        (try? Data(contentsOf: URL(filePath: file(name)))).map { [UInt8]($0) }
    }

    /// The names of all files.
    package var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }
}
