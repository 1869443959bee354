import Expectations
import RealmObjects
import Testing

/// Conditions on missing values, and paths that continue after them.
@Suite struct QueryDetailTests {
    final class Shelf: Object {
        @Persisted var name: String
        @Persisted var label: String?
        @Persisted var marks: Map<String, Shelf?>
        @Persisted var inner: List<Shelf>
        @Persisted var mix: AnyRealmValue
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    /// Returns shelves, the first four of which have marks: none, `b`, `a` that is nil, `a`. The last one contains the
    /// second and the fourth.
    private func shelves() throws -> Results<Shelf> {
        let realm = try TestRealm([Shelf.self]).open()
        try realm.write {
            let labels: KeyValuePairs = ["empty": "", "other": "o", "nil": nil, "set": "t", "top": "top"]
            let all = labels.map { realm.create(Shelf.self, value: ["name": $0.key, "label": $0.value]) }
            all[1].marks["b"] = all[4]
            all[2].marks["a"] = .some(nil)
            all[3].marks["a"] = all[4]
            all[4].inner.append(objectsIn: [all[1], all[3]])
            for (index, shelf) in all.enumerated() where index > 0 { shelf.mix = .object(all[index - 1]) }
        }
        return realm.objects(Shelf.self)
    }

    private func names(_ shelves: Results<Shelf>) -> [String] { shelves.map(\.name) }

    @Test func `a missing key is null, unless the dictionary is empty`() throws {
        let shelves = try shelves()
        expectEqual(names(shelves.filter("marks['a'] == NULL")), ["other", "nil"])
        expectEqual(names(shelves.filter("marks['a'] != NULL")), ["set"])
        expectEqual(names(shelves.filter("NOT marks['a'] == NULL")), ["empty", "set", "top"])
        expectEqual(names(shelves.where { $0.marks["a"] == nil }), ["other", "nil"])
        expectEqual(names(shelves.filter("ANY inner.marks['a'] == NULL")), ["top"])
    }

    @Test func `a null object in a dictionary is a value`() throws {
        let shelves = try shelves()
        let top = try #require(shelves.last)
        expectEqual(names(shelves.filter("ANY marks == NULL")), ["nil"])
        expectEqual(names(shelves.where { $0.marks.contains(nil) }), ["nil"])
        expectEqual(names(shelves.filter("ANY marks != %@", top)), ["nil"])
        expectEqual(names(shelves.filter("NONE marks != %@", top)), ["empty", "other", "set", "top"])
        expectEqual(names(shelves.filter("ANY marks == %@", top)), ["other", "set"])
    }

    @Test func `a substring search with an empty or null property finds nothing`() throws {
        let shelves = try shelves()
        expectEqual(names(shelves.filter("name BEGINSWITH label")), ["other", "top"])
        expectEqual(names(shelves.filter("name ENDSWITH[c] label")), ["set", "top"])
        expectEqual(names(shelves.where { $0.name.contains($0.label) }), ["other", "set", "top"])
        expectEqual(names(shelves.where { !$0.name.contains($0.label) }), ["empty", "nil"])
        expectEqual(names(shelves.where { $0.name.equals($0.label) }), ["top"])
    }

    @Test func `an object argument is ordered among mixed values on either side`() throws {
        let shelves = try shelves()
        let second = try #require(shelves.dropFirst().first)
        expectEqual(names(shelves.filter("mix > %@", second)), ["set", "top"])
        expectEqual(names(shelves.filter("%@ < mix", second)), ["set", "top"])
    }

    @Test func `a sort after a condition applies after an earlier distinct`() throws {
        let shelves = try shelves()
        try shelves.realm?.write { for shelf in shelves { shelf.label = shelf.name == "empty" ? "x" : "y" } }
        let labels = shelves.distinct(by: ["label"])
        expectEqual(names(labels.filter("name != 'other'")), ["empty", "nil"])
        expectEqual(names(labels.filter("name != 'other' SORT(name DESC)")), ["nil", "empty"])
        expectEqual(names(labels.filter("name != 'other' SORT(name DESC) LIMIT(1)")), ["nil"])
    }
}
