extension Sequence<String> {
    /// The name that differs least from `name`; nil when all differ in more than a third of it, and in more than one character.
    package func nearest(to name: String) -> String? {
        let limit = Swift.max(1, Swift.min(name.count, 60) / 3)
        var best: (name: String, distance: Int)?
        for candidate in self {
            let distance = name.distance(from: candidate)
            if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
        }
        return best?.name
    }

    /// What a message says behind a name that is not among these: which one may be meant, if one is near.
    package func suggestion(for name: String) -> String { nearest(to: name).map { "; did you mean \($0)?" } ?? "" }
}

extension [String] {
    /// What a message says behind a name that is not among these: which one may be meant, or which ones there are; nothing when there
    /// are none.
    ///
    /// - Parameter words: stand before the names, as in "classes are".
    package func suggestion(for name: String, listedAfter words: String) -> String {
        if let nearest = nearest(to: name) { return "; did you mean '\(nearest)'?" }
        return isEmpty ? "" : "; \(words) \(prefix(12).joined(separator: ", "))\(count > 12 ? ", …" : "")"
    }
}

extension String {
    /// How many characters have to be added, removed, replaced, or swapped with the next to make one name of the other, whatever
    /// their case. Names of Realm have 63 bytes at most; of longer ones the beginning counts.
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
