import Expectations
import Foundation
import RealmObjects
import Testing

/// Declarations of realms, schemas, migrations and notifications without other calls in the tests, in RealmSwift's
/// spelling. Found by `tools/peer/spellings.py`.
@Suite struct DeclarationsRealmTests {
    final class Boat: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name = "unnamed"
        @Persisted var length = 0.0
        @Persisted var sail: Sail?
        @Persisted var ports: List<Port>
        @Persisted var first: Port? = Port(value: ["name": "home"])
        @Persisted var counts: List<Int>
        @Persisted var flags: MutableSet<Int>
        @Persisted var loads: Map<String, Int>
    }

    final class Port: Object { @Persisted(indexed: true) var name = "" }

    final class Sail: EmbeddedObject { @Persisted var area = 0 }

    final class Sighting: AsymmetricObject {
        @Persisted(primaryKey: true) var id: ObjectId
        @Persisted var place = ""
    }

    private static let types: [ObjectBase.Type] = [Boat.self, Port.self, Sail.self, Sighting.self]
    private let file = TestRealm(types)

    // MARK: Realms

    private func all<T: RealmFetchable>(_ type: T.Type, _ realm: Realm) -> Results<T> { realm.objects(type) }

    private func moved<T: ThreadConfined>(_ value: T) -> T? {
        guard value.realm != nil, !value.isInvalidated, !value.isFrozen else { return nil }
        let frozen = value.freeze()
        return frozen.isFrozen ? frozen.thaw() : nil
    }

    @Test func `objects are frozen and thawed by their realm`() throws {
        let realm = try file.open()
        let boat = try realm.write { realm.create(Boat.self, value: ["id": 1]) }
        let frozen: Boat = realm.freeze(boat)
        let ports = realm.freeze(boat.ports)
        try realm.write {
            boat.name = "Ann"
            boat.ports.append(Port(value: ["name": "Kiel"]))
        }
        expect(frozen.isFrozen && frozen.name == "unnamed" && ports.isEmpty && ports.isFrozen)
        expect(realm.thaw(frozen)?.name == "Ann" && realm.thaw(frozen)?.isFrozen == false)
        expect(all(Boat.self, realm).map(\.name) == ["Ann"] && all(Port.self, realm).count == 2)
        expect(moved(boat)?.isSameObject(as: boat) ?? false)
        expect(moved(boat.ports)?.count == 1 && moved(all(Boat.self, realm))?.count == 1)
        expectEqual(moved(Boat()), nil)
        try realm.write { realm.delete(boat) }
        expectEqual(realm.thaw(frozen), nil)
    }

    @Test func `asymmetric objects are created but not stored`() throws {
        let realm = try file.open()
        try realm.write {
            realm.create(Sighting.self)
            realm.create(Sighting.self, value: ["place": "Fehmarn"])
        }
        expect(realm.schema["Sighting"]?.isAsymmetric ?? false)
    }

    @Test func `asynchronous transactions have numbers`() async throws {
        let realm = try QueueRealm(Self.types)
        let ids: [AsyncTransactionId] = realm { open in
            [open.writeAsync { open.create(Boat.self, value: ["id": 1]) }, open.beginAsyncWrite {}]
        }
        expect(ids[0] != ids[1])
        try realm { open in try open.cancelAsyncWrite(ids[1]) }
        for _ in 0..<6000 where realm({ $0.objects(Boat.self).isEmpty }) {
            try await Task.sleep(for: .milliseconds(10))
        }
        expectEqual(realm { $0.objects(Boat.self).count }, 1)
    }

    @MainActor @Test func `realms are opened with any download behaviour`() async throws {
        let open = file.configuration
        for behavior in [Realm.OpenBehavior.never, .once, .always] {
            let realm = try await Realm.open(configuration: open, downloadBeforeOpen: behavior)
            expect(realm.isEmpty && realm.configuration == open)
        }
    }

    @Test func `errors are distinguished by their codes`() {
        expect(Realm.Error.callFailed == Realm.Error(.fail) && Realm.Error.callFailed.code == .fail)
        expect(Realm.Error.callFailed != Realm.Error(.fileNotFound))
        func kind(_ error: any Swift.Error) -> String {
            switch error {
            case Realm.Error.fileNotFound: "none"
            case Realm.Error.fail: "failed"
            default: "other"
            }
        }
        expect(kind(Realm.Error.callFailed) == "failed" && kind(Realm.Error(.fileNotFound)) == "none")
    }

    // MARK: Schemas

    @Test func `classes and properties are compared and described`() throws {
        let realm = try file.open()
        let (schema, same) = (realm.schema, try file.open().schema)
        expect(schema == same && schema.objectSchema.count == 4)
        let other = TestRealm([Port.self])
        try expect(other.open().schema != schema)
        let (boat, sail) = (try #require(schema["Boat"]), try #require(schema["Sail"]))
        expect(sail.isEmbedded && !boat.isEmbedded && !boat.isAsymmetric && schema["Sighting"]?.isAsymmetric == true)
        let name = try #require(schema["Port"]?["name"])
        let (alike, others) = (try #require(same["Port"]?["name"]), boat.properties)
        expect(name == alike && !others.contains { $0 == name })
        // The text of RealmSwift, whose property is an RLMProperty from Objective-C.
        expectEqual(
            name.description,
            """
            name {
            	type = string;
            	columnName = name;
            	indexed = YES;
            	isPrimary = NO;
            	array = NO;
            	set = NO;
            	dictionary = NO;
            	optional = NO;
            }
            """)
    }

    // MARK: Migrations

    @Test func `migrations name their blocks`() throws {
        let realm = try file.open()
        try realm.write { realm.create(Boat.self, value: ["id": 7, "name": "Ann"] as [String: Any]) }
        realm.invalidate()
        var configuration = file.configuration
        configuration.schemaVersion = 1
        let seen = Shared(Seen())
        configuration.migrationBlock = { migration, _ in
            let block: MigrationObjectEnumerateBlock = { old, new in
                seen.value.names.append("\(old?["name"] ?? "") \(new?["id"] ?? "")")
            }
            migration.enumerateObjects(ofType: "Boat", block)
        }
        let copy = TestRealm(Self.types)
        try FileManager.default.copyItem(atPath: file.path, toPath: copy.path)
        configuration.fileURL = copy.configuration.fileURL
        try expect(Realm(configuration: configuration).objects(Boat.self).count == 1 && seen.value.names == ["Ann 7"])
    }

    private final class Seen { var names: [String] = [] }

    // MARK: Notifications

    @Test func `realms without autorefresh are notified of new versions`() throws {
        let realm = try QueueRealm(Self.types)
        realm { open in
            open.autorefresh = false
            let block: NotificationBlock = { notification, told in
                switch notification {
                case .refreshRequired: realm.told.append("required \(told.objects(Boat.self).count)")
                case .didChange: realm.told.append("changed \(told.objects(Boat.self).count)")
                }
            }
            realm.keep(open.observe(block))
        }
        try realm.elsewhere { open in try open.write { _ = open.create(Boat.self, value: ["id": 1]) } }
        realm.wait { $0 > 0 }
        expectEqual(realm.heard(), ["required 0"])
        realm { open in expect(open.refresh() && open.objects(Boat.self).count == 1) }
    }

    @Test func `changes of properties have a name and values`() throws {
        let realm = try QueueRealm(Self.types)
        try realm { open in
            let boat: Boat = try open.write { open.create(Boat.self, value: ["id": 1]) }
            realm.keep(
                boat.observe { (change: ObjectChange<Boat>) in
                    guard case .change(_, let properties) = change else { return }
                    let changes: [PropertyChange] = properties
                    realm.told += changes.map { "\($0.name) \($0.oldValue ?? "nil") \($0.newValue ?? "nil")" }
                })
        }
        try realm.elsewhere { open in try open.write { open.objects(Boat.self)[0].name = "Ann" } }
        realm.wait { $0 > 0 }
        expectEqual(realm.heard(), ["name unnamed Ann"])
    }

    @Test func `embedded objects are observed on a queue`() throws {
        let realm = try QueueRealm(Self.types)
        try realm { open in
            let boat = try open.write {
                open.create(Boat.self, value: ["id": 1, "sail": ["area": 4]] as [String: Any])
            }
            let sail = try #require(boat.sail)
            realm.keep(
                sail.observe(on: realm.queue) { (change: ObjectChange<Sail>) in
                    if case .change(let sail, _) = change { realm.told.append("\(sail.area)") }
                })
        }
        Thread.sleep(forTimeInterval: 0.05)
        try realm { open in try open.write { open.objects(Boat.self)[0].sail?.area = 9 } }
        realm.wait { $0 > 0 }
        expectEqual(realm.heard(), ["9"])
    }

    /// RealmSwift reports writes, whether or not they changed a value; this library compares versions.
    @Test(arguments: ["name", "counts", "flags", "loads"])
    func `setting an equal value notifies nobody`(property: String) throws {
        let values: [String: (Any, Any)] = [
            "name": ("Ann", "Bea"), "counts": ([1, 2], [3]), "flags": ([1, 2], [3]),
            "loads": (["a": 1, "b": 2], ["a": 3]),
        ]
        let (same, other) = try #require(values[property])
        let realm = try QueueRealm(Self.types)
        try realm { open in
            try open.write { _ = open.create(Boat.self, value: ["id": 1, property: same]) }
            realm.keep(
                open.objects(Boat.self).observe(keyPaths: [property]) { change in
                    if case .update(_, _, _, let modifications) = change { realm.told.append("\(modifications)") }
                })
        }
        try realm { open in try open.write { open.objects(Boat.self)[0][property] = same } }
        expectEqual(realm.heard(), [])
        try realm { open in try open.write { open.objects(Boat.self)[0][property] = other } }
        expectEqual(realm.heard(), ["[0]"])
    }
}
