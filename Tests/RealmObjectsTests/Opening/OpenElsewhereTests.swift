import Expectations
import Foundation
import RealmObjects
import RealmStorage
import Synchronization
import Testing

class OtherClass: Object {
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Opening a database with another configuration while realms show it.
@Suite struct OpenElsewhereTests {
    final class EarlyKey: OtherClass {
        @Persisted var cuts = 1
        @Persisted var teeth = 2
        override class func _realmObjectName() -> String? { "Key" }
    }

    /// The class without its first property, and with another one.
    final class LateKey: OtherClass {
        @Persisted var teeth = 2
        @Persisted var weight = 3
        override class func _realmObjectName() -> String? { "Key" }
    }

    final class Lock: OtherClass {
        @Persisted var brand = ""
    }

    final class KeyTag: Projection<EarlyKey> {
        @Projected(\EarlyKey.teeth) var teeth
    }

    private static func late(_ file: TestRealm) -> Realm.Configuration {
        var late = file.configuration
        (late.objectTypes, late.schemaVersion) = ([LateKey.self], 1)
        return late
    }

    @Test func `a database with open realms is not migrated, so that they keep their properties`()
        throws
    {
        let file = TestRealm([EarlyKey.self])
        let late = Self.late(file)
        let realm = try file.open()
        let key = EarlyKey()
        try realm.write { realm.add(key) }
        for open in [
            { _ = try Realm(configuration: late) }, { try onAnotherThread { _ = try Realm(configuration: late) } },
        ] {
            let error = #expect(throws: Realm.Error(.fail)) { try open() }
            expectEqual(error?.message, "Cannot migrate Realms that are already open.")
        }
        realm.refresh()
        try realm.write { realm.add(EarlyKey(value: ["cuts": 7, "teeth": 8])) }
        expectEqual(realm.objects(EarlyKey.self).map { [$0.cuts, $0.teeth] }, [[1, 2], [7, 8]])
        let stored = try file.verified()
        try expectEqual(stored.table(named: "Key").schema.properties.map(\.name), ["cuts", "teeth"])
        expectEqual(stored.schema.version, 0)
    }

    @Test func `a database without open realms is migrated`() throws {
        let file = TestRealm([EarlyKey.self])
        try {
            let realm = try file.open()
            try realm.write { realm.add(EarlyKey()) }
        }()
        let realm = try Realm(configuration: Self.late(file))
        expectEqual(realm.objects(LateKey.self).map { [$0.teeth, $0.weight] }, [[2, 0]])
    }

    @Test func `an open database with the same classes keeps its version, even if a later one is requested`()
        throws
    {
        let file = TestRealm([EarlyKey.self])
        let realm = try file.open()
        var later = file.configuration
        later.schemaVersion = 5
        later.migrationBlock = { _, _ in Self.migrations.add(1, ordering: .relaxed) }
        let asked = later
        let before = Self.migrations.load(ordering: .relaxed)
        try onAnotherThread { _ = try Realm(configuration: asked) }
        try expectEqual(Realm(configuration: asked), realm)
        expectEqual(Self.migrations.load(ordering: .relaxed), before)
        try expectEqual(file.verified().schema.version, 0)
    }

    private static let migrations = Atomic(0)

    @Test func `a thread or queue has one realm of a database, with all classes that it was opened with`() throws {
        let file = TestRealm([EarlyKey.self])
        let realm = try file.open()
        var both = file.configuration
        both.objectTypes = [EarlyKey.self, Lock.self]
        let other = try Realm(configuration: both)
        expectEqual(other, realm)
        try realm.write { other.add(Lock(value: ["brand": "Yale"])) }
        try expect(file.open() == realm && realm.objects(Lock.self).first?.brand == "Yale")
        let asked = both
        try onAnotherThread {
            let there = try Realm(configuration: asked)
            try there.write { there.add(Lock(value: ["brand": "Abus"])) }
        }
        realm.refresh()
        expect(realm.objects(Lock.self).count == 2 && other.objects(Lock.self).count == 2)
    }

    @Test func `an error of a database in memory names no file`() throws {
        let configuration = Realm.Configuration(inMemoryIdentifier: "no file", objectTypes: [EarlyKey.self])
        let realm = try Realm(configuration: configuration)
        try realm.write {
            let error = #expect(throws: Realm.Error.self) {
                let queue = DispatchQueue(label: "inside")
                try queue.sync { try Realm(configuration: configuration, queue: queue).write {} }
            }
            expect(error != nil && error?.fileURL == nil)
        }
    }

