internal import RealmLayout

// The leaves of a cluster lie anywhere in the file, and a loop over rows comes to a new line of memory in one of them
// every few values, each time after waiting. Loads that do not depend on each other wait together. Swift has no way to
// ask for memory without a load; what the processor has for it comes with C (`realmfile_prefetch`), which modules below
// `RealmExchange` do without.
extension ColumnLeaf {
    /// Loads a word of each line of memory that the leaf's values are in, up to a limit.
    ///
    /// - Returns: a number that means nothing, so that the loads are not left out.
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

    /// Bytes of a line of memory.
    private static var line: Int { 64 }
    /// Enough for 256 values of usual size.
    private static var warmedBytes: Int { 1 << 13 }
}
