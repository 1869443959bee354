import Expectations
import RealmCore
import RealmForensics
import RealmLayout
import RealmStorage
import RealmStore
import TestSupport
import Testing

private import Foundation

/// Objects that were linked to before they existed, and columns that store each distinct string once.
@Suite struct TombstoneTests {
    private static let schema = SchemaDefinition([
        TableDefinition(
            class: "Dog", primaryKey: "_id", [PropertyDefinition("_id", .int), PropertyDefinition("name", .string)]),
        TableDefinition(
            class: "Person",
            [
                PropertyDefinition("best", .link, target: "Dog"),
                PropertyDefinition("dogs", .link, collection: .list, target: "Dog"),
                PropertyDefinition("pack", .link, collection: .set, target: "Dog"),
                PropertyDefinition("byName", .link, collection: .dictionary(.string), target: "Dog"),
                PropertyDefinition("any", .mixed),
                PropertyDefinition("things", .mixed, collection: .set),
            ]),
    ])

    /// Returns a store with a person with links of every kind to a dog that exists, and to two that do not.
    private func store() throws -> RealmStore {
        let folder = try TemporaryFolder()
        let builder = try RealmBuilder(Self.schema, at: NewFile(folder.file("dogs.realm")))
        let (seven, eight) = (
            try builder.addTombstone("Dog", primaryKey: 7), try builder.addTombstone("Dog", primaryKey: 8)
        )
        let one = try builder.add("Dog", ["_id": 1, "name": "Rex"])
        try builder.add(
            "Person",
            [
                "best": .link(seven), "dogs": [.link(seven), .link(one), .link(seven)],
                "pack": [.link(seven), .link(eight), .link(one)],
                "byName": .dictionary(["a": .link(seven), "b": .link(one)]),
                "any": [.link(seven), .dictionary(["x": .link(seven)]), 5], "things": [.link(seven), 1, "text"],
            ])
        try builder.finish()
        return try RealmStore(bytes: try #require(folder.bytes("dogs.realm")))
    }

    private func text(_ value: RealmCore.Value) throws -> String {
        switch value {
        case .link(let link): "\(try link.object().map { try $0["name"] } ?? .null)"
        case .list(let elements), .set(let elements): "\(try elements.map { try text($0) })"
        case .dictionary(let entries): "\(try entries.map { "\($0.key): \(try text($0.value))" })"
        default: "\(value)"
        }
    }

    private func person(_ store: RealmStore) throws -> [String: String] {
        let findings = Verification(level: .deep).run(on: store.snapshot().data.source).findings
            .filter { $0.severity != .info }
        expect(findings.isEmpty, "\(findings.map { "\($0.place): \($0.message)" })")
        let persons = try store.snapshot().table(named: "Person")
        var objects = persons.objects
        let person = try #require(try objects.next())
        var values: [String: String] = [:]
        for property in persons.schema.properties { values[property.name] = try text(person[property.name]) }
        return values
    }

    /// Realm Core also removes it then; an object added later in the same transaction finds none.
    @Test func `a tombstone is removed with the last link to it`() throws {
        let store = try store()
        let person = ObjectReference("Person", try #require(try firstKey(of: "Person", in: store)))
        try store.write { transaction in
            try transaction.set(person, "pack", .list([]))
            try transaction.set(person, "best", .null)
        }
        try expectEqual(store.snapshot().table(named: "Dog").tombstoneCount, 1)
        try store.write { transaction in
            try expectEqual(transaction.object("Dog", primaryKey: 7), nil)
            try transaction.delete(person)
            _ = try transaction.add("Dog", ["_id": 7, "name": "Seven"])
            _ = try transaction.add("Dog", ["_id": 8, "name": "Eight"])
        }
        let dogs = try store.snapshot().table(named: "Dog")
        try expectEqual(dogs.tombstoneCount, 0)
        try expectEqual(dogs.count, 3)
        expect(Verification(level: .deep).run(on: store.snapshot().data.source).findings.isEmpty)
    }

    @Test func `a class is removed with the tombstones that only its objects link to`() throws {
        let folder = try TemporaryFolder()
        let schema = SchemaDefinition([
            TableDefinition(class: "Address", kind: .embedded, [PropertyDefinition("street", .string)]),
            TableDefinition(
                class: "Node", primaryKey: "_id",
                [
                    PropertyDefinition("_id", .int),
                    PropertyDefinition("next", .link, collection: .list, target: "Node"),
                    PropertyDefinition("address", .link, target: "Address"),
                ]),
            TableDefinition(class: "Other", [PropertyDefinition("any", .mixed)]),
        ])
        let builder = try RealmBuilder(schema, at: NewFile(folder.file("nodes.realm")))
        // The one with the lowest key is visited first.
        let (linked, gone) = (
            try builder.addTombstone("Node", primaryKey: 8), try builder.addTombstone("Node", primaryKey: 9)
        )
        try builder.add("Node", ["_id": 1, "next": [.link(gone), .link(gone)], "address": .embedded(["street": "x"])])
        try builder.add("Node", ["_id": 2, "next": [.link(gone), .link(linked)]])
        try builder.add("Other", ["any": .link(linked)])
        try builder.finish()
        let store = try RealmStore(bytes: try #require(folder.bytes("nodes.realm")))
        try store.write { transaction in try transaction.removeClass("Node") }
        let snapshot = store.snapshot()
        expectEqual(snapshot.classes.map(\.name), ["Address", "Other"])
        try expectEqual(snapshot.table(named: "Address").count, 0)
        var others = try snapshot.table(named: "Other").objects
        try expectEqual(others.next()?["any"], .null)
        expect(Verification(level: .deep).run(on: snapshot.data.source).findings.isEmpty)
    }

    private func firstKey(of className: String, in store: RealmStore) throws -> ObjectKey? {
        var objects = try store.snapshot().table(named: className).objects
        return try objects.next()?.key
    }

    @Test func `links of all types to a tombstone lead to the object that is added later`() throws {
        let store = try store()
        try expectEqual(store.snapshot().table(named: "Dog").tombstoneCount, 2)
        var key: ObjectKey?
        try store.write { transaction in
            _ = try transaction.add("Dog", ["_id": 2, "name": "Fido"])
            key = try transaction.upsert("Dog", ["_id": 7, "name": "Seven"]).key
            try expectEqual(transaction.object("Dog", primaryKey: 7)?.key, key)
        }
        let dogs = try store.snapshot().table(named: "Dog")
        try expect(dogs.tombstoneCount == 1 && dogs.count == 3)
        let values = try person(store)
        let (rex, seven) = ("\(RealmCore.Value.string("Rex"))", "\(RealmCore.Value.string("Seven"))")
        expectEqual(values["best"], seven)
        expectEqual(values["dogs"], "\([seven, rex, seven])")
        expect(values["pack"]?.contains(seven) == true && values["pack"]?.contains(rex) == true)
        expectEqual(values["byName"]?.contains(seven), true)
        expectEqual(values["any"]?.components(separatedBy: seven).count, 3)
        expectEqual(values["things"]?.contains(seven), true)
        // The backlinks are those of the object: all links are removed with it.
        try store.write { transaction in
            try transaction.delete(try #require(try transaction.object("Dog", primaryKey: 7)))
        }
        let without = try person(store)
        expectEqual(without["dogs"], "\([rex])")
        expect(!without.values.contains { $0.contains(seven) })
        // And the last one, together with another change.
        try store.write { transaction in
            let other = try transaction.add("Dog", ["_id": 8, "name": "Eight"])
            try transaction.set(other, "name", "Acht")
        }
        try expectEqual(person(store)["pack"]?.contains("Acht"), true)
        try expectEqual(store.snapshot().table(named: "Dog").tombstoneCount, 0)
    }

    @Test func `distinct strings are stored as plain strings after a change`() throws {
        let file = try #require(KnownFile.fixtures.first { $0.name.hasSuffix("enumerated") && $0.format == 24 })
        let store = try RealmStore(bytes: file.bytes())
        let before = store.snapshot()
        let table = try #require(before.classes.first { $0.schema.properties.contains(where: \.isEnumerated) })
        let property = try #require(table.schema.properties.first { $0.isEnumerated })
        var objects = table.objects
        let first = try #require(try objects.next())
        let reference = ObjectReference(table.name, first.key)
        let old = try first[property.name]
        try store.write { transaction in try transaction.set(reference, property.name, "something new") }
        let changed = try store.snapshot().table(named: table.name)
        expect(!changed.schema.properties.contains { $0.isEnumerated })
        try expectEqual(changed.object(first.key)?[property.name], .string("something new"))
        let changes = try store.snapshot().changes(since: before)
        expectEqual(changes.table(named: table.name)?.modified.map(\.key), [first.key])
        let value: NewValue = if case .string(let text) = old { .string(text) } else { .null }
        try store.write { transaction in try transaction.set(reference, property.name, value) }
        try expectEqual(store.snapshot().contentHash(), before.contentHash())
        try SchemaChangeTests.check(store.snapshot())
        // Schema changes keep such columns as they are.
        let other = try RealmStore(bytes: file.bytes())
        try other.write { transaction in
            try transaction.addProperty(PropertyDefinition("extra", .int), to: table.name)
            try transaction.setIndex(.none, of: property.name, in: table.name)
            try transaction.setIndex(.general, of: property.name, in: table.name)
        }
        try SchemaChangeTests.check(other.snapshot())
        let kept = try other.snapshot().table(named: table.name)
        expectEqual(kept.schema.property(named: property.name)?.isEnumerated, true)
        try expectEqual(kept.object(first.key)?[property.name], old)
        try other.write { transaction in try transaction.removeProperty(property.name, of: table.name) }
        try SchemaChangeTests.check(other.snapshot())
    }
}
