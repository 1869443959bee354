import RealmCore
import RealmStorage
import RealmStore
import TestSupport
import Testing
import TransactionTestSupport
import WriterTestSupport

private import Foundation

/// Random transactions on random databases give the same content as a model in memory, in sound files.
@Suite struct RandomTransactionTests {
    @Test(arguments: Share.current.of(UInt64(400)...419))
    func `an encrypted file contains the changes, and each page is valid`(seed: UInt64) throws {
        let key = try EncryptionKey(bytes: [UInt8](repeating: UInt8(truncatingIfNeeded: seed), count: 64))
        var program = try RandomProgram(seed: seed, key: key)
        for round in 0..<8 {
            try program.transaction(operations: [1, 2, 40, 100][round % 4])
            let findings = try program.findings()
            try #require(findings.isEmpty, "seed \(seed), round \(round)")
            let differences = try program.differences()
            try #require(differences.isEmpty, "seed \(seed), round \(round)")
        }
    }

    @Test(arguments: Share.current.of(UInt64(1)...40))
    func `changes are read back, and nothing else has changed`(seed: UInt64) throws {
        var program = try RandomProgram(seed: seed)
        for round in 0..<12 {
            try program.transaction(operations: [1, 2, 5, 20, 60, 150][round % 6])
            let findings = try program.findings()
            try #require(findings.isEmpty, "seed \(seed), round \(round)")
            let differences = try program.differences()
            try #require(differences.isEmpty, "seed \(seed), round \(round)")
        }
    }
}

/// The same with schema changes in between.
@Suite struct RandomSchemaTests {
    @Test(arguments: Share.current.of(UInt64(600)...663))
    func `schema changes are read back, and nothing else has changed`(seed: UInt64) throws {
        var program = try RandomProgram(seed: seed)
        for round in 0..<8 {
            let before = program.snapshot()
            try program.transaction(operations: [2, 6, 20, 60][round % 4], schemaChanges: 3)
            let findings = try program.findings()
            try #require(findings.isEmpty, "seed \(seed), round \(round)")
            try #require(program.schemaDifferences() == [], "seed \(seed), round \(round)")
            let differences = try program.differences()
            try #require(differences.prefix(3) == [], "seed \(seed), round \(round)")
            // The changes can be computed.
            _ = try program.snapshot().changes(since: before)
        }
        try BuiltFiles.keep(program.bytes(), "schema-\(seed)")
    }
}
