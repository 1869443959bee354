import Foundation

/// One random program determined by a seed, and its outcome.
package enum ObjectProgram {
    package struct Outcome: Sendable {
        package var failures: [String]
        package var tally: Tally
    }

    /// One of this many programs is about migrations.
    private static let migrationStep: UInt64 = 8

    /// - Parameter folder: the folder for the files.
    package static func run(seed: UInt64, in folder: URL) -> Outcome {
        if seed % migrationStep == 0 {
            let program = MigrationProgram(seed: seed, in: folder)
            return outcome(seed, { try program.run() }, { (program.failures, program.tally) })
        }
        let program = SampleProgram(seed: seed, in: folder)
        return outcome(seed, { try program.run() }, { (program.failures, program.tally) })
    }

    private static func outcome(
        _ seed: UInt64, _ run: () throws -> Void, _ result: () -> ([String], Tally)
    ) -> Outcome {
        var thrown: [String] = []
        do { try run() } catch { thrown = ["seed \(seed): \(error)"] }
        let (failures, tally) = result()
        return Outcome(failures: thrown + failures, tally: tally)
    }
}
