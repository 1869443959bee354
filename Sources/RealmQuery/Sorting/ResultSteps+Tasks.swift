internal import RealmCore
internal import RealmLayout
internal import RealmStorage

// SORT and DISTINCT by several tasks, with the same result in the same order.
extension ResultSteps {
    /// Same result as `apply(_:to:)`.
    ///
    /// - Parameter found: the keys found, one list for each part.
    /// - Throws: errors of reading the values, `cancelled`, `exhausted`.
    func apply(
        _ steps: [BoundStep], to found: [[ObjectKey]], _ tasks: QueryTasks
    ) async throws(QueryError) -> [ObjectKey] {
        var parts = found
        for (index, step) in steps.enumerated() {
            let count = parts.reduce(0) { $0 + $1.count }
            let isWorthIt = tasks.parts(of: count).count > 1
            let limit = limit(behind: index, of: steps)
            switch step {
            case .sort(let order) where isWorthIt && !order.contains { $0.path.isMixed }:
                try charge(step, count)
                if parts.count < 2 { parts = tasks.parts(of: count).map { Array(parts[0][$0]) } }
                parts = [try await sorted(parts, order, limit, tasks)]
            case .distinct(let paths) where isWorthIt && !paths.contains(where: \.isMixed):
                try charge(step, count)
                parts = [try await distinct(parts.inOneList, paths, tasks)]
            default:
                do throws(FormatError) {
                    parts = [try apply(step, to: parts.inOneList, limit: limit)]
                } catch {
                    throw meter.failure(error)
                }
            }
        }
        return parts.inOneList
    }

    private func charge(_ step: BoundStep, _ count: Int) throws(QueryError) {
        do throws(FormatError) { try meter.charge(step, count) } catch { throw meter.failure(error) }
    }

    // MARK: SORT

    /// Each task reads a part of the objects, then sorts a range of values, so that nothing needs merging.
    private func sorted(
        _ keys: [[ObjectKey]], _ order: [(path: BoundPath, ascending: Bool)], _ limit: Int, _ tasks: QueryTasks
    ) async throws(QueryError) -> [ObjectKey] {
        let parts = try await SortKeyPart.reading(order.map(\.path), of: keys, in: table, meter, tasks)
        defer { withExtendedLifetime(parts) {} }
        let directions = order.map(\.ascending)
        if limit < keys.reduce(0, { $0 + $1.count }) / 8 {
            let chosen = try await tasks.map(parts) { part in
                SortKeyOrder(zip(part.columns, directions).map { ($0, $1) }).rows(limit: limit).sorted()
            }
            return Array(Self.sorted(parts, chosen, directions).prefix(limit))
        }
        if directions.count == 1 { return Array(try await sorted(parts, directions[0], tasks).prefix(limit)) }
        let ranges = CoarseRanges(parts, ascending: directions[0], count: tasks.jobs * 2)
        let rows = try await tasks.map(parts) { part in ranges.rows(of: part) }
        let sorted = try await tasks.map(Array(0..<ranges.count)) { range in
            Self.sorted(parts, rows.map { $0[range] }, directions)
        }
        let all = sorted.inOneList
        return limit < all.count ? Array(all.prefix(limit)) : all
    }

    /// Sorts by one column, without copying values: numbers are sorted together with the positions of their objects.
    private func sorted(
        _ parts: [SortKeyPart], _ ascending: Bool, _ tasks: QueryTasks
    ) async throws(QueryError) -> [ObjectKey] {
        var texts: TextNumbers?
        if parts.contains(where: { $0.columns[0].form == .texts }) {
            texts = TextNumbers(try await tasks.map(parts) { TextNumbers.bytes(of: $0.columns[0].texts) })
        }
        let keys = parts.map(\.keys)
        let sort = ColumnSort(parts.map { $0.columns[0] }, ascending: ascending, texts)
        let ranges = sort.ranges(least: tasks.parts)
        let divided = try await tasks.map(Array(parts.indices)) { sort.divided($0, by: ranges) }
        let sorted = try await tasks.map(Array(0..<ranges.count)) { range in
            [ObjectKey].large(of: sort.sorted(range, of: divided)) { keys[Int($0.part)][Int($0.row)] }
        }
        var all: [[ObjectKey]] = []
        sort.forEachKind { kind in
            guard kind == .value else {
                return all.append(sort.others(kind, of: divided).map { keys[Int($0.part)][Int($0.row)] })
            }
            all += sorted
        }
        return all.inOneList
    }

