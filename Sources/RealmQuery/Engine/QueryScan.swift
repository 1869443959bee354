internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// Finds the objects of a table that match a predicate, without creating them.
struct QueryScan: Sendable {
    let table: Table
    let plan: QueryPlan
    /// Candidates from an index; nil to search all objects.
    let choice: IndexChoice?
    let meter: WorkMeter
    private let another: @Sendable () -> BoundPredicate

    /// - Parameter another: creates the same predicate again, for a task of its own; nil for a single task.
    init(
        _ predicate: BoundPredicate, in table: Table, _ options: QueryOptions = QueryOptions(),
        another: (@Sendable () -> BoundPredicate)? = nil
    ) {
        self.table = table
        self.another = another ?? { predicate }
        meter = WorkMeter(options.budget)
        plan = QueryPlan(predicate, for: table)
        choice = options.usesIndexes ? IndexChoice(plan.root, in: table) : nil
    }

    /// For each step of the plan, by its number: how many objects it was evaluated for and how many matched.
    typealias Counts = [(asked: Int, holds: Int)]

    /// The keys of the matching objects, in key order.
    ///
    /// - Parameters:
    ///   - limit: maximum number of keys.
    ///   - looksAnew: whether to verify candidates again that were already proven in this snapshot.
    /// - Throws: `damage`, `cancelled`, `exhausted`.
    func keys(limit: Int? = nil, looksAnew: Bool = false) throws(QueryError) -> (keys: [ObjectKey], counts: Counts) {
        let limit = limit ?? .max
        guard limit > 0 else { return ([], Array(repeating: (0, 0), count: plan.stepCount)) }
        if let found = try chosen(limit: limit, looksAnew: looksAnew) {
            return (Array(found.keys.prefix(limit)), found.counts)
        }
        var keys: [ObjectKey] = []
        var room = KeyRoom(of: table)
        let counts = try forEachBlock {
            (found, first, cluster) throws(FormatError) in
            if first == 0 { room.make(in: &keys, for: cluster) }
            keys.append(found, from: first, of: cluster)
            if keys.count > limit { keys.removeLast(keys.count - limit) }
            try meter.checkResults(keys.count)
            return keys.count < limit
        }
        return (keys, counts)
    }

    /// The number of matching objects.
    ///
    /// - Parameter limit: maximum count.
    /// - Throws: `damage`, `cancelled`, `exhausted`.
    func count(limit: Int = .max) throws(QueryError) -> Int {
        if case .constant(let value) = plan.root.node, !value { return 0 }
        if limit < 1 { return 0 }
        if let found = try chosen(limit: limit) { return min(found.keys.count, limit) }
        var run = PlanRun(plan, on: table, meter)
        var count = 0
        try forEachBatch { (clusters) throws(FormatError) in
            if limit == .max, case .column(let index, let test) = plan.root.node {
                count &+= try run.count(test, ofProperty: index, in: clusters)
            } else {
                _ = try run.rows(of: plan.root, in: clusters) { found, _, _ in
                    count &+= found.count
                    return count < limit
                }
            }
            return count < limit
        }
        return min(count, limit)
    }

    /// The given keys whose objects match.
    ///
    /// - Parameter keys: ascending, without duplicates; keys of missing objects are ignored.
    /// - Throws: `damage`, `cancelled`, `exhausted`.
    func keys(among keys: [ObjectKey]) throws(QueryError) -> [ObjectKey] {
        let candidates = choice.map { $0.keys.common(with: keys) } ?? keys
        var run = PlanRun(plan, on: table, meter)
        var walk = KeyWalk(candidates, in: table, passesOverMissing: true)
        var found: [ObjectKey] = []
        do throws(FormatError) {
            while try look(&walk, &run, &found) {}
        } catch {
            throw meter.failure(error.at(table: table.schema.tableName))
        }
        return found
    }

    /// The matching candidates of an index; nil without one, and when it is damaged.
    ///
    /// - Parameter limit: the search may stop at this many matches; the result may be longer.
    /// - Throws: `cancelled`, `exhausted`.
    private func chosen(
        limit: Int = .max, looksAnew: Bool = false
    ) throws(QueryError) -> (keys: [ObjectKey], counts: Counts)? {
        guard let choice else { return nil }
        do throws(FormatError) {
            // With a condition on a single column, candidates can be proven all at once.
            guard case .column(let index, let test) = plan.root.node, !KeyWalk.goesThroughAll(choice.keys, in: table)
            else { return try walked(choice.keys, limit: limit) }
            let proven = table.snapshot.provenValues
            if !looksAnew, let value = choice.value, proven.contains(value) {
                try meter.checkResults(choice.keys.count)
                return (choice.keys, [(choice.keys.count, choice.keys.count)])
            }
            if limit < choice.keys.count { return try walked(choice.keys, limit: limit) }
            var hits = IndexHits(test, ofProperty: index, in: table, meter)
            let found = try hits.holding(choice.keys)
            if let value = choice.value, found.count == choice.keys.count { proven.insert(value) }
            return (found, [(choice.keys.count, found.count)])
        } catch {
            // A search of all objects reports the damage.
            guard case .damage = meter.failure(error) else { throw meter.failure(error) }
            return nil
        }
    }

