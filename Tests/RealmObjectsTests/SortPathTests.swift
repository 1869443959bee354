import Expectations
import Foundation
import RealmObjects
import Testing

/// Paths for sorting results and for distinct values.
@Suite struct SortPathTests {
    final class Stall: Object {
        @Persisted var name = ""
        @Persisted var numbers: List<Int>
        @Persisted var names: MutableSet<String?>
        @Persisted var prices: Map<String, Int>
        @Persisted var any: AnyRealmValue
        @Persisted var next: Stall?
        @Persisted var kept: Map<String, Stall?>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    private static func open() throws -> Realm {
        try Realm(configuration: .init(inMemoryIdentifier: "\(UUID())", objectTypes: [Stall.self]))
    }

    @Test func `values are sorted and made distinct by themselves`() throws {
        let realm = try Self.open()
        let stall = Stall(value: ["numbers": [2, 3, 1, 2], "names": ["b", nil, "a"]])
        try realm.write { realm.add(stall) }
        expectEqual(Array(stall.numbers.sorted(byKeyPath: "self")), [1, 2, 2, 3])
        expectEqual(Array(stall.numbers.sorted(byKeyPath: "self", ascending: false)), [3, 2, 2, 1])
        expectEqual(Array(stall.numbers.sorted(by: [SortDescriptor(keyPath: "self", ascending: false)])), [3, 2, 2, 1])
        expectEqual(Array(stall.numbers.distinct(by: ["self"])), [2, 3, 1])
        expectEqual(Array(stall.numbers.distinct(by: ["self"]).sorted(byKeyPath: "self")), [1, 2, 3])
        expectEqual(Array(stall.names.sorted(byKeyPath: "self", ascending: false)), ["b", "a", nil])
        let odd = stall.numbers.sectioned(by: { $0 % 2 == 1 }, sortDescriptors: [SortDescriptor(keyPath: "self")])
        expectEqual(odd.map { Array($0) }, [[1, 3], [2, 2]])
        // Without sort descriptors or distinct paths, the order is unchanged.
        expectEqual(Array(stall.numbers.sorted(by: [RealmObjects.SortDescriptor]())), [2, 3, 1, 2])
        expectEqual(Array(stall.numbers.distinct(by: [String]())), [2, 3, 1, 2])
    }

    final class Drop: Object {
        @Persisted var amounts: List<Decimal128>
        @Persisted var any: List<AnyRealmValue>
        @Persisted var words: List<String>
        @Persisted var kinds: MutableSet<String>
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    @Test func `distinct compares numbers by value and texts by bytes`() throws {
        let realm = try Realm(configuration: .init(inMemoryIdentifier: "\(UUID())", objectTypes: [Drop.self]))
        // Two forms of a letter, which are equal in Swift but different in Realm.
        let (one, other) = ("\u{e9}", "e\u{301}")
        let drop = Drop()
        drop.kinds.insert(objectsIn: [one, other, one])
        expectEqual(drop.kinds.count, 2)
        drop.amounts.append(objectsIn: try ["1.0", "2", "1", "1.00", "2.0"].map { try Decimal128(string: $0) })
        drop.any.append(objectsIn: [.double(1), .int(1), .string(other), .decimal128(1), .string(one), .int(2)])
        drop.words.append(objectsIn: [other, one, other])
        try realm.write { realm.add(drop) }
        expect(drop.kinds.count == 2 && drop.kinds.contains(one) && drop.kinds.contains(other))
        expectEqual(drop.amounts.distinct().map { "\($0)" }, ["\(drop.amounts[0])", "\(drop.amounts[1])"])
        expect(drop.any.distinct().count == 4 && drop.any.distinct()[3] == .int(2))
        expect(drop.any.index(of: .int(1)) == 0 && drop.any.index(of: .string(one)) == 4)
        expect(drop.words.index(of: one) == 1 && drop.words.distinct().count == 2)
        expectEqual(drop.words.sorted().index(of: one), 2)
    }

    @Test func `distinct without key paths keeps all objects`() throws {
        let realm = try Self.open()
        try realm.write { for name in ["b", "a", "b"] { realm.create(Stall.self, value: ["name": name]) } }
        expectEqual(realm.objects(Stall.self).distinct(by: [String]()).count, 3)
        expectEqual(
            realm.objects(Stall.self).sorted(byKeyPath: "name").distinct(by: [String]()).map(\.name), ["a", "b", "b"])
    }

    @Test func `objects are sorted by the value of a key in a dictionary`() throws {
        let realm = try Self.open()
        try realm.write {
            for (name, price) in [("a", 5), ("b", 3), ("c", 9)] {
                let stall = realm.create(Stall.self, value: ["name": name, "prices": ["pear": price, "a b": -price]])
                stall.any = .fromDictionary(["pear": .int(price)])
                stall.kept["first"] = realm.create(Stall.self, value: ["name": "\(price)"])
            }
        }
        func sorted(_ path: String) -> [String] {
            realm.objects(Stall.self).filter("name > 'Z'").sorted(byKeyPath: path).map(\.name)
        }
        expect(sorted("prices[pear]") == ["b", "a", "c"] && sorted("prices[a b]") == ["c", "a", "b"])
        expect(sorted("any[pear]") == ["b", "a", "c"] && sorted("kept[first].name") == ["b", "a", "c"])
    }

    private static func says(_ text: String, _ result: ExitTest.Result?) -> Bool {
        result.map { String(decoding: $0.standardErrorContent, as: UTF8.self).contains(text) } ?? false
    }

    @Test func `invalid key paths are refused`() async {
        let unnamed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            print(try Self.open().objects(Stall.self).sorted(byKeyPath: "next..name").count)
        }
        expect(Self.says("Cannot sort on key path 'next..name': missing property name.", unnamed))
        let unknown = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            print(try Self.open().objects(Stall.self).distinct(by: ["next.color"]).count)
        }
        expect(
            Self.says(
                "Cannot sort on key path 'next.color': property '\(Stall.className()).color' does not exist.", unknown))
        let inside = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            print(try Self.open().objects(Stall.self).sorted(byKeyPath: "name.next").count)
        }
        expect(Self.says("of type 'string' may only be the final property in the key path.", inside))
        let list = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            print(try Self.open().objects(Stall.self).sorted(byKeyPath: "numbers").count)
        }
        expect(Self.says("numbers' is of unsupported type 'array'.", list))
        let map = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            print(try Self.open().objects(Stall.self).sorted(byKeyPath: "prices").count)
        }
        expect(Self.says("Cannot sort on key path 'prices': missing dictionary key.", map))
        let other = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try Self.open()
            try realm.write { print(realm.create(Stall.self).numbers.sorted(byKeyPath: "name").count) }
        }
        expect(Self.says("'name': arrays of 'int' can only be sorted on 'self'", other))
    }
}
