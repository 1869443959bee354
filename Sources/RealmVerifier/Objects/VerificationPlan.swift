internal import RealmLayout
internal import RealmReader

/// What the checks of all leaves of a commit have in common.
final class VerificationPlan: Sendable {
    let tables: ByTable<CheckedTable>
    /// Where the table of each key is in `tables`.
    let positions: [TableKey: TablePosition]
    /// By how many bits the keys of each table's tree are shifted a level.
    let shifts: ByTable<Int>
    /// The keys of each table's objects, where they are few runs and nothing is wrong with their tree.
    let keyRuns: ByTable<KeyRuns?>

    /// Runs of keys that are held, of all tables: a megabyte.
    private static let keyRunLimit = 1 << 16

    /// - Parameter checksTargets: whether links are to be followed.
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