    @Test func `frozen objects keep a database from being migrated, so that they can be thawed`() throws {
        let file = TestRealm([EarlyKey.self])
        func frozen() throws -> Realm {
            let realm = try file.open()
            try realm.write { realm.add(EarlyKey()) }
            return realm.freeze()
        }
        var kept: Realm? = try frozen()
        #expect(throws: Realm.Error.self) { try Realm(configuration: Self.late(file)) }
        expectEqual(kept?.objects(EarlyKey.self).first?.thaw()?.cuts, 1)
        kept = nil
        try expectEqual(Realm(configuration: Self.late(file)).objects(LateKey.self).first?.teeth, 2)
    }

    final class Ash: OtherClass { @Persisted var height = 1 }
    final class Birch: OtherClass { @Persisted var height = 2 }
    final class Cedar: OtherClass { @Persisted var height = 3 }

    @Test func `a class that is added in the place of another one does not affect open ones`() throws {
        let file = TestRealm([Ash.self, Birch.self])
        try {
            let realm = try file.open()
            try realm.write {
                realm.add(Ash())
                realm.add(Birch())
            }
        }()
        (file.configuration.objectTypes, file.configuration.schemaVersion) = ([Birch.self], 1)
        file.configuration.migrationBlock = { migration, _ in migration.deleteData(forType: "Ash") }
        let realm = try file.open()
        let (all, birch) = (realm.objects(Birch.self), try #require(realm.objects(Birch.self).first))
        let dynamic = try #require(realm.dynamicObjects("Birch").first)
        var more = file.configuration
        more.objectTypes = [Birch.self, Cedar.self]
        let asked = more
        try onAnotherThread {
            let there = try Realm(configuration: asked)
            try there.write { for _ in 0..<3 { there.add(Cedar()) } }
        }
        realm.refresh()
        expect(all.count == 1 && all.first?.height == 2 && birch.height == 2)
        expect(dynamic["height"] as? Int == 2 && realm.dynamicObjects("Birch").count == 1)
        try realm.write {
            birch.height = 20
            realm.add(Birch())
        }
        expectEqual(all.map(\.height), [20, 2])
        try expectEqual(file.verified().table(named: "Cedar").count, 3)
    }

    final class Absent: OtherClass { @Persisted var name = "" }
    final class Whole: OtherClass { @Persisted var name = "" }
    final class Holder: OtherClass { @Persisted var value: AnyRealmValue }

    @Test func `an object in a value has no class that is missing in the file`() throws {
        let file = TestRealm([Whole.self, Holder.self])
        try {
            let realm = try file.open()
            try realm.write { realm.add(Holder(value: ["value": Whole(value: ["name": "it"])])) }
        }()
        var configuration = file.configuration
        configuration.readOnly = true
        // If the only class comes first, a file of its own would have it at the position of another class here.
        for types in [[Absent.self, Whole.self, Holder.self], [Holder.self, Whole.self, Absent.self]] as [[Object.Type]]
        {
            configuration.objectTypes = types
            let realm = try Realm(configuration: configuration)
            let value = try #require(realm.objects(Holder.self).first?.value)
            expect(realm.objects(Absent.self).isEmpty)
            expect(value.object(Absent.self) == nil && value.object(Whole.self)?.name == "it")
        }
    }

    @Test func `changes are compared with the state before classes were added`() throws {
        let keys = try QueueRealm([EarlyKey.self])
        var more = keys.file.configuration
        more.objectTypes = [EarlyKey.self, Lock.self]
        try keys { realm in
            let key = EarlyKey()
            try realm.write { realm.add(key) }
            keys.keep(
                KeyTag(projecting: key).observe { change in
                    guard case .change(_, let properties) = change else { return }
                    for property in properties {
                        let (old, new) = (property.oldValue as? Int, property.newValue as? Int)
                        keys.told.append("\(property.name) \(old ?? -1) \(new ?? -1)")
                    }
                })
        }
        try keys { _ in
            let realm = try Realm(configuration: more, queue: keys.queue)
            let configuration = more
            try onAnotherThread {
                let realm = try Realm(configuration: configuration)
                try realm.write { realm.objects(EarlyKey.self)[0].teeth = 5 }
            }
            expect(realm.objects(Lock.self).isEmpty)
        }
        expectEqual(keys.heard(), ["teeth 2 5"])
    }
}
