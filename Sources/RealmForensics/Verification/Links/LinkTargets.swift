internal import RealmCore
internal import RealmLayout

/// Looks up the targets of links where the key runs of their table are not conclusive.
struct LinkTargets {
    private struct Tree: Hashable {
        let table: TablePosition
        let isOfTombstones: Bool
    }

    private let scope: SnapshotScope
    private let plan: VerificationPlan
    private var finders: [Tree: ObjectFinder] = [:]

    init(_ scope: SnapshotScope, _ plan: VerificationPlan) {
        self.scope = scope
        self.plan = plan
    }

    /// Whether a table has no object with the key. False where the path to it is damaged, which was reported.
    mutating func lacks(_ key: ObjectKey, in table: TablePosition) -> Bool {
        let tree = Tree(table: table, isOfTombstones: key.isUnresolved)
        let model = plan.tables[table]
        guard let root = key.isUnresolved ? model.tombstones : model.clusters else { return true }
        let shift = key.isUnresolved ? ClusterWalk.usualShift : plan.shifts[table]
        let found = finders[tree, default: ObjectFinder(scope, root: root, shift: shift)].find(key)
        return if case .missing = found { true } else { false }
    }
}
