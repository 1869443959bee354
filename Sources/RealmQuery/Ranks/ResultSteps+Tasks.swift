internal import RealmLayout
internal import RealmReader

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
            case .distinct(let paths)
            where isWorthIt && !paths.contains(where: \.isMixed) && !areMostlyDifferent(paths, of: keys):
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
        let rows = try await tasks.map(parts) { part in ranges.rows(of: part) }
        let sorted = try await tasks.map(Array(0..<ranges.count)) { range in
            Self.sorted(parts, rows.map { $0[range] }, directions)
        }
        var all: [ObjectKey] = []
        all.reserveCapacity(keys.count)
        for keys in sorted { all += keys }
        return limit < all.count ? Array(all.prefix(limit)) : all
    }

    private static func sorted(
        _ parts: [RankPart], _ rows: [RankPart.Rows], _ directions: [Bool]
    ) -> [ObjectKey] {
        var keys: [ObjectKey] = []
        keys.reserveCapacity(rows.reduce(0) { $0 + $1.count })
        for (part, rows) in zip(parts, rows) { for row in rows { keys.append(part.keys[Int(row)]) } }
        let columns = directions.indices.map { (RankPart.gathered($0, rows, of: parts), directions[$0]) }
        return RankOrder(columns).rows().map { keys[Int($0)] }
    }

    // MARK: DISTINCT

    /// Each task looks for the first objects of a part; then each compares those of all parts that may be equal.
    private func distinct(
        _ keys: [ObjectKey], _ paths: [BoundPath], _ tasks: QueryTasks
    ) async throws(QueryError) -> [ObjectKey] {
        let parts = try await RankPart.reading(paths, of: keys, in: table, meter, tasks)
        defer { withExtendedLifetime(parts) {} }
        let firsts = try await tasks.map(parts) { part in RankGroups(part.columns).firsts }
        let count = firsts.reduce(0) { $0 + $1.count }
        let shares = count < tasks.partSize * 2 ? 1 : tasks.jobs * 2
        let rows = try await tasks.map(Array(zip(parts, firsts))) { part, firsts in
            RankGroups.shares(of: firsts, in: part.columns, shares)
        }
        let starts = parts.indices.reduce(into: [0]) { $0.append($0[$1] + parts[$1].keys.count) }
        let found = try await tasks.map(Array(0..<shares)) { share in
            let rows = rows.map { $0[share] }
            let columns = paths.indices.map { RankPart.gathered($0, rows, of: parts) }
            var places: [Int] = []
            places.reserveCapacity(columns[0].count)
            for (start, rows) in zip(starts, rows) { for row in rows { places.append(start + Int(row)) } }
            return RankGroups(columns).countedFirsts(columns).map { places[$0] }
        }
        guard shares > 1 else { return found[0].map { keys[$0] } }
        var isFound = [Bool](repeating: false, count: keys.count)
        for places in found { for place in places { isFound[place] = true } }
        var left: [ObjectKey] = []
        for (place, key) in keys.enumerated() where isFound[place] { left.append(key) }
        return left
    }

    /// Objects that show whether values differ.
    private static let shownObjects = 4096

    /// Whether more than half of the first objects have values that none before them has. A table of each part alone would leave as many then,
    /// and all of them would have to go into another one: one task does less.
    private func areMostlyDifferent(_ paths: [BoundPath], of keys: [ObjectKey]) -> Bool {
        let shown = Array(keys.prefix(Self.shownObjects))
        let reader = RankReader(table.snapshot, meter)
        defer { withExtendedLifetime(reader) {} }
        var columns: [RankColumn] = []
        for path in paths {
            // What is wrong is told when all are read.
            guard let column = try? reader.column(path, of: shown, in: table) else { return false }
            columns.append(column)
        }
        return RankGroups(columns).firsts.count > shown.count / 2
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
}
