internal import RealmLayout

/// The object keys of a cluster of which some are wrong: they ascend strictly, so that most damage to one is seen, and what is
/// around it often leaves one number only (Spec R190.23).
package enum AscendingKeys {
    /// The keys that can stand, by row; nil where the key is not known.
    ///
    /// - Parameters:
    ///   - found: the keys as they are read; nil for those that cannot be one.
    ///   - limit: what all are below; nil where that is not known.
    package static func resolved(_ found: [UInt64?], limit: UInt64?) -> [UInt64?] {
        guard !isAscending(found) else { return found }
        return filled(certain(found), limit: limit)
    }

    private static func isAscending(_ keys: [UInt64?]) -> Bool {
        let known = keys.compactMap(\.self)
        return known.count == keys.count && zip(known, known.dropFirst()).allSatisfy(<)
    }

    /// Those that are in every one of the longest series that ascend: with one wrong key all others are.
    private static func certain(_ found: [UInt64?]) -> [UInt64?] {
        let before = lengths(found)
        let after = Array(lengths(found.reversed().map { $0.map { ~$0 } }).reversed())
        let longest = before.max() ?? 0
        // Rows by their place in such a series.
        var rows = [[Int]](repeating: [], count: longest + 1)
        for row in found.indices where found[row] != nil && before[row] + after[row] - 1 == longest {
            rows[before[row]].append(row)
        }
        var kept = [UInt64?](repeating: nil, count: found.count)
        for only in rows where only.count == 1 { kept[only[0]] = found[only[0]] }
        return kept
    }

    /// For each row the length of the longest series that ascends and ends with it; 0 without a key.
    private static func lengths(_ keys: [UInt64?]) -> [Int] {
        // The least key that ends a series of each length.
        var ends: [UInt64] = []
        return keys.map { key in
            guard let key else { return 0 }
            let index = ends.partitioningIndex { $0 >= key }
            if index < ends.count { ends[index] = key } else { ends.append(key) }
            return index + 1
        }
    }

    /// With the keys of rows between two others for which there is no other number.
    private static func filled(_ keys: [UInt64?], limit: UInt64?) -> [UInt64?] {
        var keys = keys
        var row = 0
        while row < keys.count {
            guard keys[row] == nil else {
                row += 1
                continue
            }
            let end = keys[row...].firstIndex { $0 != nil } ?? keys.count
            let first = row == 0 ? 0 : (keys[row - 1] ?? 0) &+ 1
            if let next = end < keys.count ? keys[end] : limit, next >= first, next - first == UInt64(end - row) {
                for offset in 0..<(end - row) { keys[row + offset] = first + UInt64(offset) }
            }
            row = end
        }
        return keys
    }
}
