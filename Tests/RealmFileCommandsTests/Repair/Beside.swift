import Foundation
import TestSupport

/// Returns the path of a file in the folder of another file.
func beside(_ file: TemporaryFile, _ name: String) -> String {
    URL(filePath: file.path).deletingLastPathComponent().appending(path: name).path
}

/// Returns the names of all files in the folder of a file.
func names(beside file: TemporaryFile) throws -> [String] {
    let folder = URL(filePath: file.path).deletingLastPathComponent().path
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
}
