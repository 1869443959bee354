internal import RealmCore
internal import RealmForensics
package import RealmStorage
internal import RealmStore
import TestSupport
import WriterTestSupport

/// A file that is replaced by another, with a power failure at every system call; each change of a name may be lost
/// separately.
package struct ReplacementCase {
    package let seed: UInt64
    /// The key of an encrypted file.
    package let key: EncryptionKey?
    /// The number of bytes that the disk writes atomically.
    package let sector: Int
    /// The number of outcomes to try for each call, including none and all.
    package var statesOfPoint = 4
    /// One of this many outcomes is opened for writing and changed.
    package var thoroughStep = 16

    package init(seed: UInt64, key: EncryptionKey? = nil, sector: Int) {
        (self.seed, self.key, self.sector) = (seed, key, sector)
    }

    /// Creates a case with a key derived from the seed.
    package init(seed: UInt64, isEncrypted: Bool, sector: Int) throws {
        let key = isEncrypted ? (0..<64).map { UInt8(truncatingIfNeeded: seed &+ $0) } : nil
        self.init(seed: seed, key: try key.map { try EncryptionKey(bytes: $0) }, sector: sector)
    }

    private static let name = "one.realm"

    private func hash(_ bytes: [UInt8]) throws -> ContentHash {
        try RandomProgram.database(bytes, key).snapshot().contentHash()
    }

    /// Compacts a random database in place, between two commits.
    package func compact() throws -> CrashCase.Result {
        let folder = try TemporaryFolder()
        var program = try RandomProgram(seed: seed, key: key)
        // Free space that compaction can remove.
        try program.transaction(operations: 40)
        try folder.write(program.bytes(), Self.name)
        let system = try LyingFolder(folder.path)
        let store = try RealmStore(path: folder.file(Self.name), options: .init(key: key), system: system)
        program.store = store
        var states: [(end: Int, hash: ContentHash, program: RandomProgram)] = []
        func note() throws { states.append((system.count, try store.snapshot().contentHash(), program)) }
        try note()
        try program.transaction(operations: 3)
        try note()
        try store.compact()
        try note()
        try program.transaction(operations: 3)
        try note()
        return try lose(system) { image, end in
            let found = try hash(image[Self.name] ?? [])
            let last = states.lastIndex { $0.end <= end } ?? 0
            let next = end > states[last].end ? last + 1 : last
            guard let state = [next, last].first(where: { states[$0].hash == found }) else {
                throw ProgramFailure("neither the old nor the new content")
            }
            return Found(isNew: state > last || last == states.count - 1, program: states[state].program)
        }
    }

    /// Upgrades a file of an older format, with a backup of it.
    package func upgrade(_ old: [UInt8]) throws -> CrashCase.Result {
        let folder = try TemporaryFolder()
        try folder.write(old, Self.name)
        let system = try LyingFolder(folder.path)
        let options = RealmStore.Options(key: key, upgrade: .withBackup)
        let store = try RealmStore(path: folder.file(Self.name), options: options, system: system)
        let new = try store.snapshot().contentHash()
        return try lose(system) { image, end in
            guard let file = image[Self.name] else { throw ProgramFailure("there is no file") }
            if file == old {
                guard end < system.count else { throw ProgramFailure("the old file is there after the upgrade") }
                return Found(isNew: false, program: nil)
            }
            guard try hash(file) == new else { throw ProgramFailure("neither the old nor the new content") }
            guard image.contains(where: { $0.key.hasSuffix(".backup") && $0.value == old }) else {
                throw ProgramFailure("the backup is lost")
            }
            return Found(isNew: true, program: nil)
        }
    }

    private struct Found {
        let isNew: Bool
        /// A program that can continue with it; nil for none.
        let program: RandomProgram?
    }

    /// Simulates a power failure after each call.
    ///
    /// - Parameter find: identifies the content of a folder after a number of calls.
    private func lose(
        _ system: LyingFolder, _ find: ([String: [UInt8]], Int) throws -> Found
    ) throws -> CrashCase.Result {
        var result = CrashCase.Result()
        var random = Numbers(state: seed)
        for end in 0...system.count {
            result.points += 1
            for attempt in 0..<statesOfPoint {
                let image = system.image(upTo: end, sector: sector) {
                    attempt == 0 ? false : attempt == 1 ? true : random.chance(2)
                }
                result.states += 1
                do {
                    let found = try find(image, end)
                    if found.isNew { result.new += 1 } else { result.old += 1 }
                    guard result.states % thoroughStep == 0, let bytes = image[Self.name] else { continue }
                    var isChecked = bytes
                    if let program = found.program {
                        result.continued += 1
                        var next = try program.continued(on: bytes)
                        try next.transaction(operations: 3)
                        if let difference = try next.differences().first { throw ProgramFailure(difference) }
                        isChecked = try next.bytes()
                    }
                    try check(isChecked)
                } catch {
                    result.lost.append(
                        "seed \(seed), \(key == nil ? "plain" : "encrypted"), sectors of \(sector), after \(end) of "
                            + "\(system.count) calls, outcome \(attempt): \(error)")
                }
            }
        }
        return result
    }

    private func check(_ bytes: [UInt8]) throws {
        let (source, verification) = (ByteSource(bytes: bytes), Verification(level: .deep))
        let report = try key.map { try verification.run(on: source, key: $0) } ?? verification.run(on: source)
        if let finding = report.findings.first(where: { $0.severity == .error }) {
            throw ProgramFailure("\(finding.check.rawValue) \(finding.place): \(finding.message)")
        }
    }
}
