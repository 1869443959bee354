import Expectations
import RealmObjects
import Testing

/// Deletion of many objects at a time from collections of all kinds.
@Suite struct ManyDeletionsTests {
    final class Acorn: Object {
        @Persisted(primaryKey: true) var number = 0
    }

    final class Oak: Object {
        @Persisted var list: List<Acorn>
        @Persisted var set: MutableSet<Acorn>
        @Persisted var map: Map<String, Acorn?>
        @Persisted var mixedList: List<AnyRealmValue>
        @Persisted var mixedSet: MutableSet<AnyRealmValue>
        @Persisted var mixedMap: Map<String, AnyRealmValue>
        @Persisted var listInside: AnyRealmValue
        @Persisted var mapInside: AnyRealmValue
        @Persisted var single: AnyRealmValue
    }

    /// Checks the remaining objects of a tree that initially had all of the numbers as leaves.
    private func expectOnly(_ isLeft: (Int) -> Bool, _ tree: Oak, of numbers: Range<Int>) {
        let (all, left) = (Array(numbers), numbers.filter(isLeft))
        func entries(_ values: [Int?]) -> [String: Int?] {
            Dictionary(uniqueKeysWithValues: zip(all, values).map { ("\($0)", $1) })
        }
        let kept = all.map { isLeft($0) ? $0 : nil }
        // Each leaf was in the list twice.
        expectEqual(tree.list.map(\.number), left + left)
        expectEqual(tree.set.map(\.number).sorted(), left)
        expectEqual(
            Dictionary(uniqueKeysWithValues: tree.map.map { ($0.key, $0.value?.number) }), entries(kept))
        expectEqual(tree.mixedList.map(Self.number), [nil] + left)
        expect(tree.mixedSet.compactMap(Self.number).sorted() == left && tree.mixedSet.contains(.string("a")))
        expectEqual(
            Dictionary(uniqueKeysWithValues: tree.mixedMap.map { ($0.key, Self.number($0.value)) }), entries(kept))
        let inside = tree.listInside.listValue.map { $0.map(Self.number) }
        expectEqual(inside, left + [nil])
        expectEqual(tree.listInside.listValue?.last?.listValue?.map(Self.number), left)
        expectEqual(
            tree.mapInside.dictionaryValue.map { $0.map { Self.number($0.value) ?? -1 }.sorted() },
            kept.map { $0 ?? -1 }.sorted())
    }

    private static func number(_ value: AnyRealmValue) -> Int? { value.object(Acorn.self)?.number }

    @Test(arguments: [false, true]) func `collections lose many objects at once`(isAskedMeanwhile: Bool) throws {
        let test = TestRealm([Acorn.self, Oak.self])
        let realm = try test.open()
        // More than one leaf of a B+-tree contains.
        let numbers = 0..<2500
        let tree = Oak()
        try realm.write {
            let leaves = numbers.map { realm.create(Acorn.self, value: [$0]) }
            realm.add(tree)
            tree.list.append(objectsIn: leaves + leaves)
            tree.set.insert(objectsIn: leaves)
            tree.mixedList.append(.string("a"))
            tree.mixedList.append(objectsIn: leaves.map { .object($0) })
            tree.mixedSet.insert(.string("a"))
            tree.mixedSet.insert(objectsIn: leaves.map { .object($0) })
            for leaf in leaves {
                tree.map["\(leaf.number)"] = leaf
                tree.mixedMap["\(leaf.number)"] = .object(leaf)
            }
            let objects = leaves.map { AnyRealmValue.object($0) }
            tree.listInside = .fromArray(objects + [.fromArray(objects)])
            tree.mapInside = .fromDictionary(
                Dictionary(uniqueKeysWithValues: leaves.map { ("\($0.number)", .object($0)) }))
            tree.single = .object(leaves[3])
        }
        expectOnly({ _ in true }, tree, of: numbers)
        try realm.write {
            realm.delete(realm.objects(Acorn.self).filter("number > 2 AND number < 1500"))
            if isAskedMeanwhile { expectOnly({ $0 < 3 || $0 >= 1500 }, tree, of: numbers) }
            // One is deleted separately, and the rest is changed afterwards.
            realm.delete(try #require(realm.object(ofType: Acorn.self, forPrimaryKey: 2000)))
            tree.list.append(realm.create(Acorn.self, value: [3]))
            tree.list.removeLast()
        }
        let isLeft = { (number: Int) in number < 3 || number >= 1500 && number != 2000 }
        expectOnly(isLeft, tree, of: numbers)
        expectEqual(tree.single, .none)
        _ = try test.verified()
        try realm.write { realm.delete(realm.objects(Acorn.self)) }
        expect(tree.list.isEmpty && tree.set.isEmpty && tree.mixedList.count == 1 && tree.mixedSet.count == 1)
        expect(tree.map.count == 2500 && tree.map.allSatisfy { $0.value == nil })
        _ = try test.verified()
    }

    @Test func `objects are deleted together with their links and backlinks`() throws {
        let test = TestRealm(kennelTypes)
        let realm = try test.open()
        try realm.write {
            for number in 0..<300 {
                let person = Person(id: number, name: "\(number)")
                person.dogs.append(objectsIn: (0..<3).map { Dog(name: "\(number) \($0)", age: $0) })
                realm.add(person)
            }
        }
        try realm.write {
            realm.delete(realm.objects(Dog.self).filter("age == 1"))
            realm.delete(realm.objects(Person.self).filter("name ENDSWITH '7'"))
            realm.delete(realm.objects(Dog.self).filter("age == 2 AND name CONTAINS '8'"))
        }
        for person in realm.objects(Person.self) {
            let names = [0, 2].filter { $0 == 0 || !person.name.contains("8") }.map { "\(person.name) \($0)" }
            expectEqual(person.dogs.map(\.name), names)
        }
        expectEqual(realm.objects(Person.self).count, 270)
        _ = try test.verified()
    }
}
