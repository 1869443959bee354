import Expectations
import Foundation
import RealmObjects
import Testing

/// Values of a file without a counterpart in the program's types, as written by a newer version of an app.
@Suite struct UnknownCaseTests {
    enum NewKind: String, PersistableEnum { case a, b, c }
    enum Kind: String, PersistableEnum { case a, b }

    /// Even numbers.
    struct Even: FailableCustomPersistable {
        let number: Int
        var persistableValue: Int { number }
        init?(persistedValue: Int) {
            guard persistedValue % 2 == 0 else { return nil }
            number = persistedValue
        }
    }

    final class NewThing: Object {
        @Persisted var kind = NewKind.a
        @Persisted var maybe: NewKind?
        @Persisted var kinds: List<NewKind>
        @Persisted var maybes: List<NewKind?>
        @Persisted var named: Map<String, NewKind>
        @Persisted var even = 0
        override class func _realmObjectName() -> String? { "Thing" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Thing: Object {
        @Persisted var kind = Kind.a
        @Persisted var maybe: Kind?
        @Persisted var kinds: List<Kind>
        @Persisted var maybes: List<Kind?>
        @Persisted var named: Map<String, Kind>
        @Persisted var even: Even
        override class func _realmObjectName() -> String? { "Thing" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    /// Returns a thing that a newer version wrote.
    private static func thing(_ file: TestRealm) throws -> Thing {
        do {
            let realm = try Realm(configuration: file.configuration)
            let values: [String: Any] = [
                "kind": NewKind.c, "maybe": NewKind.c, "kinds": [NewKind.b, .c], "maybes": [NewKind.b, .c],
                "named": ["x": NewKind.c], "even": 3,
            ]
            try realm.write { realm.create(NewThing.self, value: values) }
        }
        file.configuration.objectTypes = [Thing.self]
        return try #require(try file.open().objects(Thing.self).first)
    }

    @Test func `an unknown raw value is nil if that is allowed`() throws {
        let file = TestRealm([NewThing.self])
        let thing = try Self.thing(file)
        expect(thing.maybe == nil && Array(thing.maybes) == [.b, nil] && thing.kinds[0] == .b)
        expectEqual(thing.value(forKey: "kind") as? String, "c")
    }

    @Test func `an unknown raw value in a given value is nil`() async throws {
        let values: [String: Any] = ["maybe": "c", "maybes": ["b", "c", nil]]
        let thing = Thing(value: values)
        expect(thing.maybe == nil && Array(thing.maybes) == [.b, nil, nil])
        let realm = try TestRealm([Thing.self, Thing.self]).open()
        expectEqual(realm.schema.objectSchema.map(\.className), ["Thing"])
        let created = try realm.write {
            let created = realm.create(Thing.self, value: values)
            expect(created.maybe == nil && Array(created.maybes) == [.b, nil, nil])
            created.maybe = .a
            created["maybe"] = "b"
            expectEqual(created.maybe, .b)
            created["maybe"] = "c"
            return created
        }
        expect(created.maybe == nil && created.value(forKey: "maybe") == nil)
        let other = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Thing(value: ["maybe": 3])
        }
        let said = String(decoding: other?.standardErrorContent ?? [], as: UTF8.self)
        expect(said.contains("Invalid value '3'"))
    }

    @Test func `an unknown raw value is not read as another case`() async {
        let kind = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = TestRealm([NewThing.self])
            _ = try Self.thing(file).kind
        }
        let element = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = TestRealm([NewThing.self])
            _ = try Self.thing(file).kinds[1]
        }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = TestRealm([NewThing.self])
            _ = try Self.thing(file).kinds.sorted()[1]
        }
        let entry = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = TestRealm([NewThing.self])
            _ = try Self.thing(file).named["x"]
        }
        for result in [kind, element, result, entry] {
            let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            expect(said.contains("Failed to convert persisted value 'c' to type 'Kind' in a non-optional context."))
        }
        let even = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = TestRealm([NewThing.self])
            _ = try Self.thing(file).even
        }
        let said = String(decoding: even?.standardErrorContent ?? [], as: UTF8.self)
        expect(said.contains("Failed to convert persisted value '3' to type 'Even' in a non-optional context."))
    }
}
