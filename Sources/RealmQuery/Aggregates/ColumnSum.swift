internal import RealmCore
internal import RealmLayout

/// Aggregates a column of numbers, leaf by leaf.
struct ColumnSum {
    private let table: Table
    private let column: Column

    init(_ index: PropertyIndex, of table: Table) {
        self.table = table
        column = table.columns[index]
    }

    /// - Throws: errors of opening leaves.
    func summary(_ type: StoredPropertyType) throws(FormatError) -> ValueSummary {
        var accumulator = Accumulator(type)
        var clusters = ClusterCursor(table.tree)
        let space = table.snapshot.space
        var isAtEnd = false
        // Adding is faster than memory: the leaves of several clusters are loaded together.
        var loaded: UInt64 = 0
        var batch: [Cluster] = []
        var leaves: [ColumnLeaf] = []
        while !isAtEnd {
            try table.snapshot.reading { () throws(FormatError) in
                batch.removeAll(keepingCapacity: true)
                leaves.removeAll(keepingCapacity: true)
                let failure = batch.take(Self.clustersAtOnce) { () throws(FormatError) in try clusters.next() }
                if let failure { throw failure }
                isAtEnd = batch.count < Self.clustersAtOnce
                for cluster in batch { loaded &+= space.word(at: Int64(cluster.leafOffset(of: column))) }
                for cluster in batch { leaves.append(try cluster.leaf(of: column, in: space)) }
                // A loop of its own keeps the loads close together, so that they overlap.
                for leaf in leaves { loaded &+= leaf.warm() }
                for leaf in leaves { add(leaf, to: &accumulator) }
            }
        }
        withExtendedLifetime(loaded) {}
        return accumulator.summary
    }

    private static let clustersAtOnce = 8

    private func add(_ leaf: ColumnLeaf, to accumulator: inout Accumulator) {
        switch leaf.encoding {
        case .integers where leaf.numbers.width <= 32: addNarrow(leaf, to: &accumulator)
        case .integers: for row in 0..<leaf.count { accumulator.add(leaf.int(at: row)) }
        case .nullableIntegers:
            for row in 0..<leaf.count { if let number = leaf.nullableInt(at: row) { accumulator.add(number) } }
        case .floats:
            for row in 0..<leaf.count {
                guard let bits = leaf.floatBits(at: row) else { continue }
                let number = Float(bitPattern: bits)
                if !number.isNaN { accumulator.add(Double(number)) }
            }
        case .doubles: addDoubles(leaf, to: &accumulator)
        default: break
        }
    }

    /// Adds a leaf whose elements are too narrow for its sum to overflow.
    private func addNarrow(_ leaf: ColumnLeaf, to accumulator: inout Accumulator) {
        var (sum, least, greatest) = (Int64(0), Int64.max, Int64.min)
        leaf.numbers.forEach(unchecked: 0, count: leaf.count) { _, number in
            sum &+= number
            least = min(least, number)
            greatest = max(greatest, number)
        }
        accumulator.add(count: leaf.count, sum: sum, least: least, greatest: greatest)
    }

    /// Adds doubles one by one, so that the sum equals Realm's to the last bit.
    private func addDoubles(_ leaf: ColumnLeaf, to accumulator: inout Accumulator) {
        var (count, sum) = (0, accumulator.doubleSum)
        var (least, greatest) = (Double.infinity, -Double.infinity)
        var row = 0
        while row < leaf.count {
            // Null is encoded as a NaN as well.
            if let bits = leaf.doubleBits(at: row) {
                let number = Double(bitPattern: bits)
                if number == number {
                    count &+= 1
                    sum += number
                    least = number < least ? number : least
                    greatest = number > greatest ? number : greatest
                }
            }
            row &+= 1
        }
        accumulator.add(count: count, sum: sum, least: least, greatest: greatest)
    }
}
