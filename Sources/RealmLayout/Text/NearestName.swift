extension Sequence<String> {
    /// The name closest to `name`; nil when all differ by more than a third of its length and by more than one
    /// character, or in all of their characters.
    package func nearest(to name: String) -> String? {
        let limit = Swift.max(1, Swift.min(name.count, 60) / 3)
        var best: (name: String, distance: Int)?
        for candidate in self {
            let distance = name.distance(from: candidate)
            if distance <= limit, distance < Swift.max(name.count, candidate.count), distance < best?.distance ?? .max {
                best = (candidate, distance)
            }
        }
        return best?.name
    }

    /// The suffix of an error message about an unknown name: suggests the closest of these names, if one is close.
    package func suggestion(for name: String) -> String { nearest(to: name).map { "; did you mean \($0)?" } ?? "" }
}

extension [String] {
    /// The suffix of an error message about an unknown name: suggests the closest of these names, or lists them; empty
    /// when there are none.
    ///
    /// - Parameter words: the words before the list, as in "classes are".
    package func suggestion(for name: String, listedAfter words: String) -> String {
        if let nearest = nearest(to: name) { return "; did you mean '\(nearest)'?" }
        return isEmpty ? "" : "; \(words) \(prefix(12).joined(separator: ", "))\(count > 12 ? ", …" : "")"
    }
}

extension String {
    /// The edit distance, ignoring case: the number of characters to insert, delete, replace or swap with their
    /// neighbour. Realm names have at most 63 bytes; only the beginning of longer ones counts.
    fileprivate func distance(from other: String) -> Int {
        let left = Array(lowercased().prefix(64))
        let right = Array(other.lowercased().prefix(64))
        var (above, row) = ([Int](), Array(0...right.count))
        for index in left.indices {
            var next = [index + 1]
            for column in right.indices {
                let replaced = row[column] + (left[index] == right[column] ? 0 : 1)
                var least = Swift.min(replaced, next[column] + 1, row[column + 1] + 1)
                if index > 0, column > 0, left[index] == right[column - 1], left[index - 1] == right[column] {
                    least = Swift.min(least, above[column - 1] + 1)
                }
                next.append(least)
            }
            (above, row) = (row, next)
        }
        return row[right.count]
    }
}
