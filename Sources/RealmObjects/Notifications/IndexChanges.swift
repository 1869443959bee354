/// What happened to elements from one state of a collection to the next.
struct IndexChanges: Equatable {
    /// Indexes before.
    var deletions: [Int] = []
    /// Indexes now.
    var insertions: [Int] = []
    /// Indexes before.
    var modifications: [Int] = []

    var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }

    /// - Parameter isModified: whether an element that is in both has other content.
    init<Element: Hashable>(from old: [Element], to new: [Element], isModified: (Element) -> Bool) {
        if old == new {
            modifications = old.indices.filter { isModified(old[$0]) }
            return
        }
        let places = Dictionary(
            old.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
        guard places.count == old.count, Set(new).count == new.count else {
            compareRepeated(old, new)
            return
        }
        // Of the elements of both as many stay as are in the same order; the others have moved.
        let common = new.enumerated().compactMap { index, element in places[element].map { (old: $0, new: index) } }
        let staying = Self.longestAscending(common.map(\.old))
        let stayingOld = Set(staying.map { common[$0].old })
        let stayingNew = Set(staying.map { common[$0].new })
        deletions = old.indices.filter { !stayingOld.contains($0) }
        insertions = new.indices.filter { !stayingNew.contains($0) }
        modifications = stayingOld.filter { isModified(old[$0]) }.sorted()
    }

    init(deletions: [Int] = [], insertions: [Int] = [], modifications: [Int] = []) {
        (self.deletions, self.insertions, self.modifications) = (deletions, insertions, modifications)
    }

    private mutating func compareRepeated<Element: Hashable>(_ old: [Element], _ new: [Element]) {
        for change in new.difference(from: old) {
            switch change {
            case .remove(let offset, _, _): deletions.append(offset)
            case .insert(let offset, _, _): insertions.append(offset)
            }
        }
        deletions.sort()
        insertions.sort()
    }

    /// The positions of a longest ascending part of different numbers.
    private static func longestAscending(_ numbers: [Int]) -> [Int] {
        // Of each length the position of the lowest number that a part of it ends with.
        var ends: [Int] = []
        var before = [Int](repeating: -1, count: numbers.count)
        for (position, number) in numbers.enumerated() {
            var (low, high) = (0, ends.count)
            while low < high {
                let middle = (low + high) / 2
                if numbers[ends[middle]] < number { low = middle + 1 } else { high = middle }
            }
            if low > 0 { before[position] = ends[low - 1] }
            if low == ends.count { ends.append(position) } else { ends[low] = position }
        }
        var found: [Int] = []
        var position = ends.last ?? -1
        while position >= 0 {
            found.append(position)
            position = before[position]
        }
        return found.reversed()
    }
}
