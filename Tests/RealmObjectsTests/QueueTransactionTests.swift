import Dispatch
import Expectations
import Foundation
import RealmObjects
import Testing

/// Transactions of realms on queues: any thread runs the blocks of a queue, and then those of other queues.
@Suite struct QueueTransactionTests {
    /// `sync` runs a block on the calling thread, as system threads run blocks of several queues.
    @Test func `a write waits for a queue that runs no block on its thread`() throws {
        let file = TestRealm(kennelTypes)
        let shared = Shared((one: try QueueRealm(of: file), other: try QueueRealm(of: file)))
        try onAnotherThread {
            let (one, other) = shared.value
            func commitLater(_ name: String) {
                one { realm in
                    realm.beginWrite()
                    realm.add(Dog(name: name, age: 1))
                }
                DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) {
                    one.queue.async { #expect(throws: Never.self) { try shared.value.one.realm.commitWrite() } }
                }
            }
            commitLater("a")
            try other { realm in
                try realm.write {
                    expectEqual(realm.objects(Dog.self).map(\.name), ["a"])
                    realm.add(Dog(name: "b", age: 2))
                }
            }
            commitLater("c")
            let here = try Realm(configuration: one.file.configuration)
            try here.write { here.add(Dog(name: "d", age: 3)) }
        }
        try expectEqual(file.open().objects(Dog.self).map(\.name).sorted(), ["a", "b", "c", "d"])
        shared.value.other.queue.sync {}
    }

    @Test func `a write inside a block of the queue would wait for itself`() throws {
        let shared = Shared(try QueueRealm(kennelTypes))
        try onAnotherThread {
            let kennel = shared.value
            let inner = DispatchQueue(label: "blocks that the queue runs", target: kennel.queue)
            try kennel { realm in
                realm.beginWrite()
                let here = try Realm(configuration: kennel.file.configuration)
                #expect(throws: Realm.Error.self) { try here.write {} }
            }
            // These keep the queue busy in the same way.
            try inner.sync {
                let there = try Realm(configuration: kennel.file.configuration, queue: inner)
                #expect(throws: Realm.Error.self) { try there.write {} }
            }
            try kennel { realm in
                realm.cancelWrite()
                try realm.write {}
            }
            // A block that the thread waits for prevents it from ending its transaction.
            let here = try Realm(configuration: kennel.file.configuration)
            here.beginWrite()
            kennel { realm in #expect(throws: Realm.Error.self) { try realm.write {} } }
            here.cancelWrite()
        }
    }
}
