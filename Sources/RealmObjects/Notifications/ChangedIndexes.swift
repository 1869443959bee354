internal import RealmStore

/// Differences between two states of a collection.
struct ChangedIndexes: Equatable {
    /// Old indexes.
    var deletions: [Int] = []
    /// New indexes.
    var insertions: [Int] = []
    /// Old indexes.
    var modifications: [Int] = []

    var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }

    /// - Parameter isModified: whether an element present in both states has other content.
    init<Element: Hashable>(from old: [Element], to new: [Element], isModified: (Element) -> Bool) {
        let ends = CommonEnds(old, new, ==)
        if !ends.areAll { compare(Array(old[ends.before]), Array(new[ends.now]), isModified) }
        move(by: ends.count)
        let between = modifications
        modifications = old[..<ends.before.lowerBound].indices.filter { isModified(old[$0]) } + between
        modifications += old[ends.before.upperBound...].indices.filter { isModified(old[$0]) }
    }

    /// Adds an offset to all indexes.
    mutating func move(by count: Int) {
        guard count > 0 else { return }
        (deletions, insertions) = (deletions.map { $0 + count }, insertions.map { $0 + count })
        modifications = modifications.map { $0 + count }
    }

    private mutating func compare<Element: Hashable>(
        _ old: [Element], _ new: [Element], _ isModified: (Element) -> Bool
    ) {
        let places = Dictionary(
            old.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
        guard places.count == old.count, Set(new).count == new.count else {
            compareRepeated(old, new, isModified)
            return
        }
        compareDifferent(old, new, places, isModified)
    }

    /// - Parameter places: the index of each old element; no element occurs twice.
    private mutating func compareDifferent<Element: Hashable>(
        _ old: [Element], _ new: [Element], _ places: [Element: Int], _ isModified: (Element) -> Bool
    ) {
        let both = new.enumerated().compactMap { index, element in places[element].map { (old: $0, new: index) } }
        let modified = both.map { isModified(old[$0.old]) }
        let weights = UnmovedItems(of: old.count)
        let stays = UnmovedItems.stays(
            both.map(\.old), weights: modified.map { weights.weight(of: 1, modified: $0 ? 1 : 0) })
        var (isGone, isNew) = (
            [Bool](repeating: true, count: old.count), [Bool](repeating: true, count: new.count)
        )
        for (place, stays) in zip(both, stays) where stays { (isGone[place.old], isNew[place.new]) = (false, false) }
        deletions = old.indices.filter { isGone[$0] }
        insertions = new.indices.filter { isNew[$0] }
        modifications = zip(both, modified).filter { $0.1 && !isGone[$0.0.old] }.map(\.0.old).sorted()
    }

    init(deletions: [Int] = [], insertions: [Int] = [], modifications: [Int] = []) {
        (self.deletions, self.insertions, self.modifications) = (deletions, insertions, modifications)
    }

    private mutating func compareRepeated<Element: Hashable>(
        _ old: [Element], _ new: [Element], _ isModified: (Element) -> Bool
    ) {
        var numbers: [Element: Int] = [:]
        func numbered(_ elements: [Element]) -> [Int] {
            elements.map { element in
                if let number = numbers[element] { return number }
                numbers[element] = numbers.count
                return numbers.count - 1
            }
        }
        let (before, now) = (numbered(old), numbered(new))
        guard let edits = ShortestEdits(from: before, to: now, atMost: Self.mostEdits) else {
            // Numbering the occurrences of equal elements makes all elements distinct.
            var elements = [Element?](repeating: nil, count: numbers.count)
            for (element, number) in numbers { elements[number] = element }
            let (old, new) = (Occurrence.all(before), Occurrence.all(now))
            let places = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($0.element, $0.offset) })
            return compareDifferent(old, new, places) { elements[$0.number].map(isModified) ?? false }
        }
        (deletions, insertions) = (edits.deletions, edits.insertions)
        let gone = Set(deletions)
        modifications = old.indices.filter { isModified(old[$0]) && !gone.contains($0) }
    }

    /// Maximum number of edits searched for when elements repeat: time and memory grow with its square.
    private static let mostEdits = 1024
}

/// An element of a list that may contain equal ones.
private struct Occurrence: Hashable {
    let number: Int
    /// Number of equal elements before it.
    let before: Int

    static func all(_ numbers: [Int]) -> [Occurrence] {
        var counts: [Int: Int] = [:]
        return numbers.map { number in
            let before = counts[number, default: 0]
            counts[number] = before + 1
            return Occurrence(number: number, before: before)
        }
    }
}
