package import RealmLayout

/// The leaves of a tree, with their element counts and those before them. A single leaf needs no allocation.
private struct TreeLeaves {
    let type: LeafType
    private var refs: [Ref] = []
    private var ends: [Int] = []
    /// The most recently opened leaf, and the range of its elements; nil in an encrypted file, where leaves can be
    /// evicted.
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

    /// Makes the leaves of an empty tree.
    init(empty type: LeafType) { (self.type, count) = (type, 0) }

    /// Returns the leaf with an element, and the element's row in it.
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

/// The leaves of a collection, for access to its elements (Spec 40).
package struct CollectionLeaves {
    private var values: TreeLeaves
    /// The keys of a dictionary.
    private var keys: TreeLeaves?

    /// The number of elements or entries.
    package var count: Int { values.count }
    /// Whether elements are links.
    var areLinks: Bool { if case .link = values.type { true } else { false } }

    init(_ roots: CollectionRoots, in space: NodeSpace) throws(FormatError) {
        var budget = WorkBudget(for: space)
        values = try TreeLeaves(roots.elements, roots.elementType, in: space, &budget)
        guard let (root, type) = roots.keys else { return }
        let keys = try TreeLeaves(root, type, in: space, &budget)
        guard keys.count == values.count else {
            throw DictionaryTree.wrongCount(keys.count, values.count, at: roots.root)
        }
        self.keys = keys
    }

    /// Opens the leaves of a collection in a Mixed value.
    ///
    /// - Returns: nil when the value is not a collection.
    /// - Throws: errors from opening leaves.
    package init?(_ value: MixedValue, in space: NodeSpace) throws(FormatError) {
        switch value {
        case .list(nil): self.init(empty: nil)
        case .dictionary(nil): self.init(empty: TreeLeaves(empty: .string))
        default:
            guard let roots = try CollectionRoots(value, in: space) else { return nil }
            try self.init(roots, in: space)
        }
    }

    private init(empty keys: TreeLeaves?) { (values, self.keys) = (TreeLeaves(empty: .mixed), keys) }

    /// Returns the leaf with an element, or with the value of an entry, and the row in it.
    ///
    /// - Precondition: the index is at least 0 and below `count`.
    mutating func find(_ index: Int, in space: NodeSpace) throws(FormatError) -> (leaf: ColumnLeaf, row: Int) {
        try values.find(index, in: space)
    }

    /// Returns the index of the entry with a key, by binary search: since format 24 keys are ordered by their bytes.
    ///
    /// - Returns: nil when there is none, or keys are not strings.
    mutating func index(ofKey key: String, in space: NodeSpace) throws(FormatError) -> Int? {
        guard case .string? = keys?.type else { return nil }
        let bytes = Array(key.utf8)
        return try ByteView.with(bytes) { sought throws(FormatError) in
            let index = try (0..<count).partitioningIndex { index throws(FormatError) in
                try storedKey(at: index, in: space).map { $0.order(sought) >= 0 } ?? false
            }
            return index < count ? try storedKey(at: index, in: space)?.order(sought) == 0 ? index : nil : nil
        }
    }

    /// Returns the leaf and row that a step leads to; nil when there is none.
    mutating func find(
        _ step: NestedStep<String>, in space: NodeSpace
    ) throws(FormatError) -> (leaf: ColumnLeaf, row: Int)? {
        let found: Int?
        switch step {
        case .index(let index): found = keys == nil && index >= 0 && index < count ? index : nil
        case .key(let key): found = try index(ofKey: key, in: space)
        }
        guard let found else { return nil }
        return try values.find(found, in: space)
    }

    /// Returns the Mixed value that a step leads to; nil when there is none.
    ///
    /// - Precondition: elements are Mixed values.
    /// - Throws: errors from opening leaves and reading the value.
    package mutating func mixed(at step: NestedStep<String>, in space: NodeSpace) throws(FormatError) -> MixedValue? {
        guard let (leaf, row) = try find(step, in: space) else { return nil }
        return try leaf.mixed(at: row, in: space)
    }

    func forEachLeaf(in space: NodeSpace, _ body: (ColumnLeaf) -> Void) throws(FormatError) {
        try values.forEach(in: space, body)
    }

    private mutating func storedKey(at index: Int, in space: NodeSpace) throws(FormatError) -> ByteView? {
        guard let (leaf, row) = try keys?.find(index, in: space) else { return nil }
        return try leaf.string(at: row, in: space)
    }
}

/// The trees of a collection of one object (Spec 40).
struct CollectionRoots {
    /// The ref stored in the object.
    let root: Ref
    let elements: Ref
    let elementType: LeafType
    /// The keys of a dictionary.
    let keys: (root: Ref, type: LeafType)?
    let target: LinkResolver?

    /// Finds the trees of a property.
    ///
    /// Nil for a collection that never had an element, for a form older than format 23, and for other properties.
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

    /// Finds the trees of a Mixed value; nil when it is not a collection, or is empty.
    init?(_ value: MixedValue, in space: NodeSpace) throws(FormatError) {
        (elementType, target) = (.mixed, nil)
        switch value {
        case .list(let root?): (self.root, elements, keys) = (root, root, nil)
        case .dictionary(let root?):
            let roots = try DictionaryTree.pair(at: root, in: space)
            (self.root, elements, keys) = (root, roots.values, (roots.keys, .string))
        default: return nil
        }
    }
}
