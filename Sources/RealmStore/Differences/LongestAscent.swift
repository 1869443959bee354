internal import RealmLayout

extension [Int?] {
    /// The indexes of a longest ascending subsequence: elements in these positions keep their order.
    package var longestAscent: [Int] {
        // For each length, the index of the lowest number that ends an ascent of that length; and the predecessor of
        // each number.
        var ends: [(index: Int, number: Int)] = []
        var previous = [Int](repeating: -1, count: count)
        for (index, number) in enumerated() {
            guard let number else { continue }
            let length = ends.partitioningIndex { $0.number >= number }
            if length > 0 { previous[index] = ends[length - 1].index }
            if length < ends.count { ends[length] = (index, number) } else { ends.append((index, number)) }
        }
        var ascent: [Int] = []
        var index = ends.last?.index ?? -1
        while index >= 0 {
            ascent.append(index)
            index = previous[index]
        }
        return ascent.reversed()
    }
}
