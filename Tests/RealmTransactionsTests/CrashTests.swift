import RealmContent
import RealmReader
import RealmStorage
import RealmTransactions
import RealmVerifier
import RealmWriter
import TestSupport
import Testing
import WriterTestSupport

/// After a loss of power at any moment the database is what it was before the commit or what it is after it.
@Suite struct CrashTests {
    @Test(arguments: Share.current.of(UInt64(100)...115))
    func `a loss of power leaves one commit or the next`(seed: UInt64) throws {
        var program = try RandomProgram(seed: seed)
        for round in 0..<6 {
            let before = try program.bytes()
            program.disk.forgetEvents()
            try program.transaction(operations: [1, 3, 40][round % 3])
            let events = program.disk.events
            let old = try Self.hash(before)
            let new = try Self.hash(program.bytes())
            for end in 0...events.count {
                for attempt in 0..<4 {
                    let sector = attempt % 2 == 0 ? 512 : 4096
                    let image = events.image(of: before, upTo: end, sector: sector) {
                        attempt == 0 ? false : attempt == 1 ? true : program.coin()
                    }
                    let found = try Self.hash(image)
                    try #require(
                        found == old || found == new, "seed \(seed), round \(round), \(end) of \(events.count) events")
                    if end == events.count { try #require(found == new) }
                }
            }
        }
    }

    /// Writing may fail for want of room, which is no reason to give up; when a change of the header or waiting for the disk
    /// fails, nobody knows what is there.
    @Test(arguments: Share.current.of(UInt64(200)...207))
    func `a disk that fails leaves the commit before, or after the last write the new one`(seed: UInt64) throws {
        var whole = try RandomProgram(seed: seed)
        whole.disk.forgetEvents()
        try whole.transaction(operations: 5)
        let calls = whole.disk.events.count
        let new = try Self.hash(whole.bytes())
        for call in 0..<calls {
            var program = try RandomProgram(seed: seed)
            let old = try Self.hash(program.bytes())
            program.disk.fail(from: call)
            #expect(throws: WriteError.self) { try program.transaction(operations: 5) }
            program.disk.fail(from: nil)
            #expect(try Self.hash(program.bytes()) == (call == calls - 1 ? new : old))
            let verified = Verification(level: .deep).run(on: ByteSource(bytes: try program.bytes()))
            #expect(!verified.findings.contains { $0.severity == .error })
            // The slot, a wait, the bit that selects, a wait.
            let isKnown = call < calls - 4
            #expect(program.canWrite() == isKnown, "call \(call) of \(calls)")
        }
    }

    private static func hash(_ bytes: [UInt8]) throws -> ContentHash {
        try RealmDatabase(source: ByteSource(bytes: bytes)).snapshot().contentHash()
    }
}
