import RealmObjects
import Testing

/// What becomes of embedded objects when their owner gets the values of another one.
@Suite struct EmbeddedUpdateTests {
    final class Tree: Object {
        @Persisted(primaryKey: true) var id = 1
        @Persisted var root: Branch?
        @Persisted var branches: List<Branch>
    }

    final class Branch: EmbeddedObject {
        @Persisted var number = 0
        @Persisted var child: Branch?
        @Persisted var leaves: List<Branch>
    }

    private func branch(_ number: Int, child: Branch? = nil, leaves: [Branch] = []) -> Branch {
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

    @Test func `with modified, embedded objects stay the objects that they are`() throws {
        let file = TestRealm([Tree.self, Branch.self])
        let realm = try file.open()
        let (child, leaf) = (branch(2), branch(3))
        let root = branch(1, child: child, leaves: [leaf])
        let (first, second, third) = (branch(4), branch(5), branch(6))
        try realm.write { realm.add(tree(root, [first, second, third])) }
        let newRoot = branch(11, child: branch(12), leaves: [branch(13), branch(14)])
        let newBranches = [branch(15), branch(16)]
        let new = tree(newRoot, newBranches)
        try realm.write { realm.add(new, update: .modified) }
        #expect([root, child, leaf, first, second].map(\.number) == [11, 12, 13, 15, 16])
        #expect(third.isInvalidated && newRoot.isSameObject(as: root) && newBranches[1].isSameObject(as: second))
        #expect(root.leaves.map(\.number) == [13, 14] && new.branches.map(\.number) == [15, 16])
        #expect(newRoot.leaves[1].realm == realm)
        // A link that leads nowhere is written as such, and comes back as another object.
        try realm.write { realm.add(tree(nil, [branch(20), branch(21), branch(22)]), update: .modified) }
        #expect(
            root.isInvalidated && new.root == nil && first.number == 20 && new.branches.map(\.number) == [20, 21, 22])
        let schema = try file.verified()
        #expect(try schema.table(named: "Branch").count == 3)
    }

    @Test func `created values go into embedded objects`() throws {
        let realm = try TestRealm([Tree.self, Branch.self]).open()
        let (root, first) = (branch(1), branch(2))
        try realm.write { realm.add(tree(root, [first])) }
        try realm.write {
            realm.create(
                Tree.self, value: ["id": 1, "root": ["number": 7], "branches": [[8], [9]]] as [String: Any],
                update: .modified)
        }
        #expect(root.number == 7 && first.number == 8 && realm.objects(Tree.self)[0].branches.map(\.number) == [8, 9])
    }

    @Test func `embedded objects are replaced by all other policies`() throws {
        let realm = try TestRealm([Tree.self, Branch.self]).open()
        let (root, first) = (branch(1), branch(2))
        try realm.write { realm.add(tree(root, [first])) }
        try realm.write { realm.add(tree(branch(5), [branch(6)]), update: .all) }
        #expect(root.isInvalidated && first.isInvalidated)
        #expect(realm.objects(Tree.self)[0].root?.number == 5)
    }
}
