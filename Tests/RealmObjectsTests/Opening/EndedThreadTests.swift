import Expectations
import Foundation
import RealmCore
import RealmObjects
import RealmStore
import Synchronization
import Testing

/// Threads that have ended: the system reuses their identifiers.
@Suite struct EndedThreadTests {
    private final class Kept {
        var dog: Dog?
        var transaction: WriteTransaction?
    }

    /// In a separate process, because other threads must not start in between.
    @Test func `a thread does not get the realm of an ended thread`() async {
        await #expect(processExitsWith: .success) {
            let file = TestRealm(kennelTypes)
            let configuration = file.configuration
            let realm = try file.open()
            try realm.write { realm.add(Dog(value: ["name": "Rex"])) }
            for count in 1..<20 {
                let kept = Shared(Kept())
                try onAnotherThread { kept.value.dog = try Realm(configuration: configuration).objects(Dog.self).first }
                try realm.write { realm.add(Dog(value: ["name": "Max"])) }
                try onAnotherThread {
                    let there = try Realm(configuration: configuration)
                    if there.objects(Dog.self).count != count + 1 { exit(2) }
                }
                guard kept.value.dog != nil else { exit(3) }
            }
        }
    }

    @Test func `an object of an ended thread is not read by another thread`() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = TestRealm(kennelTypes)
            let configuration = file.configuration
            let kept = Shared(Kept())
            try onAnotherThread {
                let realm = try Realm(configuration: configuration)
                try realm.write { realm.add(Dog(value: ["name": "Rex"])) }
                kept.value.dog = realm.objects(Dog.self).first
            }
            for _ in 0..<20 { try onAnotherThread { _ = kept.value.dog?.name } }
        }
        let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        expect(said.contains("Realm accessed from incorrect thread"), "\(said)")
    }

    @Test func `a thread waits for the transaction of an ended thread`() async {
        await #expect(processExitsWith: .success) {
            alarm(600)
            let store = try RealmStore(inMemory: SchemaDefinition([TableDefinition(class: "Dog", [])]))
            for _ in 0..<20 {
                let kept = Shared(Kept())
                try onAnotherThread { kept.value.transaction = try store.begin() }
                let done = DispatchSemaphore(value: 0)
                Thread.detachNewThread {
                    do { try store.begin().cancel() } catch { exit(2) }
                    done.signal()
                }
                usleep(2000)
                kept.value.transaction?.cancel()
                done.wait()
            }
        }
    }
}