    /// The matching objects among some, cluster by cluster.
    private func walked(_ keys: [ObjectKey], limit: Int) throws(FormatError) -> (keys: [ObjectKey], counts: Counts) {
        var run = PlanRun(plan, on: table, meter)
        var walk = KeyWalk(keys, in: table)
        var found: [ObjectKey] = []
        while found.count < limit, try look(&walk, &run, &found) {}
        return (found, run.counts)
    }

    /// Evaluates the plan for the objects in the next cluster of a walk.
    ///
    /// - Returns: false at the end of the walk.
    private func look(
        _ walk: inout KeyWalk, _ run: inout PlanRun, _ keys: inout [ObjectKey]
    ) throws(FormatError) -> Bool {
        guard let rows = try walk.next() else { return false }
        try meter.checkResults(keys.count)
        try table.snapshot.reading { () throws(FormatError) in
            let cluster = try rows.cluster.current(in: table.snapshot.space)
            _ = try run.rows(of: plan.root, in: cluster) { first in
                rows.rows.isEmpty ? RowMask(first: cluster.count - first) : RowMask(rows.rows, from: first)
            } _: { found, first in
                found.forEach { keys.append(cluster.key(unchecked: first + $0)) }
                return true
            }
        }
        return true
    }

    /// - Returns: counts for each step.
    private func forEachBlock(
        _ body: (RowMask, _ first: Int, Cluster) throws(FormatError) -> Bool
    ) throws(QueryError) -> Counts {
        var run = PlanRun(plan, on: table, meter)
        try forEachBatch { (clusters) throws(FormatError) in
            try run.rows(of: plan.root, in: clusters, body)
        }
        return run.counts
    }

    /// Passes clusters to a closure in batches: checking for cancellation takes longer than a cluster.
    ///
    /// - Parameters:
    ///   - next: appends up to `clustersAtOnce` items; returns the error of reading the next one, if any.
    ///   - body: returns false to stop.
    private func forEachBatch<Item>(
        _ next: (inout [Item]) -> FormatError?, _ body: ([Item]) throws(FormatError) -> Bool
    ) throws(QueryError) {
        var batch: [Item] = []
        var goesOn = true
        while goesOn {
            do throws(FormatError) {
                try meter.checkTime()
                goesOn = try table.snapshot.reading { () throws(FormatError) in
                    batch.removeAll(keepingCapacity: true)
                    let failure = next(&batch)
                    guard try body(batch) else { return false }
                    if let failure { throw failure }
                    return batch.count == Self.clustersAtOnce
                }
            } catch {
                throw meter.failure(error.at(table: table.schema.tableName))
            }
        }
    }

    /// Passes all clusters of the table to a closure, in batches.
    private func forEachBatch(_ body: ([Cluster]) throws(FormatError) -> Bool) throws(QueryError) {
        var clusters = ClusterCursor(table.tree)
        try forEachBatch(
            { batch in batch.take(Self.clustersAtOnce) { () throws(FormatError) in try clusters.next() } }, body)
    }

    private static let clustersAtOnce = 16

    // MARK: Several tasks

    /// State of one task. Each has a plan of its own that shares nothing with the other tasks: reference counts
    /// contended by two processors for each block of rows would take longer than evaluating the rows.
    private struct Own {
        let root: QueryPlan.Step
        var run: PlanRun

        init(_ scan: QueryScan) {
            let plan = QueryPlan(scan.another(), for: scan.table)
            root = plan.root
            run = PlanRun(plan, on: scan.table, scan.meter)
        }
    }

    /// The keys of the matching objects, in key order, one list for each part of the table. Parts are searched by
    /// several tasks.
    ///
    /// - Throws: `damage`, `cancelled`, `exhausted`.
    func keys(_ tasks: QueryTasks) async throws(QueryError) -> [[ObjectKey]] {
        if tasks.jobs < 2 || choice != nil { return [try keys().keys] }
        let found = try await tasks.map(parts(tasks), with: { Own(self) }) { (own, part) throws(QueryError) in
            try keys(in: part, of: tasks.parts, &own)
        }
        do throws(FormatError) {
            try meter.checkResults(found.reduce(0) { $0 + $1.count })
        } catch {
            throw meter.failure(error)
        }
        return found
    }

