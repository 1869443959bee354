internal import RealmCore
internal import RealmLayout

/// Finds embedded objects without an owner: their property or their owner was removed.
struct Orphans {
    let table: TableDescription
    let snapshot: Snapshot

    /// The rows of a cluster whose objects have no incoming links.
    func rows(in cluster: Cluster) throws(FormatError) -> [Range<Int>] {
        let space = snapshot.space
        var leaves: [ColumnLeaf] = []
        for column in table.backlinkColumns { leaves.append(try cluster.leaf(of: column, in: space)) }
        // Usually one property contains all objects of a class.
        if leaves.count == 1 {
            var orphans = 0
            leaves[0].numbers.forEach(unchecked: 0, count: cluster.count) { _, owner in orphans &+= owner == 0 ? 1 : 0 }
            if orphans == 0 { return [] }
        }
        var ranges: [Range<Int>] = []
        var start = 0
        while start < cluster.count {
            let count = min(cluster.count - start, UInt64.bitWidth)
            var orphans = UInt64.max >> UInt64(UInt64.bitWidth - count)
            for leaf in leaves where orphans != 0 {
                var zeros: UInt64 = 0
                leaf.numbers.forEach(unchecked: start, count: count) { row, owner in
                    zeros |= (owner == 0 ? 1 : 0) &<< UInt64(truncatingIfNeeded: row)
                }
                orphans &= zeros
            }
            while orphans != 0 {
                Self.append(start + orphans.trailingZeroBitCount, to: &ranges)
                orphans &= orphans - 1
            }
            start += count
        }
        return ranges
    }

    private static func append(_ row: Int, to ranges: inout [Range<Int>]) {
        if let last = ranges.last, last.upperBound == row {
            ranges[ranges.count - 1] = last.lowerBound..<(row + 1)
        } else {
            ranges.append(row..<(row + 1))
        }
    }

    /// The number of orphans.
    func count() throws(FormatError) -> Int {
        var cursor = ClusterCursor(table.objects)
        var count = 0
        while let found = try snapshot.reading({ () throws(FormatError) in
            try cursor.next().map { cluster throws(FormatError) in try rows(in: cluster).reduce(0) { $0 + $1.count } }
        }) {
            count += found
        }
        return count
    }
}

extension Exporter {
    /// The embedded classes with objects that are in no document, if all classes are exported. Empty in the canonical
    /// profile, which writes documents for them.
    func orphanCounts() -> [(position: TablePosition, count: Result<Int, FormatError>)] {
        guard options.classNames == nil, !options.isCanonical else { return [] }
        var counts: [(position: TablePosition, count: Result<Int, FormatError>)] = []
        for table in snapshot.tables where table.schema.kind == .embedded && !Task.isCancelled {
            do throws(FormatError) {
                let count = try Orphans(table: table.core, snapshot: snapshot).count()
                if count > 0 { counts.append((table.position, .success(count))) }
            } catch {
                counts.append((table.position, .failure(error)))
            }
        }
        return counts
    }
}
