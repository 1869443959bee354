import Expectations
import RealmObjects
import Testing

/// Embedded objects when their owner is updated with the values of another object.
@Suite struct EmbeddedUpdateTests {
    final class Tree: Object {
        @Persisted(primaryKey: true) var id = 1
        @Persisted var root: Branch?
        @Persisted var branches: List<Branch>
        @Persisted var any: AnyRealmValue
    }

    final class Branch: EmbeddedObject {
        @Persisted var number = 0
        @Persisted var child: Twiglet?
        @Persisted var leaves: List<Twiglet>
    }

    final class Twiglet: EmbeddedObject {
        @Persisted var number = 0
    }

    private func leaf(_ number: Int) -> Twiglet { Twiglet(value: [number]) }

    private func branch(_ number: Int, child: Twiglet? = nil, leaves: [Twiglet] = []) -> Branch {
        let branch = Branch()
        (branch.number, branch.child) = (number, child)
        branch.leaves.append(objectsIn: leaves)
        return branch
    }

    private func tree(_ root: Branch?, _ branches: [Branch]) -> Tree {
        let tree = Tree()
        tree.root = root
        tree.branches.append(objectsIn: branches)
        return tree
    }

    @Test func `the modified policy keeps embedded objects`() throws {
        let file = TestRealm([Tree.self, Branch.self, Twiglet.self])
        let realm = try file.open()
        let (child, side) = (leaf(2), leaf(3))
        let root = branch(1, child: child, leaves: [side])
        let (first, second, third) = (branch(4), branch(5), branch(6))
        try realm.write { realm.add(tree(root, [first, second, third])) }
        let newRoot = branch(11, child: leaf(12), leaves: [leaf(13), leaf(14)])
        let newBranches = [branch(15), branch(16)]
        let new = tree(newRoot, newBranches)
        try realm.write { realm.add(new, update: .modified) }
        expect([root, first, second].map(\.number) == [11, 15, 16] && [child, side].map(\.number) == [12, 13])
        expect(third.isInvalidated && newRoot.isSameObject(as: root) && newBranches[1].isSameObject(as: second))
        expect(root.leaves.map(\.number) == [13, 14] && new.branches.map(\.number) == [15, 16])
        expectEqual(newRoot.leaves[1].realm, realm)
        // A null link is written as null, and a later value is a new object.
        try realm.write { realm.add(tree(nil, [branch(20), branch(21), branch(22)]), update: .modified) }
        expect(
            root.isInvalidated && new.root == nil && first.number == 20 && new.branches.map(\.number) == [20, 21, 22])
        let snapshot = try file.verified()
        try expect(snapshot.table(named: "Branch").count == 3 && snapshot.table(named: "Twiglet").count == 0)
    }

    @Test func `created values update embedded objects`() throws {
        let realm = try TestRealm([Tree.self, Branch.self, Twiglet.self]).open()
        let (root, first) = (branch(1), branch(2))
        try realm.write { realm.add(tree(root, [first])) }
        try realm.write {
            realm.create(
                Tree.self, value: ["id": 1, "root": ["number": 7], "branches": [[8], [9]]] as [String: Any],
                update: .modified)
        }
        expect(root.number == 7 && first.number == 8 && realm.objects(Tree.self)[0].branches.map(\.number) == [8, 9])
    }

    @Test func `objects of realms update embedded objects`() throws {
        let types: [ObjectBase.Type] = [Tree.self, Branch.self, Twiglet.self]
        let (file, otherFile) = (TestRealm(types), TestRealm(types))
        let (realm, other) = (try file.open(), try otherFile.open())
        let (child, first) = (leaf(3), branch(4))
        let root = branch(1, child: child)
        try realm.write { realm.add(tree(root, [first])) }
        let new = tree(branch(11, child: leaf(12)), [branch(14), branch(15)])
        try other.write { other.add(new) }
        try realm.write { realm.create(Tree.self, value: new, update: .modified) }
        expect([root, first].map(\.number) == [11, 14] && child.number == 12)
        let old = try #require(realm.objects(Tree.self).first?.freeze())
        try realm.write {
            (root.number, first.number) = (21, 24)
            realm.create(Tree.self, value: old, update: .modified)
        }
        expect([root, first].map(\.number) == [11, 14] && child.number == 12)
        // An existing embedded object is assigned to itself.
        try realm.write { realm.create(Tree.self, value: ["id": 1, "root": root] as [String: Any], update: .modified) }
        expect(root.number == 11 && child.number == 12 && new.root?.number == 11)
        let snapshot = try file.verified()
        try expect(snapshot.table(named: "Branch").count == 3 && snapshot.table(named: "Twiglet").count == 1)
    }

