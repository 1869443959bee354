import Foundation
import TestSupport

/// The path of a file beside another.
func beside(_ file: TemporaryFile, _ name: String) -> String {
    URL(filePath: file.path).deletingLastPathComponent().appending(path: name).path
}

/// The names of all files in the folder of one.
func names(beside file: TemporaryFile) throws -> [String] {
    let folder = URL(filePath: file.path).deletingLastPathComponent().path
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
}
