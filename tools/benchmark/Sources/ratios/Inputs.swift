import Foundation

/// A folder that is removed after the run.
struct Scratch {
    let path: String

    init(in folder: String = NSTemporaryDirectory()) throws {
        path = "\(folder)/realmfile-benchmark-\(UInt64.random(in: 0 ... .max))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}

/// A folder on a kind of storage.
struct OutputFolder {
    let name: String
    let path: String

    /// A folder in memory, if available, and one on the disk for temporary files.
    static var usual: [OutputFolder] {
        let disk = OutputFolder(name: "temporary folder", path: NSTemporaryDirectory())
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: "/dev/shm", isDirectory: &isFolder), isFolder.boolValue else {
            return [disk]
        }
        return [OutputFolder(name: "tmpfs", path: "/dev/shm"), disk]
    }

    /// Runs `body` with an empty folder there.
    func withScratch<Result>(_ body: (String) throws -> Result) throws -> Result {
        let scratch = try Scratch(in: path)
        defer { scratch.remove() }
        return try body(scratch.path)
    }

    /// Runs `body` with an empty folder there.
    func withScratch<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        let scratch = try Scratch(in: path)
        defer { scratch.remove() }
        return try await body(scratch.path)
    }
}

/// A Realm file.
struct Input {
    let path: String
    let name: String
    let size: Int

    /// Takes a file as it is, or unpacks it.
    init(_ path: String, scratch: Scratch) throws {
        guard FileManager.default.fileExists(atPath: path) else { throw BenchmarkError("there is no file \(path)") }
        let name = (path as NSString).lastPathComponent
        if name.hasSuffix(".xz") {
            self.name = String(name.dropLast(3))
            self.path = "\(scratch.path)/\(self.name)"
            try Self.unpack(path, to: self.path)
        } else {
            self.name = name
            self.path = path
        }
        let attributes = try FileManager.default.attributesOfItem(atPath: self.path)
        size = (attributes[.size] as? Int) ?? 0
    }

    private static func unpack(_ packed: String, to path: String) throws {
        guard FileManager.default.createFile(atPath: path, contents: nil) else {
            throw BenchmarkError("cannot write \(path)")
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["xz", "-dc", packed]
        process.standardOutput = FileHandle(forWritingAtPath: path)
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw BenchmarkError("xz cannot unpack \(packed)") }
    }
}

/// The files of a run.
struct Inputs {
    let large: Input
    let small: Input?

    init(file: String?, small: String?, root: String, scratch: Scratch) throws {
        let given = file ?? ProcessInfo.processInfo.environment["REALMFILE_BENCHMARK_INPUT"]
        let folder = "\(root)/../shared/corpus/bench"
        let usual = "\(folder)/shop-100MB.realm.xz"
        guard given != nil || FileManager.default.fileExists(atPath: usual) else {
            throw BenchmarkError("no input: give a .realm file, or set REALMFILE_BENCHMARK_INPUT")
        }
        large = try Input(given ?? usual, scratch: scratch)
        let smallPath = small ?? (given == nil ? "\(folder)/shop-10MB.realm.xz" : nil)
        self.small = try smallPath.map { try Input($0, scratch: scratch) }
    }

    var all: [Input] { (small.map { [$0] } ?? []) + [large] }
}