    @Test func `the modified policy sets mixed values when the type of the number changes`() throws {
        let realm = try TestRealm([Tree.self, Branch.self, Twiglet.self]).open()
        func updated(_ value: Any) throws -> AnyRealmValue {
            try realm.write { realm.create(Tree.self, value: ["any": value], update: .modified).any }
        }
        try expect(updated(1.5) == .double(1.5) && updated(Float(1.5)) == .float(1.5))
        try expect(updated(1) == .int(1) && updated(1.0) == .double(1) && updated(true) == .bool(true))
    }

    @Test func `all other policies replace embedded objects`() throws {
        let realm = try TestRealm([Tree.self, Branch.self, Twiglet.self]).open()
        let (root, first) = (branch(1), branch(2))
        try realm.write { realm.add(tree(root, [first])) }
        try realm.write { realm.add(tree(branch(5), [branch(6)]), update: .all) }
        expect(root.isInvalidated && first.isInvalidated)
        expectEqual(realm.objects(Tree.self)[0].root?.number, 5)
    }

    final class Basket: Object {
        @Persisted(primaryKey: true) var id = 1
        @Persisted var words: MutableSet<String>
        @Persisted var prices: Map<String, Int>
        @Persisted var numbers: List<Int>
        @Persisted var others: MutableSet<Basket>
        @Persisted var twigs: Map<String, Branch?>
    }

    private func basket(_ words: [String], _ prices: [String: Int] = [:], _ numbers: [Int] = []) -> Basket {
        let basket = Basket()
        basket.words.insert(objectsIn: words)
        for (key, price) in prices { basket.prices[key] = price }
        basket.numbers.append(objectsIn: numbers)
        return basket
    }

    @Test func `the modified policy merges sets and dictionaries, but replaces lists`() throws {
        let file = TestRealm([Basket.self, Branch.self, Twiglet.self])
        let realm = try file.open()
        let first = basket(["a", "b"], ["x": 1, "y": 2], [1, 2, 3])
        first.others.insert(Basket(value: [2]))
        try realm.write { realm.add(first) }
        let second = basket(["b", "c"], ["y": 3, "z": 4], [7])
        second.others.insert(Basket(value: [3]))
        try realm.write { realm.add(second, update: .modified) }
        expect(first.words.sorted() == ["a", "b", "c"] && first.others.map(\.id).sorted() == [2, 3])
        expect(first.prices.keys == ["x", "y", "z"] && first.prices.values == [1, 3, 4])
        expect(Array(first.numbers) == [7] && second.words.count == 3 && second.isSameObject(as: first))
        // Nothing was added to these.
        try realm.write { realm.add(basket([]), update: .modified) }
        expect(first.words.count == 3 && first.prices.count == 3 && first.numbers.isEmpty && first.others.count == 2)
        let values: [String: Any] = ["id": 1, "words": ["d"], "prices": ["x": 9]]
        try realm.write { _ = realm.create(Basket.self, value: values, update: .modified) }
        expect(first.words.sorted() == ["a", "b", "c", "d"] && first.prices["x"] == 9 && first.prices.count == 3)
        // Everything equals the given values.
        try realm.write { realm.add(basket(["q"], ["r": 1], [5]), update: .all) }
        expect(Array(first.words) == ["q"] && first.prices.keys == ["r"] && first.others.isEmpty)
        // A property that is set gets exactly the given value.
        try realm.write { first.words = basket(["s"]).words }
        expectEqual(Array(first.words), ["s"])
        _ = try file.verified()
    }

    @Test func `the modified policy keeps embedded objects of a dictionary`() throws {
        let file = TestRealm([Basket.self, Branch.self, Twiglet.self])
        let realm = try file.open()
        let (old, first, second) = (branch(1), Basket(), Basket())
        first.twigs["a"] = old
        try realm.write { realm.add(first) }
        let (new, added) = (branch(2, leaves: [leaf(3)]), branch(4))
        (second.twigs["a"], second.twigs["b"]) = (new, added)
        try realm.write { realm.add(second, update: .modified) }
        expect(old.number == 2 && new.isSameObject(as: old) && first.twigs.keys == ["a", "b"])
        expect((first.twigs["b"] ?? nil)?.isSameObject(as: added) == true && old.leaves.map(\.number) == [3])
        let snapshot = try file.verified()
        try expect(snapshot.table(named: "Branch").count == 2 && snapshot.table(named: "Twiglet").count == 1)
    }

    @Test func `the modified policy copies nulls of a dictionary of embedded objects`() throws {
        let file = TestRealm([Basket.self, Branch.self, Twiglet.self])
        let realm = try file.open()
        let first = Basket()
        (first.twigs["a"], first.twigs["c"]) = (branch(1), branch(3))
        try realm.write { realm.add(first) }
        let second = Basket()
        (second.twigs["a"], second.twigs["b"]) = (.some(nil), .some(nil))
        try realm.write { realm.add(second, update: .modified) }
        expectEqual(first.twigs.keys, ["a", "b", "c"])
        expectEqual(first.twigs.values.map { $0?.number }, [nil, nil, 3])
        try expectEqual(file.verified().table(named: "Branch").count, 1)
    }
}
