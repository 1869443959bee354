import Expectations
import Foundation
import RealmObjects
import Testing

/// Sorting, distinct values and comparisons of collections of values, and values that no property can have.
@Suite struct ValueQueryTests {
    final class Shelf: Object {
        @Persisted(primaryKey: true) var id = 0
        @Persisted var width = 0.0
        @Persisted var height: Float = 0
        @Persisted var number = 0
        @Persisted var next: Shelf?
        @Persisted var mixed: AnyRealmValue
        @Persisted var words: List<String>
        @Persisted var set: MutableSet<Int>
        @Persisted var prices: Map<String, Double>
        @Persisted var doubles: List<Double>
        @Persisted var decimals: List<Decimal128>
        @Persisted var anys: List<AnyRealmValue>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private static func shelf() throws -> Shelf {
        let realm = try Realm(configuration: .init(inMemoryIdentifier: "\(UUID())", objectTypes: [Shelf.self]))
        return try realm.write { realm.create(Shelf.self, value: ["id": 1, "words": ["b", "a", "c", "a"]]) }
    }

    @Test func `values of sets and maps are sorted by self`() throws {
        let shelf = try Self.shelf()
        try #require(shelf.realm).write {
            shelf.set.insert(objectsIn: [3, 1, 2])
            shelf.prices.merge(["x": 3, "y": 1]) { $1 }
        }
        expectEqual(Array(shelf.words.sorted(byKeyPath: "self").distinct(by: ["self"])), ["a", "b", "c"])
        expectEqual(Array(shelf.set.sorted(byKeyPath: "self", ascending: false)), [3, 2, 1])
        expectEqual(Array(shelf.prices.sorted(byKeyPath: "self")), [1, 3])
    }

    // MARK: Equal values

