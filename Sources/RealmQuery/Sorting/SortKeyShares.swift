internal import RealmLayout
internal import RealmStorage

/// Finds the first row of each value across several parts. Rows with equal values belong to the same share. Each share
/// is processed by one task, with a hash table that fits into a processor's cache.
struct SortKeyShares: Sendable {
    /// A row of a part, and 32 bits of its hash.
    struct Entry: BitwiseCopyable {
        let bits: UInt32
        let row: UInt32
    }

    private let columns: [[SortKeyColumn]]
    /// The number of the first row of each part, counting across all parts.
    private let starts: [Int]

    /// - Parameter parts: the columns of each part, in the same order.
    init(_ parts: [[SortKeyColumn]]) {
        columns = parts
        starts = parts.reduce(into: [0]) { $0.append($0[$0.count - 1] + ($1.first?.count ?? 0)) }
    }

    private static let rowsOfShare = 1 << 15
    private static let most = 512

    /// The number of shares for this many rows, so that each table fits into the cache.
    static func count(of rows: Int) -> Int { min(max(rows / rowsOfShare, 1), most) }

    /// The number of rows sampled to estimate how many values differ.
    private static let shownRows = 4096

    /// Whether more than half of the first rows have a new value.
    static func areMostlyDifferent(_ columns: [SortKeyColumn]) -> Bool {
        let count = min(columns.first?.count ?? 0, shownRows)
        let shown = columns.map { $0.taking(Array(0..<UInt32(truncatingIfNeeded: count))) }
        return SortKeyGroups(shown).firsts.count > count / 2
    }

    /// The keys of the rows found in all shares, in row order.
    ///
    /// - Parameter keys: the keys of all rows.
    func merged(_ found: [[Int]], _ keys: [ObjectKey]) -> [ObjectKey] {
        if found.count == 1 { return found[0].map { keys[$0] } }
        return Self.taken(0..<keys.count, of: keys, Self.marks(found, keys.count))
    }

    /// The rows found as a bitmap, one bit per row.
    static func marks(_ found: [[Int]], _ count: Int) -> [UInt64] {
        var marks = [UInt64](repeating: 0, count: (count + 63) / 64)
        for numbers in found {
            for number in numbers { marks[number &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: number & 63) }
        }
        return marks
    }

    /// The keys of marked rows.
    ///
    /// - Parameter rows: must begin at a multiple of 64.
    static func taken(_ rows: Range<Int>, of keys: [ObjectKey], _ marks: [UInt64]) -> [ObjectKey] {
        var taken = [ObjectKey].withRoom(for: rows.count)
        var first = rows.lowerBound
        while first < rows.upperBound {
            var left = marks[first &>> 6]
            while left != 0 {
                taken.append(keys[first &+ left.trailingZeroBitCount])
                left &= left &- 1
            }
            first &+= 64
        }
        return taken
    }

    /// Divides rows of a part into shares; leaves out rows with a link on the way that leads nowhere.
    ///
    /// - Parameter rows: ascending; nil for all.
    func divided(_ part: Int, _ rows: [UInt32]?, into count: Int) -> [[Entry]] {
        let columns = columns[part]
        let total = rows?.count ?? starts[part + 1] - starts[part]
        var shares = [[Entry]](repeating: [], count: count)
        for share in shares.indices { shares[share].reserveCapacity(total / count + total / count / 8) }
        func add(_ row: Int, _ hash: UInt64) {
            let share = ((hash &>> 32) &* UInt64(truncatingIfNeeded: count)) &>> 32
            shares[Int(truncatingIfNeeded: share)].append(
                Entry(bits: SortKeyGroups.bits(of: hash), row: UInt32(truncatingIfNeeded: row)))
        }
        if columns.count == 1 {
            let column = columns[0]
            for index in 0..<total {
                let row = rows.map { Int($0[index]) } ?? index
                if column.kinds[row] != .missing { add(row, column.hash(row)) }
            }
        } else {
            for index in 0..<total {
                let row = rows.map { Int($0[index]) } ?? index
                if columns.allSatisfy({ $0.kinds[row] != .missing }) { add(row, SortKeyGroups.hash(row, of: columns)) }
            }
        }
        return shares
    }

