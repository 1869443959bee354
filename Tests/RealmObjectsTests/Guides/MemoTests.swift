import Expectations
import Foundation
import RealmCore
import RealmObjects
import Testing

// The memo app of the guides, version by version: the class in the file is always `Memo`.

class Memo0: Object {
    @Persisted var memoTitle = ""
    @Persisted var date: Date?
    override class func _realmObjectName() -> String? { "Memo" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class Memo1: Object {
    @Persisted var memoTitle = ""
    @Persisted var date: Date?
    @Persisted var colour: String?
    override class func _realmObjectName() -> String? { "Memo" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class Memo3: Object {
    @Persisted var title = ""
    @Persisted var date: Date?
    override class func _realmObjectName() -> String? { "Memo" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class Memo5: Object {
    @Persisted var title = ""
    @Persisted var date: Date?
    @Persisted var memoDescription = ""
    @Persisted var count: Int?
    override class func _realmObjectName() -> String? { "Memo" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

class Memo7: Object {
    @Persisted var title = ""
    @Persisted var date = Date(timeIntervalSince1970: 0)
    @Persisted var memoDescription = ""
    @Persisted var count = 0.0
    override class func _realmObjectName() -> String? { "Memo" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

@Suite struct MemoTests {
    private let day = Date(timeIntervalSince1970: 86_400)

    /// The migration of the app's version 7, from any version of a file.
    @Sendable private static func migrate(_ migration: Migration, _ version: UInt64) {
        if version < 3 {
            migration.renameProperty(onType: "Memo", from: "memoTitle", to: "title")
        }
        if version < 4 {
            migration.enumerateObjects(ofType: "Memo") { old, new in
                let date = old?["date"] as? Date
                new?["memoDescription"] =
                    "\(new?["title"] as? String ?? "") on \(date.map { Int($0.timeIntervalSince1970) } ?? 0)"
            }
        }
        if version < 7 {
            migration.enumerateObjects(ofType: "Memo") { old, new in
                let count: Int? = version < 5 ? 100 : old?["count"] as? Int
                let number = Double(count ?? 0)
                new?["count"] = number < 5 ? 5.5 : number
                if old?["date"] as? Date == nil { new?["date"] = Date(timeIntervalSince1970: 1) }
            }
        }
    }

    private func file(_ type: ObjectBase.Type, version: UInt64) -> TestRealm { TestRealm([type], version: version) }

    private func migrated(_ file: TestRealm) throws -> [(String, Date, String, Double)] {
        file.configuration.schemaVersion = 7
        file.configuration.objectTypes = [Memo7.self]
        file.configuration.migrationBlock = Self.migrate
        let memos = try file.open().objects(Memo7.self)
        let content = memos.map { ($0.title, $0.date, $0.memoDescription, $0.count) }
        let stored = try file.verified()
        expectEqual(stored.schema.version, 7)
        expectEqual(
            Set(try stored.table(named: "Memo").schema.properties.map(\.name)),
            [
                "title", "date", "memoDescription", "count",
            ])
        return content
    }

    @Test func `a migration converts objects from version 0 to the last version`() throws {
        let file = file(Memo0.self, version: 0)
        do {
            let realm = try file.open()
            try realm.write {
                realm.create(Memo0.self, value: ["A", day])
                realm.create(Memo0.self, value: ["B"])
            }
        }
        let memos = try migrated(file)
        expectEqual(memos.map(\.0), ["A", "B"])
        expectEqual(memos.map(\.1), [day, Date(timeIntervalSince1970: 1)])
        expectEqual(memos.map(\.2), ["A on 86400", "B on 0"])
        expectEqual(memos.map(\.3), [100, 100])
    }

    @Test func `a migration runs step by step`() throws {
        let file = file(Memo0.self, version: 0)
        do {
            let realm = try file.open()
            try realm.write { realm.create(Memo0.self, value: ["A", day]) }
        }
        // A property is added, then removed; incrementing the version suffices.
        for (version, type) in [(1, Memo1.self as ObjectBase.Type), (2, Memo0.self)] {
            file.configuration.schemaVersion = UInt64(version)
            file.configuration.objectTypes = [type]
            _ = try file.open()
        }
        try expectEqual(schemaVersionAtURL(file.configuration.fileURL!), 2)
        file.configuration.schemaVersion = 3
        file.configuration.objectTypes = [Memo3.self]
        file.configuration.migrationBlock = { migration, _ in
            migration.renameProperty(onType: "Memo", from: "memoTitle", to: "title")
        }
        try expectEqual(file.open().objects(Memo3.self).map(\.title), ["A"])
        file.configuration.schemaVersion = 5
        file.configuration.objectTypes = [Memo5.self]
        file.configuration.migrationBlock = { migration, _ in
            migration.enumerateObjects(ofType: "Memo") { old, new in
                new?["memoDescription"] = "was \(old?["title"] as? String ?? "")"
                new?["count"] = 3
            }
            migration.create("Memo", value: ["title": "new"])
        }
        try expectEqual(file.open().objects(Memo5.self).map(\.count), [3, nil])
        let memos = try migrated(file)
        expectEqual(memos.map(\.0), ["A", "new"])
        expectEqual(memos.map(\.2), ["was A", ""])
        expectEqual(memos.map(\.3), [5.5, 5.5])
    }

    @Test func `changes that need a new version are reported`() throws {
        let file = file(Memo1.self, version: 4)
        do {
            let realm = try file.open()
            try realm.write { realm.create(Memo1.self, value: ["A", day, "red"]) }
        }
        let before = try Data(contentsOf: file.configuration.fileURL!)
        file.configuration.objectTypes = [Memo7.self]
        do {
            _ = try file.open()
            Issue.record("opened")
        } catch let error as Realm.Error {
            expectEqual(error.code, .schemaMismatch)
            expectEqual(
                error.message,
                """
                Migration is required due to the following errors:
                - Property 'Memo.memoTitle' has been removed.
                - Property 'Memo.date' has been made required.
                - Property 'Memo.colour' has been removed.
                - Property 'Memo.title' has been added.
                - Property 'Memo.memoDescription' has been added.
                - Property 'Memo.count' has been added.
                """)
        }
        file.configuration.schemaVersion = 3
        #expect(throws: Realm.Error.self) { try file.open() }
        try expectEqual(Data(contentsOf: file.configuration.fileURL!), before)
        file.configuration.deleteRealmIfMigrationNeeded = true
        try expect(file.open().objects(Memo7.self).isEmpty)
    }

    @Test func `a failed migration changes nothing`() throws {
        let file = file(Memo0.self, version: 0)
        do {
            let realm = try file.open()
            try realm.write { for title in ["A", "A"] { realm.create(Memo0.self, value: [title]) } }
        }
        class Keyed: Object {
            @Persisted(primaryKey: true) var memoTitle = ""
            @Persisted var date: Date?
            override class func _realmObjectName() -> String? { "Memo" }
            override class func shouldIncludeInDefaultSchema() -> Bool { false }
        }
        file.configuration.schemaVersion = 1
        file.configuration.objectTypes = [Keyed.self]
        #expect(throws: Realm.Error.self) { try file.open() }
        try expectEqual(file.verified().schema.version, 0)
        file.configuration.migrationBlock = { migration, _ in
            var seen: Set<String> = []
            migration.enumerateObjects(ofType: "Memo") { old, new in
                if let new, !seen.insert(old?["memoTitle"] as? String ?? "").inserted { migration.delete(new) }
            }
        }
        try expect(file.open().object(ofType: Keyed.self, forPrimaryKey: "A") != nil)
        try expectEqual(file.verified().schema.version, 1)
    }
}
