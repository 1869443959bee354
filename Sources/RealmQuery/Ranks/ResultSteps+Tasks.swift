internal import RealmLayout
internal import RealmReader
internal import RealmStorage

// SORT and DISTINCT by several tasks, which find the same in the same order.
extension ResultSteps {
    /// What `apply(_:to:)` does.
    ///
    /// - Throws: what reading the values throws, `cancelled`, `exhausted`.
    func apply(
        _ steps: [BoundStep], to keys: [ObjectKey], _ tasks: QueryTasks
    ) async throws(QueryError) -> [ObjectKey] {
        var keys = keys
        for (index, step) in steps.enumerated() {
            let isWorthIt = tasks.parts(of: keys.count).count > 1
            switch step {
            case .sort(let order) where isWorthIt && !order.contains { $0.path.isMixed }:
                try charge(step, keys.count)
                keys = try await sorted(keys, order, limit(behind: index, of: steps), tasks)
            case .distinct(let paths) where isWorthIt && !paths.contains(where: \.isMixed):
                try charge(step, keys.count)
                keys = try await distinct(keys, paths, tasks)
            default:
                do throws(FormatError) {
                    keys = try apply(step, to: keys, limit: limit(behind: index, of: steps))
                } catch {
                    throw meter.failure(error)
                }
            }
        }
        return keys
    }

    private func charge(_ step: BoundStep, _ count: Int) throws(QueryError) {
        do throws(FormatError) { try meter.charge(step, count) } catch { throw meter.failure(error) }
    }

    // MARK: SORT

    /// Each task reads a part of the objects; then each sorts those of a range of values, so that nothing has to be merged.
    private func sorted(
        _ keys: [ObjectKey], _ order: [(path: BoundPath, ascending: Bool)], _ limit: Int, _ tasks: QueryTasks
    ) async throws(QueryError) -> [ObjectKey] {
        let parts = try await RankPart.reading(order.map(\.path), of: keys, in: table, meter, tasks)
        defer { withExtendedLifetime(parts) {} }
        let directions = order.map(\.ascending)
        if limit < keys.count / 8 {
            let chosen = try await tasks.map(parts) { part in
                RankOrder(zip(part.columns, directions).map { ($0, $1) }).rows(limit: limit).sorted()
            }
            return Array(Self.sorted(parts, chosen, directions).prefix(limit))
        }
        let ranges = RankRanges(parts, ascending: directions[0], count: tasks.jobs * 2)
        if directions.count == 1, try await isOrderedByHigh(parts, tasks) {
            return Array(try await sorted(keys, by: ranges, parts, tasks).prefix(limit))
        }
        let rows = try await tasks.map(parts) { part in ranges.rows(of: part) }
        let sorted = try await tasks.map(Array(0..<ranges.count)) { range in
            Self.sorted(parts, rows.map { $0[range] }, directions)
        }
        var all = [ObjectKey].withRoom(for: keys.count)
        for keys in sorted { all += keys }
        return limit < all.count ? Array(all.prefix(limit)) : all
    }

    /// Whether one number of each object brings all of them into order.
    private func isOrderedByHigh(_ parts: [RankPart], _ tasks: QueryTasks) async throws(QueryError) -> Bool {
        let lows = Set(parts.map { $0.columns[0].low.first })
        return try await tasks.map(parts) { $0.columns[0].isOrderedByHigh }.allSatisfy { $0 } && lows.count == 1
    }

