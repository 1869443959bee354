internal import RealmCore
internal import RealmLayout

/// Evaluates a plan for the objects of one table, a block of rows at a time. Use only while nodes may be read.
struct PlanRun {
    private let table: Table
    private let space: NodeSpace
    private let columns: ByProperty<Column>
    private let evaluator: QueryEvaluator
    private let meter: WorkMeter
    /// Results for linked objects, by step number.
    private var linked: [LinkedMatches?]
    /// The number of links followed one by one, by step number.
    private var followed: [Int]
    /// For each step, how many objects it was evaluated for and how many matched.
    private(set) var counts: [(asked: Int, holds: Int)]
    /// The current cluster.
    private var cluster: Cluster?
    private var leaves: ByProperty<ColumnLeaf?>
    /// The columns with an entry in `leaves`.
    private var opened: [PropertyIndex] = []
    private var objects: ObjectsOfCluster?
    /// The column that is evaluated for all objects.
    private let firstColumn: PropertyIndex?
    /// Its leaves in the next clusters, from `nextAhead` on.
    private var ahead: [(cluster: Ref, leaf: ColumnLeaf)] = []
    private var nextAhead = 0
    /// Keeps prefetch loads from being optimised away.
    private var loaded: UInt64 = 0
    /// Work not yet charged to the meter.
    private var uncharged = 0

    init(_ plan: QueryPlan, on table: Table, _ meter: WorkMeter) {
        self.init(stepCount: plan.stepCount, firstColumn: plan.root.firstColumn, on: table, meter)
    }

    private init(stepCount: Int, firstColumn: PropertyIndex? = nil, on table: Table, _ meter: WorkMeter) {
        self.firstColumn = firstColumn
        self.table = table
        self.meter = meter
        space = table.snapshot.space
        columns = table.columns
        evaluator = QueryEvaluator(snapshot: table.snapshot, meter: meter)
        counts = Array(repeating: (0, 0), count: stepCount)
        linked = Array(repeating: nil, count: stepCount)
        followed = Array(repeating: 0, count: stepCount)
        leaves = ByProperty(repeating: nil, count: columns.count)
    }

    /// Rows of the current cluster.
    private struct Block {
        let first: Int
        let count: Int
        var rows: Range<Int> { first..<(first + count) }
    }

    /// Loads the values of the next clusters together, so that the memory accesses overlap: they take longer than
    /// testing the values.
    mutating func prepare(_ clusters: [Cluster]) {
        ahead.removeAll(keepingCapacity: true)
        nextAhead = 0
        guard let firstColumn else { return }
        let column = columns[firstColumn]
        for cluster in clusters { loaded &+= space.word(at: Int64(cluster.leafOffset(of: column))) }
        for cluster in clusters {
            // Damage is reported when the cluster is evaluated.
            guard let leaf = try? cluster.leaf(of: column, in: space) else { continue }
            ahead.append((cluster.ref, leaf))
        }
        // A loop of its own, because a processor overlaps only the loads among a few hundred instructions.
        for (_, leaf) in ahead where !leaf.isEnumerated {
            // For enumerated strings only the few bytes of numbers would be worth loading.
            loaded &+= leaf.warm()
        }
    }

    /// Charges work locally first: a counter that several tasks share slows down each of them.
    @inline(__always)
    private mutating func charge(_ units: Int) throws(FormatError) {
        uncharged &+= units
        guard uncharged > meter.grain else { return }
        let units = uncharged
        uncharged = 0
        try meter.charge(units)
    }

    /// The number of objects in some clusters whose value in a column passes a test.
    mutating func count(_ test: ColumnTest, ofProperty index: PropertyIndex, in clusters: [Cluster]) throws(FormatError)
        -> Int
    {
        prepare(clusters)
        var count = 0
        // All leaves were opened, so each belongs to its cluster.
        if index == firstColumn, ahead.count == clusters.count {
            try charge(clusters.reduce(0) { $0 &+ $1.count } &* test.work)
            do throws(FormatError) {
                for (_, leaf) in ahead { count &+= try test.count(of: leaf, in: space) }
                return count
            } catch {
                throw error.at(table: table.schema.tableName, property: table.schema.properties[index].name)
            }
        }
        for cluster in clusters {
            try charge(cluster.count &* test.work)
            do throws(FormatError) {
                count &+= try test.count(of: open(index, in: cluster), in: space)
            } catch {
                throw error.at(table: table.schema.tableName, property: table.schema.properties[index].name)
            }
        }
        return count
    }

