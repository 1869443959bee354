internal import RealmStorage

/// Stable sort of rows by numbers.
///
/// Sorts by a few bits at a time, beginning with the lowest; skips bits that are equal in all numbers.
struct RadixSort {
    struct Entry: BitwiseCopyable {
        var number: UInt64
        var row: UInt32
        /// The part of the row, if there are several.
        var part: UInt32 = 0
    }

    /// The number of bits per digit: counters must fit into the processor's cache, and be few compared to the entries.
    private static func mostDigitBits(_ count: Int) -> UInt64 { count < 1 << 12 ? 8 : count < 1 << 17 ? 11 : 12 }

    /// Sorts rows by the numbers that a closure returns for them.
    static func sort(_ rows: inout [UInt32], by number: (UInt32) -> UInt64) {
        guard rows.count > 1 else { return }
        var entries = [Entry].withRoom(for: rows.count)
        let first = number(rows[0])
        var (differing, last, isSorted) = (UInt64(0), first, true)
        for row in rows {
            let number = number(row)
            differing |= number ^ first
            if number < last { isSorted = false }
            last = number
            entries.append(Entry(number: number, row: row))
        }
        if isSorted { return }
        sort(&entries, differing)
        for index in rows.indices { rows[index] = entries[index].row }
    }

    /// Sorts entries by number; the sort is stable.
    static func sort(_ entries: inout [Entry]) {
        guard let first = entries.first?.number else { return }
        sort(&entries, entries.reduce(0) { $0 | ($1.number ^ first) })
    }

    /// - Parameter differing: the bits in which any numbers differ.
    private static func sort(_ entries: inout [Entry], _ differing: UInt64) {
        guard entries.count >= 64 else {
            // Insertion sort for few entries.
            for index in 1..<max(entries.count, 1) {
                let entry = entries[index]
                var place = index
                while place > 0, entries[place - 1].number > entry.number {
                    entries[place] = entries[place - 1]
                    place -= 1
                }
                entries[place] = entry
            }
            return
        }
        guard differing != 0 else { return }
        var others = [Entry].withRoom(for: entries.count)
        others += entries
        var shift = UInt64(differing.trailingZeroBitCount)
        let bits = 64 - UInt64(differing.leadingZeroBitCount) - shift
        let most = mostDigitBits(entries.count)
        let passes = (bits + most - 1) / most
        let digitBits = (bits + passes - 1) / passes
        let mask: UInt64 = 1 << digitBits - 1
        while shift < 64, differing >> shift != 0 {
            defer { shift += digitBits }
            guard (differing >> shift) & mask != 0 else { continue }
            var starts = [Int](repeating: 0, count: Int(mask) + 2)
            for entry in entries { starts[Int(truncatingIfNeeded: (entry.number &>> shift) & mask) &+ 1] &+= 1 }
            for digit in 1..<starts.count { starts[digit] &+= starts[digit - 1] }
            for entry in entries {
                let digit = Int(truncatingIfNeeded: (entry.number &>> shift) & mask)
                others[starts[digit]] = entry
                starts[digit] &+= 1
            }
            swap(&entries, &others)
        }
    }
}
