import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import RealmStore
import TestSupport
import Testing
import TransactionTestSupport

/// Read errors in the middle of a schema change: the transaction ends, and nothing has changed.
@Suite struct FailingReadTests {
    private static func key(_ isEncrypted: Bool) throws -> EncryptionKey? {
        isEncrypted ? try EncryptionKey(bytes: [UInt8](repeating: 3, count: 64)) : nil
    }

    private static func hash(_ bytes: [UInt8], _ key: EncryptionKey?) throws -> ContentHash {
        try RandomProgram.database(bytes, key).snapshot().contentHash()
    }

    /// An encrypted file is already mapped; the corresponding failure is that of a page, below.
    @Test(arguments: Share.current.of(UInt64(400)...407))
    func `a failed read during a schema change loses nothing`(seed: UInt64) throws {
        let key = try Self.key(false)
        var whole = try RandomProgram(seed: seed, key: key)
        let before = whole.disk.readCount
        try whole.transaction(operations: 5, schemaChanges: 2)
        let (calls, new) = (whole.disk.readCount - before, try Self.hash(whole.bytes(), key))
        expect(calls > 0)
        for call in 0..<calls {
            var program = try RandomProgram(seed: seed, key: key)
            let old = try Self.hash(program.bytes(), key)
            program.disk.failReads(from: call)
            var failure: WriteError?
            do {
                try program.transaction(operations: 5, schemaChanges: 2)
            } catch let error as WriteError {
                failure = error
            }
            program.disk.failReads(from: nil)
            guard case .storage? = failure else {
                throw ProgramFailure("call \(call) fails otherwise: \(failure as Any)")
            }
            let found = try Self.hash(program.bytes(), key)
            if program.canWrite() {
                expectEqual(found, old, "call \(call)")
                // The failed transaction leaves no remains.
                var again = try RandomProgram(seed: seed, key: key).continued(on: program.bytes())
                try again.transaction(operations: 5, schemaChanges: 2)
                try expectEqual(Self.hash(again.bytes(), key), new)
            } else {
                // The header was being changed: the next session finds one state or the other.
                expect(found == old || found == new, "call \(call)")
                #expect(throws: WriteError.self) { try program.transaction(operations: 1) }
            }
            try expect(program.continued(on: program.bytes()).canWrite())
        }
    }

    /// Changing a type reads all objects of a class. The pages it reads are found by damaging one after another.
    @Test func `an unreadable page ends a schema change, which can be repeated later`() throws {
        let folder = try TemporaryFolder()
        var file = NewFile(folder.file("notes.realm"))
        let key = try #require(try Self.key(true))
        file.key = key
        let builder = try RealmBuilder(
            SchemaDefinition([
                TableDefinition(
                    class: "Note", primaryKey: "id",
                    [PropertyDefinition("id", .int), PropertyDefinition("number", .int)])
            ]), at: file)
        for number in 0..<Int64(8000) { _ = try builder.add("Note", ["id": .int(number), "number": .int(number * 3)]) }
        try builder.finish()
        let bytes = try #require(folder.bytes("notes.realm"))
        func change(_ store: RealmStore) throws {
            try store.write { transaction in
                _ = try transaction.add("Note", ["id": -1, "number": 7])
                try transaction.addProperty(PropertyDefinition("text", .string), to: "Note", value: "new")
                try transaction.changeType(of: "number", in: "Note", to: .string)
                try transaction.setIndex(.general, of: "number", in: "Note")
            }
        }
        let new = try { () -> ContentHash in
            let store = try RealmStore(on: MemoryDevice(bytes), key: key)
            try change(store)
            return try store.snapshot().contentHash()
        }()
        var refused = 0
        for page in stride(from: 2, to: bytes.count / 4096, by: 2) where page % 65 != 0 {
            let disk = try MemoryDevice(bytes)
            let store = try RealmStore(on: disk, key: key)
            let place = page * 4096 + 100
            func put(_ byte: UInt8) throws { try ByteView.with([byte]) { try disk.write($0, at: place) } }
            try put(bytes[place] ^ 1)
            do {
                try change(store)
                continue
            } catch WriteError.source(let error) {
                expectEqual(error.code, .damagedPage)
                refused += 1
            }
            try put(bytes[place])
            try expectEqual(store.snapshot().table(named: "Note").count, 8000)
            try expectEqual(store.snapshot().table(named: "Note").schema.properties.map(\.name), ["id", "number"])
            try change(store)
            try expectEqual(store.snapshot().contentHash(), new)
        }
        expect(refused > 5, "\(refused) refused")
    }
}
