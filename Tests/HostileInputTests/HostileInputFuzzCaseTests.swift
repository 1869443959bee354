import Expectations
import Foundation
import HostileProperties
import TestSupport
import Testing

/// Regression tests for files found by fuzzing.
@Suite struct HostileInputFuzzCaseTests {
    static let cases: [URL] = {
        let folder = KnownFile.packageRoot.appending(path: "tools/fuzz/FailCases")
        let files = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (files ?? []).filter { $0.pathExtension == "realm" }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }()

    @Test func `cases found by fuzzing exist`() {
        expect(!Self.cases.isEmpty)
    }

    @Test(arguments: cases)
    func `files found by fuzzing are read in bounded work`(_ file: URL) throws {
        let bytes = [UInt8](try Data(contentsOf: file))
        let outcome = readEverything(bytes)
        expect(outcome.work < 10_000_000)
    }
}
