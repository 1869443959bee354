import Expectations
import Foundation
import RealmCore
import RealmObjects
import Testing

/// Renamed properties, following RealmSwift's own tests.
@Suite struct MigrationRenameTests {
    final class First: Object {
        @Persisted var a0: String?
        @Persisted var other: Other?
        @Persisted var others: List<Other>
        @Persisted(primaryKey: true) var key0 = 0
        override class func _realmObjectName() -> String? { "Renamed" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Other: Object {
        @Persisted var number = 0
        override class func _realmObjectName() -> String? { "Other" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Last: Object {
        @Persisted(indexed: true) var a: String?
        @Persisted var other: Other?
        @Persisted var others: List<Other>
        @Persisted(primaryKey: true) var key = 0
        override class func _realmObjectName() -> String? { "Renamed" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Turned: Object {
        @Persisted var a0: String?
        @Persisted var next: Turned?
        @Persisted var nexts: List<Turned>
        @Persisted(primaryKey: true) var key0 = 0
        override class func _realmObjectName() -> String? { "Renamed" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private static func file(_ types: [ObjectBase.Type] = [Last.self, Other.self]) throws -> TestRealm {
        let file = TestRealm([First.self, Other.self])
        let realm = try file.open()
        try realm.write {
            let other = Other(value: [5])
            for number in 0..<3 {
                let text = number == 1 ? nil : "text \(number)"
                let value: [String: Any?] = ["a0": text, "other": other, "others": [other], "key0": number]
                realm.create(First.self, value: value)
            }
        }
        file.configuration.objectTypes = types
        file.configuration.schemaVersion = 2
        return file
    }

    @Test func `a property is renamed step by step`() throws {
        let file = try Self.file()
        nonisolated(unsafe) var between: [String?] = []
        nonisolated(unsafe) var after: [String?] = []
        file.configuration.migrationBlock = { migration, _ in
            migration.renameProperty(onType: "Renamed", from: "a0", to: "a1")
            migration.renameProperty(onType: "Renamed", from: "key0", to: "key1")
            migration.enumerateObjects(ofType: "Renamed") { old, new in between.append(old?["a0"] as? String) }
            migration.renameProperty(onType: "Renamed", from: "a1", to: "a")
            migration.renameProperty(onType: "Renamed", from: "key1", to: "key")
            migration.enumerateObjects(ofType: "Renamed") { old, new in
                expectEqual(old?["a0"] as? String, new?["a"] as? String)
                after.append(new?["a"] as? String)
            }
        }
        do {
            let realm = try file.open()
            expect(between == ["text 0", nil, "text 2"] && after == between)
            expectEqual(realm.objects(Last.self).map(\.a), between)
            expectEqual(realm.object(ofType: Last.self, forPrimaryKey: 2)?.a, "text 2")
            expectEqual(realm.objects(Last.self).filter("a == 'text 2'").map(\.key), [2])
        }
        let schema = try file.verified().table(named: "Renamed").schema
        expectEqual(schema.properties.map(\.name).sorted(), ["a", "key", "other", "others"])
        expect(schema.primaryKeyName == "key" && schema.property(named: "a")?.index == .general)
    }

    @Test func `a name missing in the program is reported at the end`() throws {
        let file = try Self.file()
        file.configuration.migrationBlock = { migration, _ in
            migration.renameProperty(onType: "Renamed", from: "key0", to: "key")
            migration.renameProperty(onType: "Renamed", from: "a0", to: "nowhere")
        }
        let error = #expect(throws: Realm.Error.self) { try file.open() }
        expectEqual(error?.code, .fail)
        expect(error?.message.contains("Renamed property 'Renamed.nowhere' does not exist.") ?? false)
        try expect(file.verified().table(named: "Renamed").schema.property(named: "a0") != nil)
    }

    private static func failing(
        _ old: String, _ new: String, of name: String = "Renamed", _ types: [ObjectBase.Type] = [Last.self, Other.self]
    ) throws {
        let file = try file(types)
        file.configuration.migrationBlock = { migration, _ in
            migration.renameProperty(onType: name, from: old, to: new)
        }
        _ = try file.open()
    }

    private func said(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test func `an invalid renaming ends the program with the message of RealmSwift`() async {
        let missing = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.failing("missing", "a")
        }
        expect(said(missing).contains("Cannot rename property 'Renamed.missing' because it does not exist."))
        let removed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.failing("a0", "a", [Other.self])
        }
        expect(
            said(removed).contains(
                "Cannot rename properties for type 'Renamed' because it has been removed from the Realm."))
        let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.failing("a0", "a", of: "Unknown")
        }
        expect(said(unknown).contains("Cannot rename properties for type 'Unknown' because it does not exist."))
        let still = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.failing("a0", "key0", [First.self, Other.self])
        }
        expect(
            said(still).contains(
                "Cannot rename property 'Renamed.a0' to 'key0' because the source property still exists."))
        let type = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.failing("a0", "key")
        }
        expect(
            said(type).contains(
                "Cannot rename property 'Renamed.a0' to 'key' because it would change from type 'string' to 'int'."))
    }

    @Test func `links to another class are of another type`() async {
        let link = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.failing("other", "next", [Turned.self, Other.self])
        }
        expect(
            said(link).contains(
                "Cannot rename property 'Renamed.other' to 'next' because it would change from type '<Other>' to '<Renamed>'."
            ))
        let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try Self.failing("others", "nexts", [Turned.self, Other.self])
        }
        expect(
            said(list).contains(
                "Cannot rename property 'Renamed.others' to 'nexts' because it would change from type 'array<Other>' to 'array<Renamed>'."
            ))
    }
}