    /// Numbers are sorted with the places of their objects, as they were divided.
    private func sorted(
        _ keys: [ObjectKey], by ranges: RankRanges, _ parts: [RankPart], _ tasks: QueryTasks
    ) async throws(QueryError) -> [ObjectKey] {
        let starts = parts.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.keys.count) }
        let entries = try await tasks.map(Array(zip(parts, starts))) { part, start in
            ranges.entries(of: part, from: start)
        }
        let sorted = try await tasks.map(Array(0..<ranges.count)) { range in
            var all = [RadixSort.Entry].withRoom(for: entries.reduce(0) { $0 + $1[range].count })
            for part in entries { all += part[range] }
            RadixSort.sort(&all)
            return [ObjectKey].large(of: all) { keys[Int($0.row)] }
        }
        var all = [ObjectKey].withRoom(for: keys.count)
        for keys in sorted { all += keys }
        return all
    }

    private static func sorted(
        _ parts: [RankPart], _ rows: [RankPart.Rows], _ directions: [Bool]
    ) -> [ObjectKey] {
        var keys = [ObjectKey].withRoom(for: rows.reduce(0) { $0 + $1.count })
        for (part, rows) in zip(parts, rows) { for row in rows { keys.append(part.keys[Int(row)]) } }
        let columns = directions.indices.map { (RankPart.gathered($0, rows, of: parts), directions[$0]) }
        return .large(of: RankOrder(columns).rows()) { keys[Int($0)] }
    }

    // MARK: DISTINCT

    /// Each task looks for the first objects of a part; then each compares those of all parts that may be equal. Where that would leave most
    /// objects of each part, all of them are compared at once.
    private func distinct(
        _ keys: [ObjectKey], _ paths: [BoundPath], _ tasks: QueryTasks
    ) async throws(QueryError) -> [ObjectKey] {
        let parts = try await RankPart.reading(paths, of: keys, in: table, meter, tasks)
        defer { withExtendedLifetime(parts) {} }
        let areDifferent = parts.first.map { RankShares.areMostlyDifferent($0.columns) } ?? false
        let firsts = try await tasks.map(parts) { part in areDifferent ? nil : RankGroups(part.columns).firsts }
        let count = zip(parts, firsts).reduce(0) { $0 + ($1.1?.count ?? $1.0.keys.count) }
        let shares = count < tasks.partSize * 2 ? 1 : max(tasks.parts, RankShares.count(of: count))
        let ranks = RankShares(parts.map(\.columns))
        let rows = try await tasks.map(Array(firsts.enumerated())) { part, firsts in
            ranks.divided(part, firsts, into: shares)
        }
        let found = try await tasks.map(Array(0..<shares)) { share in ranks.firsts(of: rows.map { $0[share] }) }
        guard shares > 1 else { return ranks.merged(found, keys) }
        let marks = RankShares.marks(found, keys.count)
        // A word of marks is of one part.
        let ends = tasks.parts(of: keys.count).map {
            $0.upperBound == keys.count ? keys.count : $0.upperBound / 64 * 64
        }
        let taken = try await tasks.map(Array(zip([0] + ends, ends))) { start, end in
            RankShares.taken(start..<end, of: keys, marks)
        }
        var all = [ObjectKey].withRoom(for: taken.reduce(0) { $0 + $1.count })
        for keys in taken { all += keys }
        return all
    }
}

/// Ranges of values, with about as many rows each, by which rows are divided before they are sorted.
private struct RankRanges: Sendable {
    /// The first number of each range but the lowest.
    private let starts: [UInt64]
    private let flip: UInt64

    /// Rows that are looked at for each range.
    private static let samples = 1024

    init(_ parts: [RankPart], ascending: Bool, count: Int) {
        flip = ascending ? 0 : .max
        let rows = parts.reduce(0) { $0 + $1.keys.count }
        let step = max(1, rows / (count * Self.samples))
        var numbers: [UInt64] = []
        for part in parts {
            for row in stride(from: 0, to: part.keys.count, by: step) {
                numbers.append(part.columns[0].coarse(row) ^ flip)
            }
        }
        numbers.sort()
        var starts: [UInt64] = []
        for range in 1..<max(count, 2) where !numbers.isEmpty {
            let start = numbers[range * numbers.count / max(count, 2)]
            if start != starts.last { starts.append(start) }
        }
        self.starts = starts
    }

    var count: Int { starts.count + 1 }

    /// The rows of a part in each range.
    func rows(of part: RankPart) -> [RankPart.Rows] {
        var rows = [RankPart.Rows](repeating: [], count: count)
        for index in rows.indices { rows[index].reserveCapacity(part.keys.count / count * 2) }
        let column = part.columns[0]
        for row in 0..<part.keys.count {
            let number = column.coarse(row) ^ flip
            var range = 0
            for start in starts { range &+= number >= start ? 1 : 0 }
            rows[range].append(UInt32(truncatingIfNeeded: row))
        }
        return rows
    }

    /// The numbers of a part in each range, for a column that these bring into order.
    ///
    /// - Parameter start: the place of the first object of the part among all.
    func entries(of part: RankPart, from start: Int) -> [[RadixSort.Entry]] {
        var entries = [[RadixSort.Entry]](repeating: [], count: count)
        for index in entries.indices { entries[index].reserveCapacity(part.keys.count / count * 5 / 4) }
        let column = part.columns[0]
        for row in 0..<part.keys.count {
            let number = column.coarse(row) ^ flip
            var range = 0
            for start in starts { range &+= number >= start ? 1 : 0 }
            entries[range].append(
                RadixSort.Entry(number: column.high[row] ^ flip, row: UInt32(truncatingIfNeeded: start &+ row)))
        }
        return entries
    }
}
