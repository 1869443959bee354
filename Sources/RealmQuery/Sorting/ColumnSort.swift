internal import RealmLayout
internal import RealmStorage

/// Sorts rows by one column, which may have been read in several parts. The sort is stable.
///
/// Each value has a number that is not lower than those of values before it in the order. Rows are divided by ranges of
/// these numbers, so that each range fits into a processor's cache, is radix-sorted, and can be sorted by a task of its
/// own. Only rows with equal numbers are compared further.
struct ColumnSort: Sendable {
    private let columns: [SortKeyColumn]
    private let ascending: Bool
    private let flip: UInt64
    private let texts: TextNumbers?

    /// - Parameters:
    ///   - columns: one for each part, in the order of the parts, all of the same form.
    ///   - texts: for columns of strings; it must cover the bytes of all parts.
    init(_ columns: [SortKeyColumn], ascending: Bool, _ texts: TextNumbers?) {
        self.columns = columns
        self.ascending = ascending
        self.texts = texts
        flip = ascending ? 0 : .max
    }

    /// Sorts a column that was read as a whole.
    init(_ column: SortKeyColumn, ascending: Bool) {
        let texts = column.form == .texts ? TextNumbers([TextNumbers.bytes(of: column.texts)]) : nil
        self.init([column], ascending: ascending, texts)
    }

    var count: Int { columns.reduce(0) { $0 + $1.count } }

    /// All rows of the first part, in sorted order.
    func rows() -> [UInt32] {
        // A few digits are cheaper to sort in all rows at once.
        let ranges = texts == nil && count < Self.manyRows ? SortKeyRanges([], wanted: 1) : ranges()
        let divided = columns.indices.map { self.divided($0, by: ranges) }
        var rows = [UInt32].withRoom(for: count)
        forEachKind { kind in
            guard kind == .value else { return rows.append(contentsOf: others(kind, of: divided).lazy.map(\.row)) }
            for range in 0..<ranges.count { for entry in sorted(range, of: divided) { rows.append(entry.row) } }
        }
        return rows
    }

    /// Passes the kinds of values to a closure, in sorted order.
    func forEachKind(_ body: (SortKeyColumn.Kind) -> Void) {
        let kinds: [SortKeyColumn.Kind] = [.null, .notANumber, .value, .missing]
        for kind in ascending ? kinds : kinds.reversed() { body(kind) }
    }

    /// Ranges of numbers for dividing the rows.
    ///
    /// - Parameter least: minimum number of ranges.
    func ranges(least: Int = 1) -> SortKeyRanges {
        let wanted = max(least, count / Self.rowsOfRange)
        guard wanted > 1 else { return SortKeyRanges([], wanted: 1) }
        let step = max(1, count / (min(wanted, SortKeyRanges.most) * SortKeyRanges.samples))
        var samples: [UInt64] = []
        for column in columns {
            for row in stride(from: step / 2, to: column.count, by: step) where column.kinds[row] == .value {
                samples.append(number(row, of: column))
            }
        }
        return SortKeyRanges(samples, wanted: wanted)
    }

    /// Number of rows per range: the entries of twice as many fit into a processor's cache.
    private static let rowsOfRange = 1 << 15
    private static let manyRows = 1 << 21

    @inline(__always)
    private func number(_ row: Int, of column: SortKeyColumn) -> UInt64 {
        (texts.map { $0.word(column.texts[row], from: 0) } ?? column.high[row]) ^ flip
    }

    /// The rows of one part, divided.
    struct Divided: Sendable {
        /// Rows with a value, range by range.
        fileprivate var entries: [NumberedRow]
        /// The start of each range, and the end of the last.
        fileprivate var bounds: [Int]
        /// Rows without a comparable value, by kind.
        fileprivate var others: [[NumberedRow]]
    }

    /// Divides the rows of a part.
    func divided(_ part: Int, by ranges: SortKeyRanges) -> Divided {
        let column = columns[part]
        let divided = numbered(column, ofPart: UInt32(truncatingIfNeeded: part))
        guard ranges.count > 1 else {
            return Divided(entries: divided.entries, bounds: [0, divided.entries.count], others: divided.others)
        }
        let entries = divided.entries
        let found = [UInt8].large(of: entries) { UInt8(truncatingIfNeeded: ranges.range(of: $0.number)) }
        var bounds = [Int](repeating: 0, count: ranges.count + 1)
        for range in found { bounds[Int(range) &+ 1] &+= 1 }
        for range in 1..<bounds.count { bounds[range] &+= bounds[range - 1] }
        var places = bounds
        var sorted = [NumberedRow].withRoom(for: entries.count)
        sorted += entries
        for index in entries.indices {
            let range = Int(found[index])
            sorted[places[range]] = entries[index]
            places[range] &+= 1
        }
        return Divided(entries: sorted, bounds: bounds, others: divided.others)
    }

