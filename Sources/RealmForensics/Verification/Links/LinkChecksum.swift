internal import RealmCore
internal import RealmLayout

/// Sums of links and of backlinks, which must be equal (R02): a few bytes per pair of columns, for any number of links.
struct LinkChecksum {
    /// The links of a column to a table.
    struct Pair: Hashable {
        let originTable: TableKey
        let originColumn: ColumnKey
        let targetTable: TableKey
    }

    struct Link {
        let pair: Pair
        let origin: ObjectKey
        let target: ObjectKey
    }

    /// The links and the backlinks of a pair of columns.
    private struct Account {
        let pair: Pair
        var links = MultisetSum()
        var backlinks = MultisetSum()
    }

    private var accounts: [Account] = []
    private var positions: [Pair: Int] = [:]
    /// The account used last: leaves of the same columns usually follow each other.
    private var last = 0

    /// Adds the sum of links or backlinks of one pair of columns.
    mutating func add(_ sum: MultisetSum, of pair: Pair, areBacklinks: Bool) {
        guard sum.count > 0 else { return }
        let position = position(of: pair)
        if areBacklinks { accounts[position].backlinks.add(sum) } else { accounts[position].links.add(sum) }
    }

    private mutating func position(of pair: Pair) -> Int {
        if last < accounts.count, accounts[last].pair == pair { return last }
        if let position = positions[pair] {
            last = position
            return position
        }
        last = accounts.count
        positions[pair] = last
        accounts.append(Account(pair: pair))
        return last
    }

    /// Adds all sums of another ledger.
    mutating func add(_ other: LinkChecksum) {
        for account in other.accounts {
            add(account.links, of: account.pair, areBacklinks: false)
            add(account.backlinks, of: account.pair, areBacklinks: true)
        }
    }

    /// The number of links and backlinks of a pair of columns.
    func count(_ pair: Pair) -> Int {
        positions[pair].map { accounts[$0].links.count + accounts[$0].backlinks.count } ?? 0
    }

    /// The pairs of columns with links, possibly without backlinks.
    var origins: [Pair] { Self.sorted(accounts.filter { $0.links.count > 0 }) }

    /// The pairs of columns whose links and backlinks differ.
    var differences: [Pair] { Self.sorted(accounts.filter { $0.links != $0.backlinks }) }

    /// A fixed order, which makes reports reproducible.
    private static func sorted(_ accounts: [Account]) -> [Pair] {
        accounts.map(\.pair).inOrder {
            ($0.originTable.value, $0.originColumn.value, $0.targetTable.value)
                < ($1.originTable.value, $1.originColumn.value, $1.targetTable.value)
        }
    }
}

/// The count of a multiset, and the sum of its elements' hashes. Equal multisets have equal sums; different ones have
/// different sums, except with a probability of 2^-64.
package struct MultisetSum: Equatable {
    private(set) var count = 0
    private var hashes: UInt64 = 0

    mutating func add(_ hash: UInt64) {
        count += 1
        hashes &+= hash
    }

    mutating func add(_ other: MultisetSum) {
        count += other.count
        hashes &+= other.hashes
    }

    /// The hash of a pair of numbers.
    static func hash(_ first: Int64, _ second: Int64) -> UInt64 {
        mix(mix(UInt64(bitPattern: first)) &+ UInt64(bitPattern: second) &* 0x9E37_79B9_7F4A_7C15)
    }

    /// The hash of bytes.
    static func hash(_ bytes: ByteView) -> UInt64 {
        var result = mix(UInt64(bytes.count))
        var offset = 0
        while offset + 8 <= bytes.count {
            result = mix(result ^ bytes.uint64(unchecked: offset))
            offset += 8
        }
        var rest: UInt64 = 0
        while offset < bytes.count {
            rest = rest << 8 | UInt64(bytes.byte(unchecked: offset))
            offset += 1
        }
        return mix(result ^ rest)
    }

    /// Spreads the bits of a number (the finalizer of SplitMix64).
    package static func mix(_ number: UInt64) -> UInt64 {
        var bits = number &+ 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
