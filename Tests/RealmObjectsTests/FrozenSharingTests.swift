import Expectations
import Foundation
import RealmObjects
import Synchronization
import Testing

/// Frozen objects read by many threads at the same time: all threads share the same objects, results and collections.
@Suite struct FrozenSharingTests {
    final class Keeper: Object {
        @Persisted(primaryKey: true) var number = 0
        @Persisted var name = ""
        @Persisted var pets: List<Animal>
        @Persisted var nicknames: MutableSet<String>
        @Persisted var rooms: Map<String, Int>
        @Persisted var badge: Badge?
        @Persisted var badges: List<Badge>
        @Persisted var anything: AnyRealmValue

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Animal: Object {
        @Persisted var name = ""
        @Persisted var age: Int?
        @Persisted(originProperty: "pets") var keepers: LinkingObjects<Keeper>

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Badge: EmbeddedObject {
        @Persisted var text = ""
        @Persisted var years: List<Int>
    }

    final class KeeperView: Projection<Keeper> {
        @Projected(\Keeper.name) var title
        @Projected(\Keeper.badge?.text) var badge
        @Projected(\Keeper.pets.projectTo.name) var petNames: ProjectedCollection<String>
    }

    /// The objects shared by threads.
    private struct Shared: @unchecked Sendable {
        let realm: Realm
        let keepers: Results<Keeper>
        let some: Results<Animal>
        let sections: SectionedResults<String, Animal>
        let keeper: Keeper
        let animal: Animal
        let badge: Badge
        let view: KeeperView
        let dynamic: DynamicObject

        init?(_ live: Realm) {
            realm = live.freeze()
            keepers = realm.objects(Keeper.self)
            some = realm.objects(Animal.self).where { $0.age > 1 }.sorted(by: ["name"])
            sections = realm.objects(Animal.self).sectioned(
                by: { String($0.name.prefix(1)) }, sortDescriptors: [SortDescriptor(keyPath: "name")])
            guard let keeper = keepers.first, let animal = keeper.pets.first, let badge = keeper.badges.last,
                let view = realm.objects(KeeperView.self).first,
                let dynamic = realm.dynamicObjects("Keeper").first
            else { return nil }
            (self.keeper, self.animal, self.badge, self.view, self.dynamic) = (keeper, animal, badge, view, dynamic)
        }

        /// Everything visible, one line each.
        var seen: [String] {
            var lines: [String] = []
            for keeper in keepers {
                lines.append(
                    "\(keeper.number) \(keeper.name) \(Array(keeper.pets.map(\.name))) \(Array(keeper.nicknames).sorted())"
                )
                lines.append(keeper.rooms.asKeyValueSequence().map { "\($0.key) \($0.value)" }.joined(separator: " "))
            }
            lines.append("\(some.map(\.name)) \(some.first?.name ?? "") \(some.last?.name ?? "") \(some.count)")
            let (sum, most) = (some.sum(ofProperty: "age") as Int, some.max(ofProperty: "age") as Int?)
            lines.append("\(sum) \(most ?? -1) \(some.filter("age > 2").count)")
            for section in sections { lines.append("\(section.key) \(section.map(\.name))") }
            lines.append("\(keeper.badge?.text ?? "") \(keeper.badges.map { "\($0.text) \(Array($0.years))" })")
            if case .dictionary(let inner) = keeper.anything, case .list(let list)? = inner["list"] {
                lines.append("\(inner.count) \(list.count) \(list[0]) \(Array(list))")
            }
            lines.append("\(animal.keepers.count) \(animal.keepers.map(\.name)) \(badge.text) \(badge.years.count)")
            lines.append("\(view.title) \(view.badge ?? "") \(Array(view.petNames))")
            lines.append("\(dynamic["name"] ?? "") \(dynamic.dynamicList("pets").count)")
            lines.append(
                "\(keeper["name"] ?? "") \(keeper.objectSchema.properties.count) \(keeper.hash == keepers[0].hash)")
            let found = realm.object(ofType: Keeper.self, forPrimaryKey: 1)
            lines.append("\(found?.name ?? "") \(found == keepers[1]) \(keeper.description.count) \(realm.isEmpty)")
            return lines
        }
    }

    @Test func `frozen content is read by many threads at once`() throws {
        let test = TestRealm([Keeper.self, Animal.self, Badge.self])
        test.configuration.encryptionKey = Data((0..<64).map { $0 })
        for live in [try TestRealm([Keeper.self, Animal.self, Badge.self]).open(), try test.open()] {
            try live.write {
                for number in 0..<3 {
                    let keeper = live.create(Keeper.self, value: ["number": number, "name": "keeper \(number)"])
                    for pet in 0...3 {
                        keeper.pets.append(Animal(value: ["name": "\(pet) of \(number)", "age": pet]))
                        keeper.nicknames.insert("nick \(pet)")
                        keeper.rooms["room \(pet)"] = pet
                        keeper.badges.append(Badge(value: ["text": "badge \(pet)", "years": [2000, 2000 + pet]]))
                    }
                    keeper.badge = Badge(value: ["text": "own"])
                    keeper.anything = .fromDictionary(["list": .fromArray([.int(number), .string("x")]), "no": .none])
                }
            }
            let expected = try #require(Shared(live)).seen
            expect(
                expected.contains(
                    "own [\"badge 0 [2000, 2000]\", \"badge 1 [2000, 2001]\", "
                        + "\"badge 2 [2000, 2002]\", \"badge 3 [2000, 2003]\"]"))
            expect(
                expected.contains(
                    "0 keeper 0 [\"0 of 0\", \"1 of 0\", \"2 of 0\", \"3 of 0\"] "
                        + "[\"nick 0\", \"nick 1\", \"nick 2\", \"nick 3\"]"))
            for _ in 0..<10 {
                // Another version that has not been read.
                try live.write { live.delete(live.create(Animal.self, value: ["name": "0"])) }
                let shared = try #require(Shared(live))
                let others = Mutex<[[String]]>([])
                DispatchQueue.concurrentPerform(iterations: 4) { _ in
                    let seen = shared.seen
                    if seen != expected { others.withLock { $0.append(seen) } }
                }
                expectEqual(others.withLock { $0 }, [])
            }
        }
    }
}