    /// Passes the objects of some clusters that match a step to a closure, block by block.
    ///
    /// - Parameter body: receives the matching rows of a block, the row in the cluster at which the block begins, and
    ///   the cluster; returns false to stop.
    /// - Returns: false if `body` stopped.
    mutating func rows(
        of step: QueryPlan.Step, in clusters: [Cluster],
        _ body: (RowMask, _ first: Int, Cluster) throws(FormatError) -> Bool
    ) throws(FormatError) -> Bool {
        prepare(clusters)
        for cluster in clusters {
            let wantsMore = try rows(of: step, in: cluster) { (found, first) throws(FormatError) in
                try body(found, first, cluster)
            }
            guard wantsMore else { return false }
        }
        return true
    }

    /// Passes the objects of a cluster that match a step to a closure, block by block.
    ///
    /// - Parameters:
    ///   - wanted: the rows to evaluate; nil for all.
    ///   - body: receives the matching rows of a block, and the row in the cluster at which the block begins; returns
    ///     false to stop.
    /// - Returns: false if `body` stopped.
    mutating func rows(
        of step: QueryPlan.Step, in cluster: Cluster, among wanted: ((_ first: Int) -> RowMask)? = nil,
        _ body: (RowMask, _ first: Int) throws(FormatError) -> Bool
    ) throws(FormatError) -> Bool {
        self.cluster = cluster
        for index in opened { leaves[index] = nil }
        opened.removeAll(keepingCapacity: true)
        objects = nil
        var first = 0
        while first < cluster.count {
            let block = Block(first: first, count: min(RowMask.most, cluster.count - first))
            var candidates = RowMask(first: block.count)
            if let wanted { candidates = candidates.intersection(wanted(first)) }
            if !candidates.isEmpty, try !body(try rows(step, block, candidates), first) { return false }
            first += RowMask.most
        }
        return true
    }

    private mutating func rows(
        _ step: QueryPlan.Step, _ block: Block, _ candidates: RowMask
    ) throws(FormatError) -> RowMask {
        if candidates.isEmpty { return .none }
        try charge(step.work(candidates.count))
        let found: RowMask
        switch step.node {
        case .constant(let value): found = value ? candidates : .none
        case .all(let steps):
            var left = candidates
            for step in steps { left = try rows(step, block, left) }
            found = left
        case .any(let steps):
            var (left, any) = (candidates, RowMask.none)
            for step in steps {
                let part = try rows(step, block, left)
                any = any.union(part)
                left = left.subtracting(part)
            }
            found = any
        case .not(let step): found = candidates.subtracting(try rows(step, block, candidates))
        case .column(let index, let test):
            do throws(FormatError) {
                found = try test.rows(of: leaf(index), block.rows, among: candidates, in: space)
            } catch {
                throw error.at(table: table.schema.tableName, property: table.schema.properties[index].name)
            }
        case .link(let index, let target, let inner, let null):
            found = try linkRows(step, index, target: target, inner, null, block, candidates)
        case .isLinked(let index, let wanted):
            let leaf = try leaf(index)
            found = RowMask(among: candidates) { row in
                let key = leaf.link(at: block.first + row)
                return (key.map { !$0.isUnresolved } ?? false) == wanted
            }
        case .each(let predicate): found = try eachRow(predicate, block, candidates)
        }
        counts[step.number].asked += candidates.count
        counts[step.number].holds += found.count
        return found
    }

    /// The leaf of a column, prepared or opened now.
    @inline(__always)
    private mutating func open(_ index: PropertyIndex, in cluster: Cluster) throws(FormatError) -> ColumnLeaf {
        if index == firstColumn, nextAhead < ahead.count, ahead[nextAhead].cluster == cluster.ref {
            nextAhead += 1
            return ahead[nextAhead - 1].leaf
        }
        return try cluster.leaf(of: columns[index], in: space)
    }

