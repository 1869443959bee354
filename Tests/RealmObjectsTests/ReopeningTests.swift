import Foundation
import RealmObjects
import Testing

/// Files that are opened again when nobody has kept a realm of them, beside others of the same classes.
@Suite struct ReopeningTests {
    final class Coin: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var value = 0
    }

    /// The class as an earlier version of the program had it.
    final class OldCoin: Object {
        @Persisted(primaryKey: true) var id = 0
        override class func _realmObjectName() -> String? { "Coin" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    @Test func `each file is asked whether it fits, whatever was found of others`() throws {
        let (old, new) = (TestRealm([OldCoin.self]), TestRealm([Coin.self]))
        for file in [old, new, old, new] { #expect(try file.open().isEmpty) }
        var asked = old.configuration
        asked.objectTypes = [Coin.self]
        #expect(throws: Realm.Error.self) { try Realm(configuration: asked) }
        for file in [old, new, old] { #expect(try file.open().isEmpty) }
        asked.schemaVersion = 1
        do {
            let realm = try Realm(configuration: asked)
            try realm.write { realm.add(Coin(value: [1, 2])) }
        }
        #expect(try Realm(configuration: asked).objects(Coin.self).first?.value == 2)
        #expect(throws: Realm.Error.self) { try old.open() }
        #expect(try new.open().isEmpty)
    }
}
