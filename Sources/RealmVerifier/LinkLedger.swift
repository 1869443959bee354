internal import RealmLayout
internal import RealmReader

/// Sums of links and of backlinks, which must be the same (R02): a few bytes for each pair of columns, however many
/// links there are.
struct LinkLedger {
    /// The links of a column to a table.
    struct Pair: Hashable {
        let originTable: Int
        let originColumn: Int
        let targetTable: Int
    }

    /// A multiset of links: equal ones have equal sums, others have not but for one chance in 2^64.
    struct Sum: Equatable {
        var count = 0
        var hashes: UInt64 = 0

        mutating func add(_ hash: UInt64) {
            count += 1
            hashes &+= hash
        }
    }

    private(set) var forward: [Pair: Sum] = [:]
    private(set) var backward: [Pair: Sum] = [:]

    mutating func addLink(_ pair: Pair, from origin: ObjectKey, to target: ObjectKey) {
        forward[pair, default: Sum()].add(Self.hash(origin, target))
    }

    mutating func addBacklink(_ pair: Pair, from origin: ObjectKey, to target: ObjectKey) {
        backward[pair, default: Sum()].add(Self.hash(origin, target))
    }

    /// The pairs of columns whose links and backlinks differ, in a fixed order.
    var differences: [Pair] {
        Set(forward.keys).union(backward.keys).filter { forward[$0] != backward[$0] }
            .sorted {
                ($0.originTable, $0.originColumn, $0.targetTable) < ($1.originTable, $1.originColumn, $1.targetTable)
            }
    }

    static func hash(_ origin: ObjectKey, _ target: ObjectKey) -> UInt64 {
        mix(mix(UInt64(bitPattern: origin.value)) &+ UInt64(bitPattern: target.value) &* 0x9E37_79B9_7F4A_7C15)
    }

    /// Spreads the bits of a number (the finalizer of SplitMix64).
    static func mix(_ number: UInt64) -> UInt64 {
        var bits = number &+ 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
