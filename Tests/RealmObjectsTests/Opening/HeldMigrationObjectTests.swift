import Expectations
import Foundation
import RealmObjects
import Synchronization
import Testing

/// Objects held during a migration while their classes and properties are removed.
@Suite struct HeldMigrationObjectTests {
    final class Ash: OtherClass { @Persisted var height = 1 }

    final class Birch: OtherClass {
        @Persisted var age = 10
        @Persisted var height = 20
        @Persisted var name = "birch"
    }

    final class LaterBirch: OtherClass {
        @Persisted var tall = 0
        @Persisted var name = ""
        override class func _realmObjectName() -> String? { "Birch" }
    }

    @Test func `objects keep their identity when a class is removed and properties are renamed`() throws {
        let file = TestRealm([Ash.self, Birch.self])
        try {
            let realm = try file.open()
            try realm.write {
                for height in 1...3 { realm.add(Ash(value: ["height": height])) }
                realm.add(Birch())
            }
        }()
        (file.configuration.objectTypes, file.configuration.schemaVersion) = ([LaterBirch.self], 1)
        file.configuration.migrationBlock = { migration, _ in
            var (old, new, ash): (MigrationObject?, MigrationObject?, MigrationObject?)
            migration.enumerateObjects(ofType: "Ash") { before, _ in ash = before }
            let gone = ash.map { _ in migration.create("Ash", value: ["height": 4]) }
            migration.enumerateObjects(ofType: "Birch") { (old, new) = ($0, $1) }
            Self.note("\(ash?["height"] ?? "-") \(old?["height"] ?? "-") \(new?["name"] ?? "-")")
            migration.deleteData(forType: "Ash")
            Self.note("\(ash?["height"] ?? "-") \(old?["height"] ?? "-") \(new?["name"] ?? "-")")
            migration.renameProperty(onType: "Birch", from: "height", to: "tall")
            Self.note("\(old?["height"] ?? "-") \(new?["name"] ?? "-") \(new?.isInvalidated ?? true)")
            Self.note("\(gone?.isInvalidated ?? false) \(new?["height"] ?? "-")")
            new?["name"] = "later"
            Self.note("\(new?["name"] ?? "-")")
        }
        let realm = try file.open()
        expectEqual(Self.notes.withLock { $0 }, ["3 20 birch", "3 20 birch", "20 birch false", "true 20", "later"])
        let birch = try #require(realm.objects(LaterBirch.self).first)
        expect(birch.tall == 20 && birch.name == "later")
    }

    private static let notes = Mutex<[String]>([])
    private static func note(_ text: String) { notes.withLock { $0.append(text) } }
}
