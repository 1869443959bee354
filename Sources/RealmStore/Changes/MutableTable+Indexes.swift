internal import RealmCore
internal import RealmLayout

// Changes of the indexes of a table.
extension MutableTable {
    /// Records that an object is new although its key does not exceed the highest key of the base.
    func noteNew(_ object: ObjectKey) throws(FormatError) {
        guard !isNew(object) else { return }
        for index in indexed where index.storedEntries[object.value] == nil {
            var before = IndexedColumn.Entries.several([])
            // An object with the same key may have been removed.
            if hasOneEntry(index),
                let value = try storedValue(of: object, index)
            {
                before = .one(IndexKeyBytes(value))
            }
            index.storedEntries[object.value] = before
        }
    }

    /// Records that an object is about to be removed.
    func noteRemoval(_ object: ObjectKey) throws {
        guard !isNew(object) else { return }
        if !indexed.isEmpty { removedObjects.append(object.value) }
        // Other entries can be determined only while the object exists. Indexes with one entry for each object are
        // handled together later.
        for index in indexed where !hasOneEntry(index) && index.storedEntries[object.value] == nil {
            index.storedEntries[object.value] = try entries(of: object, index, in: space)
        }
    }

    /// Whether an index has exactly one entry for each object: its value.
    private func hasOneEntry(_ index: IndexedColumn) -> Bool {
        index.kind != .fullText && constraints[index.property].collection == nil
    }

    /// The value of an object in an indexed column of the base; nil if there is no such object.
    func storedValue(of object: ObjectKey, _ index: IndexedColumn) throws(FormatError) -> MixedValue? {
        guard let (cluster, row) = try core.objects.find(object) else { return nil }
        return try Self.value(row, of: cluster.leaf(of: index.column, in: space), in: space)
    }

    private static func value(_ row: Int, of leaf: ColumnLeaf, in space: NodeSpace) throws(FormatError) -> MixedValue? {
        if leaf.encoding == .mixed { return try leaf.mixed(at: row, in: space) }
        guard case .value(let value) = try leaf.scalar(at: row, in: space) else { return nil }
        return value
    }

    /// Adds the entries of removed objects for which nothing else was recorded.
    private func addRemoved(_ index: IndexedColumn, to changes: inout IndexChanges) throws(FormatError) {
        guard hasOneEntry(index), !removedObjects.isEmpty else { return }
        let space = space
        var open: (location: ClusterTree.Location, cluster: Cluster, leaf: ColumnLeaf)?
        for object in removedObjects where index.storedEntries.isEmpty || index.storedEntries[object] == nil {
            let (key, number) = (ObjectKey(object), UInt64(bitPattern: object))
            if open.map({ number < $0.location.firstKey || number > $0.location.lastKey }) ?? true {
                let location = try core.objects.location(of: key)
                let cluster = try Cluster(space.node(at: location.ref), keyOffset: location.keyOffset, in: space)
                open = (location, cluster, try cluster.leaf(of: index.column, in: space))
            }
            guard let (_, cluster, leaf) = open, let row = cluster.row(of: key),
                let value = try Self.value(row, of: leaf, in: space)
            else { continue }
            changes.add(IndexKeyBytes(value), object, isAdded: false)
        }
    }

    /// Records the index entries of an object before one or all of its properties change.
    func noteIndexes(_ object: ObjectKey, property: PropertyIndex? = nil) throws {
        guard !isNew(object), property.map({ areIndexed[$0] }) ?? true else { return }
        for index in indexed where property.map({ $0 == index.property }) ?? true {
            guard index.storedEntries[object.value] == nil else { continue }
            let entries = try entries(of: object, index, in: space)
            // If the object was removed before, its removal has been recorded.
            if case .several = entries, hasOneEntry(index) { continue }
            index.storedEntries[object.value] = entries
        }
    }

