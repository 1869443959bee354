import Expectations
import Foundation
import RealmObjects
import Testing

/// Statements of the guides besides their examples: the default realm, inverse links, references in tasks, versions.
@Suite(.serialized) struct HabitTests {
    final class Owner: Object {
        @Persisted var name = ""
        @Persisted var pets: List<Hound>
    }

    final class Hound: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var name = ""
        @Persisted(originProperty: "pets") var owners: LinkingObjects<Owner>
    }

    private let types: [ObjectBase.Type] = [Owner.self, Hound.self]

    @Test func `the default realm is that of the default configuration`() throws {
        let (file, before) = (TestRealm(types), Realm.Configuration.defaultConfiguration)
        defer { Realm.Configuration.defaultConfiguration = before }
        Realm.Configuration.defaultConfiguration = file.configuration
        let realm = try Realm()
        try realm.write { realm.create(Hound.self, value: [1, "Ben"]) }
        expectEqual(realm.configuration.fileURL?.path, file.path)
        try expectEqual(Realm().objects(Hound.self).first?.name, "Ben")
        try expectEqual(Realm(configuration: file.configuration), realm)
    }

    @Test func `a dozen realms are open at once, each with its own objects`() throws {
        let files = (0..<12).map { _ in TestRealm(types) }
        let realms = try files.map { try $0.open() }
        for (number, realm) in realms.enumerated() {
            try realm.write { realm.create(Hound.self, value: [number, "n"]) }
        }
        expectEqual(realms.map { $0.objects(Hound.self).map(\.id) }, (0..<12).map { [$0] })
        var memory = Realm.Configuration(inMemoryIdentifier: "habits", objectTypes: types)
        let (one, other) = (try Realm(configuration: memory), try Realm(configuration: memory))
        try one.write { one.create(Hound.self, value: [1, "m"]) }
        expectEqual(other.objects(Hound.self).count, 1)
        memory.inMemoryIdentifier = "other habits"
        try expect(Realm(configuration: memory).isEmpty)
    }

    @Test func `inverse links follow the lists`() throws {
        let realm = try TestRealm(types).open()
        let (jim, jane, ben) = (Owner(value: ["Jim"]), Owner(value: ["Jane"]), Hound(value: [1, "Ben"]))
        try realm.write {
            realm.add([jim, jane])
            jim.pets.append(ben)
            jane.pets.append(objectsIn: realm.objects(Hound.self).filter("name BEGINSWITH 'B'"))
        }
        expectEqual(ben.owners.map(\.name).sorted(), ["Jane", "Jim"])
        try realm.write { jim.pets.removeAll() }
        expect(ben.owners.map(\.name) == ["Jane"] && ben.owners.first?.isSameObject(as: jane) == true)
    }

    @Test func `a primary key is not changed`() async {
        await #expect(processExitsWith: .failure) {
            let realm = try TestRealm([Owner.self, Hound.self]).open()
            try realm.write {
                let ben = realm.create(Hound.self, value: [1, "Ben"])
                ben.id = 2
            }
        }
    }

    @Test func `an object is passed to another thread and changed there`() throws {
        let file = TestRealm(types)
        let realm = try file.open()
        let ben = Hound(value: [1, "Ben"])
        try realm.write { realm.add(ben) }
        let crossing = ThreadSafe<Hound>(wrappedValue: ben)
        try onAnotherThread {
            let there = try #require(crossing.wrappedValue)
            let realm = try #require(there.realm)
            try realm.write { there.name = "Rex" }
        }
        realm.refresh()
        expectEqual(ben.name, "Rex")
        try realm.write { realm.delete(ben) }
        try onAnotherThread { expectEqual(crossing.wrappedValue, nil) }
    }

    @Test func `a realm without autorefresh keeps its version until it is refreshed`() throws {
        let owners = try QueueRealm(types)
        owners { $0.autorefresh = false }
        try owners.elsewhere { realm in try realm.write { _ = realm.create(Hound.self, value: [1, "Ben"]) } }
        owners { realm in
            expect(realm.objects(Hound.self).isEmpty)
            expect(realm.refresh() && realm.objects(Hound.self).count == 1)
            expect(!realm.refresh())
            realm.autorefresh = true
        }
        try owners.elsewhere { realm in try realm.write { _ = realm.create(Hound.self, value: [2, "Rex"]) } }
        expectEqual(owners { $0.objects(Hound.self).count }, 2)
    }

    @Test func `a write without a commit is cancelled`() throws {
        let owners = try QueueRealm(types)
        let begun = DispatchSemaphore(value: 0)
        owners { realm in
            realm.beginAsyncWrite {
                realm.create(Hound.self, value: [1, "Ben"])
                begun.signal()
            }
        }
        begun.wait()
        owners { realm in expect(!realm.isInWriteTransaction && realm.isEmpty) }
        try expect(owners.file.open().isEmpty)
    }

    // MARK: Versions

    final class Named: Object {
        @Persisted var firstName = ""
        @Persisted var lastName = ""
        override class func _realmObjectName() -> String? { "Named" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class FullNamed: Object {
        @Persisted var fullName = ""
        override class func _realmObjectName() -> String? { "Named" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Old: Object {
        @Persisted var number = 0
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    @Test func `names are merged, old classes removed, and files of later versions refused`() throws {
        let file = TestRealm([Named.self, Old.self])
        do {
            let realm = try file.open()
            try realm.write {
                realm.create(Named.self, value: ["Ada", "Lovelace"])
                realm.create(Old.self, value: [7])
            }
        }
        // Other classes with the same version: each difference is reported.
        var configuration = file.configuration
        configuration.objectTypes = [FullNamed.self]
        let mismatch = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration) }
        expect(
            mismatch?.message.contains("Property 'Named.firstName' has been removed") ?? false
                && mismatch?.message.contains("Property 'Named.fullName' has been added") ?? false)
        configuration.schemaVersion = 3
        configuration.migrationBlock = { migration, version in
            expectEqual(version, 0)
            migration.enumerateObjects(ofType: "Named") { old, new in
                new?["fullName"] = "\(old?["firstName"] ?? "") \(old?["lastName"] ?? "")"
            }
            expect(migration.deleteData(forType: "Old") && !migration.deleteData(forType: "Nothing"))
        }
        do {
            let realm = try Realm(configuration: configuration)
            expectEqual(realm.objects(FullNamed.self).map(\.fullName), ["Ada Lovelace"])
        }
        try expectEqual(schemaVersionAtURL(URL(filePath: file.path)), 3)
        try expectEqual(file.verified().classes.map(\.name), ["Named"])
        // The same version and classes: the block is not called.
        configuration.migrationBlock = { _, _ in Issue.record("there is nothing to be migrated") }
        _ = try Realm(configuration: configuration)
        configuration.schemaVersion = 2
        let later = #expect(throws: Realm.Error.self) { _ = try Realm(configuration: configuration) }
        expectEqual(later?.message, "Provided schema version 2 is less than last set version 3.")
    }
}
