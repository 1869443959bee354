internal import RealmLayout
internal import RealmStorage

/// Sorts rows by several columns; the sort is stable.
struct SortKeyOrder {
    private let columns: [(column: SortKeyColumn, ascending: Bool)]
    private let count: Int

    /// - Parameter columns: in order of precedence, all with the same number of rows.
    init(_ columns: [(column: SortKeyColumn, ascending: Bool)]) {
        self.columns = columns
        count = columns.first?.column.count ?? 0
    }

    /// The row numbers in sorted order.
    ///
    /// - Parameter limit: how many of the first rows are needed.
    func rows(limit: Int = .max) -> [UInt32] {
        guard limit > 0 else { return [] }
        if limit < count / 4 {
            let chosen = candidates(limit)
            if chosen.count < count / 2 {
                let fewer = SortKeyOrder(columns.map { ($0.column.taking(chosen), $0.ascending) })
                return fewer.rows().prefix(limit).map { chosen[Int($0)] }
            }
        }
        guard let last = columns.last else { return [] }
        var rows = ColumnSort(last.column, ascending: last.ascending).rows()
        for (column, ascending) in columns.dropLast().reversed() { sort(&rows, column, ascending) }
        return limit < rows.count ? Array(rows.prefix(limit)) : rows
    }

    /// Sorts rows that are already sorted by the columns of lower precedence.
    private func sort(_ rows: inout [UInt32], _ column: SortKeyColumn, _ ascending: Bool) {
        let numbers = column.form == .texts ? Self.numbers(column) : column.high
        let flip: UInt64 = ascending ? 0 : .max
        if !column.low.isEmpty { RadixSort.sort(&rows) { column.low[Int($0)] ^ flip } }
        RadixSort.sort(&rows) { numbers[Int($0)] ^ flip }
        guard let kind = column.kinds.first, column.kinds.contains(where: { $0 != kind }) else { return }
        let most = SortKeyColumn.Kind.missing.rawValue
        RadixSort.sort(&rows) {
            let kind = column.kinds[Int($0)].rawValue
            return UInt64(ascending ? kind : most - kind)
        }
    }

    /// The rank of each text among all; equal texts have the same rank.
    private static func numbers(_ column: SortKeyColumn) -> [UInt64] {
        var numbers = [UInt64].large(repeating: 0, count: column.count)
        var number: UInt64 = 0
        var last: ByteView?
        for row in ColumnSort(column, ascending: true).rows() {
            let text = column.texts[Int(row)]
            if let last, !last.elementsEqual(text) { number += 1 }
            numbers[Int(row)] = number
            last = text
        }
        return numbers
    }

    /// All rows that may be among the first `limit`, in row order.
    private func candidates(_ limit: Int) -> [UInt32] {
        let (column, ascending) = columns[0]
        let flip: UInt64 = ascending ? 0 : .max
        // The lowest numbers so far; numbers not below `highest` cannot be among the first `limit`.
        var lowest: [UInt64] = []
        let room = max(limit * 2, 1024)
        var highest = UInt64.max
        for row in 0..<count {
            let number = column.coarse(row) ^ flip
            guard number < highest else { continue }
            lowest.append(number)
            guard lowest.count == room else { continue }
            lowest.sort()
            lowest.removeLast(room - limit)
            highest = lowest[limit - 1]
        }
        lowest.sort()
        if lowest.count >= limit { highest = lowest[limit - 1] }
        var rows: [UInt32] = []
        for row in 0..<count where column.coarse(row) ^ flip <= highest { rows.append(UInt32(truncatingIfNeeded: row)) }
        return rows
    }
}
