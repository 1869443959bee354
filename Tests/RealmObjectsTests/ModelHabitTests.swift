import Expectations
import Foundation
import RealmCore
import RealmObjects
import Testing

/// Features of apps' models besides their properties.
@Suite struct ModelHabitTests {
    final class PriceLabel: Object {
        @Persisted var text = ""
        @Persisted var color = 0

        override func isEqual(_ object: Any?) -> Bool { (object as? PriceLabel)?.text == text }
        override var hash: Int { text.hashValue }
        override var description: String { "PriceLabel \(text)" }
        override var debugDescription: String { "PriceLabel \(text) \(color)" }
    }

    final class Wheel: EmbeddedObject {
        @Persisted var size = 0
        @Persisted var bolts: List<Bolt>
    }

    final class Bolt: EmbeddedObject { @Persisted var length = 0 }

    final class Cart: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var spare: Wheel?
        @Persisted var wheels: List<Wheel>
        @Persisted var others: Map<String, Wheel?>
        @Persisted(indexed: true) var count = 0 {
            didSet { changes += 1 }
        }
        var changes = 0
    }

    /// A model in the style of Objective-C, without marked properties.
    final class Unmarked: Object {
        nonisolated(unsafe) static var isIncluded = false
        var text = ""

        override class func shouldIncludeInDefaultSchema() -> Bool { isIncluded }
    }

    final class Unkeyed: Object {
        @Persisted var text = ""
        var id = 0

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
        override static func primaryKey() -> String? { "id" }
    }

    @Test func `models whose properties are not marked are refused`() async throws {
        await #expect(processExitsWith: .failure) {
            Unmarked.isIncluded = true
            _ = try TestRealm([Unmarked.self]).open()
        }
        await #expect(processExitsWith: .failure) { _ = try TestRealm([Unkeyed.self]).open() }
        // A class that excludes itself from the schema may be empty.
        try expect(TestRealm([Unmarked.self, PriceLabel.self]).open().isEmpty)
    }

    @Test func `models define their equality and description`() throws {
        let realm = try TestRealm([PriceLabel.self]).open()
        try realm.write {
            for (color, text) in ["a", "b", "a"].enumerated() {
                realm.add(PriceLabel(value: ["text": text, "color": color + 1]))
            }
        }
        let labels = Array(realm.objects(PriceLabel.self))
        expect(labels[0] == labels[2] && labels[0] != labels[1] && labels[0].isEqual(PriceLabel(value: ["a"])))
        expect(Set(labels).count == 2 && labels.contains(PriceLabel(value: ["b"])) && !labels[0].isEqual("a"))
        expect("\(labels[0])" == "PriceLabel a" && String(reflecting: labels[0]) == "PriceLabel a 1")
        expect(!labels[0].isSameObject(as: labels[2]))
        // Without overrides, equality means the same object, or the same primary key.
        let dog = Dog(name: "Rex", age: 3)
        expect(dog != Dog(name: "Rex", age: 3) && dog.hash == dog.hash && String(reflecting: dog) == dog.description)
    }

    private func cart() throws -> (TestRealm, Cart) {
        let test = TestRealm([Cart.self, Wheel.self, Bolt.self])
        let realm = try test.open()
        let wheel: [String: Any] = ["size": 1, "bolts": [["length": 1], ["length": 2]]]
        let values: [String: Any] = [
            "id": 1, "spare": wheel, "wheels": (1...4).map { ["size": $0] },
            "others": ["a": ["size": 7], "b": ["size": 8]],
        ]
        let cart = try realm.write { realm.create(Cart.self, value: values) }
        return (test, cart)
    }

    /// Returns the numbers of bolts and wheels in the file, which has no damage.
    private func counts(_ test: TestRealm) throws -> [Int] {
        let snapshot = try test.verified()
        return [try snapshot.table(named: "Bolt").count, try snapshot.table(named: "Wheel").count]
    }

    @Test func `embedded objects are deleted in place`() throws {
        let (test, cart) = try cart()
        let realm = try #require(cart.realm)
        let (spare, second) = (try #require(cart.spare), cart.wheels[1])
        try realm.write { realm.delete(second) }
        expect(cart.wheels.map(\.size) == [1, 3, 4] && second.isInvalidated)
        try realm.write { realm.delete(cart.wheels.where { $0.size.in([1, 4]) }) }
        expectEqual(cart.wheels.map(\.size), [3])
        try realm.write { if let wheel = cart.others["a"] ?? nil { realm.delete(wheel) } }
        expect((cart.others["a"] ?? nil) == nil && (cart.others["b"] ?? nil)?.size == 8)
        try realm.write { realm.delete(spare.bolts[0]) }
        expectEqual(cart.spare?.bolts.map(\.length), [2])
        try expectEqual(counts(test), [1, 3])
        try realm.write { realm.delete(spare) }
        expect(cart.spare == nil && spare.isInvalidated)
        try realm.write { realm.delete(cart.wheels) }
        expect(cart.wheels.isEmpty)
        try expectEqual(counts(test), [0, 1])
    }

    @Test func `observers are notified of deleted embedded objects`() throws {
        let realm = try QueueRealm([Cart.self, Wheel.self, Bolt.self])
        try realm { realm in try realm.write { realm.add(Cart(value: ["wheels": (1...4).map { ["size": $0] }])) } }
        realm { opened in
            realm.keep(
                opened.objects(Cart.self)[0].wheels.observe { change in
                    if case .update(let wheels, let deletions, _, _) = change {
                        realm.told.append("\(wheels.count) -\(deletions)")
                    }
                })
        }
        try realm { realm in try realm.write { realm.delete(realm.objects(Cart.self)[0].wheels[2]) } }
        expectEqual(realm.told, ["3 -[2]"])
    }

    @Test func `a new embedded object is deleted in the same transaction`() throws {
        let (test, cart) = try cart()
        let realm = try #require(cart.realm)
        try realm.write {
            cart.wheels.append(Wheel(value: ["size": 9]))
            if let last = cart.wheels.last { realm.delete(last) }
            cart.spare = Wheel(value: ["size": 5, "bolts": [["length": 3]]])
            if let spare = cart.spare { realm.delete(spare) }
        }
        expect(cart.wheels.map(\.size) == [1, 2, 3, 4] && cart.spare == nil)
        try expectEqual(counts(test), [0, 6])
    }

    @Test func `properties support Swift observers`() throws {
        let (_, cart) = try cart()
        try cart.realm?.write { cart.count = 5 }
        let other = Cart()
        other.count = 3
        expect(cart.changes == 1 && other.changes == 1 && cart.count == 5)
    }

    @Test func `names of Realm's module are available`() throws {
        func className(_ type: RLMObjectBase.Type) -> String { type.className() }
        expectEqual(className(Cart.self), "Cart")
        func largest<T: KeypathSortable & Object>(_ results: Results<T>, _ path: KeyPath<T, Int>) -> T? {
            results.sorted(by: path, ascending: false).first
        }
        let (test, cart) = try cart()
        expectEqual(largest(try test.open().objects(Cart.self), \.id)?.id, cart.id)
        var code: RLMError.Code?
        do {
            let nowhere = URL(filePath: "/nowhere/at/all.realm")
            _ = try Realm(configuration: .init(fileURL: nowhere, readOnly: true, objectTypes: kennelTypes))
        } catch let error as RLMError where error.code == .fileNotFound || error.code == .schemaMismatch {
            code = error.code
        }
        expectEqual(code, .fileNotFound)
    }

    @Test func `the default file on a Mac has the same path as in RealmSwift`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "support-\(UUID())")
        defer { try? FileManager.default.removeItem(at: folder) }
        let own = Realm.Configuration.defaultFile(in: folder, [:], "org.kennel.app")
        expectEqual(own.path, folder.path + "/org.kennel.app/default.realm")
        expect(FileManager.default.fileExists(atPath: folder.path + "/org.kennel.app"))
        let inside = Realm.Configuration.defaultFile(in: folder, ["APP_SANDBOX_CONTAINER_ID": "org.kennel.app"], "x")
        expectEqual(inside.path, folder.path + "/default.realm")
    }
}
