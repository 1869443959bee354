import Foundation
import RealmObjects
import Synchronization
import Testing

/// Work that must proceed while a database is opened and migrated. Failures would be deadlocks: each test has its own
/// process, which an alarm ends.
@Suite struct OpeningLockTests {
    private static func older(_ types: [ObjectBase.Type] = kennelTypes) throws -> TestRealm {
        let file = TestRealm(types)
        _ = try file.open()
        file.configuration.schemaVersion = 1
        return file
    }

    private static func require(_ isSo: Bool, line: Int = #line) {
        if !isSo { fatalError("not so in line \(line)") }
    }

    // State of one process each.
    private static let said = Mutex("")
    private static let told = Mutex((isInside: false, opened: 0))

    @Test func `a migration may open another database`() async {
        await #expect(processExitsWith: .success) {
            alarm(600)
            let (file, settings) = (try Self.older(), TestRealm(kennelTypes))
            let other = settings.configuration
            file.configuration.migrationBlock = { _, _ in
                let realm = try? Realm(configuration: other)
                try? realm?.write { realm?.add(Dog(value: ["name": "Rex"])) }
            }
            _ = try file.open()
            Self.require(try settings.open().objects(Dog.self).first?.name == "Rex")
        }
    }

    @Test func `a migration that opens its own database gets an error`() async {
        await #expect(processExitsWith: .success) {
            alarm(600)
            let file = try Self.older()
            let configuration = file.configuration
            file.configuration.migrationBlock = { _, _ in
                do { _ = try Realm(configuration: configuration) } catch { Self.said.withLock { $0 = "\(error)" } }
                do { try Realm.deleteFiles(for: configuration) } catch { Self.said.withLock { $0 += "\(error)" } }
            }
            let realm = try file.open()
            Self.require(Self.said.withLock { $0.matches(of: #/is being opened/#).count } == 2)
            Self.require(realm.isEmpty && FileManager.default.fileExists(atPath: file.path))
        }
    }

    @Test func `other databases are opened during a migration, open or not`() async {
        await #expect(processExitsWith: .success) {
            alarm(600)
            let (file, open, closed) = (try Self.older(), TestRealm(kennelTypes), TestRealm(kennelTypes))
            let (first, second, third) = (file.configuration, open.configuration, closed.configuration)
            let kept = try open.open()
            let (begun, opened) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            var slow = first
            slow.migrationBlock = { _, _ in
                begun.signal()
                opened.wait()
            }
            let (asked, done) = (slow, DispatchSemaphore(value: 0))
            Thread.detachNewThread {
                Self.require((try? Realm(configuration: asked)) != nil)
                done.signal()
            }
            begun.wait()
            for other in [second, third] { Self.require(try Realm(configuration: other).isEmpty) }
            opened.signal()
            done.wait()
            Self.require(kept.isEmpty)
        }
    }

    @Test func `a realm is opened in a transaction that another thread waits for to add a class`() async {
        await #expect(processExitsWith: .success) {
            alarm(600)
            let file = TestRealm([Dog.self, Person.self, Address.self])
            let few = file.configuration
            var all = few
            all.objectTypes = kennelTypes
            let (more, begun, done) = (all, DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            let realm = try file.open()
            Thread.detachNewThread {
                begun.wait()
                let realm = try? Realm(configuration: more)
                Self.require(realm?.objects(DogClub.self).count == 0)
                done.signal()
            }
            try realm.write {
                begun.signal()
                // Gives the thread time to start.
                usleep(300_000)
                realm.add(Dog(value: ["name": "Rex"]))
                Self.require(try Realm(configuration: few).objects(Dog.self).count == 1)
            }
            done.wait()
        }
    }

    @Test func `a logger may open the database of the message`() async {
        await #expect(processExitsWith: .success) {
            alarm(600)
            let file = TestRealm(kennelTypes)
            let configuration = file.configuration
            Logger.shared = Logger(level: .all) { _, _ in
                let mayOpen = Self.told.withLock { told in
                    defer { told.isInside = true }
                    return !told.isInside
                }
                guard mayOpen else { return }
                let isOpen = (try? Realm(configuration: configuration)) != nil
                Self.told.withLock { $0 = (false, $0.opened + (isOpen ? 1 : 0)) }
            }
            let realm = try file.open()
            try realm.write { realm.add(Dog(value: ["name": "Rex"])) }
            Logger.shared = Logger(level: .off) { _, _ in }
            Self.require(Self.told.withLock { $0.opened } > 2)
        }
    }
}
