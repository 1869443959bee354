internal import RealmTransactions

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
            compareRepeated(old, new, isModified)
            return
        }
        // Of the elements of both as many stay as are in the same order; the others have moved.
        let origins = new.map { places[$0] }
        let staying = origins.longestAscent
        let stayingOld = Set(staying.compactMap { origins[$0] })
        let stayingNew = Set(staying)
        deletions = old.indices.filter { !stayingOld.contains($0) }
        insertions = new.indices.filter { !stayingNew.contains($0) }
        modifications = stayingOld.filter { isModified(old[$0]) }.sorted()
    }

    init(deletions: [Int] = [], insertions: [Int] = [], modifications: [Int] = []) {
        (self.deletions, self.insertions, self.modifications) = (deletions, insertions, modifications)
    }

    private mutating func compareRepeated<Element: Hashable>(
        _ old: [Element], _ new: [Element], _ isModified: (Element) -> Bool
    ) {
        for change in new.difference(from: old) {
            switch change {
            case .remove(let offset, _, _): deletions.append(offset)
            case .insert(let offset, _, _): insertions.append(offset)
            }
        }
        deletions.sort()
        insertions.sort()
        let gone = Set(deletions)
        modifications = old.indices.filter { isModified(old[$0]) && !gone.contains($0) }
    }
}
