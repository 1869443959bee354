internal import RealmLayout
internal import RealmReader

/// What the checks of all leaves of a commit have in common.
final class VerificationPlan: Sendable {
    let tables: [CheckedTable]
    /// The position in `tables` of each key.
    let positions: [TableKey: Int]
    /// By how many bits the keys of each table's tree are shifted a level.
    let shifts: [Int]
    /// The keys of each table's objects, where they are few runs and nothing is wrong with their tree.
    let keyRuns: [KeyRuns?]

    /// Runs of keys that are held, of all tables: a megabyte.
    private static let keyRunLimit = 1 << 16

    /// - Parameter checksTargets: whether links are to be followed.
    init(_ scope: SnapshotScope, tables: [CheckedTable], checksTargets: Bool) {
        self.tables = tables
        positions = Dictionary(tables.enumerated().map { ($0.element.key, $0.offset) }) { first, _ in first }
        let shifts = tables.map { ClusterWalk.shift(of: $0.clusters, scope) }
        self.shifts = shifts
        var room = Self.keyRunLimit
        keyRuns = tables.indices.map { index in
            guard checksTargets, let root = tables[index].clusters else { return nil }
            return KeyRuns(scope, root: root, shift: shifts[index], room: &room)
        }
    }
}
