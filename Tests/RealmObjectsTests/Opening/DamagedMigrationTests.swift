import Expectations
import Foundation
import RealmObjects
import Testing

/// Migrations of files that have damage.
@Suite struct DamagedMigrationTests {
    final class Coin: OtherClass {
        @Persisted var number = 0
    }

    final class KeyedCoin: OtherClass {
        @Persisted(primaryKey: true) var number = 0
        override class func _realmObjectName() -> String? { "Coin" }
    }

    private static let first = 0x6EAD_BEEF_0000_0001

    /// Returns a file of some numbers, with a change to the node that stores them.
    private func file(_ change: (inout Data, Data.Index) -> Void) throws -> TestRealm {
        let file = TestRealm([Coin.self])
        try {
            let realm = try file.open()
            try realm.write { for number in 0..<100 { realm.add(Coin(value: ["number": Self.first + number])) } }
        }()
        let url = URL(filePath: file.path)
        var bytes = try Data(contentsOf: url)
        let start = try #require(bytes.firstRange(of: withUnsafeBytes(of: Self.first.littleEndian) { Data($0) }))
        change(&bytes, start.lowerBound)
        try bytes.write(to: url)
        (file.configuration.objectTypes, file.configuration.schemaVersion) = ([KeyedCoin.self], 1)
        return file
    }

    private func error(_ file: TestRealm) -> Realm.Error? {
        do { _ = try file.open() } catch { return error as? Realm.Error }
        return nil
    }

    @Test func `damage in a new primary key is reported as damage, and duplicates as duplicates`()
        throws
    {
        let same = try file { bytes, place in bytes[place] += 1 }
        let duplicate = error(same)
        expect(
            duplicate?.code == .fail && duplicate?.message.contains("has duplicate values after migration") ?? false)
        // The number of elements, after four bytes and the flags.
        let damaged = try file { bytes, place in bytes.replaceSubrange(place - 3..<place, with: [255, 255, 255]) }
        let damage = error(damaged)
        expect(
            damage?.code == .invalidDatabase && damage?.fileURL?.path == damaged.path, "\(String(describing: damage))")
    }
}
