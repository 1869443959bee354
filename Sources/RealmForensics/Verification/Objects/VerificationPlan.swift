internal import RealmCore
internal import RealmLayout

/// Data shared by the checks of all leaves of a commit.
final class VerificationPlan: Sendable {
    let tables: ByTable<CheckedTable>
    /// The position of each table in `tables`, by key.
    let positions: [TableKey: TablePosition]
    /// The number of bits by which the keys of each table's tree are shifted per level.
    let shifts: ByTable<Int>
    /// The keys of each table's objects; nil when they form many runs or their tree is damaged.
    let keyRuns: ByTable<KeyRuns?>

    /// Maximum number of key runs in memory, for all tables: a megabyte.
    private static let keyRunLimit = 1 << 16

    /// - Parameter checksTargets: whether the targets of links are checked.
    init(_ scope: SnapshotScope, tables: ByTable<CheckedTable>, checksTargets: Bool) {
        self.tables = tables
        positions = Dictionary(zip(tables.lazy.map(\.key), tables.indices)) { first, _ in first }
        let shifts = tables.mapped { ClusterWalk.shift(of: $0.clusters, scope) }
        self.shifts = shifts
        var room = Self.keyRunLimit
        keyRuns = ByTable(
            zip(tables, shifts).map { table, shift in
                guard checksTargets, let root = table.clusters else { return nil }
                return KeyRuns(scope, root: root, shift: shift, room: &room)
            })
    }
}
