import Expectations
import Foundation
import RealmFile
import RealmForensics
import Synchronization
import Testing

/// Asynchronous operations on whole files.
@Suite struct OperationTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "operations-\(UUID())")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    private func file(_ name: String) -> String { folder.appending(path: name).path }

    private static let key = [UInt8](0..<64)

    @Test func `a file is verified, hashed, compacted, rebuilt and salvaged`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = try RealmDatabase(path: Kennel.path)
        try await expectEqual(database.verify(.deep), Verification(level: .deep).run(on: ByteSource(path: Kennel.path)))
        let snapshot = try database.snapshot()
        let hash = try await snapshot.hash(by: .primaryKey)
        try expectEqual(hash.total, snapshot.contentHash(by: .primaryKey).total)
        let key = try EncryptionKey(bytes: Self.key)
        try await snapshot.compact(to: NewFile(file("compact.realm"), key: key))
        let compact = try RealmDatabase(path: file("compact.realm"), key: key)
        try await expectEqual(compact.snapshot().hash(by: .primaryKey).total, hash.total)
        try await expect(compact.verify(.deep, jobs: 2).isSound)
        try await snapshot.compact(to: NewFile(file("compact.realm"), overwrite: true))
        try await expect(RealmDatabase(path: file("compact.realm")).verify().isSound)
        let leftOut = try await snapshot.rebuild(to: NewFile(file("dogs.realm")), classes: ["Dog"])
        expect(leftOut.allSatisfy { $0.table == "class_Dog" })
        try expectEqual(RealmDatabase(path: file("dogs.realm")).snapshot().table(named: "Dog").count, 10)
        let result = try await compact.salvage(to: NewFile(file("salvaged.realm")))
        expect(result.report.isLossless)
        try await expectEqual(
            RealmDatabase(path: file("salvaged.realm")).snapshot().hash(by: .primaryKey).total, hash.total)
    }

    @Test func `a previous commit is extracted into its own file, or reported as missing`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = Kennel.project.appending(path: "Fixtures/tombstones.realm").path
        let database = try RealmDatabase(path: path)
        let expected = Result { try FileRepair(ByteSource(path: path)).plan(.otherSlot).isComplete }
        let found: Result<Bool, any Error>
        do {
            found = .success(try await database.repair(.otherSlot, to: NewFile(file("before.realm"))) != nil)
        } catch {
            found = .failure(error)
        }
        expectEqual((try? found.get()), (try? expected.get()))
        expectEqual(FileManager.default.fileExists(atPath: file("before.realm")), ((try? found.get()) ?? false))
        let report = try await database.repair(.findRoot, to: NewFile(file("found.realm")))
        expectEqual(report?.isSound, true)
        try await expectEqual(
            RealmDatabase(path: file("found.realm")).snapshot().hash().total, database.snapshot().hash().total)
    }

    /// Recorded progress of an operation.
    private final class Heard: Sendable {
        private let steps = Mutex<[(done: Int, total: Int)]>([])

        func add(_ done: Int, _ total: Int) { steps.withLock { $0.append((done, total)) } }

        /// The total number of objects, if the steps lead up to it in order; nil otherwise.
        var total: Int? {
            steps.withLock { steps in
                guard let last = steps.last, last.done == last.total, steps.allSatisfy({ $0.total == last.total }),
                    zip(steps, steps.dropFirst()).allSatisfy({ $0.done <= $1.done })
                else { return nil }
                return last.total
            }
        }
    }

    @Test func `progress reports the finished objects and the total`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let database = try RealmDatabase(path: Kennel.path)
        let snapshot = try database.snapshot()
        let classes = try snapshot.classes.reduce(0) { try $0 + $1.count }
        let (hashed, checked, salvaged) = (Heard(), Heard(), Heard())
        _ = try await snapshot.hash(progress: { hashed.add($0, $1) })
        expectEqual(hashed.total, classes)
        _ = try await database.verify(jobs: 2, progress: { checked.add($0, $1) })
        try expectEqual(checked.total, snapshot.tables.reduce(0) { try $0 + $1.count })
        let result = try await database.salvage(to: NewFile(file("salvaged.realm")), progress: { salvaged.add($0, $1) })
        expectEqual(salvaged.total, result.report.tables.reduce(0) { $0 + $1.objects })
    }

    @Test(arguments: [1, 2]) func `a cancelled task has no result`(_ jobs: Int) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = file("no.realm")
        let task = Task {
            let database = try RealmDatabase(path: Kennel.path)
            let snapshot = try database.snapshot()
            withUnsafeCurrentTask { $0?.cancel() }
            var ends = 0
            do { _ = try await database.verify(jobs: jobs) } catch is CancellationError { ends += 1 }
            do { _ = try await snapshot.hash() } catch is CancellationError { ends += 1 }
            do { try await snapshot.compact(to: NewFile(path)) } catch is CancellationError { ends += 1 }
            do { try await snapshot.rebuild(to: NewFile(path)) } catch is CancellationError { ends += 1 }
            do { _ = try await database.salvage(to: NewFile(path)) } catch is CancellationError { ends += 1 }
            return ends
        }
        try await expectEqual(task.value, 5)
        expect(!FileManager.default.fileExists(atPath: path))
    }
}