    /// The entries that an index must have for an object.
    private func entries(
        of object: ObjectKey, _ index: IndexedColumn, in space: NodeSpace
    ) throws -> IndexedColumn.Entries {
        guard let (cluster, row) = try objects.find(object) else { return .several([]) }
        let isList = constraints[index.property].collection != nil
        if !isList, index.kind != .fullText { return .one(IndexKeyBytes(try cluster.value(row, of: index.column))) }
        let values = try cluster.values(index.column)
        var entries: [IndexKeyBytes] = []
        try Self.forEachEntry(values, row, index.kind, isList: isList, in: space) { entries.append($0) }
        return .several(entries)
    }

    /// Passes the entries that an index must have for a row to `body`.
    static func forEachEntry(
        _ values: MutableColumn, _ row: Int, _ kind: IndexKind, isList: Bool, in space: NodeSpace,
        _ body: (IndexKeyBytes) -> Void
    ) throws(FormatError) {
        guard !isList else {
            guard let root = Slot(values.numbers[row]).ref else { return }
            var words: Set<IndexKeyBytes> = []
            var budget = WorkBudget(for: space)
            for leaf in try BPlusTree(root: root, of: .string, in: space).leaves(&budget) {
                for element in 0..<leaf.count {
                    words.insert(IndexKeyBytes(word: try leaf.string(at: element, in: space)?.bytes))
                }
            }
            return words.forEach(body)
        }
        let value = values.value(at: row)
        guard kind == .fullText else { return body(IndexKeyBytes(value)) }
        guard case .string(let text) = value else { return }
        for word in FullTextWords.words(in: text) { body(IndexKeyBytes(word: word)) }
    }

    /// The entries to be added to and removed from an index.
    func changes(of index: IndexedColumn, in space: NodeSpace) throws -> IndexChanges {
        let property = constraints[index.property]
        var changes = IndexChanges(isMixed: property.type == .mixed)
        changes.reserve(removedObjects.count + index.storedEntries.count + (objects.tail?.count ?? 0))
        for (object, old) in index.storedEntries {
            let new = try entries(of: ObjectKey(object), index, in: space)
            if case (.one(let old), .one(let new)) = (old, new) {
                guard old != new else { continue }
                changes.add(old, object, isAdded: false)
                changes.add(new, object, isAdded: true)
                continue
            }
            // Sets, because a text has thousands of words.
            let (before, now) = (Set(old.all), Set(new.all))
            for value in before where !now.contains(value) { changes.add(value, object, isAdded: false) }
            for value in now where !before.contains(value) { changes.add(value, object, isAdded: true) }
        }
        try addRemoved(index, to: &changes)
        for cluster in objects.clusters.values { try addNew(of: cluster, index, to: &changes, in: space) }
        let isScalar = property.isScalar && index.kind != .fullText
        for step in try objects.tail?.steps(asking: !isScalar) ?? [] {
            guard case .written(let part) = step else {
                if case .changed(let cluster) = step { try addNew(of: cluster, index, to: &changes, in: space) }
                continue
            }
            let cluster = try Cluster(space.node(at: part.ref), keyOffset: part.keyOffset, in: space)
            var first = 0
            while first < cluster.count, !isNew(cluster.key(unchecked: first)) { first += 1 }
            try changes.add(
                cluster.leaf(of: index.column, in: space), first..<cluster.count, of: cluster, in: space)
        }
        changes.sort()
        return changes
    }

    /// Adds the entries of new objects.
    private func addNew(
        of cluster: MutableCluster, _ index: IndexedColumn, to changes: inout IndexChanges, in space: NodeSpace
    ) throws(FormatError) {
        guard let last = cluster.lastKey, isNew(last) else { return }
        let isList = constraints[index.property].collection != nil
        let values = try cluster.values(index.column)
        for row in cluster.rows.reversed() {
            let key = cluster.allKeys[row]
            if !isNew(ObjectKey(key)) { break }
            try Self.forEachEntry(values, row, index.kind, isList: isList, in: space) {
                changes.add($0, key, isAdded: true)
            }
        }
    }
}

extension MutableTable.IndexedColumn.Entries {
    fileprivate var all: [IndexKeyBytes] {
        switch self {
        case .one(let value): [value]
        case .several(let values): values
        }
    }
}
