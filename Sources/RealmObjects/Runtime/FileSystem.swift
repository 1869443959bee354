#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Queries about files as a whole.
enum FileSystem {
    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// Whether a file exists, and is empty.
    static func isEmpty(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.type] as? FileAttributeType == .typeRegular && attributes?[.size] as? Int == 0
    }

    /// Whether this process may write to a file, or create files beside it.
    static func isWritable(_ path: String) -> Bool {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        return FileManager.default.isWritableFile(atPath: path) || FileManager.default.isWritableFile(atPath: folder)
    }
}
