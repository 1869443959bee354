import Foundation
import ObjectPrograms

/// The program of `tools/crash objects`: runs random programs of live objects, one after another, up to a number or a
/// time limit.
@main
enum ObjectProgramTool {
    static func main() {
        var (seed, cases, minutes) = (UInt64(1), UInt64(1000), 0.0)
        var rest = CommandLine.arguments.dropFirst()
        while let name = rest.popFirst() {
            guard let value = rest.popFirst().flatMap({ Double($0) }) else { exit(64) }
            switch name {
            case "--seed": seed = UInt64(value)
            case "--cases": cases = UInt64(value)
            case "--minutes": minutes = value
            default: exit(64)
            }
        }
        let folder = FileManager.default.temporaryDirectory.appending(path: "object-programs-\(getpid())")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let start = Date()
        var (tally, failures, next) = (Tally(), 0, seed)
        var told = start
        while next < seed + cases, minutes == 0 || Date().timeIntervalSince(start) < minutes * 60 {
            let outcome = ObjectProgram.run(seed: next, in: folder)
            tally.add(outcome.tally)
            for failure in outcome.failures { print("WRONG", failure) }
            failures += outcome.failures.isEmpty ? 0 : 1
            next += 1
            if Date().timeIntervalSince(told) > 60 {
                told = Date()
                print(line(tally, seed, next, start, failures))
            }
            fflush(nil)
        }
        print(line(tally, seed, next, start, failures))
        try? FileManager.default.removeItem(at: folder)
        exit(failures == 0 ? 0 : 1)
    }

    private static func line(_ tally: Tally, _ seed: UInt64, _ next: UInt64, _ start: Date, _ failures: Int) -> String {
        "seeds \(seed) to \(next - 1): \(tally.programs) programs, \(tally.transactions) transactions, \(tally.changes) changes, "
            + "\(tally.notifications) notifications, \(tally.migrations) migrations, \(tally.values) values compared, "
            + "\(Int(Date().timeIntervalSince(start))) s, \(clock() / 1_000_000) s of processor; \(failures) are wrong"
    }
}
