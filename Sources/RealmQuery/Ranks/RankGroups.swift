/// Which rows are equal in some columns: each gets the number of its group, in the order in which groups come first.
struct RankGroups: Sendable {
    /// Of each row.
    private(set) var numbers: [UInt32]
    /// The first row of each group.
    private(set) var firsts: [UInt32] = []

    private var table: [UInt32]

    init(_ columns: [RankColumn]) {
        let count = columns.first?.count ?? 0
        numbers = Array(repeating: 0, count: count)
        table = Array(repeating: 0, count: 1024)
        if columns.count == 1 {
            let column = columns[0]
            fill({ column.hash($0) }, { column.areEqual($0, $1) })
        } else {
            fill(
                { Self.hash($0, of: columns) },
                { left, right in columns.allSatisfy { $0.areEqual(left, right) } })
        }
        table = []
    }

    /// A number that rows with equal values have in common.
    @inline(__always)
    private static func hash(_ row: Int, of columns: [RankColumn]) -> UInt64 {
        columns.reduce(0) { ($0 ^ $1.hash(row)) &* 0x9E37_79B9_7F4A_7C15 }
    }

    /// Divides rows, in their order, so that equal ones are in the same share, of whichever part they are.
    static func shares(of rows: [UInt32], in columns: [RankColumn], _ count: Int) -> [[UInt32]] {
        guard count > 1 else { return [rows] }
        var shares = [[UInt32]](repeating: [], count: count)
        for row in rows {
            let number = hash(Int(row), of: columns) >> 32
            shares[Int(truncatingIfNeeded: number &* UInt64(truncatingIfNeeded: count) >> 32)].append(row)
        }
        return shares
    }

    /// The first rows of groups whose values there are: links on the way lead somewhere.
    func countedFirsts(_ columns: [RankColumn]) -> [Int] {
        firsts.map { Int($0) }.filter { row in columns.allSatisfy { $0.kinds[row] != .missing } }
    }

    @inline(__always)
    private mutating func fill(_ hash: (Int) -> UInt64, _ areEqual: (Int, Int) -> Bool) {
        var mask = table.count &- 1
        for row in numbers.indices {
            var place = Int(truncatingIfNeeded: hash(row) >> 20) & mask
            while true {
                let entry = table[place]
                if entry == 0 {
                    firsts.append(UInt32(truncatingIfNeeded: row))
                    table[place] = UInt32(truncatingIfNeeded: firsts.count)
                    numbers[row] = UInt32(truncatingIfNeeded: firsts.count &- 1)
                    break
                }
                if areEqual(Int(firsts[Int(entry) &- 1]), row) {
                    numbers[row] = entry &- 1
                    break
                }
                place = (place &+ 1) & mask
            }
            guard firsts.count &* 2 > table.count else { continue }
            table = Array(repeating: 0, count: table.count * 4)
            mask = table.count &- 1
            for (number, first) in firsts.enumerated() {
                var place = Int(truncatingIfNeeded: hash(Int(first)) >> 20) & mask
                while table[place] != 0 { place = (place &+ 1) & mask }
                table[place] = UInt32(truncatingIfNeeded: number &+ 1)
            }
        }
    }
}