    /// The numbers of the first rows of each value, ascending.
    ///
    /// - Parameter entries: the entries of a share, by part.
    func firsts(of entries: [[Entry]]) -> [Int] {
        // Rows with equal hashes usually have equal values. They are verified afterwards, in batches.
        var pairs: [(number: Int, part: Int, row: Int)] = []
        let firsts = firsts(of: entries) { number, part, row in
            pairs.append((number, part, row))
            return true
        }
        return areEqual(pairs) ? firsts : self.firsts(of: entries) { isEqual($0, $1, $2) }
    }

    /// - Parameter isEqual: whether a row, given by its number, equals a row of a part; called if the hashes are equal.
    @inline(__always)
    private func firsts(of entries: [[Entry]], _ isEqual: (_ number: Int, _ part: Int, _ row: Int) -> Bool) -> [Int] {
        let most = entries.reduce(0) { $0 + $1.count }
        var firsts: [Int] = []
        firsts.reserveCapacity(most)
        var places = 16
        while places < most * 2 { places *= 2 }
        // For each value its hash above the number of its first row plus one.
        var table = [UInt64](repeating: 0, count: places)
        let mask = places &- 1
        for (part, entries) in entries.enumerated() {
            let start = starts[part]
            for entry in entries {
                var place = Int(entry.bits) & mask
                while true {
                    let known = table[place]
                    if known == 0 {
                        let number = start &+ Int(entry.row)
                        table[place] = UInt64(entry.bits) &<< 32 | UInt64(truncatingIfNeeded: number &+ 1)
                        firsts.append(number)
                        break
                    }
                    if known &>> 32 == UInt64(entry.bits),
                        isEqual(Int(truncatingIfNeeded: known & UInt64(UInt32.max)) &- 1, part, Int(entry.row))
                    {
                        break
                    }
                    place = (place &+ 1) & mask
                }
            }
        }
        return firsts
    }

    private static let pairsAtOnce = 64

    /// Whether the rows of each pair are equal. The values are scattered in memory: kinds and first bytes of texts are
    /// compared for a batch of pairs first, in a tight loop in which the loads overlap.
    private func areEqual(_ pairs: [(number: Int, part: Int, row: Int)]) -> Bool {
        for start in stride(from: 0, to: pairs.count, by: Self.pairsAtOnce) {
            let some = start..<min(start + Self.pairsAtOnce, pairs.count)
            var different: UInt64 = 0
            for index in columns[0].indices where columns[0][index].form == .texts {
                for pair in some {
                    let (part, row) = place(pairs[pair].number, pairs[pair].part)
                    let (other, otherRow) = (pairs[pair].part, pairs[pair].row)
                    let kinds = (columns[part][index].kinds[row], columns[other][index].kinds[otherRow])
                    different |= UInt64(kinds.0.rawValue ^ kinds.1.rawValue)
                    let known = SortKeyColumn.firstBytes(columns[part][index].texts[row])
                    different |= known ^ SortKeyColumn.firstBytes(columns[other][index].texts[otherRow])
                }
            }
            guard different == 0 else { return false }
            for pair in some where !isEqual(pairs[pair].number, pairs[pair].part, pairs[pair].row) { return false }
        }
        return true
    }

    /// Locates the row with a number, in a given part or one before it.
    @inline(__always)
    private func place(_ number: Int, _ part: Int) -> (part: Int, row: Int) {
        var part = part
        while starts[part] > number { part &-= 1 }
        return (part, number &- starts[part])
    }

    /// Whether the row with a number equals a row of a part.
    private func isEqual(_ number: Int, _ part: Int, _ row: Int) -> Bool {
        let (other, otherRow) = place(number, part)
        for index in columns[part].indices {
            guard columns[part][index].isEqual(row, to: otherRow, of: columns[other][index]) else { return false }
        }
        return true
    }
}
