import Foundation
import RealmCore
import RealmExchange

/// An export to measure.
struct Job {
    let name: String
    var format = ExportOptions.Format.bson
    var profile = ExportOptions.Profile.mongo
    var jobs = 1
    /// The maximum for the ratio.
    var target: Double?

    static let all = [
        Job(name: "BSON, mongo profile", format: .bson, target: 0.5),
        Job(name: "canonical Extended JSON, mongo profile", format: .ejson, target: 1.3),
        Job(name: "canonical Extended JSON, canonical profile", format: .ejson, profile: .canonical, target: 1.3),
        Job(name: "BSON, canonical profile", format: .bson, profile: .canonical),
    ]

    func with(jobs: Int) -> Job {
        var copy = self
        copy.jobs = jobs
        return copy
    }

    private var options: ExportOptions {
        var options = ExportOptions()
        options.format = format
        options.profile = profile
        options.jobs = jobs
        return options
    }

    /// Exports in this process, from opening the file to the last rename.
    func export(_ input: Input, to folder: String) async throws {
        let exporter = Exporter(try RealmDatabase(path: input.path).snapshot(), options)
        let report = try await exporter.export(toFolder: folder, database: "shop")
        guard report.damage.isEmpty else { throw BenchmarkError("\(input.name) is damaged") }
    }

    /// Exports a file as BSON, and calls `take` with the path of each file of documents, which are removed afterwards.
    static func withDocuments(of input: Input, in folder: String, _ take: (String) throws -> Void) async throws {
        try await Job(name: "BSON", format: .bson).export(input, to: folder)
        for file in try Folder.files(of: folder) where file.hasSuffix(".bson") { try take("\(folder)/\(file)") }
        try FileManager.default.removeItem(atPath: folder)
    }

    /// Exports in this process and discards the bytes: this measures only creating them.
    func exportToNowhere(_ input: Input) async throws {
        let snapshot = try RealmDatabase(path: input.path).snapshot()
        let exporter = Exporter(snapshot, options)
        for table in snapshot.classes where table.schema.kind != .embedded {
            _ = try await exporter.exportDocuments(ofClass: table.name) { _ in }
        }
    }

    /// Returns the command line for the same export.
    func arguments(_ input: Input, to folder: String) -> [String] {
        [
            "export", input.path, "--out", folder, "--format", format.rawValue, "--profile", profile.rawValue,
            "--jobs", "\(jobs)", "--quiet",
        ]
    }
}

/// The content of a folder.
enum Folder {
    /// Returns the paths of all files, relative to the folder, sorted.
    static func files(of folder: String) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder).sorted().filter { path in
            var isFolder: ObjCBool = false
            return FileManager.default.fileExists(atPath: "\(folder)/\(path)", isDirectory: &isFolder)
                && !isFolder.boolValue
        }
    }

    /// Whether two folders contain the same files with the same bytes.
    static func areEqual(_ first: String, _ second: String) throws -> Bool {
        let files = try files(of: first)
        guard try files == self.files(of: second) else { return false }
        return files.allSatisfy { file in
            FileManager.default.contentsEqual(atPath: "\(first)/\(file)", andPath: "\(second)/\(file)")
        }
    }
}
