import Expectations
import Foundation
import RealmObjects
import Testing

/// Transactions that are never ended, that end in the middle of a block, and that other transactions wait for.
@Suite struct OpenTransactionTests {
    @Test func `a thread that ends leaves no transaction open`() async {
        await #expect(processExitsWith: .success) {
            alarm(600)
            let file = TestRealm(kennelTypes)
            let configuration = file.configuration
            let realm = try file.open()
            for round in 1...5 {
                try onAnotherThread {
                    let there = try Realm(configuration: configuration)
                    try there.write { there.add(Dog(name: "kept", age: round)) }
                    there.beginWrite()
                    there.add(Dog(name: "lost", age: round))
                }
                try realm.write { realm.add(Dog(name: "next", age: round)) }
            }
            let names = realm.objects(Dog.self).map(\.name)
            guard names == Array(repeating: ["kept", "next"], count: 5).flatMap({ $0 }) else { exit(2) }
        }
    }

    @Test func `a transaction that a block begins is committed with it`() throws {
        let kennel = try QueueRealm(kennelTypes)
        let done = DispatchSemaphore(value: 0)
        kennel { realm in
            realm.writeAsync(
                {
                    for number in 1...7 {
                        realm.add(Dog(name: "dog", age: number))
                        guard number % 3 == 0 else { continue }
                        do { try realm.commitWrite() } catch { Issue.record(error) }
                        realm.beginWrite()
                    }
                },
                onComplete: { error in
                    expect(error == nil)
                    done.signal()
                })
        }
        expectEqual(done.wait(timeout: .now() + 600), .success)
        kennel { realm in expect(!realm.isInWriteTransaction && realm.objects(Dog.self).map(\.age) == Array(1...7)) }
        try kennel.elsewhere { realm in
            expectEqual(realm.objects(Dog.self).count, 7)
            try realm.write { realm.deleteAll() }
        }
        // `beginAsyncWrite` commits nothing without an explicit commit.
        kennel { realm in
            realm.beginAsyncWrite {
                realm.add(Dog(name: "dog", age: 1))
                do { try realm.commitWrite() } catch { Issue.record(error) }
                realm.beginWrite()
                realm.add(Dog(name: "dog", age: 2))
            }
        }
        try kennel.elsewhere { realm in try realm.write { expectEqual(realm.objects(Dog.self).map(\.age), [1]) } }
    }

    @MainActor @Test func `a task that is cancelled before its block runs does not write`() async throws {
        let realm = try TestRealm(kennelTypes).open()
        for _ in 0..<20 {
            let task = Task { @MainActor in try await realm.asyncWrite { realm.add(Dog(name: "Rex", age: 1)) } }
            await Task.yield()
            task.cancel()
            let result = await task.result
            let count = realm.objects(Dog.self).count
            switch result {
            case .success: expectEqual(count, 1)
            case .failure(let error): expect(error is CancellationError && count == 0)
            }
            try realm.write { realm.deleteAll() }
        }
    }

    @MainActor @Test func `a task waits for a transaction that another one ends`() async throws {
        let file = TestRealm(kennelTypes)
        let realm = try file.open()
        realm.beginWrite()
        realm.add(Dog(name: "first", age: 1))
        let task = Task { @MainActor in try await realm.asyncWrite { realm.add(Dog(name: "second", age: 2)) } }
        try await Task.sleep(for: .milliseconds(20))
        expectEqual(realm.objects(Dog.self).map(\.name), ["first"])
        try realm.commitWrite()
        try await task.value
        expectEqual(realm.objects(Dog.self).map(\.name), ["first", "second"])
        // A transaction that would wait for itself fails.
        realm.beginWrite()
        let error = await #expect(throws: Realm.Error.self) { try await realm.asyncWrite {} }
        expect(error?.message.contains("another transaction") ?? false)
        realm.cancelWrite()
    }

    @Test func `a configuration without a database is reported`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var configuration = Realm.Configuration(objectTypes: kennelTypes)
            configuration.fileURL = nil
            _ = try Realm(configuration: configuration)
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        expect(said.contains("A Realm Configuration must specify a path or an in-memory identifier."))
    }
}
