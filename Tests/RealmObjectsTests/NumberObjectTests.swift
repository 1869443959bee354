import Expectations
import Foundation
import RealmObjects
import Testing

/// Numbers of Foundation, as in JSON and in code written for Objective-C.
@Suite struct NumberObjectTests {
    final class Part: Object {
        @Persisted(primaryKey: true) var number = 0
        @Persisted var count = 0
        @Persisted var weight = 0.0
        @Persisted var isSold = false
        @Persisted var price: Decimal128?
        @Persisted var mixed: AnyRealmValue
        @Persisted var sizes: List<Int>
    }

    private static let json = """
        [{"number": 0, "count": 1, "weight": 1, "isSold": true, "price": 1, "mixed": 1, "sizes": [0, 1, 2]},
         {"number": 1, "count": 0, "weight": 0.5, "isSold": false, "price": null, "mixed": true},
         {"number": 2, "count": 5, "weight": 5, "isSold": 1, "price": 2.5, "mixed": 2.5},
         {"number": 3, "mixed": [0, false, {"a": 8}]},
         {"number": 4, "mixed": 0}]
        """

    /// Returns parts created from JSON that Foundation parsed.
    private func parts() throws -> Results<Part> {
        let realm = try TestRealm([Part.self]).open()
        let parts = try #require(try JSONSerialization.jsonObject(with: Data(Self.json.utf8)) as? [[String: Any]])
        try realm.write { for part in parts { realm.create(Part.self, value: part) } }
        return realm.objects(Part.self)
    }

    @Test func `values of any type equal those of the JSON`() throws {
        let parts = try parts()
        expectEqual(Array(parts.map(\.mixed).prefix(3)), [.int(1), .bool(true), .double(2.5)])
        expectEqual(parts[4].mixed, .int(0))
        let list = try #require(parts[3].mixed.listValue)
        expect(list[0] == .int(0) && list[1] == .bool(false))
        expectEqual(list[2].dictionaryValue?["a"], .int(8))
        expect(Array(parts.map(\.count)) == [1, 0, 5, 0, 0] && parts[2].isSold && parts[0].sizes.count == 3)
        expect(parts[0].price == 1 && parts[2].price == 2.5)
        try parts.realm?.write {
            parts[0]["mixed"] = NSNumber(value: true)
            parts[1]["mixed"] = NSNumber(value: 7)
            parts[2]["mixed"] = NSNumber(value: 4.0)
        }
        expectEqual(Array(parts.map(\.mixed).prefix(3)), [.bool(true), .int(7), .double(4)])
    }

    @Test func `objects are found by Foundation numbers`() throws {
        let realm = try #require(try parts().realm)
        expectEqual(realm.object(ofType: Part.self, forPrimaryKey: NSNumber(value: 1))?.weight, 0.5)
        expectEqual(realm.object(ofType: Part.self, forPrimaryKey: 2 as NSNumber)?.weight, 5)
        expect(realm.dynamicObject(ofType: "Part", forPrimaryKey: NSNumber(value: 0)) != nil)
        expectEqual(realm.object(ofType: Part.self, forPrimaryKey: NSNumber(value: 9)), nil)
    }

    @Test(arguments: ["count", "weight", "price", "mixed"])
    func `predicates accept Foundation numbers`(_ name: String) throws {
        let parts = try parts()
        for number in 0..<6 {
            let object = NSNumber(value: number)
            let expected = Array(parts.filter("%K == %@", name, number).map(\.number))
            expectEqual(Array(parts.filter("%K == %@", name, object).map(\.number)), expected)
            expectEqual(Array(parts.filter("%K IN %@", name, [object]).map(\.number)), expected)
            expectEqual(Array(parts.filter("%K IN %@", name, NSArray(array: [object])).map(\.number)), expected)
            expectEqual(Array(parts.filter("%K IN %@", name, NSSet(array: [object])).map(\.number)), expected)
            let more = Array(parts.filter("%K > %@", name, number).map(\.number))
            expectEqual(Array(parts.filter("%K > %@", name, object).map(\.number)), more)
        }
        expectEqual(
            Array(parts.filter("weight == %@ OR mixed == %@", NSNumber(value: 0.5), 2.5 as NSNumber).map(\.number)),
            [
                1, 2,
            ])
        for decimal in [Decimal(string: "2.5"), NSDecimalNumber(string: "2.5")] as [Any?] {
            expectEqual(
                Array(parts.filter("%K == %@", name, try #require(decimal)).map(\.number)),
                (["price", "mixed"].contains(name) ? [2] : []))
        }
        expectEqual(parts.filter("weight == %@", NSDecimalNumber(string: "0.5")).first?.number, 1)
        expectEqual(Array(parts.filter("isSold == %@", NSNumber(value: true)).map(\.number)), [0, 2])
        expectEqual(Array(parts.filter("isSold == %@", NSNumber(value: 1)).map(\.number)), [0, 2])
        expectEqual(Array(parts.filter("mixed == %@", NSNumber(value: true)).map(\.number)), [1])
        expectEqual(Array(parts.filter("ANY sizes == %@", NSNumber(value: 1)).map(\.number)), [0])
        expectEqual(
            Array(parts.filter("count BETWEEN %@", [NSNumber(value: 1), NSNumber(value: 5)]).map(\.number)), [0, 2])
    }
}
