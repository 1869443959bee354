package import RealmLayout

/// Finds elements of the collection of one object (Spec 40): to read some of a long one takes less than to read all of it.
package final class ElementSeeker {
    /// The leaves of a tree, and how many elements are in each and in those before it.
    private struct Leaves {
        let type: LeafType
        var refs: [Ref] = []
        var ends: [Int] = []
        /// The leaf that was opened last; of an encrypted file, where leaves do not stay, none.
        var opened: (number: Int, leaf: ColumnLeaf)?

        init(_ root: Ref, _ type: LeafType, in space: NodeSpace, _ budget: inout WorkBudget) throws(FormatError) {
            self.type = type
            for leaf in try BPlusTree(root: root, of: type, in: space).leaves(&budget) {
                refs.append(leaf.ref)
                ends.append((ends.last ?? 0) + leaf.count)
            }
        }

        var count: Int { ends.last ?? 0 }

        /// The leaf with an element, and the element's row in it.
        mutating func find(_ index: Int, in space: NodeSpace) throws(FormatError) -> (leaf: ColumnLeaf, row: Int) {
            if let opened, index < ends[opened.number], index >= start(of: opened.number) {
                return (opened.leaf, index - start(of: opened.number))
            }
            let number = ends.partitioningIndex { $0 > index }
            let leaf = try ColumnLeaf(at: refs[number], as: type, in: space)
            if !space.isTransient { opened = (number, leaf) }
            return (leaf, index - start(of: number))
        }

        private func start(of number: Int) -> Int { number == 0 ? 0 : ends[number - 1] }
    }

    private let object: StoredObject
    private let property: PropertyIndex
    private let target: LinkTarget?
    private var values: Leaves
    /// The keys of a dictionary.
    private var keys: Leaves?

    /// The number of elements or entries.
    package var count: Int { values.count }

    fileprivate init?(_ object: StoredObject, _ index: PropertyIndex, least: Int) throws(FormatError) {
        let (home, space) = (object.home, object.home.space)
        let opened = try home.property(at: index)
        guard let kind = opened.collection, let root = try opened.leaf.collection(at: object.row) else { return nil }
        (self.object, property, target) = (object, index, opened.target)
        var budget = WorkBudget(for: space)
        if case .dictionary(let keyType) = kind {
            guard home.hasPairDictionaries else { return nil }
            let roots = try DictionaryTree.pair(at: root, in: space)
            guard try Self.has(least, roots.values, .mixed, in: space) else { return nil }
            let keys = try Leaves(roots.keys, keyType.leafType, in: space, &budget)
            values = try Leaves(roots.values, .mixed, in: space, &budget)
            guard keys.count == values.count else {
                throw DictionaryTree.wrongCount(keys.count, values.count, at: root)
            }
            self.keys = keys
        } else {
            guard try Self.has(least, root, opened.elementType, in: space) else { return nil }
            values = try Leaves(root, opened.elementType, in: space, &budget)
        }
    }

    /// Whether a tree has some elements at least.
    private static func has(_ least: Int, _ root: Ref, _ type: LeafType, in space: NodeSpace) throws(FormatError)
        -> Bool
    {
        try BPlusTree(root: root, of: type, in: space).storedCount() >= least
    }

    /// An element, or the value of an entry.
    ///
    /// - Precondition: the index is at least 0 and below `count`.
    /// - Throws: what reading it throws.
    package func value(at index: Int) throws(FormatError) -> Value {
        try reading { space throws(FormatError) in
            let (leaf, row) = try values.find(index, in: space)
            var reader = ValueReader(space)
            return try reader.element(leaf, row, target, object.home)
        }
    }

    /// The index of the entry with a key, which is found by halves: keys are in the order of their bytes since format 24.
    ///
    /// - Returns: nil where there is none, and where keys are no strings.
    /// - Throws: what reading keys throws.
    package func index(ofKey key: String) throws(FormatError) -> Int? {
        guard case .string? = keys?.type else { return nil }
        let bytes = Array(key.utf8)
        return try reading { space throws(FormatError) in
            try ByteView.with(bytes) { sought throws(FormatError) in
                let index = try (0..<count).partitioningIndex { index throws(FormatError) in
                    try self.key(at: index, in: space).map { $0.order(sought) >= 0 } ?? false
                }
                return index < count ? try self.key(at: index, in: space)?.order(sought) == 0 ? index : nil : nil
            }
        }
    }

    /// The objects that the links of a list or set lead to, in their order; links to tombstones are left out.
    ///
    /// - Returns: nil for elements that are no links.
    /// - Throws: what opening leaves throws.
    package var linkedKeys: [ObjectKey]? {
        get throws(FormatError) {
            guard case .link = values.type else { return nil }
            return try reading { space throws(FormatError) in
                var keys: [ObjectKey] = []
                keys.reserveCapacity(min(count, WorkBudget.largestReserve))
                for ref in values.refs {
                    let leaf = try ColumnLeaf(at: ref, as: values.type, in: space)
                    for row in 0..<leaf.count {
                        if let key = leaf.link(at: row), !key.isUnresolved { keys.append(key) }
                    }
                }
                return keys
            }
        }
    }

    private func key(at index: Int, in space: NodeSpace) throws(FormatError) -> ByteView? {
        guard let (leaf, row) = try keys?.find(index, in: space) else { return nil }
        return try leaf.string(at: row, in: space)
    }

    private func reading<R>(_ body: (NodeSpace) throws(FormatError) -> R) throws(FormatError) -> R {
        let (table, space) = (object.table, object.home.space)
        do {
            guard space.isTransient else { return try body(space) }
            return try table.snapshot.reading { () throws(FormatError) in try body(space) }
        } catch {
            let name = table.schema.properties[property].name
            throw error.at(table: table.schema.tableName, property: name, objectKey: object.key)
        }
    }
}

extension StoredObject {
    /// What finds the elements of the collection of a property.
    ///
    /// - Parameter least: the elements that it has at least.
    /// - Returns: nil for one of fewer elements, for one whose form is older than format 23, and for a property of another kind.
    /// - Throws: what opening the leaves of the collection throws.
    package func elements(of index: PropertyIndex, least: Int) throws(FormatError) -> ElementSeeker? {
        guard home.space.isTransient else { return try ElementSeeker(self, index, least: least) }
        return try table.snapshot.reading { () throws(FormatError) in
            try ElementSeeker(self, index, least: least)
        }
    }
}
