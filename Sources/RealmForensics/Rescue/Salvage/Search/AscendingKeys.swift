internal import RealmLayout

/// Repairs the object keys of a damaged cluster. Keys ascend strictly, which reveals most damage and often leaves only
/// one possible value (Spec R190.23).
package enum AscendingKeys {
    /// Returns the plausible keys by row; nil for rows whose key is unknown.
    ///
    /// - Parameters:
    ///   - found: The keys as read; nil for impossible ones.
    ///   - limit: Exclusive upper bound of all keys; nil when unknown.
    package static func resolved(_ found: [UInt64?], limit: UInt64?) -> [UInt64?] {
        guard !isAscending(found) else { return found }
        return filled(certain(found), limit: limit)
    }

    private static func isAscending(_ keys: [UInt64?]) -> Bool {
        let known = keys.compactMap(\.self)
        return known.count == keys.count && zip(known, known.dropFirst()).allSatisfy(<)
    }

    /// Keeps the keys that belong to every longest ascending subsequence. If one key is wrong, all others remain.
    private static func certain(_ found: [UInt64?]) -> [UInt64?] {
        let before = lengths(found)
        let after = Array(lengths(found.reversed().map { $0.map { ~$0 } }).reversed())
        let longest = before.max() ?? 0
        // Rows by their position in such a subsequence.
        var rows = [[Int]](repeating: [], count: longest + 1)
        for row in found.indices where found[row] != nil && before[row] + after[row] - 1 == longest {
            rows[before[row]].append(row)
        }
        var kept = [UInt64?](repeating: nil, count: found.count)
        for only in rows where only.count == 1 { kept[only[0]] = found[only[0]] }
        return kept
    }

    /// Returns for each row the length of the longest ascending subsequence that ends with it; 0 without a key.
    private static func lengths(_ keys: [UInt64?]) -> [Int] {
        // The lowest key that ends a subsequence of each length.
        var ends: [UInt64] = []
        return keys.map { key in
            guard let key else { return 0 }
            let index = ends.partitioningIndex { $0 >= key }
            if index < ends.count { ends[index] = key } else { ends.append(key) }
            return index + 1
        }
    }

    /// Fills rows between two known keys if only one sequence of keys fits.
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
