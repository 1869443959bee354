internal import RealmLayout

// The leaves of a cluster are scattered in the file, and a loop over rows reaches a new cache line in one of them every
// few values, each time after a stall. Independent loads stall together. Swift cannot prefetch without a load; the
// instruction is only available from C (`realmfile_prefetch`), which modules below `RealmExchange` do not use.
extension ColumnLeaf {
    /// Loads one word of each cache line that holds the leaf's values, up to a limit.
    ///
    /// - Returns: a meaningless number that keeps the loads from being optimised away.
    package func warm() -> UInt64 {
        switch encoding {
        case .integers, .nullableIntegers, .bools, .links, .collections, .bigStrings:
            Self.warm(integers)
        case .timestamps:
            Self.warm(integers) &+ Self.warm(auxiliary)
        case .mediumStrings:
            Self.warm(integers) &+ Self.warm(auxiliary) &+ Self.warm(bytes)
        case .floats, .doubles, .shortStrings, .decimals128, .decimals64, .decimals32, .objectIds, .uuids:
            Self.warm(bytes)
        case .mediumBinaries, .bigBinaries, .nullDecimals, .zeroDecimals, .mixed, .backlinks:
            0
        }
    }

    private static func warm(_ bytes: ByteView) -> UInt64 {
        var sum: UInt64 = 0
        var offset = 0
        while offset < min(bytes.count, warmedBytes) {
            sum &+= UInt64(bytes.byte(unchecked: offset))
            offset &+= line
        }
        return sum
    }

    private static func warm(_ vector: IntegerVector) -> UInt64 {
        guard vector.width > 0 else { return 0 }
        let step = line &* 8 / vector.width
        var sum: UInt64 = 0
        var index = 0
        while index < min(vector.count, step &* (warmedBytes / line)) {
            sum &+= vector.unsigned(unchecked: index)
            index &+= step
        }
        return sum
    }

    /// Bytes per cache line.
    private static var line: Int { 64 }
    /// Enough for 256 values of usual size.
    private static var warmedBytes: Int { 1 << 13 }
}
