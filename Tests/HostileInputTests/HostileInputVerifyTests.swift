import Expectations
import Foundation
import HostileProperties
import RealmForensics
import RealmLayout
import RealmStorage
import TestSupport
import Testing

/// For any bytes, verification terminates, and files found sound can be read and exported.
struct HostileInputVerifyTests {
    @Test(arguments: Share.current.of(HostileFile.all, sequence: 3))
    func `a handmade file is not reported as sound`(_ file: HostileFile) {
        let outcome = verifyEverything(file.bytes())
        expectEqual(outcome.violations, [])
        // Each of them has an error that the reader reports.
        expect(!outcome.report.isSound, "\(outcome.report.findings.map(\.message))")
    }

    @Test(arguments: Share.current.of(HostileInputFuzzCaseTests.cases, sequence: 3))
    func `verifying files found by fuzzing ends without a contradiction`(_ file: URL) throws {
        expectEqual(verifyEverything([UInt8](try Data(contentsOf: file)), []).violations, [])
    }
}
