import Expectations
import Foundation
import RealmObjects
import Testing

/// Values of migration objects whose classes have other names in the program, or do not exist there.
@Suite struct MigrationValueTests {
    final class Shelf: Object {
        @Persisted(primaryKey: true) var id: ObjectId
        @Persisted var number = 0
        @Persisted var thing: AnyRealmValue
        @Persisted var next: Shelf?
        @Persisted var list: List<Shelf>
        @Persisted var set: MutableSet<Shelf>
        @Persisted var map: Map<String, Shelf?>
        @Persisted var label: Label?
        override class func propertiesMapping() -> [String: String] {
            ["number": "n", "thing": "t", "next": "x", "list": "l", "set": "s", "map": "m", "label": "b"]
        }
    }

    final class Label: EmbeddedObject {
        @Persisted var number = 0
        override class func propertiesMapping() -> [String: String] { ["number": "n"] }
    }

    enum Size: String, PersistableEnum { case small, large }

    struct Weight: CustomPersistable {
        var grams: Int
        var persistableValue: Int { grams }
        init(persistedValue: Int) { grams = persistedValue }
    }

    private final class Seen {
        var numbers: [[Int]] = []
        var texts: [String] = []
    }

    private func numbers(_ value: Any?, _ name: String) -> [Int] {
        switch value {
        case let list as List<MigrationObject>: list.map { $0[name] as? Int ?? -1 }
        case let set as MutableSet<MigrationObject>: set.map { $0[name] as? Int ?? -1 }
        case let map as Map<String, MigrationObject?>: map.values.map { $0?[name] as? Int ?? -1 }
        case let object as MigrationObject: [object[name] as? Int ?? -1]
        default: []
        }
    }

    @Test func `old objects have the names of the file, new ones those of the program`() throws {
        let file = TestRealm([Shelf.self, Label.self])
        do {
            let realm = try file.open()
            let (shelf, other) = (Shelf(), Shelf())
            (shelf.number, shelf.thing, shelf.next, other.number) = (1, .object(other), other, 2)
            shelf.list.append(other)
            shelf.set.insert(other)
            shelf.map["k"] = other
            shelf.label = Label(value: [3])
            try realm.write { realm.add(shelf) }
        }
        let seen = Shared(Seen())
        file.configuration.schemaVersion = 1
        file.configuration.migrationBlock = { migration, _ in
            migration.enumerateObjects(ofType: "Shelf") { old, new in
                guard let old, let new, old["n"] as? Int == 1 else { return }
                expect(old["t"] is DynamicObject && new["thing"] is DynamicObject)
                for name in ["t", "x", "l", "s", "m", "b"] { seen.value.numbers.append(self.numbers(old[name], "n")) }
                for name in ["thing", "next", "list", "set", "map", "label"] {
                    seen.value.numbers.append(self.numbers(new[name], "number"))
                }
            }
        }
        let realm = try file.open()
        expectEqual(seen.value.numbers, [[2], [2], [2], [2], [2], [3], [2], [2], [2], [2], [2], [3]])
        let shelf = try #require(realm.objects(Shelf.self).first)
        expect(shelf.number == 1 && shelf.list.map(\.number) == [2] && shelf.set.map(\.number) == [2])
        expect(shelf.map["k"]??.number == 2 && shelf.label?.number == 3 && shelf.next?.number == 2)
    }

    @Test func `dictionaries and arrays create objects`() throws {
        let file = TestRealm([Shelf.self, Label.self])
        do {
            let realm = try file.open()
            try realm.write { realm.add(Shelf(value: ["number": 1, "label": [11]])) }
        }
        file.configuration.schemaVersion = 1
        file.configuration.migrationBlock = { migration, _ in
            func shelf(_ number: Int) -> [String: Any] { ["id": ObjectId.generate(), "number": number] }
            migration.enumerateObjects(ofType: "Shelf") { old, new in
                guard let old, let new else { return }
                new["next"] = shelf(2)
                new["list"] = [shelf(3), new, [ObjectId.generate(), 4]]
                new["map"] = ["a": shelf(5), "b": new, "c": NSNull()] as [String: Any]
                // A copy of the old object's embedded object.
                let label = old["b"]
                new["label"] = ["number": 12]
                expectEqual((new["label"] as? MigrationObject)?["number"] as? Int, 12)
                new["label"] = label
                migration.create(
                    "Shelf", value: ["id": ObjectId.generate(), "number": 6, "label": [13], "list": [shelf(7)]])
            }
        }
        let realm = try file.open()
        let shelf = try #require(realm.objects(Shelf.self).where { $0.number == 1 }.first)
        expect(shelf.next?.number == 2 && shelf.list.map(\.number) == [3, 1, 4] && shelf.label?.number == 11)
        expect(shelf.map.keys == ["a", "b", "c"] && shelf.map.values.map { $0?.number } == [5, 1, nil])
        let made = try #require(realm.objects(Shelf.self).where { $0.number == 6 }.first)
        expect(made.label?.number == 13 && made.list.map(\.number) == [7])
        expectEqual(realm.objects(Shelf.self).count, 7)
        _ = try file.verified()
    }

    final class Numbered: Object {
        @Persisted(primaryKey: true) var id: Int
        @Persisted var name = ""
    }