    /// Realm Core compares them with `==`, and keeps the one with the lowest index (`min_unique` in list.cpp).
    @Test func `distinct keeps the first of equal numbers of any type`() throws {
        let shelf = try Self.shelf()
        try #require(shelf.realm).write {
            shelf.anys.append(objectsIn: [
                .double(2), .int(1), .string("a"), .double(1), .float(1), .none, .string("a"), .int(2), .bool(true),
                .none, .decimal128(1), .double(1.5),
            ])
            shelf.doubles.append(objectsIn: [0, 1, -0.0, 1, 2])
            let texts = ["1.0", "1.00", "2", "1"]
            shelf.decimals.append(objectsIn: try texts.map { try Decimal128(string: $0) })
        }
        expectEqual(
            Array(shelf.anys.distinct()),
            [
                .double(2), .int(1), .string("a"), .none, .bool(true), .double(1.5),
            ])
        expectEqual(shelf.doubles.distinct().map { $0.sign == .minus }, [false, false, false])
        expectEqual(Array(shelf.doubles.distinct()), [0, 1, 2])
        expectEqual(Array(shelf.decimals.distinct()), [1, 2])
        expectEqual(Array(shelf.decimals.sorted(ascending: false).distinct()), [2, 1])
    }

    // MARK: Integers beyond signed 64 bits

    @Test func `integers above 64 bits are preserved`() throws {
        let shelf = Shelf(value: ["width": UInt64.max, "height": UInt64.max, "mixed": UInt64.max] as [String: Any])
        expect(shelf.width == 0x1p64 && shelf.height == 0x1p64)
        expectEqual(shelf.mixed, .decimal128(try Decimal128(string: "18446744073709551615")))
        expectEqual(Shelf(value: ["mixed": NSNumber(value: UInt64.max)]).mixed, shelf.mixed)
        expectEqual(Shelf(value: ["mixed": NSNumber(value: UInt64(7))]).mixed, .int(7))
        shelf.number = -1
        let realm = try #require(try Self.shelf().realm)
        try realm.write { realm.add(shelf, update: .modified) }
        let shelves = realm.objects(Shelf.self)
        expectEqual(shelves.filter("number < %@", UInt64.max).count, shelves.count)
        expectEqual(shelves.filter("number < %@", NSNumber(value: UInt64.max)).count, shelves.count)
        expect(shelves.filter("number > %@", UInt64.max).isEmpty && shelves.filter("number == %@", UInt64.max).isEmpty)
        expectEqual(shelves.filter("mixed == %@", UInt64.max).count, 1)
        try realm.write { _ = realm.create(Shelf.self, value: ["id": -1]) }
        expectEqual(realm.object(ofType: Shelf.self, forPrimaryKey: UInt64.max), nil)
        expect(realm.object(ofType: Shelf.self, forPrimaryKey: UInt64(1)) != nil)
        realm.beginWrite()
        shelf.number = 2
        expectEqual(realm.object(ofType: Shelf.self, forPrimaryKey: UInt64.max), nil)
        realm.cancelWrite()
    }

    // MARK: Other values

    @Test func `names of keys are unchanged in searched texts`() throws {
        let shelf = try Self.shelf()
        let realm = try #require(shelf.realm)
        try realm.write {
            shelf.words[0] = "@allKeys"
            shelf.prices["x"] = 1
        }
        let shelves = realm.objects(Shelf.self)
        expectEqual(shelves.filter("ANY words == '@allKeys'").count, 1)
        expect(shelves.filter("ANY words == '@keys'").isEmpty)
        expectEqual(shelves.filter("ANY prices.@allKeys == 'x'").count, 1)
        expectEqual(shelves.filter("ANY prices.@allValues > 0").count, 1)
    }

    @Test func `an identifier can be created from any time`() async {
        await #expect(processExitsWith: .success) {
            expectEqual(ObjectId(timestamp: Date(timeIntervalSince1970: .nan)).timestamp.timeIntervalSince1970, 0)
            _ = ObjectId(timestamp: Date(timeIntervalSince1970: .infinity))
            _ = ObjectId(timestamp: .distantPast)
            _ = ObjectId(timestamp: Date(timeIntervalSince1970: 1e300))
        }
        expectEqual(ObjectId(timestamp: Date(timeIntervalSince1970: 12.75)).timestamp.timeIntervalSince1970, 12)
    }

    @Test func `a set in memory contains equal values once`() {
        let set = MutableSet<AnyRealmValue>()
        let shelves = [Shelf(value: ["id": 1]), Shelf(value: ["id": 1])]
        set.insert(objectsIn: [.int(1), .string("a"), .int(1), .object(shelves[0]), .object(shelves[1]), .int(1)])
        set.insert(.object(shelves[0]))
        expect(set.count == 4 && set.contains(.int(1)) && set.contains(.object(shelves[1])) && !set.contains(.int(2)))
        set.remove(.int(1))
        set.remove(.object(shelves[0]))
        expect(set.count == 2 && !set.contains(.int(1)) && !set.contains(.object(shelves[0])))
        set.insert(.int(1))
        expectEqual(set.count, 3)
        set.removeAll()
        set.insert(.int(1))
        expectEqual(set.count, 1)
        let numbers = MutableSet<Int>()
        numbers.insert(objectsIn: (0..<200_000).map { $0 % 100_000 })
        expectEqual(numbers.count, 100_000)
    }

    // MARK: Key paths

    @Test func `repeatedly created key paths are not kept`() throws {
        let realm = try #require(try Self.shelf().realm)
        weak var last: AnyKeyPath?
        for _ in 0..<2 {
            let path = Self.path(to: \Shelf?.?.number)
            _ = realm.objects(Shelf.self).sorted(by: path).count
            last = path
        }
        expectEqual(last, nil)
    }

    /// Returns a key path that the compiler creates again with each call.
    @inline(never) private static func path(to path: KeyPath<Shelf?, Int?>) -> KeyPath<Shelf, Int?> {
        (\Shelf.next as KeyPath<Shelf, Shelf?>).appending(path: path)
    }
}
