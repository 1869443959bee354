internal import RealmLayout
internal import RealmReader

/// Finds the objects of a table for which a predicate holds, without making objects of them.
struct QueryScan {
    private let table: Table
    private let plan: QueryPlan

    init(_ predicate: BoundPredicate, in table: Table) {
        self.table = table
        plan = QueryPlan(predicate, for: table)
    }

    /// The keys of the objects, in their order.
    ///
    /// - Parameter limit: how many are wanted at most.
    /// - Throws: `damage`, `cancelled`.
    func keys(limit: Int?) throws(QueryError) -> [ObjectKey] {
        let limit = limit ?? .max
        var keys: [ObjectKey] = []
        guard limit > 0 else { return keys }
        try forEachBlock { found, first, cluster in
            found.forEach { row in
                if keys.count < limit { keys.append(cluster.key(unchecked: first + row)) }
            }
            return keys.count < limit
        }
        return keys
    }

    /// How many objects there are.
    ///
    /// - Throws: `damage`, `cancelled`.
    func count() throws(QueryError) -> Int {
        var count = 0
        try forEachBlock { found, _, _ in
            count += found.count
            return true
        }
        return count
    }

    private func forEachBlock(_ body: (RowMask, _ first: Int, Cluster) -> Bool) throws(QueryError) {
        var run = PlanRun(plan, on: table)
        var clusters = ClusterCursor(table.core.objects)
        var goesOn = true
        while goesOn {
            if Task.isCancelled { throw .cancelled }
            do throws(FormatError) {
                goesOn = try table.snapshot.reading { () throws(FormatError) in
                    guard let cluster = try clusters.next() else { return false }
                    return try run.rows(of: plan.root, in: cluster) { body($0, $1, cluster) }
                }
            } catch {
                throw .damage(error.at(table: table.schema.tableName))
            }
        }
    }
}