    @Test func `a migration may assign other primary keys if they stay unique`() throws {
        let file = TestRealm([Numbered.self])
        do {
            let realm = try file.open()
            try realm.write {
                for (id, name) in ["a", "b", "c"].enumerated() { realm.create(Numbered.self, value: [id, name]) }
            }
        }
        func migrate(_ version: UInt64, _ key: @escaping @Sendable (Int) -> Int) throws -> Realm {
            var configuration = file.configuration
            configuration.schemaVersion = version
            configuration.migrationBlock = { migration, _ in
                migration.enumerateObjects(ofType: "Numbered") { old, new in
                    if let old, let new, let id = old["id"] as? Int { new["id"] = key(id) }
                }
            }
            return try Realm(configuration: configuration)
        }
        let error = #expect(throws: Realm.Error.self) { _ = try migrate(1) { $0 / 2 } }
        expectEqual(error?.message, "Primary key property 'Numbered.id' has duplicate values after migration.")
        try expectEqual(file.open().objects(Numbered.self).map(\.id), [0, 1, 2])
        let realm = try migrate(1) { 2 - $0 }
        expectEqual(realm.objects(Numbered.self).map(\.name), ["a", "b", "c"])
        for (id, name) in ["c", "b", "a"].enumerated() {
            expectEqual(realm.object(ofType: Numbered.self, forPrimaryKey: id)?.name, name)
        }
        expectEqual(realm.schema["Numbered"]?.primaryKeyProperty?.name, "id")
        _ = try file.verified()
    }

    @Test func `enums and custom types are set by their values`() throws {
        let realm = try TestRealm(kennelTypes).open()
        try realm.write {
            let dog = realm.dynamicCreate(
                "Dog",
                value: ["_id": ObjectId(), "name": Size.large, "age": Weight(persistedValue: 7)] as [String: Any])
            expect(dog["name"] as? String == "large" && dog["age"] as? Int == 7)
            let club = realm.create(DogClub.self, value: ["tags": [Size.small, Size.large]] as [String: Any])
            expect(club.tags.contains("small") && club.tags.count == 2)
            club["name"] = Size.small
            expectEqual(club.name, "small")
        }
    }

    final class Troupe: Object {
        @Persisted var name = "nobody"
        @Persisted var size = Size.large
        @Persisted var weight = Weight(persistedValue: 70)
        @Persisted var shares = 1.0
        @Persisted var numbers = List<Int>()
        @Persisted var lead: Player? = Player(value: ["born"])
        @Persisted var players: List<Player>
    }

    final class Player: Object { @Persisted var name = "anonymous" }

    @Test func `objects created in a migration have the defaults of their class`() throws {
        let file = TestRealm([Troupe.self, Player.self], version: 1)
        do { try file.open().write {} }
        file.configuration.schemaVersion = 2
        let texts = Shared(Seen())
        file.configuration.migrationBlock = { migration, _ in
            migration.create("Troupe")
            let troupe = migration.create(
                "Troupe", value: ["name": "given", "players": [[:] as [String: Any]]] as [String: Any])
            texts.value.texts.append(troupe.description)
        }
        let realm = try file.open()
        let troupes = realm.objects(Troupe.self)
        expect(
            troupes.map(\.name) == ["nobody", "given"] && troupes.allSatisfy { $0.size == .large && $0.shares == 1 })
        expect(troupes.allSatisfy { $0.weight.grams == 70 && $0.lead?.name == "born" })
        expect(troupes[1].players.map(\.name) == ["anonymous"] && realm.objects(Player.self).count == 3)
        let text = try #require(texts.value.texts.first).replacing(#/0x[0-9a-f]+/#, with: "0x")
        expect(text.contains("\tshares = 1;\n") && text.contains("players = List<Player> <0x> (\n\t\t[0] Player {"))
        try realm.write { realm.dynamicCreate("Troupe") }
        expect(troupes[2].name == "nobody" && troupes[2].lead?.name == "born")
    }

    @Test func `a missing primary key has the default of its property`() throws {
        let realm = try TestRealm([Numbered.self]).open()
        try realm.write {
            realm.dynamicCreate("Numbered", value: ["name": "first"])
            realm.dynamicCreate("Numbered", value: ["name": "second"], update: .modified)
        }
        expectEqual(realm.objects(Numbered.self).map(\.name), ["second"])
    }

    @Test func `an object in memory is added once, even if a migration sets it in several places`() throws {
        let file = TestRealm([Troupe.self, Player.self], version: 1)
        do {
            let realm = try file.open()
            try realm.write { realm.add(Troupe(value: ["lead": nil] as [String: Any?])) }
        }
        file.configuration.schemaVersion = 2
        file.configuration.migrationBlock = { migration, _ in
            let ann = Player(value: ["Ann"])
            migration.enumerateObjects(ofType: "Troupe") { _, troupe in
                troupe?["lead"] = ann
                troupe?["players"] = [ann, ann]
            }
            ann.name = "Bea"
        }
        let realm = try file.open()
        let troupe = realm.objects(Troupe.self)[0]
        expect(
            realm.objects(Player.self).map(\.name) == ["Bea"] && troupe.lead?.name == "Bea" && troupe.players.count == 2
        )
    }
}
