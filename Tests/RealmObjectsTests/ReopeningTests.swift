import Expectations
import Foundation
import RealmObjects
import Testing

/// Files that are reopened after all their realms were released, next to other files of the same classes.
@Suite struct ReopeningTests {
    final class Coin: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var value = 0
    }

    /// The class in an earlier version of the program.
    final class OldCoin: Object {
        @Persisted(primaryKey: true) var id = 0
        override class func _realmObjectName() -> String? { "Coin" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    @Test func `each file is checked for a match, independently of others`() throws {
        let (old, new) = (TestRealm([OldCoin.self]), TestRealm([Coin.self]))
        for file in [old, new, old, new] { try expect(file.open().isEmpty) }
        var asked = old.configuration
        asked.objectTypes = [Coin.self]
        #expect(throws: Realm.Error.self) { try Realm(configuration: asked) }
        for file in [old, new, old] { try expect(file.open().isEmpty) }
        asked.schemaVersion = 1
        do {
            let realm = try Realm(configuration: asked)
            try realm.write { realm.add(Coin(value: [1, 2])) }
        }
        try expectEqual(Realm(configuration: asked).objects(Coin.self).first?.value, 2)
        #expect(throws: Realm.Error.self) { try old.open() }
        try expect(new.open().isEmpty)
    }

    /// The paths go through a link to the folder, a link to the file, and a link to the folder with a detour.
    @Test(arguments: [false, true]) func `a file is the same through any links`(exists: Bool) throws {
        let file = TestRealm([Coin.self])
        let own = URL(filePath: file.path)
        let (folder, name) = (own.deletingLastPathComponent(), own.lastPathComponent)
        let (linkedFolder, linkedFile) = (
            folder.appending(path: "to-folder-\(name)"), folder.appending(path: "to-file-\(name)")
        )
        defer { for link in [linkedFolder, linkedFile] { try? FileManager.default.removeItem(at: link) } }
        if exists { try expect(file.open().isEmpty) }
        try FileManager.default.createSymbolicLink(at: linkedFolder, withDestinationURL: folder)
        let up = URL(filePath: linkedFolder.path + "/../" + folder.lastPathComponent + "/" + name)
        // The file is created through the link.
        var linked = file.configuration
        linked.fileURL = linkedFolder.appending(path: name)
        let first = try Realm(configuration: linked)
        try FileManager.default.createSymbolicLink(at: linkedFile, withDestinationURL: own)
        for (number, path) in [own, linkedFile, up].enumerated() {
            var other = file.configuration
            other.fileURL = path
            let realm = try Realm(configuration: other)
            try realm.write { realm.add(Coin(value: [number, 7])) }
            expectEqual(first.objects(Coin.self).count, number + 1)
            expectEqual(realm, first)
            #expect(throws: Realm.Error(.alreadyOpen)) { try Realm.deleteFiles(for: other) }
        }
        try expectEqual(file.verified().table(named: "Coin").count, 3)
    }
}
