internal import RealmLayout

extension [Int?] {
    /// The indexes of as many numbers as there can be that ascend; what is in their places stays in its order.
    package var longestAscent: [Int] {
        // For each length the index of the lowest number that ends an ascent of that length, and before each number which comes.
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
