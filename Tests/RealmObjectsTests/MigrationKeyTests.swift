import Expectations
import RealmObjects
import Testing

/// Migrations that create objects whose primary keys are still in use until the existing objects get new ones.
@Suite struct MigrationKeyTests {
    final class Ticket: Object {
        @Persisted(primaryKey: true) var number = 0
        @Persisted var holder = ""
        @Persisted var next: Ticket?
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private func tickets() throws -> TestRealm {
        let file = TestRealm([Ticket.self])
        let realm = try file.open()
        try realm.write { for number in 1...3 { realm.create(Ticket.self, value: [number, "\(number)"]) } }
        file.configuration.schemaVersion = 1
        return file
    }

    @Test func `duplicate keys are allowed until the migration ends`() throws {
        let file = try tickets()
        file.configuration.migrationBlock = { migration, _ in
            let next: [String: Any] = ["number": 2, "holder": "newer"]
            migration.create("Ticket", value: ["number": 1, "holder": "new", "next": next])
            migration.enumerateObjects(ofType: "Ticket") { old, new in
                new?["number"] = 10 * (old?["number"] as? Int ?? 0)
            }
        }
        let realm = try file.open()
        let tickets = realm.objects(Ticket.self).sorted(by: \.number)
        expectEqual(tickets.map(\.number), [1, 2, 10, 20, 30])
        expectEqual(tickets.map(\.holder), ["new", "newer", "1", "2", "3"])
        for number in [1, 2, 10, 20, 30] {
            expectEqual(realm.object(ofType: Ticket.self, forPrimaryKey: number)?.number, number)
        }
        expectEqual(realm.object(ofType: Ticket.self, forPrimaryKey: 1)?.next?.holder, "newer")
        try expectEqual(file.verified().table(named: "Ticket").count, 5)
    }

    @Test func `a migration that leaves duplicate keys fails and changes nothing`() throws {
        let file = try tickets()
        let before = file.configuration.schemaVersion - 1
        file.configuration.migrationBlock = { migration, _ in
            migration.create("Ticket", value: ["number": 4])
            migration.create("Ticket", value: ["number": 3, "holder": "another"])
        }
        let error = #expect(throws: Realm.Error(.fail)) { try file.open() }
        expectEqual(
            error?.message, "Primary key property 'Ticket.number' has duplicate values after migration.")
        file.configuration.schemaVersion = before
        try expectEqual(file.open().objects(Ticket.self).map(\.holder), ["1", "2", "3"])
    }

    final class OldLabel: Object {
        @Persisted(primaryKey: true) var id: Int?
        @Persisted var text = ""
        @Persisted var tag: OldTag?
        override class func _realmObjectName() -> String? { "Label" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Label: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var text = ""
        override class func _realmObjectName() -> String? { "Label" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class OldTag: Object {
        @Persisted var text = ""
        @Persisted var next: OldTag?
        @Persisted var marks: List<OldMark>
        override class func _realmObjectName() -> String? { "Tag" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class OldMark: Object {
        @Persisted var tag: OldTag?
        override class func _realmObjectName() -> String? { "Mark" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private func labels() throws -> TestRealm {
        let file = TestRealm([OldLabel.self, OldTag.self, OldMark.self])
        let realm = try file.open()
        try realm.write {
            let tag = OldTag(value: ["tag"])
            tag.next = tag
            tag.marks.append(OldMark(value: [tag]))
            for (id, text) in [(nil, "none"), (0, "zero"), (5, "five")] {
                let label = OldLabel()
                (label.id, label.text, label.tag) = (id, text, tag)
                realm.add(label)
            }
        }
        (file.configuration.schemaVersion, file.configuration.objectTypes) = (1, [Label.self])
        return file
    }

    @Test func `a key that becomes required may be null and zero until the block sets it`() throws {
        let file = try labels()
        let error = #expect(throws: Realm.Error(.fail)) { try file.open() }
        expectEqual(error?.message, "Primary key property 'Label.id' has duplicate values after migration.")
        file.configuration.migrationBlock = { migration, _ in
            migration.enumerateObjects(ofType: "Label") { old, new in
                new?["id"] = (old?["id"] as? Int).map { $0 + 1 } ?? 100
            }
        }
        let realm = try file.open()
        let found = [1, 6, 100].map { realm.object(ofType: Label.self, forPrimaryKey: $0)?.text }
        expectEqual(found, ["zero", "five", "none"])
        try expectEqual(file.verified().table(named: "Label").count, 3)
    }

    @Test func `a class whose data is deleted in a migration is removed with the properties that link to it`() throws {
        let file = try labels()
        file.configuration.migrationBlock = { migration, _ in
            migration.enumerateObjects(ofType: "Label") { old, new in new?["id"] = (old?["id"] as? Int) ?? 100 }
            for name in ["Tag", "Mark", "Tag"] { expect(migration.deleteData(forType: name)) }
            expect(!migration.deleteData(forType: "Nobody"))
        }
        try expectEqual(file.open().objects(Label.self).count, 3)
        let snapshot = try file.verified()
        expectEqual(snapshot.schema.classes.map(\.name), ["Label"])
    }
}
