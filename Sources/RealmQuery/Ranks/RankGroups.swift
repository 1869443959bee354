/// Which rows are equal in some columns: each gets the number of its group, in the order in which groups come first.
struct RankGroups {
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
                { row in columns.reduce(0) { ($0 ^ $1.hash(row)) &* 0x9E37_79B9_7F4A_7C15 } },
                { left, right in columns.allSatisfy { $0.areEqual(left, right) } })
        }
        table = []
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
