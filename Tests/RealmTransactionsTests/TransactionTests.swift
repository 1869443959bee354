import RealmReader
import RealmStorage
import RealmTransactions
import RealmVerifier
import RealmWriter
import TestSupport
import Testing
import WriterTestSupport

/// Random transactions on random databases leave what a model in memory says, in files with which nothing is wrong.
@Suite struct RandomTransactionTests {
    @Test(arguments: Share.current.of(UInt64(1)...40))
    func `what was changed is read back, and nothing else has changed`(seed: UInt64) throws {
        var program = try RandomProgram(seed: seed)
        for round in 0..<12 {
            try program.transaction(operations: [1, 2, 5, 20, 60, 150][round % 6])
            let findings = Verification(level: .deep).run(on: ByteSource(bytes: try program.bytes())).findings
                .filter { $0.check != .utf8 && !($0.check == .tombstones && $0.severity == .info) }
                .map { "\($0.check.rawValue) \($0.place): \($0.message)" }
            try #require(findings.isEmpty, "seed \(seed), round \(round)")
            let differences = try program.differences()
            try #require(differences.isEmpty, "seed \(seed), round \(round)")
        }
    }
}
