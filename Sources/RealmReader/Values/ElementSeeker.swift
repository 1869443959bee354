package import RealmLayout

/// Finds elements of the collection of one object (Spec 40): to read some of a long one takes less than to read all of it.
package struct ElementSeeker {
    /// The leaves of a tree, and how many elements are in each and in those before it. Where there is one leaf nothing is allocated.
    private struct Leaves {
        let type: LeafType
        private var refs: [Ref] = []
        private var ends: [Int] = []
        /// The leaf that was opened last, and the elements in it; of an encrypted file, where leaves do not stay, none.
        private var opened: (leaf: ColumnLeaf, elements: Range<Int>)?
        let count: Int

        init(_ root: Ref, _ type: LeafType, in space: NodeSpace, _ budget: inout WorkBudget) throws(FormatError) {
            self.type = type
            let tree = BPlusTree(root: root, of: type, in: space)
            if !space.isTransient, let leaf = try tree.singleLeaf(&budget) {
                opened = (leaf, 0..<leaf.count)
                count = leaf.count
                return
            }
            for leaf in try tree.leaves(&budget) {
                refs.append(leaf.ref)
                ends.append((ends.last ?? 0) + leaf.count)
            }
            count = ends.last ?? 0
        }

        /// The leaf with an element, and the element's row in it.
        mutating func find(_ index: Int, in space: NodeSpace) throws(FormatError) -> (leaf: ColumnLeaf, row: Int) {
            if let opened, opened.elements.contains(index) { return (opened.leaf, index - opened.elements.lowerBound) }
            let number = ends.partitioningIndex { $0 > index }
            let start = number == 0 ? 0 : ends[number - 1]
            let leaf = try ColumnLeaf(at: refs[number], as: type, in: space)
            if !space.isTransient { opened = (leaf, start..<ends[number]) }
            return (leaf, index - start)
        }

        func forEach(in space: NodeSpace, _ body: (ColumnLeaf) -> Void) throws(FormatError) {
            if refs.isEmpty, let opened { return body(opened.leaf) }
            for ref in refs { body(try ColumnLeaf(at: ref, as: type, in: space)) }
        }
    }

    private let object: StoredObject
    private let property: PropertyIndex
    private let target: LinkTarget?
    private var values: Leaves
    /// The keys of a dictionary.
    private var keys: Leaves?

    /// The number of elements or entries.
    package var count: Int { values.count }

    fileprivate init?(_ object: StoredObject, _ index: PropertyIndex) throws(FormatError) {
        let space = object.home.space
        guard let roots = try CollectionRoots(object, index) else { return nil }
        (self.object, property, target) = (object, index, roots.target)
        var budget = WorkBudget(for: space)
        values = try Leaves(roots.elements, roots.elementType, in: space, &budget)
        guard let (root, type) = roots.keys else { return }
        let keys = try Leaves(root, type, in: space, &budget)
        guard keys.count == values.count else {
            throw DictionaryTree.wrongCount(keys.count, values.count, at: roots.root)
        }
        self.keys = keys
    }

    /// An element, or the value of an entry.
    ///
    /// - Precondition: the index is at least 0 and below `count`.
    /// - Throws: what reading it throws.
    package mutating func value(at index: Int) throws(FormatError) -> Value {
        try object.reading(property) { space throws(FormatError) in
            let (leaf, row) = try values.find(index, in: space)
            var reader = ValueReader(space)
            return try reader.element(leaf, row, target, object.home)
        }
    }

    /// The index of the entry with a key, which is found by halves: keys are in the order of their bytes since format 24.
    ///
    /// - Returns: nil where there is none, and where keys are no strings.
    /// - Throws: what reading keys throws.
    package mutating func index(ofKey key: String) throws(FormatError) -> Int? {
        guard case .string? = keys?.type else { return nil }
        let bytes = Array(key.utf8)
        return try object.reading(property) { space throws(FormatError) in
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
            return try object.reading(property) { space throws(FormatError) in
                var keys: [ObjectKey] = []
                keys.reserveCapacity(min(count, WorkBudget.largestReserve))
                try values.forEach(in: space) { leaf in
                    for row in 0..<leaf.count {
                        if let key = leaf.link(at: row), !key.isUnresolved { keys.append(key) }
                    }
                }
                return keys
            }
        }
    }

    private mutating func key(at index: Int, in space: NodeSpace) throws(FormatError) -> ByteView? {
        guard let (leaf, row) = try keys?.find(index, in: space) else { return nil }
        return try leaf.string(at: row, in: space)
    }
}

/// The trees of the collection of one object (Spec 40).
private struct CollectionRoots {
    /// What the object has for the collection.
    let root: Ref
    let elements: Ref
    let elementType: LeafType
    /// Of a dictionary.
    let keys: (root: Ref, type: LeafType)?
    let target: LinkTarget?

    /// Nil for a collection that has never had an element, for one whose form is older than format 23, and for a property of another kind.
    init?(_ object: StoredObject, _ index: PropertyIndex) throws(FormatError) {
        let home = object.home
        let opened = try home.property(at: index)
        guard let kind = opened.collection, let root = try opened.leaf.collection(at: object.row) else { return nil }
        self.root = root
        target = opened.target
        guard case .dictionary(let keyType) = kind else {
            (elements, elementType, keys) = (root, opened.elementType, nil)
            return
        }
        guard home.hasPairDictionaries else { return nil }
        let roots = try DictionaryTree.pair(at: root, in: home.space)
        (elements, elementType, keys) = (roots.values, .mixed, (roots.keys, keyType.leafType))
    }
}

extension StoredObject {
    /// What finds the elements of the collection of a property.
    ///
    /// - Returns: nil for one that has never had an element, for one whose form is older than format 23, and for a property of another kind.
    /// - Throws: what opening the leaves of the collection throws.
    package func elements(of index: PropertyIndex) throws(FormatError) -> ElementSeeker? {
        try reading(index) { _ throws(FormatError) in try ElementSeeker(self, index) }
    }

    /// The number of elements of the collection of a property, without looking at them.
    ///
    /// - Returns: nil as `elements(of:)`.
    /// - Throws: what opening the roots of the collection throws.
    package func elementCount(of index: PropertyIndex) throws(FormatError) -> Int? {
        try reading(index) { space throws(FormatError) in
            guard let roots = try CollectionRoots(self, index) else { return nil }
            let count = try BPlusTree(root: roots.elements, of: roots.elementType, in: space).storedCount()
            guard let (root, type) = roots.keys else { return count }
            let keyCount = try BPlusTree(root: root, of: type, in: space).storedCount()
            guard keyCount == count else { throw DictionaryTree.wrongCount(keyCount, count, at: roots.root) }
            return count
        }
    }
}
