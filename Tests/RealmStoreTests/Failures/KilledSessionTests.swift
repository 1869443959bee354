import Expectations
import RealmCore
import RealmForensics
import RealmStorage
import RealmStore
import TestSupport
import Testing
import TransactionTestSupport
import WriterTestSupport

/// A process that is killed before it synchronised leaves a commit that the next process sees, but that a power failure
/// may still lose.
@Suite struct KilledSessionTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func update(_ store: RealmStore, _ round: Int) throws {
        try store.write { transaction in
            // In more than one cluster: a mixture of two commits equals neither of them.
            for number in 0..<20 {
                let key = Int64((round * 7 + number * 43) % 900)
                let dog = try #require(try transaction.object("Dog", primaryKey: .int(key)))
                try transaction.set(dog, "name", .string("round \(round)"))
            }
        }
    }

    /// Returns the bytes of a database with dogs.
    private func kennel(_ key: EncryptionKey?) throws -> [UInt8] {
        var file = NewFile(folder.file("file.realm"))
        file.key = key
        try RealmDatabase(path: DogKennel.make(folder, dogs: 900)).snapshot().write(to: file)
        let disk = try LyingDisk(try #require(folder.bytes("file.realm")))
        let store = try RealmStore(on: disk, key: key)
        // Both slots refer to commits, and page 0 has its copy.
        for round in 0..<3 { try update(store, round) }
        return try disk.bytes
    }

    @Test(arguments: [false, true], [RealmStore.Durability.full, .ordered])
    func `a power failure after a killed process leaves one of the commits`(
        isEncrypted: Bool, durability: RealmStore.Durability
    ) throws {
        let key = isEncrypted ? try EncryptionKey(bytes: [UInt8](repeating: 7, count: 64)) : nil
        func hash(_ bytes: [UInt8]) throws -> ContentHash {
            try RandomProgram.database(bytes, key).snapshot().contentHash()
        }
        let start = try kennel(key)
        let whole = try LyingDisk(start)
        try update(RealmStore(on: whole, key: key), 3)
        var known = [try hash(start), try hash(whole.bytes)]
        // The process ends just before its last sync.
        let disk = try LyingDisk(start)
        do {
            let store = try RealmStore(on: disk, key: key)
            disk.fail(from: whole.events.count - 1)
            #expect(throws: WriteError.self) { try update(store, 3) }
            disk.fail(from: nil)
        }
        try expectEqual(hash(disk.bytes), known[1])
        let killed = disk.events.count
        let store = try RealmStore(on: disk, key: key, durability: durability)
        for round in 4..<7 {
            try update(store, round)
            known.append(try hash(disk.bytes))
        }
        expect(zip(known, known.dropFirst()).allSatisfy { $0 != $1 })
        let events = disk.events
        var random = Numbers(state: 5)
        for end in killed...events.count {
            for attempt in 0..<8 {
                let image = events.image(of: start, upTo: end, sector: 512) {
                    attempt == 0 ? false : attempt == 1 ? true : Bool.random(using: &random)
                }
                let found = try? hash(image)
                expect(found.map { known.contains($0) } ?? false, "\(end) of \(events.count), \(attempt)")
            }
        }
    }
}
