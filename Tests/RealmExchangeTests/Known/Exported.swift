import Foundation
import RealmCore
import RealmExchange
import TestSupport

/// An export in its own folder, which is removed with this object.
final class Exported {
    let folder: URL
    let report: ExportReport
    static let database = "db"

    init(
        _ snapshot: Snapshot, compressing: Bool = false, _ change: (inout ExportOptions) -> Void = { _ in }
    ) async throws {
        folder = URL.temporaryDirectory.appending(path: "realmfile-test-\(UUID().uuidString)")
        var options = ExportOptions()
        change(&options)
        do {
            report = try await Exporter(snapshot, options)
                .export(toFolder: folder.path, database: Self.database, compressing: compressing)
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Returns the bytes of a file in the folder of the database.
    func bytes(_ name: String) throws -> [UInt8] { try bytes(path: "\(Self.database)/\(name)") }

    /// Returns the bytes of any file.
    func bytes(path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: folder.appending(path: path))) }

    /// Returns the paths of all files, sorted.
    func files() throws -> [String] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return paths.filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: folder.appending(path: path).path, isDirectory: &isFolder)
                && !isFolder.boolValue
        }.sorted()
    }

    /// Returns all bytes of all files by path.
    func contents() throws -> [String: [UInt8]] {
        Dictionary(uniqueKeysWithValues: try files().map { ($0, try bytes(path: $0)) })
    }

    /// The losses as a dictionary.
    var losses: [Loss: Int] {
        Dictionary(
            report.losses.map { (.init(className: $0.className, property: $0.property, kind: $0.kind), $0.count) },
            uniquingKeysWith: +)
    }
}
