import Expectations
import Foundation
import RealmObjects
import Testing

/// Copies of uncommitted changes and of commits that are not on disk yet.
@Suite struct TransactionCopyTests {
    private func count(_ configuration: Realm.Configuration) throws -> Int {
        try Realm(configuration: configuration).objects(Dog.self).count
    }

    @Test(arguments: [false, true])
    func `a copy contains the changes of the current transaction`(isEncrypted: Bool) throws {
        try onAThread {
            let (file, copy) = (TestRealm(kennelTypes), TestRealm(kennelTypes))
            if isEncrypted { file.configuration.encryptionKey = Data(repeating: 7, count: 64) }
            copy.configuration.encryptionKey = isEncrypted ? nil : Data(repeating: 9, count: 64)
            let realm = try file.open()
            try realm.write {
                for number in 0..<300 { realm.add(Dog(name: "\(number)", age: number)) }
                try realm.writeCopy(configuration: copy.configuration)
                try expectEqual(count(copy.configuration), 300)
                realm.cancelWrite()
            }
            try expect(realm.isEmpty && copy.verified().table(named: "Dog").count == 300)
        }
    }

    @Test func `a copy contains a commit that is being written to the disk`() throws {
        try onAThread {
            let kennel = try QueueRealm(kennelTypes)
            let copy = TestRealm(kennelTypes)
            let url = try #require(copy.configuration.fileURL)
            try kennel { realm in
                realm.beginWrite()
                for number in 0..<300 { realm.add(Dog(name: "\(number)", age: number)) }
                realm.commitAsyncWrite()
                try realm.writeCopy(toFile: url)
            }
            try expectEqual(count(copy.configuration), 300)
        }
    }
}
