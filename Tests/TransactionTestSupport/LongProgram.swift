internal import RealmCore
internal import RealmForensics
package import RealmStorage
import WriterTestSupport

/// A random database with thousands of operations, in small and large commits, compared with its model.
package struct LongProgram {
    package let seed: UInt64
    package let key: EncryptionKey?
    package var operations = 10_000
    /// The number of commits between two checks of the whole file.
    package var step = 10

    /// The statistics of a run.
    package struct Result: Sendable {
        package var commits = 0
        /// The number of deep verifications and comparisons with the model.
        package var checks = 0
        /// The number of objects at the end, and the size of the file in bytes.
        package var objects = 0
        package var bytes = 0
    }

    package init(seed: UInt64, key: EncryptionKey?) { (self.seed, self.key) = (seed, key) }

    /// Runs the program.
    ///
    /// - Throws: `ProgramFailure` if the file is not as expected.
    package func run() throws -> Result {
        var result = Result()
        var program = try RandomProgram(seed: seed, key: key)
        var sizes = Numbers(state: seed)
        var left = operations
        // Snapshots that are kept for some time, with their content hashes.
        var kept: [(snapshot: Snapshot, hash: ContentHash)] = []
        func letGo(_ index: Int) throws {
            let (snapshot, hash) = kept.remove(at: index)
            guard try snapshot.contentHash() != hash else { return }
            throw ProgramFailure(
                "seed \(seed), commit \(result.commits): snapshot \(snapshot.commitNumber) has changed")
        }
        while left > 0 {
            let count = min(left, [1, 2, 3, 5, 8, 20, 60].randomElement(using: &sizes) ?? 1)
            left -= count
            // In every other program, one in 40 operations changes the schema.
            try program.transaction(operations: count, schemaChanges: seed % 2 == 1 ? 40 : 0)
            program.disk.forgetEvents()
            result.commits += 1
            if sizes.next() % 8 == 0 {
                kept.append((program.snapshot(), try program.snapshot().contentHash()))
                if kept.count > 5 { try letGo(Int(sizes.next() % 5)) }
            }
            guard left == 0 || result.commits % step == 0 else { continue }
            let findings = try program.findings() + program.schemaDifferences() + program.differences()
            if let first = findings.first { throw ProgramFailure("seed \(seed), commit \(result.commits): \(first)") }
            result.checks += 1
        }
        while !kept.isEmpty { try letGo(0) }
        (result.objects, result.bytes) = (program.objects.count, try program.bytes().count)
        return result
    }
}

extension RandomProgram {
    /// Returns the findings of a deep verification of the file.
    package func findings() throws -> [String] {
        let (source, verification) = (ByteSource(bytes: try bytes()), Verification(level: .deep))
        let report = try key.map { try verification.run(on: source, key: $0) } ?? verification.run(on: source)
        // Invalid UTF-8 and tombstones without links are intended.
        return report.findings.filter { $0.check != .utf8 && !($0.check == .tombstones && $0.severity == .info) }
            .map { "\($0.check.rawValue) \($0.place): \($0.message)" }
    }
}
