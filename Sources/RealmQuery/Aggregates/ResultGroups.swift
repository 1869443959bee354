internal import RealmCore
internal import RealmLayout

/// Groups the objects of a result by equal values of some properties.
struct ResultGroups: Sendable {
    private let table: Table
    private let paths: [BoundPath]
    private let aggregates: [AggregatePath]

    /// - Throws: `syntax` and `binding`: there is no such property, or it has several values.
    init(by paths: [String], summarizing summarized: [String], in table: Table) throws(QueryError) {
        guard !paths.isEmpty else { throw .binding("groups need a property that objects have in common") }
        let binder = QueryBinder(table, arguments: [])
        var bound: [BoundPath] = []
        for path in paths { bound.append(try binder.singlePath(path, for: "a group")) }
        var aggregates: [AggregatePath] = []
        for path in summarized { aggregates.append(try AggregatePath(path, table)) }
        self.init(bound, aggregates, in: table)
    }

    /// - Parameter paths: each must have one value for each object, or be the number of elements of one collection.
    init(_ paths: [BoundPath], _ aggregates: [AggregatePath], in table: Table) {
        (self.table, self.paths, self.aggregates) = (table, paths, aggregates)
    }

    /// A part of the objects, already grouped.
    private struct Part: Sendable {
        var ranks: SortKeyPart
        let groups: SortKeyGroups
        /// The number of objects in each group.
        private(set) var counts: [Int]
        /// The values to aggregate, one entry for each aggregate.
        let summarized: [SortKeyReader.Found]

        init(_ ranks: SortKeyPart, _ summarized: [SortKeyReader.Found]) {
            var ranks = ranks
            for column in ranks.columns.indices { ranks.columns[column].makeMissingNull() }
            self.ranks = ranks
            self.summarized = summarized
            groups = SortKeyGroups(ranks.columns)
            counts = [Int](repeating: 0, count: groups.firsts.count)
            for number in groups.numbers { counts[Int(number)] += 1 }
        }
    }

    /// Aggregates over all objects.
    ///
    /// - Throws: `damage`.
    func totals(of keys: [ObjectKey]) throws(QueryError) -> [ValueSummary] {
        var totals: [ValueSummary] = []
        for aggregate in aggregates { totals.append(try aggregate.summary(keys, table)) }
        return totals
    }

    private var all: [BoundPath] { paths + aggregates.map(\.path) }

    /// - Throws: errors of reading the values.
    func groups(of keys: [ObjectKey]) throws(FormatError) -> [QueryGroup] {
        let read = try SortKeyPart.Read(all, keys, table, nil)
        defer { withExtendedLifetime(read) {} }
        let parts = SortKeyPart.assembled([read], paths.count).map { Part($0, Array(read.paths[paths.count...])) }
        let joined = joined(parts)
        let all = 0..<joined.counts.count
        return joined.groups(all, try values(of: joined.firsts), summaries(of: all, joined, parts))
    }

    /// Same result, read and grouped by several tasks.
    ///
    /// - Throws: errors of reading the values.
    func groups(of keys: [ObjectKey], _ tasks: QueryTasks) async throws(QueryError) -> [QueryGroup] {
        var tasks = tasks
        // One task joins the groups of all parts.
        tasks.partsPerJob = 1
        let cut = tasks.parts(of: keys.count).map { Array(keys[$0]) }
        let read = try await SortKeyPart.read(all, of: cut, in: table, nil, tasks)
        defer { withExtendedLifetime(read) {} }
        let ranks = SortKeyPart.assembled(read, paths.count)
        let parts = try await tasks.map(Array(zip(ranks, read))) { ranks, read in
            Part(ranks, Array(read.paths[paths.count...]))
        }
        let joined = joined(parts)
        let shares = joined.shares(cut.count > 1 ? tasks.jobs : 1)
        let groups = try await tasks.map(shares) { (share) throws(QueryError) in
            do throws(FormatError) {
                let values = try self.values(of: Array(joined.firsts[share]))
                return joined.groups(share, values, self.summaries(of: share, joined, parts))
            } catch {
                throw .damage(error)
            }
        }
        return groups.flatMap { $0 }
    }

