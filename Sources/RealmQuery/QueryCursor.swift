public import RealmCore
internal import RealmLayout

extension Table {
    /// The first object that matches a query, in the query's order; nil if there is none.
    ///
    /// ```swift
    /// if let person = try people.first(matching: "age > $0 SORT(age DESC)", 60) { print(person.key) }
    /// ```
    ///
    /// Without SORT and DISTINCT, the search stops at the first match.
    ///
    /// - Throws: `QueryError`, as `objects(matching:_:)` does.
    public func first(matching text: String, _ arguments: QueryArgument...) throws(QueryError) -> StoredObject? {
        let query: ObjectQuery
        do throws(QuerySyntaxError) { query = try ObjectQuery(text) } catch { throw .syntax(error) }
        return try first(matching: query, arguments: arguments)
    }

    /// The first object that matches a query, in the query's order; nil if there is none.
    ///
    /// - Parameter arguments: the first is `$0`.
    /// - Throws: `QueryError`, as `objects(matching:arguments:options:)` does.
    public func first(
        matching query: ObjectQuery, arguments: [QueryArgument] = [], options: QueryOptions = QueryOptions()
    ) throws(QueryError) -> StoredObject? {
        var query = query
        query.steps.append(.limit(1))
        var cursor = try cursor(matching: query, arguments: arguments, options: options)
        return try cursor.next()
    }

    /// A page of the objects that match a query: those at some positions in the query's order.
    ///
    /// ```swift
    /// let third = try people.objects(matching: ObjectQuery("age > 60"), page: 40..<60)
    /// print(third.keys)
    /// ```
    ///
    /// Without SORT and DISTINCT, the search stops at the end of the page; with SORT, objects beyond the page are not
    /// ordered.
    ///
    /// - Parameters:
    ///   - arguments: the first is `$0`.
    ///   - page: positions; those below 0 hold no objects.
    /// - Returns: fewer objects if the query finds fewer.
    /// - Throws: `QueryError`, as `objects(matching:arguments:options:)` does.
    public func objects(
        matching query: ObjectQuery, arguments: [QueryArgument] = [], options: QueryOptions = QueryOptions(),
        page: Range<Int>
    ) throws(QueryError) -> QueryResults {
        let page = page.clamped(to: 0..<Int.max)
        var query = query
        query.steps.append(.limit(page.upperBound))
        let found = try objects(matching: query, arguments: arguments, options: options)
        return QueryResults(table: self, keys: Array(found.keys.dropFirst(page.lowerBound)))
    }

    /// Iterates over the objects that match a query, in the query's order. The search runs ahead by a few clusters
    /// only: there is no list of all matches, unless the query has SORT or DISTINCT, or an index provides the
    /// candidates.
    ///
    /// ```swift
    /// var cursor = try people.cursor(matching: ObjectQuery("name CONTAINS[c] 'ann'"))
    /// while let person = try cursor.next() { print(person.key) }
    /// ```
    ///
    /// - Parameter arguments: the first is `$0`.
    /// - Throws: `QueryError`, as `objects(matching:arguments:options:)` does.
    public func cursor(
        matching query: ObjectQuery, arguments: [QueryArgument] = [], options: QueryOptions = QueryOptions()
    ) throws(QueryError) -> QueryCursor {
        let (predicate, steps) = try bound(query, arguments)
        let scan = QueryScan(predicate, in: self, options)
        // A leading LIMIT needs no list, nor does the one that `first` appends.
        let limits = steps.map { if case .limit(let count) = $0 { count } else { Int?.none } }
        guard scan.choice == nil, !limits.contains(nil) else {
            let keys = try scan.keys(limit: steps.firstLimit).keys
            return QueryCursor(try results(keys, steps, scan.meter))
        }
        return QueryCursor(scan, limit: limits.compactMap { $0 }.min() ?? .max)
    }
}

/// Iterates over the objects that match a query, searching as it advances.
///
/// ```swift
/// var cursor = try people.cursor(matching: ObjectQuery("age > 60"))
/// while let person = try cursor.next() { print(person.key) }
/// ```
public struct QueryCursor {
    private var source: Source
    /// Matches that were not returned yet, from `place` on.
    private var found: [StoredObject] = []
    private var place = 0
    /// The number of objects that may still be returned.
    private var left: Int

    private enum Source {
        case results(QueryResults, next: Int)
        case scan(QueryScan, PlanRun, ClusterCursor)
        case end
    }

    /// Clusters to search in one go: one at first, because the caller may stop early, then as many as are worth loading
    /// together.
    private var clustersAtOnce = 1
    private static let mostClustersAtOnce = 16

    init(_ results: QueryResults) {
        source = .results(results, next: 0)
        left = results.count
    }

    init(_ scan: QueryScan, limit: Int) {
        source = .scan(scan, PlanRun(scan.plan, on: scan.table, scan.meter), ClusterCursor(scan.table.tree))
        left = limit
    }

    /// The next object; nil after the last.
    ///
    /// - Throws: `QueryError`: a value is damaged, the task was cancelled, or the query exceeds its budget. The cursor
    ///   then is at its end.
    public mutating func next() throws(QueryError) -> StoredObject? {
        guard left > 0 else { return nil }
        if case .results(let results, let next) = source {
            left -= 1
            source = .results(results, next: next + 1)
            do throws(FormatError) { return try results.object(at: next) } catch { throw .damage(error) }
        }
        while place == found.count {
            guard try lookOn() else { return nil }
        }
        place += 1
        left -= 1
        return found[place - 1]
    }

    /// Searches the next clusters.
    ///
    /// - Returns: false if the table has no further clusters.
    private mutating func lookOn() throws(QueryError) -> Bool {
        guard case .scan(let scan, var run, var clusters) = source else { return false }
        // Keeps `run` and `clusters` uniquely referenced, so that mutating them copies nothing.
        source = .end
        found.removeAll(keepingCapacity: true)
        place = 0
        let table = scan.table
        let wanted = clustersAtOnce
        clustersAtOnce = min(clustersAtOnce * 2, Self.mostClustersAtOnce)
        let isLast: Bool
        do throws(FormatError) {
            try scan.meter.checkTime()
            isLast = try table.snapshot.reading { () throws(FormatError) in
                var batch: [Cluster] = []
                let failure = batch.take(wanted) { () throws(FormatError) in try clusters.next() }
                _ = try run.rows(of: scan.plan.root, in: batch) { (rows, first, cluster) throws(FormatError) in
                    let objects = ObjectsOfCluster(table, cluster)
                    try rows.forEach { row throws(FormatError) in found.append(try objects.object(inRow: first + row)) }
                    return found.count < left
                }
                // Damage beyond the last wanted object does not matter.
                if let failure, found.count < left { throw failure }
                return batch.count < wanted
            }
        } catch {
            found = []
            throw scan.meter.failure(error.at(table: table.schema.tableName))
        }
        if !isLast { source = .scan(scan, run, clusters) }
        return true
    }
}
