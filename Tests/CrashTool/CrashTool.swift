import Foundation
import RealmStorage
import TransactionTestSupport

/// The program of `tools/crash`: power failures on in-memory disks, and killed processes.
@main
enum CrashTool {
    static func main() throws {
        var arguments = CommandLine.arguments.dropFirst()
        switch arguments.popFirst() {
        case "write":
            let values = Array(arguments)
            guard values.count == 3, let limit = Int(values[2]) else { exit(64) }
            try KilledWriter.run(path: values[0], isEncrypted: values[1] == "encrypted", limit: limit)
        case "kills": try kill(Options(arguments))
        case "turns":
            guard let program = arguments.popFirst() else { exit(64) }
            takeTurns(with: URL(filePath: program), Options(arguments))
        case "record":
            guard let program = arguments.popFirst() else { exit(64) }
            try record(with: URL(filePath: program), Options(arguments))
        case "states": loseStates(Options(arguments))
        case "programs": runPrograms(Options(arguments))
        default:
            print(
                "usage: crash states|kills|programs|turns PROGRAM|record PROGRAM --seed S --cases N [--states P] [--turns T] "
                    + "[--operations O] [--threads T]"
            )
            exit(64)
        }
    }

    private struct Options {
        var seed: UInt64 = 1
        var cases = 100
        var statesOfPoint = 12
        var turns = 20
        var operations = 10_000
        var isLarge = false
        var threads = ProcessInfo.processInfo.activeProcessorCount

        init(_ arguments: ArraySlice<String>) {
            var rest = arguments
            while let name = rest.popFirst() {
                guard let number = rest.popFirst().flatMap({ UInt64($0) }) else { exit(64) }
                switch name {
                case "--seed": seed = number
                case "--cases": cases = Int(number)
                case "--states": statesOfPoint = Int(number)
                case "--turns": turns = Int(number)
                case "--operations": operations = Int(number)
                case "--large": isLarge = number > 0
                case "--threads": threads = max(1, Int(number))
                default: exit(64)
                }
            }
        }
    }

    /// One of this many databases is also replaced by another file.
    private static let replacementStep: UInt64 = 4

    /// Simulates power failures for `cases` random databases of each kind.
    private static func loseStates(_ options: Options) {
        let start = Date()
        let lock = NSLock()
        nonisolated(unsafe) var results: [String: CrashCase.Result] = [:]
        nonisolated(unsafe) var next = 0
        let kinds = [(false, 512), (false, 4096), (true, 512), (true, 4096)]
        DispatchQueue.concurrentPerform(iterations: options.threads) { _ in
            while true {
                let number = lock.withLock {
                    next += 1
                    return next - 1
                }
                guard number < options.cases * kinds.count else { return }
                let (isEncrypted, sector) = kinds[number % kinds.count]
                let name = "\(isEncrypted ? "encrypted" : "plain    "), sectors of \(sector)"
                var one = CrashCase(
                    seed: options.seed &+ UInt64(number / kinds.count), isEncrypted: isEncrypted, sector: sector)
                one.statesOfPoint = options.statesOfPoint
                // Every other case changes the schema as well.
                one.schemaChanges = one.seed % 2 == 0 ? 3 : 0
                func note(_ name: String, _ run: () throws -> CrashCase.Result) {
                    var result = CrashCase.Result()
                    do { result = try run() } catch { result.lost.append("\(name), seed \(one.seed): \(error)") }
                    lock.withLock {
                        results[name, default: CrashCase.Result()].add(result)
                        for text in result.lost { print("LOST", text) }
                    }
                }
                note(name) { try one.run() }
                guard one.seed % Self.replacementStep == 0 else { continue }
                note("replaced, \(name)") {
                    var replacement = try ReplacementCase(seed: one.seed, isEncrypted: isEncrypted, sector: sector)
                    replacement.statesOfPoint = options.statesOfPoint
                    return try replacement.compact()
                }
            }
        }
        var total = CrashCase.Result()
        print("                                        points    states  continued   old     new    lost")
        for (name, result) in results.sorted(by: { $0.key < $1.key }) {
            print(line(name, result))
            total.add(result)
        }
        print(line("all", total))
        print(
            "\(options.cases) cases of each kind from seed \(options.seed) on, \(Int(Date().timeIntervalSince(start))) s"
        )
        exit(total.lost.isEmpty ? 0 : 1)
    }

