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

    @Test func `there are cases that fuzzing found`() {
        expect(!Self.cases.isEmpty)
    }

    @Test(arguments: cases)
    func `reading what fuzzing once found ends in bounded work`(_ file: URL) throws {
        let bytes = [UInt8](try Data(contentsOf: file))
        let outcome = readEverything(bytes)
        expect(outcome.work < 10_000_000)
    }
}
