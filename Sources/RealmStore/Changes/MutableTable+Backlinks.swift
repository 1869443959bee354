internal import RealmCore
internal import RealmLayout

/// The backlinks to be added to and removed from a table.
struct NotedLinks {
    /// The changes by the index of their column of backlinks.
    private(set) var byColumn: [[LinkChange]] = []
    /// A filter of the affected objects: one bit for all keys with the same hash.
    private var targets: [UInt64] = []

    var isEmpty: Bool { targets.isEmpty }

    mutating func add(_ change: LinkChange, in column: ColumnIndex) {
        byColumn.makeRoom(for: column, filling: [])
        byColumn[column: column].append(change)
        if targets.isEmpty { targets = [UInt64](repeating: 0, count: 256) }
        let hash = Self.hash(change.target)
        targets[hash >> 6] |= 1 << UInt64(hash & 63)
    }

    /// Whether there may be changes for an object.
    func mayHave(_ target: ObjectKey) -> Bool {
        let hash = Self.hash(target)
        return !targets.isEmpty && targets[hash >> 6] & (1 << UInt64(hash & 63)) != 0
    }

    /// A hash of 14 bits.
    private static func hash(_ key: ObjectKey) -> Int {
        Int(truncatingIfNeeded: (UInt64(bitPattern: key.value) &* 0x9E37_79B9_7F4A_7C15) &>> 50)
    }
}

// Added and removed links, and the columns of backlinks of their targets.
extension MutableTable {
    /// Records a change of a link to an object of this table.
    ///
    /// - Parameter column: the index of the column of backlinks.
    func note(_ change: LinkChange, in column: ColumnIndex) { noted.add(change, in: column) }

    /// Returns the index of the column of backlinks for a column of links; nil if there is none.
    func backlinkColumn(of origin: ColumnKey, in table: TableKey) -> ColumnIndex? {
        backlinks.first { $0.column == origin && $0.table == table }?.index
    }

    /// Returns the origins of the backlinks of an object.
    func origins(_ element: Int64, in space: NodeSpace) throws(FormatError) -> [Int64] {
        switch Slot(element) {
        case .empty: return []
        case .tagged(let number): return [Int64(bitPattern: number)]
        case .ref(let root):
            var budget = WorkBudget(for: space)
            return try BPlusTree.numbers(at: root, in: space, &budget)
        }
    }

    /// Applies the recorded changes to the columns of backlinks.
    ///
    /// - Parameter target: if given, does nothing unless there may be changes for this object.
    func settleLinks(
        _ nodes: NodeOutput, _ released: inout FreedNodes, of target: ObjectKey? = nil
    ) throws {
        guard target.map({ self.noted.mayHave($0) }) ?? !self.noted.isEmpty else { return }
        let noted = self.noted.byColumn
        self.noted = NotedLinks()
        var left: Set<ObjectKey> = []
        for (index, changes) in noted.enumerated() {
            let changes = LinkChange.sorted(changes)
            var start = 0
            while start < changes.count {
                var end = start + 1
                while end < changes.count, changes[end].target == changes[start].target { end += 1 }
                try settle(changes[start..<end], in: ColumnIndex(index), nodes, &released)
                let target = changes[start].target
                if target.isUnresolved, changes[start..<end].contains(where: { !$0.isAdded }) { left.insert(target) }
                start = end
            }
        }
        for tombstone in left { try removeUnlessLinked(tombstone) }
    }

    /// Removes a tombstone without remaining links: it only stood for the target of links (Spec 50, 220).
    private func removeUnlessLinked(_ tombstone: ObjectKey) throws {
        guard let (cluster, row) = try tombstones?.find(tombstone) else { return }
        for column in backlinks {
            guard let stored = objects.slots[column: column.index] else { continue }
            let values = try cluster.values(stored)
            guard values.numbers[row] == 0 else { return }
        }
        cluster.remove(row)
    }

    private func settle(
        _ changes: ArraySlice<LinkChange>, in columnIndex: ColumnIndex, _ nodes: NodeOutput,
        _ released: inout FreedNodes
    ) throws {
        let target = changes[changes.startIndex].target
        let space = space.with(overlay: nodes.written)
        let place = try tree(of: target)?.find(target)
        // The object may have been removed after the link was created.
        guard let (cluster, row) = place, let column = objects.slots[column: columnIndex] else { return }
        let values = try cluster.values(column)
        let old = values.numbers[row]
        var (added, gone): ([Int64], [Int64]) = ([], [])
        for change in changes {
            if change.isAdded { added.append(change.origin.value) } else { gone.append(change.origin.value) }
        }
        gone = added.removeLast(ofEach: gone.sorted()[...])
        // Most objects get a single link, which needs no list.
        if old == 0, gone.isEmpty, added.count == 1 { return values.set(row, number: added[0] << 1 | 1) }
        let list = try NumberListUpdate(old, .coming, nodes, in: space)
        guard try list.remove(gone) else {
            throw FormatError(.badLink, "an object has no backlink for a link that leads to it").at(
                table: core.schema.tableName, objectKey: target)
        }
        try list.add(added)
        values.set(row, number: try list.write(&released))
    }
}
