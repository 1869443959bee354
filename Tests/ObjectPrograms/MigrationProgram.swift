import Foundation
import RealmForensics
import RealmObjects
import RealmStorage

/// Random objects migrated from one version of their classes to the next, compared with a model in memory.
final class MigrationProgram {
    private let seed: UInt64
    private let world: World
    private let url: URL
    private let key: Data?

    /// An item of the first version.
    private struct Item {
        var name: String?
        var place: String
        var count: Int
        var ratio: Double
        var friend: Int?
        var friends: [Int]
        var memo: (text: String, stars: Int?)?
        var numbers: [Int]
    }
    private var items: [Int: Item] = [:]

    init(seed: UInt64, in folder: URL) {
        self.seed = seed
        world = World(seed: seed)
        url = folder.appending(path: "\(UUID()).realm")
        key = world.dice.roll(4) == 0 ? Data(repeating: 7, count: 64) : nil
    }

    var failures: [String] { world.failures.map { "seed \(seed), migration: \($0)" } }
    var tally: Tally { world.tally }

    func run() throws {
        try begin()
        if world.dice.roll(3) == 0 { try fail() }
        if world.dice.roll(2) == 0 {
            try carry(to: 1)
            try compareFirst()
        }
        try carry(to: 2)
        try compareSecond()
        try verify()
        world.tally.programs += 1
        for suffix in ["", ".lock"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
    }

    private func configuration(_ version: UInt64, _ types: [ObjectBase.Type]) -> Realm.Configuration {
        Realm.Configuration(fileURL: url, encryptionKey: key, schemaVersion: version, objectTypes: types)
    }

    private func begin() throws {
        let realm = try Realm(configuration: configuration(0, [Item0.self, Memo0.self]))
        let count = 1 + world.dice.roll(world.dice.roll(8) == 0 ? 600 : 30)
        try realm.write {
            for id in 0..<count {
                let item = Item(
                    name: .random(world), place: .random(world), count: world.dice.roll(1000) - 500,
                    ratio: .random(world), friend: world.dice.roll(2) == 0 ? nil : world.dice.roll(count),
                    friends: (0..<world.dice.roll(4)).map { _ in world.dice.roll(count) },
                    memo: world.dice.roll(2) == 0
                        ? nil : (.random(world), world.dice.roll(3) == 0 ? nil : world.dice.roll(9)),
                    numbers: (0..<world.dice.roll(4)).map { _ in .random(world) })
                items[id] = item
                let live = realm.create(
                    Item0.self, value: ["id": id, "place": item.place, "count": item.count, "ratio": item.ratio])
                (live.name, live.gone) = (item.name, .random(world))
                live.numbers.append(objectsIn: item.numbers)
                if let memo = item.memo { live.memo = Memo0(value: ["text": memo.text, "stars": memo.stars as Any]) }
            }
            for (id, item) in items {
                guard let live = realm.object(ofType: Item0.self, forPrimaryKey: id) else {
                    return world.fail("\(id) is gone")
                }
                live.friend = item.friend.flatMap { realm.object(ofType: Item0.self, forPrimaryKey: $0) }
                live.friends.append(
                    objectsIn: item.friends.compactMap { realm.object(ofType: Item0.self, forPrimaryKey: $0) })
            }
            // Some are deleted, so that keys have gaps.
            for id in items.keys.sorted() where items.count > 1 && world.dice.roll(6) == 0 {
                guard let live = realm.object(ofType: Item0.self, forPrimaryKey: id) else { return }
                if let memo = live.memo { realm.delete(memo) }
                realm.delete(live)
                items[id] = nil
                for key in items.keys {
                    if items[key]?.friend == id { items[key]?.friend = nil }
                    items[key]?.friends.removeAll { $0 == id }
                }
            }
        }
        world.tally.transactions += 1
        world.tally.changes += items.count * 10
    }

    /// A migration that creates two objects with one key leaves the objects unchanged.
    private func fail() throws {
        var configuration = configuration(1, [Item1.self, Memo1.self])
        configuration.migrationBlock = { migration, _ in
            migration.enumerateObjects(ofType: "Item") { _, new in new?["id"] = 0 }
        }
        guard items.count > 1 else { return }
        do {
            _ = try Realm(configuration: configuration)
            world.fail("two objects have one key")
        } catch {}
        let realm = try Realm(configuration: self.configuration(0, [Item0.self, Memo0.self]))
        world.expect(realm.objects(Item0.self).count == items.count, "objects went with a migration that failed")
        for live in realm.objects(Item0.self) {
            guard let item = items[live.id] else { return world.fail("\(live.id) came back") }
            world.expect(
                live.name.plain == item.name.plain && live.count == item.count && Array(live.numbers) == item.numbers
                    && live.friends.map(\.id) == item.friends && live.memo?.text.plain == item.memo?.text.plain,
                "\(live.id) was changed by a migration that failed")
            world.tally.values += 5
        }
        world.tally.migrations += 1
    }

    private static func step(_ migration: Migration, _ oldVersion: UInt64, to version: UInt64) {
        if oldVersion < 1 {
            if version == 1 { migration.renameProperty(onType: "Item", from: "name", to: "title") }
            migration.enumerateObjects(ofType: "Item") { old, new in
                guard let old, let new else { return }
                let (name, place) = (old["name"] as? String ?? "", old["place"] as? String ?? "")
                if version == 2 { new["title"] = name }
                new["summary"] = "\(name) at \(place)"
                let count = old["count"] as? Int ?? -1
                if version == 1 { new["count"] = Double(count) / 2 } else { new["count"] = count / 2 }
                new["isNew"] = false
            }
        } else {
            migration.enumerateObjects(ofType: "Item") { old, new in
                new?["count"] = (old?["count"] as? Double).map { Int($0) }
            }
        }
        guard version == 2 else { return }
        migration.enumerateObjects(ofType: "Item") { old, new in
            guard let old, let new else { return }
            new["id"] = "n\(old["id"] ?? "")"
            let numbers = old["numbers"] as? List<Int>
            new["numbers"] = (numbers.map(Array.init) ?? (old.dynamicNumbers ?? [])).map { "\($0)" }
            guard let memo = old["memo"] as? MigrationObject else { return }
            if oldVersion < 1 {
                // The class is one of top-level objects until the end of the migration: the object gets its only owner.
                new["memos"] = [new["memo"]]
            } else {
                new["memos"] = [["text": memo["text"] as Any, "stars": memo["stars"] as Any]]
            }
            new["memo"] = nil
        }
        // The new object for a key is known only when all objects have a key.
        var made: [Int: MigrationObject] = [:]
        migration.enumerateObjects(ofType: "Item") { old, new in
            if let id = old?["id"] as? Int { made[id] = new }
        }
        migration.enumerateObjects(ofType: "Item") { old, new in
            guard let old, let new else { return }
            for friend in old.dynamicList("friends") {
                guard let id = friend["id"] as? Int, let friend = made[id] else { continue }
                new.dynamicMutableSet("circle").insert(friend)
                let named: Map<String, DynamicObject?> = new.dynamicMap("named")
                named["f\(id)"] = friend
            }
        }
    }

    private func carry(to version: UInt64) throws {
        let types: [ObjectBase.Type] = version == 1 ? [Item1.self, Memo1.self] : [Item2.self, Memo1.self]
        var configuration = configuration(version, types)
        configuration.migrationBlock = { migration, old in Self.step(migration, old, to: version) }
        _ = try Realm(configuration: configuration)
        world.tally.migrations += 1
    }

    private func compareFirst() throws {
        let realm = try Realm(configuration: configuration(1, [Item1.self, Memo1.self]))
        world.expect(realm.objects(Item1.self).count == items.count, "\(realm.objects(Item1.self).count) items")
        for live in realm.objects(Item1.self) {
            guard let item = items[live.id] else { return world.fail("\(live.id) came back") }
            let name = item.name ?? ""
            world.expect(
                live.title.plain == name.plain && live.place.plain == item.place.plain,
                "\(live.id) is called \(live.title)")
            world.expect(live.summary.plain == "\(name) at \(item.place)".plain, "\(live.id) is \(live.summary)")
            world.expect(
                live.count == Double(item.count) / 2 && live.ratio.plain == item.ratio.plain,
                "\(live.id) counts \(live.count)")
            world.expect(
                live.friend?.id == item.friend && live.friends.map(\.id) == item.friends, "\(live.id) has others")
            world.expect(
                live.memo?.text.plain == item.memo?.text.plain && live.memo?.stars == item.memo?.stars,
                "memo of \(live.id)")
            world.expect(Array(live.numbers) == item.numbers && !live.isNew, "numbers of \(live.id)")
            world.tally.values += 11
        }
        world.expect(
            realm.objects(Item1.self).where { $0.title == "t3" }.count == items.values.count { $0.name == "t3" },
            "the index finds others")
    }

    private func compareSecond() throws {
        let realm = try Realm(configuration: configuration(2, [Item2.self, Memo1.self]))
        world.expect(realm.objects(Item2.self).count == items.count, "\(realm.objects(Item2.self).count) items")
        for (id, item) in items {
            guard let live = realm.object(ofType: Item2.self, forPrimaryKey: "n\(id)") else {
                return world.fail("n\(id) is gone")
            }
            let name = item.name ?? ""
            world.expect(
                live.title.plain == name.plain && live.summary.plain == "\(name) at \(item.place)".plain,
                "\(id) is called \(live.title)")
            world.expect(live.count == item.count / 2, "\(id) counts \(live.count ?? -1) instead of \(item.count / 2)")
            world.expect(live.ratio.plain == item.ratio.plain && !live.isNew, "\(id) has \(live.ratio)")
            world.expect(live.friend?.id == item.friend.map { "n\($0)" }, "\(id) has another friend")
            let friends = Set(item.friends)
            world.expect(Set(live.circle.map(\.id)) == Set(friends.map { "n\($0)" }), "circle of \(id)")
            world.expect(
                Dictionary(uniqueKeysWithValues: live.named.asKeyValueSequence().map { ($0.key, $0.value?.id) })
                    == Dictionary(uniqueKeysWithValues: friends.map { ("f\($0)", "n\($0)") }), "names of \(id)")
            world.expect(
                live.memos.map(\.text.plain) == (item.memo.map { [$0.text.plain] } ?? [])
                    && live.memos.map(\.stars) == (item.memo.map { [$0.stars] } ?? []), "memos of \(id)")
            world.expect(Array(live.numbers) == item.numbers.map { "\($0)" }, "numbers of \(id)")
            world.tally.values += 11
        }
    }

    private func verify() throws {
        let key = try key.map { try EncryptionKey(bytes: [UInt8]($0)) }
        let (verification, source) = (Verification(level: .deep), try ByteSource(path: url.path))
        let report = try key.map { try verification.run(on: source, key: $0) } ?? verification.run(on: source)
        for finding in report.findings where finding.severity != .info { world.fail("\(finding)") }
    }
}

extension DynamicObject {
    /// The numbers of an item, whatever the representation of an untyped list.
    fileprivate var dynamicNumbers: [Int]? { (self["numbers"] as? any Sequence).map { $0.compactMap { $0 as? Int } } }
}
