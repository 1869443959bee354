private import Foundation
import Expectations
import RealmCore
import RealmForensics
import RealmStorage
import RealmStore
import TestSupport
import Testing

/// Other processes that have the file open.
@Suite struct ProcessTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func `a file that another process has open is refused, and the process is reported`() throws {
        let path = try DogKennel.make(folder)
        let process = try WriterProcess(["hold", path, "100000"])
        defer { process.end() }
        #expect {
            try RealmStore(path: path, options: .init(waitLimit: .milliseconds(30)))
        } throws: { error in
            guard let error = error as? StorageError else { return false }
            #if os(Linux)
                expectEqual(error.holders.map(\.processID), [process.number])
                expectEqual(error.holders.first?.name, "LiveWriter")
                expect(
                    "\(error)".hasSuffix(
                        "process \(process.number) (LiveWriter) has it open; close that, or choose another path"))
            #endif
            return error.isInUse
        }
        // It can still be read.
        try expectEqual(DogKennel.keys(RealmDatabase(path: path).snapshot()).count, 100)
    }

    @Test func `a store that this process has open is reported as such`() throws {
        let path = try DogKennel.make(folder)
        let store = try RealmStore(path: path)
        #expect { try RealmStore(path: path) } throws: { error in
            #if os(Linux)
                expectEqual((error as? StorageError)?.holders.first?.isThisProcess, true)
                expect("\(error)".contains("this process has it open already"))
            #endif
            return (error as? StorageError)?.isInUse == true
        }
        try store.close()
    }

    @Test func `a store waits for another process within the time limit`() throws {
        let path = try DogKennel.make(folder)
        let process = try WriterProcess(["hold", path, "150"])
        defer { process.end() }
        let store = try RealmStore(path: path, options: .init(durability: .none, waitLimit: .seconds(60)))
        try store.write { try $0.addDog(500) }
        try expectEqual(DogKennel.keys(store.snapshot()).count, 101)
    }

    @Test func `the remains of a crash in the lock file are removed`() throws {
        let path = try DogKennel.make(folder)
        // A session of two processes that have ended, as left by Realm Core.
        var session = [UInt8](repeating: 0, count: 1728)
        (session[0], session[4], session[6], session[12], session[16]) = (1, 24, 14, 2, 9)
        try folder.write(session, "kennel.realm.lock")
        let store = try RealmStore(path: path)
        expectEqual(folder.bytes("kennel.realm.lock"), [])
        try store.write { try $0.addDog(500) }
        try store.close()
        expectEqual(folder.bytes("kennel.realm.lock"), [])
    }

    @Test func `a reader sees only complete commits while another process writes`() throws {
        let path = try DogKennel.make(folder)
        let process = try WriterProcess(["store", path])
        defer { process.end() }
        var commits: Set<UInt64> = []
        var reads = 0
        // On a busy machine, the other process may not have reached its first commit yet.
        while reads < 40 || commits.count < 2, reads < 20_000 {
            reads += 1
            if reads > 40 { Thread.sleep(forTimeInterval: 0.001) }
            let copy = try ByteSource.privateCopy(ofFileAt: path, attempts: 10_000)
            let snapshot = try RealmDatabase(source: copy).snapshot()
            var (sum, names) = (0, Set<String>())
            var dogs = try snapshot.table(named: "Dog").objects
            while let dog = try dogs.next() {
                sum += try dog.get("age", as: Int.self)
                names.insert(try dog.get("name", as: String.self))
            }
            expectEqual(sum, 100)
            expect(names.count == 1 || snapshot.commitNumber == 2)
            commits.insert(snapshot.commitNumber)
        }
        expect(commits.count > 1)
        let copy = try ByteSource.privateCopy(ofFileAt: path, attempts: 10_000)
        // The next commit is written over the one before the previous, which the other slot refers to until the new
        // commit is selected.
        let findings = Verification(level: .deep).run(on: copy).findings.filter { $0.check != .otherSlot }
        expect(findings.isEmpty)
    }

    /// Bytes that are mapped and not copied may be overwritten during a read; the reader then reports this.
    @Test func `a reader of the mapped file is notified of commits during a read`() throws {
        let path = try DogKennel.make(folder)
        let process = try WriterProcess(["store", path])
        defer { process.end() }
        var (whole, changed) = (0, 0)
        for _ in 0..<2000 where whole < 20 || changed < 5 {
            do {
                let snapshot = try RealmDatabase(path: path).snapshot()
                var sum = 0
                var dogs = try snapshot.table(named: "Dog").objects
                while let dog = try dogs.next() { sum += try dog.get("age", as: Int.self) }
                try snapshot.checkUnchanged()
                expectEqual(sum, 100)
                whole += 1
            } catch {
                changed += 1
            }
        }
        expect(whole > 0)
    }
}