    /// The joined groups of all parts.
    private struct Joined: Sendable {
        /// The first object of each group.
        let firsts: [ObjectKey]
        let counts: [Int]
        /// For each part, the joined numbers of its groups.
        let numbers: [[Int]]

        func groups(_ share: Range<Int>, _ values: [[Value]], _ summaries: [[ValueSummary]]) -> [QueryGroup] {
            share.enumerated().map { QueryGroup(values: values[$0], count: counts[$1], summaries: summaries[$0]) }
        }

        /// Divides the groups into at most `most` shares with about the same number of objects each.
        func shares(_ most: Int) -> [Range<Int>] {
            let objects = counts.reduce(0, +)
            var shares: [Range<Int>] = []
            var (start, sum) = (0, 0)
            for (number, count) in counts.enumerated() {
                sum += count
                guard sum * most >= objects * (shares.count + 1) else { continue }
                shares.append(start..<number + 1)
                start = number + 1
            }
            return shares
        }
    }

    private func joined(_ parts: [Part]) -> Joined {
        let ranks = parts.map(\.ranks)
        let rows = parts.map(\.groups.firsts)
        let groups = SortKeyGroups(paths.indices.map { SortKeyPart.gathered($0, rows, of: ranks) })
        var keys: [ObjectKey] = []
        for (part, rows) in zip(ranks, rows) { keys += rows.map { part.keys[Int($0)] } }
        var start = 0
        let numbers = rows.map { rows in
            defer { start += rows.count }
            return groups.numbers[start..<start + rows.count].map { Int($0) }
        }
        var counts = [Int](repeating: 0, count: groups.firsts.count)
        for (part, numbers) in zip(parts, numbers) {
            for (group, count) in part.counts.enumerated() { counts[numbers[group]] += count }
        }
        return Joined(firsts: groups.firsts.map { keys[Int($0)] }, counts: counts, numbers: numbers)
    }

    /// Aggregates for a share of the groups.
    private func summaries(of share: Range<Int>, _ joined: Joined, _ parts: [Part]) -> [[ValueSummary]] {
        var summaries = [[ValueSummary]](repeating: [], count: share.count)
        for (index, aggregate) in aggregates.enumerated() {
            // The last bits of a sum depend on the order of the objects, so each task visits all objects in order and
            // adds up those of its own groups. Values of other groups go to a spare accumulator, which is cheaper than
            // a mispredicted branch.
            let isNumber = Accumulator.takesNumbers(aggregate.type)
            var accumulators = [Accumulator](repeating: Accumulator(aggregate.type), count: share.count + 1)
            for (part, numbers) in zip(parts, joined.numbers) {
                let places = numbers.map { share.contains($0) ? $0 - share.lowerBound : share.count }
                part.summarized[index].forEach { row, add in
                    let place = places[Int(part.groups.numbers[row])]
                    if place < share.count || isNumber { add(&accumulators[place]) }
                }
            }
            for number in summaries.indices { summaries[number].append(accumulators[number].summary) }
        }
        return summaries
    }

    /// The common values of the groups, read from their first objects.
    private func values(of firsts: [ObjectKey]) throws(FormatError) -> [[Value]] {
        let evaluator = QueryEvaluator(snapshot: table.snapshot)
        var values = [[Value]](repeating: [], count: firsts.count)
        for path in paths {
            for (number, value) in try evaluator.values(of: path, for: firsts, in: table).enumerated() {
                values[number].append(value ?? .null)
            }
        }
        return values
    }
}

extension SortKeyReader.Found {
    /// Passes each row with a closure that adds its value to an accumulator.
    @inline(__always)
    func forEach(_ body: (_ row: Int, _ add: (inout Accumulator) -> Void) -> Void) {
        switch self {
        case .column(let column): for row in 0..<column.count { body(row) { $0.add(row, of: column) } }
        case .values(let values): for (row, value) in values.enumerated() { body(row) { $0.add(value ?? .null) } }
        }
    }
}

extension SortKeyColumn {
    /// Turns links that lead nowhere into null.
    fileprivate mutating func makeMissingNull() {
        for row in 0..<count where kinds[row] == .missing { setNull(row) }
    }
}
