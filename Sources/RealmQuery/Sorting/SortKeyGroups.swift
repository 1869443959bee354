internal import RealmStorage

/// Groups of rows that are equal in some columns, numbered in the order of their first rows.
struct SortKeyGroups: Sendable {
    /// The group of each row.
    private(set) var numbers: [UInt32]
    /// The first row of each group.
    private(set) var firsts: [UInt32] = []

    /// Hash table with open addressing: 32 bits of the hash above the group number plus one; 0 for free places. These
    /// bits distinguish most rows of other groups without reading the values, which are scattered in memory.
    private var table: [UInt64]

    private static let fewestPlaces = 1024

    init(_ columns: [SortKeyColumn]) {
        let count = columns.first?.count ?? 0
        numbers = .large(repeating: 0, count: count)
        table = Array(repeating: 0, count: Self.fewestPlaces)
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

    /// A hash of a row's values.
    @inline(__always)
    static func hash(_ row: Int, of columns: [SortKeyColumn]) -> UInt64 {
        columns.reduce(0) { ($0 ^ $1.hash(row)) &* 0x9E37_79B9_7F4A_7C15 }
    }

    /// The bits of a hash that are compared before the values.
    @inline(__always)
    static func bits(of hash: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: hash &>> 20) }

    /// The first rows of groups in which no link on the way leads nowhere.
    func countedFirsts(_ columns: [SortKeyColumn]) -> [Int] {
        firsts.map { Int($0) }.filter { row in columns.allSatisfy { $0.kinds[row] != .missing } }
    }

    @inline(__always)
    private mutating func fill(_ hash: (Int) -> UInt64, _ areEqual: (Int, Int) -> Bool) {
        var mask = table.count &- 1
        for row in numbers.indices {
            let bits = UInt64(Self.bits(of: hash(row)))
            var place = Int(truncatingIfNeeded: bits) & mask
            while true {
                let entry = table[place]
                if entry == 0 {
                    numbers[row] = UInt32(truncatingIfNeeded: firsts.count)
                    firsts.append(UInt32(truncatingIfNeeded: row))
                    table[place] = bits &<< 32 | UInt64(truncatingIfNeeded: firsts.count)
                    break
                }
                let group = Int(truncatingIfNeeded: entry & UInt64(UInt32.max)) &- 1
                if entry &>> 32 == bits, areEqual(Int(firsts[group]), row) {
                    numbers[row] = UInt32(truncatingIfNeeded: group)
                    break
                }
                place = (place &+ 1) & mask
            }
            guard firsts.count &* 2 > table.count else { continue }
            grow()
            mask = table.count &- 1
        }
    }

    private mutating func grow() {
        var larger = [UInt64].large(repeating: 0, count: table.count * 2)
        let mask = larger.count &- 1
        for entry in table where entry != 0 {
            var place = Int(truncatingIfNeeded: entry &>> 32) & mask
            while larger[place] != 0 { place = (place &+ 1) & mask }
            larger[place] = entry
        }
        table = larger
    }
}
