import Expectations
import Foundation
import TestSupport
import Testing

/// The Spec's reader in Python (chapter 210), which shares no code with this package, agrees with Realm Core.
@Suite(.enabled(if: Python.url != nil, "needs python3 in the path"))
struct SpecReaderTests {
    @Test(arguments: KnownFile.fixtures)
    func `a fixture is read as by Realm Core`(_ file: KnownFile) throws {
        let (output, status) = try run(file)
        expectEqual(status, 0)
        var expected = try TypedDump(contentsOf: #require(file.dump))
        var found = try expected.withObjects(in: output)
        // The program does not count backlinks.
        for table in expected.tables.indices {
            for object in expected.tables[table].objects.indices {
                expected.tables[table].objects[object].backlinks = 0
            }
        }
        let format = try #require(file.format)
        expected.forgetOrder(changedFrom: format)
        found.forgetOrder(changedFrom: format)
        let differences = expected.differences(to: found)
        expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
    }

    /// All files are compared, and have objects.
    @Test func `all compared files exist, and have objects`() throws {
        let objects = try KnownFile.fixtures.map { try TypedDump(contentsOf: #require($0.dump)).tables.map(\.size) }
        expectEqual(objects.count, 23)
        expect(objects.joined().reduce(0, +) > 10_000)
    }

    @Test(arguments: ["Encrypted/people", "Legacy/format-9-people"])
    func `a file that is not a database is refused`(_ name: String) throws {
        let (output, status) = try run(KnownFile.fixture(name))
        expect(status != 0)
        expect(output.isEmpty)
    }

    private func run(_ file: KnownFile) throws -> (output: Data, status: Int32) {
        let process = Process()
        let output = Pipe()
        process.executableURL = Python.url
        process.arguments = [KnownFile.packageRoot.appending(path: "Spec/reader.py").path, file.url.path]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (data, process.terminationStatus)
    }
}

/// The Python interpreter, if there is one.
private enum Python {
    static let url = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map { URL(filePath: String($0)).appending(path: "python3") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) }
}