    private static func line(_ name: String, _ result: CrashCase.Result) -> String {
        let numbers = [result.points, result.states, result.continued, result.old, result.new, result.lost.count]
        return name.padding(toLength: 36, withPad: " ", startingAt: 0)
            + numbers.map { number in
                String(repeating: " ", count: max(1, 9 - "\(number)".count)) + "\(number)"
            }.joined()
    }

    /// Changes `cases` random databases, plain and encrypted, alternating with another program. Files with errors are
    /// kept.
    private static func takeTurns(with program: URL, _ options: Options) {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "turns-\(ProcessInfo.processInfo.processIdentifier)")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var (values, failures) = (0, 0)
        for number in 0..<options.cases {
            for isEncrypted in [false, true] {
                var turns = Turns(program, seed: options.seed &+ UInt64(number), isEncrypted: isEncrypted)
                turns.isLarge = options.isLarge
                do { values += try turns.run(options.turns, in: folder) } catch {
                    failures += 1
                    print("DIFFERENT", error)
                }
            }
        }
        print(
            "2 x \(options.cases) files, \(options.turns) turns each: \(values) values are the same, "
                + "\(failures) files are not")
        if failures == 0 { try? FileManager.default.removeItem(at: folder) } else { print("see", folder.path) }
        exit(failures == 0 ? 0 : 1)
    }

    /// Runs `cases` long programs, plain and encrypted, each in parallel with its model.
    private static func runPrograms(_ options: Options) {
        var failures = 0
        for seed in options.seed..<options.seed + UInt64(options.cases) {
            for isEncrypted in [false, true] {
                let name = "seed \(seed), \(isEncrypted ? "encrypted" : "plain")"
                do {
                    let bytes = (0..<64).map { UInt8(truncatingIfNeeded: seed &+ $0) }
                    var program = LongProgram(seed: seed, key: isEncrypted ? try EncryptionKey(bytes: bytes) : nil)
                    program.operations = options.operations
                    let result = try program.run()
                    print(
                        "\(name): \(options.operations) operations in \(result.commits) commits, \(result.checks) times as the model; "
                            + "\(result.objects) objects in \(result.bytes) bytes at the end")
                } catch {
                    failures += 1
                    print("DIFFERENT", name, error)
                }
            }
        }
        exit(failures == 0 ? 0 : 1)
    }

    /// Has another program read the files of some random programs, and records their hashes.
    private static func record(with program: URL, _ options: Options) throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "record-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        var lines: [String] = []
        for seed in AcceptedFiles.seeds {
            let hashes = try [false, true].map { isEncrypted in
                let turns = Turns(program, seed: seed, isEncrypted: isEncrypted)
                return "\"" + (try turns.hash(of: AcceptedFiles.turns, in: folder, isAsked: true)) + "\""
            }
            lines.append("        \(seed): [\n            \(hashes.joined(separator: ",\n            ")),\n        ],")
            print("\(lines.count) of \(AcceptedFiles.seeds.count)")
        }
        try FileManager.default.removeItem(at: folder)
        let source = try String(contentsOfFile: AcceptedFiles.path, encoding: .utf8)
        let parts = source.components(separatedBy: AcceptedFiles.mark)
        guard parts.count == 2 else { throw ProgramFailure("\(AcceptedFiles.path) has no place for hashes") }
        let text = parts[0] + AcceptedFiles.mark + lines.joined(separator: "\n") + "\n    ]\n}\n"
        try text.write(toFile: AcceptedFiles.path, atomically: true, encoding: .utf8)
    }

    /// Kills `cases` writing processes, half of them on encrypted files.
    private static func kill(_ options: Options) throws {
        let folder = FileManager.default.temporaryDirectory.appending(
            path: "crash-\(ProcessInfo.processInfo.processIdentifier)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let program = URL(filePath: CommandLine.arguments[0])
        var random = SystemRandomNumberGenerator()
        for isEncrypted in [false, true] {
            let writer = try KilledWriter(
                program, path: folder.appending(path: "\(isEncrypted).realm").path, isEncrypted: isEncrypted)
            var (commits, untold): (Int64, Int) = (0, 0)
            for number in 0..<options.cases / 2 {
                let result = try writer.kill(after: Double.random(in: 0...0.03, using: &random))
                if result.found > result.told { untold += 1 }
                commits = result.found
                if number % 50 == 49 { try writer.verify() }
            }
            print(
                "\(isEncrypted ? "encrypted" : "plain"): \(options.cases / 2) processes killed in \(commits) commits, "
                    + "0 lost; \(untold) times the file had one more than was told of")
        }
    }
}