    private static func sorted(
        _ parts: [SortKeyPart], _ rows: [SortKeyPart.Rows], _ directions: [Bool]
    ) -> [ObjectKey] {
        var keys = [ObjectKey].withRoom(for: rows.reduce(0) { $0 + $1.count })
        for (part, rows) in zip(parts, rows) { for row in rows { keys.append(part.keys[Int(row)]) } }
        let columns = directions.indices.map { (SortKeyPart.gathered($0, rows, of: parts), directions[$0]) }
        return .large(of: SortKeyOrder(columns).rows()) { keys[Int($0)] }
    }

    // MARK: DISTINCT

    /// Each task finds the first objects within a part, then deduplicates a share of the values across all parts. If
    /// the first step would keep most objects, it is skipped.
    private func distinct(
        _ keys: [ObjectKey], _ paths: [BoundPath], _ tasks: QueryTasks
    ) async throws(QueryError) -> [ObjectKey] {
        let parts = try await SortKeyPart.reading(
            paths, of: tasks.parts(of: keys.count).map { Array(keys[$0]) }, in: table, meter, tasks)
        defer { withExtendedLifetime(parts) {} }
        let areDifferent = parts.first.map { SortKeyShares.areMostlyDifferent($0.columns) } ?? false
        let firsts = try await tasks.map(parts) { part in areDifferent ? nil : SortKeyGroups(part.columns).firsts }
        let count = zip(parts, firsts).reduce(0) { $0 + ($1.1?.count ?? $1.0.keys.count) }
        let shares = count < tasks.partSize * 2 ? 1 : max(tasks.parts, SortKeyShares.count(of: count))
        let ranks = SortKeyShares(parts.map(\.columns))
        let rows = try await tasks.map(Array(firsts.enumerated())) { part, firsts in
            ranks.divided(part, firsts, into: shares)
        }
        let found = try await tasks.map(Array(0..<shares)) { share in ranks.firsts(of: rows.map { $0[share] }) }
        guard shares > 1 else { return ranks.merged(found, keys) }
        let marks = SortKeyShares.marks(found, keys.count)
        // A word of marks belongs to a single part.
        let ends = tasks.parts(of: keys.count).map {
            $0.upperBound == keys.count ? keys.count : $0.upperBound / 64 * 64
        }
        let taken = try await tasks.map(Array(zip([0] + ends, ends))) { start, end in
            SortKeyShares.taken(start..<end, of: keys, marks)
        }
        return taken.inOneList
    }
}

extension [[ObjectKey]] {
    fileprivate var inOneList: [ObjectKey] {
        if count == 1 { return self[0] }
        var all = [ObjectKey].withRoom(for: reduce(0) { $0 + $1.count })
        for keys in self { all += keys }
        return all
    }
}

/// Ranges of values with about the same number of rows, for dividing rows before they are sorted.
private struct CoarseRanges: Sendable {
    /// The lower bound of each range but the lowest.
    private let starts: [UInt64]
    private let flip: UInt64

    /// The number of sampled rows per range.
    private static let samples = 1024

    init(_ parts: [SortKeyPart], ascending: Bool, count: Int) {
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

    /// The rows of a part, by range.
    func rows(of part: SortKeyPart) -> [SortKeyPart.Rows] {
        var rows = [SortKeyPart.Rows](repeating: [], count: count)
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
}
