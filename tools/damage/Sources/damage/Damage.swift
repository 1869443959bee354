import ArgumentParser
import Foundation
import RealmFile
import RealmForensics

/// Damages files in all the ways that occur in practice, and counts the verifier's findings.
@main
struct Damage: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Damages copies of Realm files in memory and counts what the verifier finds.",
        discussion: "The files must be intact. A run with the same files, seed and count gives the same table.")

    @Argument(help: "Realm files, plain, of any format.")
    var files: [String]

    @Option(help: "An older state of the first file, for pages that were not written.")
    var older: String?

    @Option(help: "Seed of the random numbers.")
    var seed: UInt64 = 1

    @Option(help: "How often to damage each file in each way.")
    var count = 200

    @Flag(help: "List damage that is not found, and what it touches.")
    var list = false

    /// The outcome of damage.
    enum Result: String, CaseIterable {
        case noticed = "found"
        case warned = "warned of"
        case dead = "dead bytes"
        case values = "values"
        case noEffect = "no effect"
        case missed = "missed"
    }

    func run() throws {
        var totals: [Kind: [Result: Int]] = [:]
        var slowest = (seconds: 0.0, what: "")
        let olderBytes = try older.map { [UInt8](try Data(contentsOf: URL(filePath: $0))) }
        for (position, path) in files.enumerated() {
            let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
            let original = try Original(bytes, olderBytes: position == 0 ? olderBytes : nil)
            for (index, kind) in Kind.allCases.enumerated() {
                var random = SplitMix64(seed: seed &+ UInt64(position) << 32 &+ UInt64(index) << 16)
                for round in 0..<count {
                    guard let damaged = kind.apply(to: bytes, older: original.older, &random) else { continue }
                    let start = ContinuousClock.now
                    let result = original.judge(damaged)
                    let seconds = (ContinuousClock.now - start) / .seconds(1)
                    if seconds > slowest.seconds { slowest = (seconds, "\(path), \(kind.rawValue), round \(round)") }
                    totals[kind, default: [:]][result, default: 0] += 1
                    if list, result == .missed || result == .noEffect {
                        let offset = original.live.firstTouched(bytes, damaged).map { String($0, radix: 16) } ?? "?"
                        print("\(result.rawValue): \(path) 0x\(offset), \(kind.rawValue)")
                    }
                }
            }
        }
        printTable(totals)
        FileHandle.standardError.write(Data("slowest: \(slowest.seconds) s, \(slowest.what)\n".utf8))
        if totals.values.contains(where: { $0[.missed] ?? 0 > 0 }) { throw ExitCode(1) }
    }

    private func printTable(_ totals: [Kind: [Result: Int]]) {
        print("| damage | cases | " + Result.allCases.map(\.rawValue).joined(separator: " | ") + " |")
        print("|---|---" + String(repeating: "|---", count: Result.allCases.count) + "|")
        for kind in Kind.allCases {
            guard let counts = totals[kind] else { continue }
            let cells = Result.allCases.map { "\(counts[$0] ?? 0)" }
            print("| \(kind.rawValue) | \(counts.values.reduce(0, +)) | " + cells.joined(separator: " | ") + " |")
        }
    }
}

/// An intact file, and the assessment of its damaged copies.
struct Original {
    let bytes: [UInt8]
    let older: [UInt8]?
    let live: LiveBytes
    private let content: Content
    /// Warnings about the intact file.
    private let warnings: Int

    init(_ bytes: [UInt8], olderBytes: [UInt8]?) throws {
        self.bytes = bytes
        older = olderBytes
        live = LiveBytes(of: bytes)
        content = try Content(of: bytes)
        let report = Verification(level: .deep).run(on: ByteSource(bytes: bytes))
        guard report.isSound else { throw ValidationError("a file is not intact: \(report.findings)") }
        warnings = report.total(.warning)
    }

    func judge(_ damaged: [UInt8]) -> Damage.Result {
        let report = Verification(level: .deep, maximumFindings: 1).run(on: ByteSource(bytes: damaged))
        if !report.isSound { return .noticed }
        let isWarned = report.total(.warning) > warnings
        guard let after = try? Content(of: damaged) else { return .missed }
        let isTouched = live.isTouched(bytes, damaged)
        if after == content { return isTouched ? (isWarned ? .warned : .noEffect) : .dead }
        if after.shape == content.shape { return .values }
        return isWarned ? .warned : .missed
    }
}
