internal import RealmCore
internal import RealmForensics
internal import RealmStorage
import WriterTestSupport

/// A random database with repeated power failures: at every system call of a commit, with all, none or some of the
/// unsynchronised sectors written.
package struct CrashCase {
    package let seed: UInt64
    package let isEncrypted: Bool
    /// The number of bytes that the disk writes atomically.
    package let sector: Int
    /// The number of outcomes to try for each call, including none and all.
    package var statesOfPoint = 4
    /// One of this many operations changes the schema; 0 for none.
    package var schemaChanges = 0
    /// One of this many outcomes is opened for writing, checked node by node, and changed, including another power
    /// failure.
    package var thoroughStep = 16

    /// The number of tests, and their results.
    package struct Result: Sendable {
        /// System calls after which the power failed.
        package var points = 0
        /// States of the disk after power failures.
        package var states = 0
        /// Those that were opened for writing and changed.
        package var continued = 0
        /// The numbers of states with the previous commit, and with the new one.
        package var old = 0
        package var new = 0
        /// Failures: states that equal neither commit, or are damaged.
        package var lost: [String] = []

        package init() {}

        package mutating func add(_ other: Result) {
            points += other.points
            states += other.states
            continued += other.continued
            old += other.old
            new += other.new
            lost += other.lost
        }
    }

    package init(seed: UInt64, isEncrypted: Bool, sector: Int) {
        (self.seed, self.isEncrypted, self.sector) = (seed, isEncrypted, sector)
    }

    private var key: EncryptionKey? {
        get throws {
            isEncrypted ? try EncryptionKey(bytes: (0..<64).map { UInt8(truncatingIfNeeded: seed &+ $0) }) : nil
        }
    }

    /// Runs transactions of one, a few and many changes.
    package func run(rounds: Int = 4) throws -> Result {
        var result = Result()
        var program = try RandomProgram(seed: seed, key: key)
        // In every other database, a reader keeps an old snapshot while much is added and removed.
        let kept = seed % 4 < 2 ? nil : (snapshot: program.snapshot(), hash: try program.snapshot().contentHash())
        for round in 0..<rounds {
            if kept != nil { for _ in 0..<8 { try program.transaction(operations: 2, schemaChanges: schemaChanges) } }
            // The states of a commit differ from those before and after it.
            try crash(&program, operations: [1, 3, 40][round % 3], "round \(round)", &result)
        }
        if let kept, try kept.snapshot.contentHash() != kept.hash {
            result.lost.append("\(name), at the end: the snapshot that was kept has changed")
        }
        let schema = program.schemaDifferences()
        if !schema.isEmpty { result.lost.append("\(name), at the end: \(schema)") }
        if let difference = try program.differences().first { result.lost.append("\(name), at the end: \(difference)") }
        return result
    }

    private func crash(
        _ program: inout RandomProgram, operations: Int, _ place: String, isAgain: Bool = false, _ result: inout Result
    ) throws {
        let before = program
        let start = try program.bytes()
        program.disk.forgetEvents()
        try program.transaction(operations: operations, schemaChanges: schemaChanges)
        let events = program.disk.events
        let hashes = (old: try hash(start), new: try hash(program.bytes()))
        for end in 0...events.count {
            result.points += 1
            for attempt in 0..<(isAgain ? 1 : statesOfPoint) {
                let image = events.image(of: start, upTo: end, sector: sector) {
                    switch attempt {
                    case 0 where !isAgain: false
                    case 1: true
                    default: program.coin()
                    }
                }
                result.states += 1
                let name = "\(place), after \(end) of \(events.count) calls, outcome \(attempt)"
                do {
                    let found = try hash(image)
                    let isNew = found == hashes.new
                    guard isNew || found == hashes.old && end < events.count else {
                        throw ProgramFailure("neither the old nor the new content")
                    }
                    if isNew { result.new += 1 } else { result.old += 1 }
                    guard !isAgain, result.states % thoroughStep == 0 else { continue }
                    var next = try (isNew ? program : before).continued(on: image)
                    result.continued += 1
                    try crash(&next, operations: 2, name + ", once more", isAgain: true, &result)
                    try check(next)
                } catch {
                    result.lost.append("\(self.name), \(name): \(error)")
                }
            }
        }
    }

    private var name: String { "seed \(seed), \(isEncrypted ? "encrypted" : "plain"), sectors of \(sector)" }

    private func hash(_ bytes: [UInt8]) throws -> ContentHash {
        try RandomProgram.database(bytes, key).snapshot().contentHash()
    }

    /// Checks that the file of a program is sound and complete.
    private func check(_ program: RandomProgram) throws {
        let source = ByteSource(bytes: try program.bytes())
        let verification = Verification(level: .deep)
        let key = try key
        let report = try key.map { try verification.run(on: source, key: $0) } ?? verification.run(on: source)
        if let finding = report.findings.first(where: { $0.severity == .error }) {
            throw ProgramFailure("\(finding.check.rawValue) \(finding.place): \(finding.message)")
        }
        guard try hash(source.bytes) == program.snapshot().contentHash() else {
            throw ProgramFailure("the file holds something else than the store")
        }
    }
}
