import Expectations
import Foundation
import RealmObjects
import Testing

/// Empty files, realms that are already open, and classes that almost match.
@Suite struct UnusualOpeningTests {
    final class Coin: Object {
        @Persisted var value = 0
        override class func _realmObjectName() -> String? { "Coin" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class NewCoin: Object {
        @Persisted var value = 0
        @Persisted var weight = 0
        override class func _realmObjectName() -> String? { "Coin" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class Purse: Object {
        @Persisted var coin: Coin?
        @Persisted var coins: List<Coin>
        override class func _realmObjectName() -> String? { "Purse" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class OwnedCoin: EmbeddedObject {
        @Persisted var value = 0
        override class func _realmObjectName() -> String? { "Coin" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class OwningPurse: Object {
        @Persisted var coin: OwnedCoin?
        @Persisted var coins: List<OwnedCoin>
        override class func _realmObjectName() -> String? { "Purse" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    @Test(arguments: [nil, Data(repeating: 3, count: 64)]) func `an empty file is a new one`(key: Data?) throws {
        let file = TestRealm([Coin.self], version: 4)
        file.configuration.encryptionKey = key
        expect(FileManager.default.createFile(atPath: file.path, contents: Data()))
        do {
            let realm = try file.open()
            try realm.write { realm.add(Coin(value: [5])) }
        }
        try expectEqual(file.open().objects(Coin.self).map(\.value), [5])
        try expectEqual(schemaVersionAtURL(URL(filePath: file.path), encryptionKey: key), 4)
        try expectEqual(file.verified().table(named: "Coin").count, 1)
    }

    @Test func `an empty file is not changed by a read-only realm`() throws {
        let file = TestRealm([Coin.self])
        expect(FileManager.default.createFile(atPath: file.path, contents: Data()))
        file.configuration.readOnly = true
        #expect(throws: Realm.Error(.invalidDatabase)) { try file.open() }
        try expect(Data(contentsOf: URL(filePath: file.path)).isEmpty)
    }

    @Test func `files of an open realm are not deleted`() throws {
        let file = TestRealm([Coin.self])
        let realm = try file.open()
        #expect(throws: Realm.Error(.alreadyOpen)) { try Realm.deleteFiles(for: file.configuration) }
        try realm.write { realm.add(Coin(value: [1])) }
        try expectEqual(file.verified().table(named: "Coin").count, 1)
    }

    @Test func `an open realm is not migrated while its objects are in use`() throws {
        let file = TestRealm([Coin.self], version: 1)
        var newer = file.configuration
        (newer.schemaVersion, newer.objectTypes) = (2, [NewCoin.self])
        do {
            let realm = try file.open()
            for open in [{ _ = try Realm(configuration: newer) }, { try Realm.performMigration(for: newer) }] {
                let error = #expect(throws: Realm.Error(.fail)) { try open() }
                expectEqual(error?.message, "Cannot migrate Realms that are already open.")
            }
            try realm.write { realm.add(Coin(value: [1])) }
            // Additional classes, or only another version, change nothing for existing realms.
            var more = file.configuration
            more.objectTypes = [Coin.self, Purse.self]
            let other = try Realm(configuration: more)
            try other.write { other.create(Purse.self, value: ["coins": other.objects(Coin.self)]) }
            expectEqual(realm.objects(Coin.self).count, 1)
        }
        try Realm.performMigration(for: newer)
        try expectEqual(Realm(configuration: newer).objects(NewCoin.self).map(\.weight), [0])
    }

    @Test func `read-only realms may declare stored objects as embedded or not`() throws {
        let (plain, owning) = (TestRealm([Coin.self, Purse.self]), TestRealm([OwnedCoin.self, OwningPurse.self]))
        do {
            let realm = try plain.open()
            try realm.write { realm.create(Purse.self, value: ["coin": [3], "coins": [[1], [2]]]) }
        }
        do {
            let realm = try owning.open()
            try realm.write { realm.create(OwningPurse.self, value: ["coin": [3], "coins": [[1], [2]]]) }
        }
        plain.configuration.readOnly = true
        owning.configuration.readOnly = true
        (plain.configuration.objectTypes, owning.configuration.objectTypes) = (
            owning.configuration.objectTypes, plain.configuration.objectTypes
        )
        let owned = try #require(try plain.open().objects(OwningPurse.self).first)
        expect(owned.coin?.value == 3 && owned.coins.map(\.value) == [1, 2])
        let linked = try #require(try owning.open().objects(Purse.self).first)
        expect(linked.coin?.value == 3 && linked.coins.map(\.value) == [1, 2])
        try expectEqual(owning.open().objects(Coin.self).sum(of: \.value), 6)
    }
}
