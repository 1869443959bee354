import Expectations
import Foundation
import RealmObjects
import Testing

/// Constant conditions, and their equivalents in RealmSwift's predicates.
@Suite struct PredicateTests {
    final class Parcel: Object {
        @Persisted(primaryKey: true) var number = 0
        @Persisted var isPaid = false
        @Persisted var weight: Int?
        @Persisted var note = ""
        @Persisted var inner: List<Parcel>
        @Persisted var marks: Map<String, Parcel?>

        override class func propertiesMapping() -> [String: String] { ["weight": "_w", "inner": "_inner"] }
    }

    /// Returns ten parcels; those with an even number are paid, and the last one contains the first three.
    private func parcels() throws -> Results<Parcel> {
        let realm = try TestRealm([Parcel.self]).open()
        try realm.write {
            for number in 0..<10 {
                let values: [Any] = [number, number % 2 == 0, number, "n\(number)"]
                realm.add(Parcel(value: values))
            }
            let last = realm.object(ofType: Parcel.self, forPrimaryKey: 9)
            last?.inner.append(objectsIn: realm.objects(Parcel.self).filter("number < 3"))
            last?.marks["a"] = realm.object(ofType: Parcel.self, forPrimaryKey: 4)
        }
        return realm.objects(Parcel.self)
    }

    private func numbers(_ parcels: Results<Parcel>) -> [Int] { parcels.map(\.number).sorted() }

    @Test func `conditions are stored and combined`() throws {
        let parcels = try parcels()
        let heavy = RealmPredicate(format: "weight > %d", 7)
        let named = RealmPredicate(format: "%K == %@", "note", "n1")
        let light = RealmPredicate(format: "weight BETWEEN {$0, $1}", argumentArray: [0, 1])
        expect(numbers(parcels.filter(heavy)) == [8, 9] && numbers(parcels.filter(named)) == [1])
        let any = RealmPredicate(orPredicateWithSubpredicates: [heavy, named, light])
        expectEqual(numbers(parcels.filter(any)), [0, 1, 8, 9])
        let some = RealmPredicate(format: "number IN %@", [1, 9, 77])
        let all = RealmPredicate(andPredicateWithSubpredicates: [any, some])
        expectEqual(numbers(parcels.filter(all)), [1, 9])
        expectEqual(numbers(parcels.filter(RealmPredicate(notPredicateWithSubpredicate: any))), Array(2...7))
        expect(parcels.index(matching: named) == 1 && parcels.index(matching: RealmPredicate(value: false)) == nil)
        expectEqual(parcels.filter(RealmPredicate(value: true)).count, 10)
        var later = RealmPredicate()
        expect(later.predicateFormat.isEmpty)
        later = named
        expectEqual(numbers(parcels.filter(later)), [1])
        let last = try #require(parcels.last)
        expectEqual(last.inner.filter(named).count, 1)
        expectEqual(last.marks.filter(RealmPredicate(format: "number == 4")).count, 1)
        let list = List<Int>()
        list.append(objectsIn: [3, 7])
        expectEqual(list.index(matching: RealmPredicate(format: "SELF == 7")), 1)
        expect(all.predicateFormat.contains("$4") && all.description == all.predicateFormat)
    }

    @Test func `compounds without conditions match everything or nothing`() throws {
        let parcels = try parcels()
        expectEqual(parcels.filter(RealmPredicate(andPredicateWithSubpredicates: [])).count, 10)
        expect(parcels.filter(RealmPredicate(orPredicateWithSubpredicates: [])).isEmpty)
        let parts = [RealmPredicate(value: true), RealmPredicate(value: false)]
        expectEqual(parcels.filter(RealmPredicate(type: .or, subpredicates: parts)).count, parcels.count)
        expect(parcels.filter(RealmPredicate(type: .and, subpredicates: parts)).isEmpty)
        expectEqual(parcels.filter(RealmPredicate(type: .not, subpredicates: [parts[1]])).count, parcels.count)
    }

    @Test func `substrings are accepted as texts`() throws {
        let parcels = try parcels()
        expectEqual(numbers(parcels.filter("note == %@", "n4x".prefix(2))), [4])
        expectEqual(numbers(parcels.filter("note IN %@", "n4 n5 x".split(separator: " "))), [4, 5])
    }

    @Test func `conditions are passed to other threads`() async throws {
        let predicate = RealmPredicate(format: "note == %@ AND isPaid == %@", "n4", true)
        let found = try await Task.detached { try self.numbers(self.parcels().filter(predicate)) }.value
        expectEqual(found, [4])
    }

    @Test func `one and zero are truth values in comparisons with them`() throws {
        let parcels = try parcels()
        expectEqual(numbers(parcels.filter("isPaid == 1")), [0, 2, 4, 6, 8])
        expectEqual(numbers(parcels.filter("isPaid == 0 AND %K != %@", "isPaid", 1)), [1, 3, 5, 7, 9])
        expectEqual(numbers(parcels.filter("isPaid = %d", 1)), [0, 2, 4, 6, 8])
        expectEqual(numbers(parcels.filter("ANY inner.isPaid == %@", 0)), [9])
        expectEqual(parcels.index(matching: "isPaid == 0"), 1)
        expectEqual(numbers(parcels.filter("weight == true OR weight == %@", false)), [0, 1])
        expectEqual(numbers(parcels.filter("isPaid == %@", NSNumber(value: true))), [0, 2, 4, 6, 8])
    }

    @Test func `numbers and truth values are accepted for each other`() throws {
        let parcel = Parcel(value: ["number": true, "isPaid": 1, "weight": false])
        expect(parcel.number == 1 && parcel.isPaid && parcel.weight == 0)
        let realm = try TestRealm([Parcel.self]).open()
        try realm.write {
            let added = realm.create(Parcel.self, value: ["number": 2, "isPaid": 1])
            added["isPaid"] = 0
            added.setValue(true, forKey: "weight")
            expect(!added.isPaid && added.weight == 1)
        }
    }

    @Test func `names of the file are found in arguments, subqueries and sums`() throws {
        let parcels = try parcels()
        expectEqual(numbers(parcels.filter("%K == %@ OR inner.@count == %@", "weight", 3, 3)), [3, 9])
        expectEqual(numbers(parcels.filter("ANY %K == 2", "inner.weight")), [9])
        expectEqual(numbers(parcels.filter("inner.@sum.weight == 3 AND inner.@max.weight == 2")), [9])
        expectEqual(numbers(parcels.filter("SUBQUERY(inner, $x, $x.weight > 0 AND $x.isPaid == 1).@count == 1")), [9])
        let inside = "SUBQUERY($x.inner, $y, $y.weight > $x.weight).@count == 0"
        expectEqual(numbers(parcels.filter("SUBQUERY(inner, $x, \(inside) AND weight < 2).@count == 2")), [9])
    }
}