    /// The rows of a part with their numbers; those without a comparable value separately, by kind.
    private func numbered(
        _ column: SortKeyColumn, ofPart part: UInt32
    ) -> (entries: [NumberedRow], others: [[NumberedRow]]) {
        var others: [[NumberedRow]] = [[], [], [], []]
        var row: UInt32 = 0
        @inline(__always)
        func entry(_ number: UInt64) -> NumberedRow {
            defer { row &+= 1 }
            return NumberedRow(number: number ^ flip, row: row, part: part)
        }
        if column.kinds.allSatisfy({ $0 == .value }) {
            let entries: [NumberedRow] =
                if let texts {
                    .large(of: column.texts) { entry(texts.word($0, from: 0)) }
                } else {
                    .large(of: column.high) { entry($0) }
                }
            return (entries, others)
        }
        var entries = [NumberedRow].withRoom(for: column.count)
        for (row, kind) in column.kinds.enumerated() {
            var number: UInt64 = 0
            if kind == .value {
                number = self.number(row, of: column)
            } else if kind == .notANumber {
                number = column.high[row] ^ flip
            }
            let entry = NumberedRow(number: number, row: UInt32(truncatingIfNeeded: row), part: part)
            if kind == .value { entries.append(entry) } else { others[Int(kind.rawValue)].append(entry) }
        }
        return (entries, others)
    }

    /// The rows with a value within a range, of all parts, in sorted order.
    func sorted(_ range: Int, of parts: [Divided]) -> [NumberedRow] {
        var entries = [NumberedRow].withRoom(
            for: parts.reduce(0) { $0 + $1.bounds[range + 1] - $1.bounds[range] })
        for part in parts { entries += part.entries[part.bounds[range]..<part.bounds[range + 1]] }
        RadixSort.sort(&entries)
        finish(&entries)
        return entries
    }

    /// The rows of one kind without a comparable value, of all parts, in sorted order.
    func others(_ kind: SortKeyColumn.Kind, of parts: [Divided]) -> [NumberedRow] {
        var entries: [NumberedRow] = []
        for part in parts { entries += part.others[Int(kind.rawValue)] }
        RadixSort.sort(&entries)
        return entries
    }

    // MARK: Equal numbers

    /// Finishes sorting rows that are ordered by number, where the numbers are equal.
    private func finish(_ entries: inout [NumberedRow]) {
        guard texts != nil || columns.contains(where: { $0.form == .pairs }) else { return }
        for run in Self.runs(in: entries) {
            // If a text ends within its number, equal numbers mean equal texts.
            if let texts, texts.hasEnd, text(entries[run.lowerBound]).count < texts.perWord { continue }
            finish(&entries, run)
        }
    }

    /// Ranges of entries with equal numbers.
    private static func runs(in entries: [NumberedRow]) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var start = 0
        while start < entries.count {
            let number = entries[start].number
            var end = start &+ 1
            while end < entries.count, entries[end].number == number { end &+= 1 }
            if end > start &+ 1 { runs.append(start..<end) }
            start = end
        }
        return runs
    }

    private func finish(_ entries: inout [NumberedRow], _ run: Range<Int>) {
        let number = entries[run.lowerBound].number
        var rest = Array(entries[run])
        for index in rest.indices { rest[index].number = second(rest[index]) }
        RadixSort.sort(&rest)
        if let texts {
            for same in Self.runs(in: rest) {
                if texts.hasEnd, text(rest[same.lowerBound]).count < 2 * texts.perWord { continue }
                rest[same].sort { left, right in
                    let order = text(left).order(text(right))
                    return order == 0 ? (left.part, left.row) < (right.part, right.row) : (order < 0) == ascending
                }
            }
        }
        for (place, entry) in zip(run, rest) {
            entries[place] = entry
            entries[place].number = number
        }
    }

    /// The sort key for rows with equal numbers.
    private func second(_ entry: NumberedRow) -> UInt64 {
        let column = columns[Int(entry.part)]
        let number = texts.map { $0.word(column.texts[Int(entry.row)], from: $0.perWord) } ?? column.low[Int(entry.row)]
        return number ^ flip
    }

    private func text(_ entry: NumberedRow) -> ByteView { columns[Int(entry.part)].texts[Int(entry.row)] }
}
