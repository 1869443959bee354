import Expectations
import Foundation
import RealmObjects
import Testing

/// Statements of RealmSwift's guides about its behaviour, besides their examples.
@Suite struct ClaimTests {
    final class Voucher: Object {
        @Persisted var serial: ObjectId
        @Persisted var number = ObjectId()
        @Persisted var seats: Map<String, Int>
        @Persisted var note: AnyRealmValue
        @Persisted var parts: List<Fitting>
    }

    final class Fitting: Object {
        @Persisted var name = ""
        @Persisted var weight = 0
    }

    private static func open() throws -> Realm {
        try Realm(
            configuration: .init(inMemoryIdentifier: "claims-\(UUID())", objectTypes: [Voucher.self, Fitting.self]))
    }

    /// Whether a process that ended wrote a text.
    private static func says(_ text: String, _ result: ExitTest.Result?) -> Bool {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).contains(text)
    }

    @Test @MainActor func `refresh notifies observers of local commits at once`() throws {
        let realm = try Self.open()
        var told: [[Int]] = []
        let token = realm.objects(Fitting.self).observe { change in
            if case .update(_, _, let insertions, _) = change { told.append(insertions) } else { told.append([-1]) }
        }
        realm.refresh()
        expectEqual(told, [[-1]])
        try realm.write { realm.create(Fitting.self) }
        expectEqual(told, [[-1]])
        // There is no other version, but there is a notification to deliver.
        expect(!realm.refresh())
        expectEqual(told, [[-1], [0]])
        realm.refresh()
        expectEqual(told.count, 2)
        token.invalidate()
    }

    @Test @MainActor func `refresh does nothing while observers are notified`() throws {
        let realm = try Self.open()
        var order: [String] = []
        let first = realm.objects(Fitting.self).observe { _ in
            order.append("first begins")
            expect(!realm.refresh())
            order.append("first ends")
        }
        let second = realm.objects(Fitting.self).observe { _ in order.append("second") }
        realm.refresh()
        expectEqual(order, ["first begins", "first ends", "second"])
        first.invalidate()
        second.invalidate()
    }

    @Test func `a new object ID is zero, but a default of a property is not`() throws {
        expect(ObjectId().stringValue == String(repeating: "0", count: 24) && ObjectId() == ObjectId())
        expect(ObjectId.generate() != ObjectId.generate())
        let (one, other) = (Voucher(), Voucher())
        expect(one.serial != other.serial && one.serial != ObjectId() && one.number == ObjectId())
        let realm = try Self.open()
        try realm.write {
            expect(realm.create(Voucher.self).serial != ObjectId() && realm.create(Voucher.self).number == ObjectId())
        }
    }

    @Test @MainActor func `a star as a key path stands for all properties`() throws {
        let realm = try Self.open()
        var told: [String] = []
        let voucher = Voucher()
        let part = Fitting()
        try realm.write {
            realm.add(voucher)
            realm.add(part)
            voucher.parts.append(part)
        }
        let all = realm.objects(Voucher.self)
        let tokens = [["*"], ["*.weight"], ["parts.*"], ["*.*"]].map { paths in
            all.observe(keyPaths: paths) { if case .update = $0 { told.append(paths[0]) } }
        }
        realm.refresh()
        func change(_ block: () -> Void) throws -> [String] {
            told = []
            try realm.write(block)
            realm.refresh()
            return told
        }
        try expectEqual(change { voucher.note = .int(3) }, ["*", "*.*"])
        try expectEqual(change { part.name = "lid" }, ["parts.*", "*.*"])
        try expectEqual(change { part.weight = 7 }, ["*.weight", "parts.*", "*.*"])
        for token in tokens { token.invalidate() }
    }

    @Test func `invalid key paths are reported`() async {
        let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try ClaimTests.open().objects(Voucher.self).observe(keyPaths: ["parts.colour"]) { _ in }
        }
        expect(Self.says("Property 'colour' in KeyPath 'parts.colour' is not a valid property in Fitting.", unknown))
        let beyond = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try ClaimTests.open()
            let voucher = Voucher()
            try realm.write { realm.add(voucher) }
            let token = voucher.observe(keyPaths: ["note.name"]) { (_: ObjectChange<Voucher>) in }
            token.invalidate()
        }
        expect(
            Self.says(
                "Property 'note' in KeyPath 'note.name' is not a collection of objects or an object reference, so it cannot be used as an "
                    + "intermediate keypath element.", beyond))
    }

    @Test func `keys of maps that MongoDB does not allow are refused`() async throws {
        let dollar = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try ClaimTests.open()
            try realm.write { realm.create(Voucher.self).seats["$row"] = 1 }
        }
        expect(Self.says("Dictionary::insert: key must not start with '$'", dollar))
        let point = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try ClaimTests.open()
            let voucher = Voucher()
            voucher.seats["a.b"] = 1
            try realm.write { realm.add(voucher) }
        }
        expect(Self.says("Dictionary::insert: key must not contain '.'", point))
        let inside = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try ClaimTests.open()
            let map = Map<String, AnyRealmValue>()
            map["a.b"] = .int(1)
            try realm.write { realm.create(Voucher.self).note = .dictionary(map) }
        }
        expect(Self.says("Dictionary::insert: key must not contain '.'", inside))
        let realm = try Self.open()
        try realm.write { realm.create(Voucher.self).seats["a$"] = 1 }
        expectEqual(realm.objects(Voucher.self).first?.seats["a$"], 1)
    }

    @Test func `updates need a primary key`() async {
        let text = "'Voucher' does not have a primary key and can not be updated"
        let made = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try ClaimTests.open()
            try realm.write { realm.create(Voucher.self, value: [:], update: .modified) }
        }
        expect(Self.says(text, made))
        let added = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try ClaimTests.open()
            try realm.write { realm.add(Voucher(), update: .all) }
        }
        expect(Self.says(text, added))
    }

    @Test func `frozen objects report that they are frozen`() async throws {
        let writing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try ClaimTests.open().freeze().write {}
        }
        expect(Self.says("Can't perform transactions on a frozen Realm", writing))
        let changing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try ClaimTests.open()
            let part = Fitting()
            try realm.write { realm.add(part) }
            part.freeze().name = "lid"
        }
        expect(Self.says("Attempting to modify a frozen object - call thaw on the Object instance first.", changing))
        let refreshing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try ClaimTests.open().freeze().autorefresh = true
        }
        expect(Self.says("Auto-refresh cannot be enabled for frozen Realms.", refreshing))
        try expect(!Self.open().freeze().autorefresh)
    }

    @Test func `collections in memory have no observers`() async {
        let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Voucher().parts.observe { _ in }
        }
        expect(Self.says("Change notifications are only supported on managed collections.", list))
        let map = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Voucher().seats.observe { _ in }
        }
        expect(Self.says("Change notifications are only supported on managed collections.", map))
    }

    @Test func `an open file is not opened with another key`() throws {
        let keys = [nil, Data(repeating: 7, count: 64), Data(repeating: 8, count: 64)]
        for key in keys {
            let test = TestRealm([Fitting.self])
            test.configuration.encryptionKey = key
            let realm = try test.open()
            for other in keys where other != key {
                test.configuration.encryptionKey = other
                let error = #expect(throws: Realm.Error.self) { _ = try test.open() }
                expectEqual(error?.message.hasSuffix("already opened with a different encryption key."), true)
            }
            test.configuration.encryptionKey = key
            try expect(test.open() == realm && realm.isEmpty)
        }
    }

    @Test func `a concurrent queue is reported`() async {
        let queue = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = try Realm(configuration: .init(inMemoryIdentifier: "claims-queue"), queue: .global())
        }
        expect(Self.says("Realms can only be confined to serial queues or the main queue.", queue))
    }

    /// A collection of any kind, stored as in the guide.
    private struct Shelf {
        let parts: AnyRealmCollection<Fitting>

        init<C: RealmCollection & _ObjcBridgeable>(_ collection: C) where C.ElementType == Fitting {
            parts = AnyRealmCollection(collection)
        }
    }

    @Test func `collections of any kind are stored by the type of their elements`() throws {
        let realm = try Self.open()
        let voucher = Voucher()
        try realm.write {
            realm.add(voucher)
            voucher.parts.append(Fitting())
        }
        expect(Shelf(voucher.parts).parts.count == 1 && Shelf(realm.objects(Fitting.self)).parts.count == 1)
        expect(List<Int>.ElementType.self == Int.self)
    }
}