    /// The number of matching objects, counted by several tasks.
    ///
    /// - Throws: `damage`, `cancelled`, `exhausted`.
    func count(_ tasks: QueryTasks) async throws(QueryError) -> Int {
        if tasks.jobs < 2 || choice != nil { return try count() }
        if case .constant(false) = plan.root.node { return 0 }
        let counts = try await tasks.map(parts(tasks), with: { Own(self) }) { (own, part) throws(QueryError) in
            try count(in: part, &own)
        }
        return counts.reduce(0, +)
    }

    private func parts(_ tasks: QueryTasks) throws(QueryError) -> [ObjectRange] {
        do throws(FormatError) { return try table.split(into: tasks.parts) } catch { throw .damage(error) }
    }

    /// - Parameter parts: the number of parts.
    private func keys(
        in part: ObjectRange, of parts: Int, _ own: inout Own
    ) throws(QueryError) -> [ObjectKey] {
        var keys: [ObjectKey] = []
        var room = KeyRoom(of: table, parts: parts)
        try forEachBatch(of: part) { (batch) throws(FormatError) in
            try meter.checkResults(keys.count)
            try look(&own, batch) { found, first, cluster in
                if first == 0 { room.make(in: &keys, for: cluster) }
                keys.append(found, from: first, of: cluster)
            }
        }
        return keys
    }

    private func count(in part: ObjectRange, _ own: inout Own) throws(QueryError) -> Int {
        var count = 0
        try forEachBatch(of: part) { (batch) throws(FormatError) in
            if case .column(let index, let test) = own.root.node,
                batch.allSatisfy({ $0.rows.count == $0.cluster.count })
            {
                count &+= try own.run.count(test, ofProperty: index, in: batch.map(\.cluster))
            } else {
                try look(&own, batch) { found, _, _ in count &+= found.count }
            }
        }
        return count
    }

    private typealias PartOfCluster = (cluster: Cluster, rows: Range<Int>)

    private func forEachBatch(
        of part: ObjectRange, _ body: ([PartOfCluster]) throws(FormatError) -> Void
    ) throws(QueryError) {
        var clusters = part.clusters
        try forEachBatch { batch in
            batch.take(Self.clustersAtOnce) { () throws(FormatError) in try clusters.next() }
        } _: { (batch: [PartOfCluster]) throws(FormatError) in
            try body(batch)
            return true
        }
    }

    private func look(
        _ own: inout Own, _ batch: [PartOfCluster], _ body: (RowMask, _ first: Int, Cluster) -> Void
    ) throws(FormatError) {
        own.run.prepare(batch.map(\.cluster))
        for (cluster, rows) in batch {
            _ = try own.run.rows(of: own.root, in: cluster) { first in
                rows.count == cluster.count ? RowMask(first: cluster.count - first) : RowMask(Array(rows), from: first)
            } _: { found, first in
                body(found, first, cluster)
                return true
            }
        }
    }
}

/// Reserves memory for found keys: a long list that grows is written twice, into memory that the system must clear
/// first.
private struct KeyRoom {
    private let objects: Int
    private var seen = 0

    /// Shorter lists are cheap to copy.
    private static let few = 1 << 16

    /// - Parameter parts: the number of parts of about equal size that the table is divided into.
    init(of table: Table, parts: Int = 1) { objects = ((try? table.count) ?? 0) / parts }

    /// Reserves memory for the expected number of keys, extrapolated from the objects seen, just before the list would
    /// grow.
    mutating func make(in keys: inout [ObjectKey], for cluster: Cluster) {
        defer { seen &+= cluster.count }
        guard keys.count >= Self.few, keys.count + cluster.count > keys.capacity, seen < objects else { return }
        let expected = Double(keys.count) * Double(objects) / Double(seen)
        let few = keys
        keys = .withRoom(for: Int(min(expected * 1.02, Double(objects))) + cluster.count)
        keys += few
    }
}

extension [ObjectKey] {
    /// Appends the keys of some rows of a block.
    @inline(__always)
    fileprivate mutating func append(_ rows: RowMask, from first: Int, of cluster: Cluster) {
        let count = rows.count
        if count == RowMask.most || count == cluster.count {
            cluster.forEachKey(unchecked: first..<(first + count)) { append($1) }
        } else {
            rows.forEach { row in append(cluster.key(unchecked: first + row)) }
        }
    }
}

extension Array {
    /// Appends at most `count` elements.
    ///
    /// - Returns: the error of reading the next one, if any.
    @inline(__always)
    mutating func take(_ count: Int, _ next: () throws(FormatError) -> Element?) -> FormatError? {
        do throws(FormatError) {
            for _ in 0..<count {
                guard let element = try next() else { break }
                append(element)
            }
            return nil
        } catch {
            return error
        }
    }
}
