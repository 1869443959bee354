internal import RealmStorage

/// A row with the number that it is sorted by.
struct NumberedRow: RadixSortable {
    var number: UInt64
    var row: UInt32
    /// The part of the row, if there are several.
    var part: UInt32 = 0

    var rank: UInt64 { number }
}

extension RadixSort {
    /// Sorts rows by the numbers that a closure returns for them; the sort is stable.
    static func sort(_ rows: inout [UInt32], by number: (UInt32) -> UInt64) {
        guard rows.count > 1 else { return }
        var entries = [NumberedRow].withRoom(for: rows.count)
        let first = number(rows[0])
        var (differing, last, isSorted) = (UInt64(0), first, true)
        for row in rows {
            let number = number(row)
            differing |= number ^ first
            if number < last { isSorted = false }
            last = number
            entries.append(NumberedRow(number: number, row: row))
        }
        if isSorted { return }
        sort(&entries, differing, spare: copy)
        for index in rows.indices { rows[index] = entries[index].row }
    }

    /// Sorts rows by number; the sort is stable.
    static func sort(_ entries: inout [NumberedRow]) {
        sort(&entries, spare: copy)
    }

    private static func copy(_ entries: [NumberedRow]) -> [NumberedRow] { .large(of: entries) { $0 } }
}