    private mutating func leaf(_ index: PropertyIndex) throws(FormatError) -> ColumnLeaf {
        if let leaf = leaves[index] { return leaf }
        guard let cluster else { throw FormatError(.noSuchObject, "no cluster is open") }
        let leaf: ColumnLeaf
        do throws(FormatError) {
            leaf = try open(index, in: cluster)
        } catch {
            throw error.at(table: table.schema.tableName, property: table.schema.properties[index].name)
        }
        leaves[index] = leaf
        opened.append(index)
        return leaf
    }

    private mutating func eachRow(
        _ predicate: BoundPredicate, _ block: Block, _ candidates: RowMask
    ) throws(FormatError) -> RowMask {
        guard let cluster else { return .none }
        let objects = objects ?? ObjectsOfCluster(table, cluster)
        self.objects = objects
        return try RowMask(among: candidates) { row throws(FormatError) in
            try evaluator.holds(predicate, for: try objects.object(inRow: block.first + row))
        }
    }

    // MARK: Links

    /// All objects of the target table are evaluated once the links followed one by one reach this share of them.
    private static let followedShare = 16

    private mutating func linkRows(
        _ step: QueryPlan.Step, _ index: PropertyIndex, target: TablePosition, _ inner: QueryPlan.Step, _ null: Bool,
        _ block: Block,
        _ candidates: RowMask
    ) throws(FormatError) -> RowMask {
        let leaf = try leaf(index)
        if linked[step.number] == nil {
            linked[step.number] = matches(step, target, inner, candidates: candidates.count)
        }
        let matches = linked[step.number] ?? LinkedMatches.none
        let known = matches.rows(of: leaf, block.first, block.count, among: candidates, null: null)
        if known.unknown.isEmpty { return known.found }
        let targets = table.snapshot.table(at: target)
        var single: PlanRun?
        let others = try RowMask(among: known.unknown) { row throws(FormatError) in
            guard let key = leaf.link(at: block.first + row), !key.isUnresolved else { return null }
            // An unknown object is evaluated individually.
            var run = single ?? PlanRun(stepCount: counts.count, on: targets, meter)
            defer { single = run }
            do throws(FormatError) {
                return try run.holds(inner, forObject: key)
            } catch {
                throw error.at(table: table.schema.tableName, property: table.schema.properties[index].name)
            }
        }
        return known.found.union(others)
    }

    /// Results for the objects that a column can link to; nil while too few links were followed.
    private mutating func matches(
        _ step: QueryPlan.Step, _ target: TablePosition, _ inner: QueryPlan.Step, candidates: Int
    ) -> LinkedMatches? {
        let table = table.snapshot.table(at: target)
        followed[step.number] += candidates
        guard let count = try? table.count, count / Self.followedShare <= followed[step.number] else { return nil }
        do throws(FormatError) {
            var run = PlanRun(stepCount: counts.count, on: table, meter)
            let matches = try LinkedMatches(inner, of: table, &run)
            for number in counts.indices {
                counts[number].asked += run.counts[number].asked
                counts[number].holds += run.counts[number].holds
            }
            return matches
        } catch {
            // Damage matters only if a link leads to it.
            return LinkedMatches.none
        }
    }

    private mutating func holds(_ step: QueryPlan.Step, forObject key: ObjectKey) throws(FormatError) -> Bool {
        guard let (cluster, row) = try table.tree.find(key) else {
            throw FormatError(.noSuchObject, "a link leads to the object \(key), which does not exist")
        }
        var isFound = false
        _ = try rows(of: step, in: cluster) { first in
            var mask = RowMask.none
            if row >= first, row < first + RowMask.most { mask.insert(row - first) }
            return mask
        } _: { found, _ in
            isFound = isFound || !found.isEmpty
            return true
        }
        return isFound
    }
}

extension QueryPlan.Step {
    /// The work of evaluating some rows, in units of `WorkMeter`. Evaluation object by object charges its own work.
    @inline(__always)
    fileprivate func work(_ rows: Int) -> Int {
        guard case .column(_, let test) = node else { return rows }
        return rows &* test.work
    }

    /// The column whose values are read first; nil if there is none.
    fileprivate var firstColumn: PropertyIndex? {
        switch node {
        case .column(let index, _), .link(let index, _, _, _), .isLinked(let index, _): index
        case .all(let steps), .any(let steps): steps.first?.firstColumn
        case .not(let step): step.firstColumn
        case .constant, .each: nil
        }
    }
}
