internal import RealmLayout

extension ChangedIndexes {
    /// Computes the changes of a list from its edits alone, with the same result as comparing both lists.
    ///
    /// - Parameters:
    ///   - count: number of keys before the edits.
    ///   - modified: the old indexes of modified objects, ascending.
    init(_ edit: KeyListEdit, of count: Int, modified: [Int]) {
        let moves = EditMoves(edit, of: count, modified: modified)
        deletions = (edit.removals.filter { !moves.staying.contains($0.key) }.map(\.index) + moves.oldIndexes).sorted()
        insertions = (edit.insertions.filter { !moves.staying.contains($0.key) }.map(\.index) + moves.newIndexes)
            .sorted()
        let gone = Set(deletions)
        modifications = modified.filter { !gone.contains($0) }
    }
}

/// Chooses which keys of an edited list count as moved: as few as possible, and among several choices the one that
/// `ChangedIndexes` makes for whole lists. Unedited keys keep their order. They form runs between the old and new places
/// of edited keys; each run stays or moves as a whole.
private struct EditMoves {
    /// Edited keys that stay in place.
    private(set) var staying: Set<ObjectKey> = []
    /// Old and new indexes of keys that move without being edited.
    private(set) var oldIndexes: [Int] = []
    private(set) var newIndexes: [Int] = []

    /// A run, or an edited key present in both lists.
    private struct Item {
        /// The key; nil for a run.
        let key: ObjectKey?
        /// Number of unedited keys before it in each list; for a run, before its first key.
        let old: Int
        let new: Int
        let length: Int
        /// Number of modified keys in it.
        var modified = 0
        /// Position among the items of the old list.
        var place = 0
    }

    /// - Parameter modified: the old indexes of modified objects, ascending.
    init(_ edit: KeyListEdit, of count: Int, modified: [Int]) {
        // Numbers of unedited keys before each removal and insertion.
        let removed = edit.removals.enumerated().map { $0.element.index - $0.offset }
        let inserted = edit.insertions.enumerated().map { $0.element.index - $0.offset }
        var now: [ObjectKey: Int] = [:]
        for (place, rank) in zip(edit.insertions, inserted) { now[place.key] = rank }
        let edited = edit.removals.map(\.index)
        let both = zip(edit.removals, removed).compactMap { place, rank in
            now[place.key].map {
                Item(
                    key: place.key, old: rank, new: $0, length: 1,
                    modified: modified.containsSorted(place.index) ? 1 : 0)
            }
        }
        guard !both.isEmpty else { return }
        let unedited = modified.filter { !edited.containsSorted($0) }
        let ranks = unedited.map { index in index - edited.partitioningIndex { $0 >= index } }
        var items = Self.inOldOrder(both, of: count - removed.count, modified: ranks)
        for place in items.indices { items[place].place = place }
        let places = Dictionary(
            uniqueKeysWithValues: edit.insertions.enumerated().map { ($0.element.key, $0.offset) })
        items = Self.sorted(items, \.new) { left, right in
            guard let left = left.key, let right = right.key else { return false }
            return (places[left] ?? 0) < (places[right] ?? 0)
        }
        var moved: [Item] = []
        let weights = UnmovedItems(of: count)
        let stays = UnmovedItems.stays(
            items.map(\.place), weights: items.map { weights.weight(of: $0.length, modified: $0.modified) })
        for (item, stays) in zip(items, stays) {
            if !stays { moved.append(item) } else if let key = item.key { staying.insert(key) }
        }
        for run in moved where run.key == nil {
            let ranks = run.old..<(run.old + run.length)
            oldIndexes += Self.indexes(of: ranks, among: removed)
            newIndexes += Self.indexes(of: ranks, among: inserted)
        }
    }

    /// Returns the edited keys in their old order, and the runs between them.
    ///
    /// - Parameter modified: number of unedited keys before each modified one, ascending.
    private static func inOldOrder(_ both: [Item], of unedited: Int, modified: [Int]) -> [Item] {
        let cuts = Set(both.flatMap { [$0.old, $0.new] } + [0, unedited]).sorted()
        let modifiedBefore = cuts.map { cut in modified.partitioningIndex { $0 >= cut } }
        let runs = zip(cuts, cuts.dropFirst()).enumerated().map { index, cut in
            Item(
                key: nil, old: cut.0, new: cut.0, length: cut.1 - cut.0,
                modified: modifiedBefore[index + 1] - modifiedBefore[index])
        }
        return sorted(both + runs, \.old) { _, _ in false }
    }

    /// Sorts items by rank. A run follows the edited keys of the same rank, which `comesBefore` orders.
    private static func sorted(
        _ items: [Item], _ rank: KeyPath<Item, Int>, _ comesBefore: (Item, Item) -> Bool
    ) -> [Item] {
        // Equal items keep their order.
        items.enumerated().sorted { left, right in
            let (a, b) = (left.element, right.element)
            if a[keyPath: rank] != b[keyPath: rank] { return a[keyPath: rank] < b[keyPath: rank] }
            if (a.key == nil) != (b.key == nil) { return a.key != nil }
            if comesBefore(a, b) { return true }
            return comesBefore(b, a) ? false : left.offset < right.offset
        }.map(\.element)
    }

    /// Returns the indexes of unedited keys, given the number of unedited keys before each.
    private static func indexes(of ranks: Range<Int>, among edited: [Int]) -> [Int] {
        var before = edited.partitioningIndex { $0 > ranks.lowerBound }
        return ranks.map { rank in
            while before < edited.count, edited[before] <= rank { before += 1 }
            return rank + before
        }
    }
}

extension [Int] {
    /// Whether the ascending array contains a number.
    fileprivate func containsSorted(_ number: Int) -> Bool {
        let index = partitioningIndex { $0 >= number }
        return index < count && self[index] == number
    }
}
