internal import RealmContent
internal import RealmReader
package import RealmStorage
internal import RealmVerifier
import WriterTestSupport

/// A random database that goes through thousands of operations, in commits of few and of many, beside its model.
package struct LongProgram {
    package let seed: UInt64
    package let key: EncryptionKey?
    package var operations = 10_000
    /// Commits between two looks at the whole file.
    package var step = 10

    /// What was done.
    package struct Result: Sendable {
        package var commits = 0
        /// How often the file was verified in depth, and its content compared with the model.
        package var checks = 0
        /// Objects at the end, and bytes of the file.
        package var objects = 0
        package var bytes = 0
    }

    package init(seed: UInt64, key: EncryptionKey?) { (self.seed, self.key) = (seed, key) }

    /// Runs it.
    ///
    /// - Throws: `ProgramFailure` where the file is not what it must be.
    package func run() throws -> Result {
        var result = Result()
        var program = try RandomProgram(seed: seed, key: key)
        var sizes = Numbers(state: seed)
        var left = operations
        // Snapshots that are read for some time, with what they have.
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
            // Of every other program one in 40 operations changes the schema.
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
    /// What a check in depth finds wrong with the file.
    package func findings() throws -> [String] {
        let (source, verification) = (ByteSource(bytes: try bytes()), Verification(level: .deep))
        let report = try key.map { try verification.run(on: source, key: $0) } ?? verification.run(on: source)
        // Strings that are not UTF-8, and tombstones without links, are made on purpose.
        return report.findings.filter { $0.check != .utf8 && !($0.check == .tombstones && $0.severity == .info) }
            .map { "\($0.check.rawValue) \($0.place): \($0.message)" }
    }
}
