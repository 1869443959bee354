import Expectations
import Foundation
import RealmCore
import RealmObjects
import RealmStorage
import RealmStore
import Testing

/// Files that are deleted, and those that are not.
@Suite struct DeletingTests {
    private func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

    private func code(_ body: () throws -> Void) -> Realm.Error.Code? {
        do { try body() } catch { return (error as? Realm.Error)?.code }
        return nil
    }

    @Test func `an open file is not deleted, whichever process opened it`() throws {
        let file = TestRealm(kennelTypes)
        let realm = try file.open()
        expectEqual(code { try Realm.deleteFiles(for: file.configuration) }, .alreadyOpen)
        try realm.write { realm.add(Dog(value: ["name": "Rex"])) }
        expect(realm.objects(Dog.self).count == 1 && isThere(file.path))
        let other = TestRealm(kennelTypes)
        let schema = SchemaDefinition([TableDefinition(class: "Dog", [PropertyDefinition("name", .string)])])
        let store = try RealmStore(path: other.path, options: .init(schema: schema))
        expectEqual(code { try Realm.deleteFiles(for: other.configuration) }, .alreadyOpen)
        try expect(store.snapshot().table(named: "Dog").count == 0 && isThere(other.path))
    }

    @Test func `files beside a file are deleted with it, except the lock file, which others may have open`() throws {
        let file = TestRealm(kennelTypes)
        _ = try file.open()
        let management = file.path + ".management"
        try FileManager.default.createDirectory(atPath: management + "/inner", withIntermediateDirectories: true)
        let others = [
            file.path + ".note", file.path + ".log", management + "/access_control", management + "/inner/fifo",
        ]
        for path in others { try Data([1, 2, 3]).write(to: URL(filePath: path)) }
        try expect(Realm.deleteFiles(for: file.configuration))
        expectEqual((others + [file.path, management]).filter(isThere), [])
        expect(isThere(file.path + ".lock"))
        try expect(!Realm.deleteFiles(for: file.configuration))
        try expect(file.open().isEmpty)
    }

    @Test func `deleting a missing file does nothing`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "none-\(UUID())")
        try expect(!Realm.deleteFiles(for: .init(fileURL: folder.appending(path: "none.realm"))))
        expect(!isThere(folder.path))
    }

    @Test func `a failed deletion is reported as an error of realms`() throws {
        let folder = TestRealm([])
        try FileManager.default.createDirectory(atPath: folder.path + "/inner", withIntermediateDirectories: true)
        let code = code { try Realm.deleteFiles(for: folder.configuration) }
        expect(code != nil && isThere(folder.path + "/inner"))
    }
}

/// New files, created empty or from another file.
@Suite struct NewFileTests {
    private func code(_ body: () throws -> Void) -> Realm.Error.Code? {
        do { try body() } catch { return (error as? Realm.Error)?.code }
        return nil
    }

    @Test func `a file that another process is about to create is not created`() throws {
        let (file, seed) = (TestRealm(kennelTypes), TestRealm(kennelTypes))
        _ = try seed.open()
        let session = try ExclusiveSession(file.path)
        expectEqual(code { _ = try file.open() }, .incompatibleLockFile)
        file.configuration.seedFilePath = seed.configuration.fileURL
        expectEqual(code { _ = try file.open() }, .incompatibleLockFile)
        expect(!FileManager.default.fileExists(atPath: file.path))
        withExtendedLifetime(session) {}
    }

    @Test func `a missing seed file is reported as an error of realms`() throws {
        let file = TestRealm(kennelTypes)
        file.configuration.seedFilePath = URL(filePath: file.path + ".seed")
        expectEqual(code { _ = try file.open() }, .fileNotFound)
        expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test func `a seed file is copied unchanged, even if read-only, and for read-only realms`() throws {
        let seed = TestRealm(kennelTypes)
        try {
            let realm = try seed.open()
            try realm.write { realm.add(Dog(value: ["name": "Rex"])) }
        }()
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: seed.path)
        for isReadOnly in [false, true] {
            let file = TestRealm(kennelTypes)
            file.configuration.seedFilePath = seed.configuration.fileURL
            file.configuration.readOnly = isReadOnly
            let realm = try file.open()
            expectEqual(realm.objects(Dog.self).first?.name, "Rex")
            let permissions = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
            expectEqual((permissions as? Int ?? 0) & 0o600, 0o600)
            guard !isReadOnly else { continue }
            try realm.write { realm.add(Dog(value: ["name": "Max"])) }
        }
        try expect(Data(contentsOf: URL(filePath: seed.path)).count > 0)
    }

    @Test func `an empty file replaces a seed file whose classes do not fit`() throws {
        let seed = TestRealm([SeedDog.self])
        do {
            let realm = try seed.open()
            try realm.write { realm.create(SeedDog.self, value: ["Rex"]) }
        }
        let file = TestRealm(kennelTypes, version: 2)
        file.configuration.seedFilePath = seed.configuration.fileURL
        file.configuration.deleteRealmIfMigrationNeeded = true
        do {
            let realm = try file.open()
            expect(realm.isEmpty)
            try realm.write { realm.add(Dog(name: "Max", age: 1)) }
        }
        try expectEqual(file.open().objects(Dog.self).map(\.name), ["Max"])
    }

    final class SeedDog: Object {
        @Persisted var name = ""
        override class func _realmObjectName() -> String? { "Dog" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    @Test func `a seed file is copied once there is enough room`() async {
        await #expect(processExitsWith: .success) {
            let seed = TestRealm(kennelTypes)
            try {
                let realm = try seed.open()
                try realm.write {
                    for number in 0..<2000 { realm.add(Dog(value: ["name": "the dog with the number \(number)"])) }
                }
            }()
            let file = TestRealm(kennelTypes)
            file.configuration.seedFilePath = seed.configuration.fileURL
            signal(SIGXFSZ, SIG_IGN)
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            let most = limit.rlim_cur
            limit.rlim_cur = 20_000
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            do {
                _ = try file.open()
                exit(2)
            } catch is Realm.Error {}
            if FileManager.default.fileExists(atPath: file.path) { exit(3) }
            limit.rlim_cur = most
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            if try file.open().objects(Dog.self).count != 2000 { exit(4) }
        }
    }
}
