import Expectations
import RealmCore
import TestSupport
import Testing
import TransactionTestSupport

/// Processes that end in the middle of their work.
@Suite struct KilledWriterTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func writer(_ isEncrypted: Bool) throws -> KilledWriter {
        try KilledWriter(
            BuiltProgram.url("CrashTool"), path: folder.file("ledger.realm"), isEncrypted: isEncrypted)
    }

    /// `tools/crash kills` kills more of them.
    @Test(arguments: [false, true])
    func `a killed process leaves a complete commit, and none is lost`(isEncrypted: Bool) throws {
        let writer = try writer(isEncrypted)
        var last: Int64 = 0
        for round in 0..<6 {
            let result = try writer.kill(after: Double(round * round) * 0.001)
            expect(result.found > last)
            last = result.found
        }
        try writer.verify()
    }

    /// Space for a commit is reserved before it is written, so that nothing has changed when there is no space.
    @Test(arguments: [false, true])
    func `a file that may not grow keeps its content`(isEncrypted: Bool) throws {
        let writer = try writer(isEncrypted)
        let said = try writer.write(upTo: 100_000)
        expect(said.hasPrefix("full after ") && said.contains("cannot write"), "\(said)")
        try writer.verify()
        // No process holds it any more.
        try expect(writer.kill(after: 0.001).found > 1)
    }
}
