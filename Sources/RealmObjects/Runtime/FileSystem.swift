#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// What is done with files as a whole.
enum FileSystem {
    static func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    /// Whether there is a file without a byte in it.
    static func isEmpty(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.type] as? FileAttributeType == .typeRegular && attributes?[.size] as? Int == 0
    }

    static func copy(_ source: String, to path: String) throws {
        try FileManager.default.copyItem(atPath: source, toPath: path)
    }

    /// Removes a file, unless there is none.
    ///
    /// - Returns: whether there was one.
    @discardableResult
    static func remove(_ path: String) throws -> Bool {
        guard exists(path) else { return false }
        try FileManager.default.removeItem(atPath: path)
        return true
    }

    /// Calls `body` with a path in the folder for temporary files, and removes what is there afterwards.
    static func withTemporaryFile<R>(_ body: (String) throws -> R) throws -> R {
        let path = FileManager.default.temporaryDirectory.appending(path: "realm-\(UUID().uuidString).realm").path
        defer { _ = try? remove(path) }
        return try body(path)
    }

    static func bytes(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }
}
