import Expectations
import Foundation
import ObjectPrograms
import Testing

/// Random programs of live objects, compared with a model in memory; observers apply their notifications.
@Suite struct RandomProgramTests {
    /// Set REALMFILE_OBJECT_SEEDS=1000 in the environment for more.
    private static let seeds = 1...(UInt64(ProcessInfo.processInfo.environment["REALMFILE_OBJECT_SEEDS"] ?? "") ?? 16)

    @Test(arguments: seeds) func `live objects show the results of random programs`(seed: UInt64) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "programs-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let outcome = ObjectProgram.run(seed: seed, in: folder)
        expectEqual(outcome.failures, [])
        expect(outcome.tally.programs == 1 && outcome.tally.values > 0)
    }
}
