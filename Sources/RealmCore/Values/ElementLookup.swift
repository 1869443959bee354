package import RealmLayout

/// Random access to the elements of one object's collection (Spec 40), including a collection inside a Mixed value.
/// Cheaper than reading a long collection completely.
package struct ElementLookup {
    private let object: StoredObject
    private let property: PropertyIndex
    private let target: LinkResolver?
    private var leaves: CollectionLeaves

    /// The number of elements or entries.
    package var count: Int { leaves.count }

    fileprivate init(_ object: StoredObject, _ index: PropertyIndex, _ roots: CollectionRoots) throws(FormatError) {
        (self.object, property, target) = (object, index, roots.target)
        leaves = try CollectionLeaves(roots, in: object.home.space)
    }

    /// Reads an element, or the value of an entry; nested collections are read without their elements.
    ///
    /// - Precondition: the index is at least 0 and below `count`.
    /// - Throws: errors from reading it.
    package mutating func value(at index: Int) throws(FormatError) -> Value {
        try object.reading(property) { space throws(FormatError) in
            let (leaf, row) = try leaves.find(index, in: space)
            var reader = ValueReader(space, isShallow: true)
            return try reader.element(leaf, row, target, object.home)
        }
    }

    /// Returns the index of the entry with a key, by binary search: since format 24 keys are ordered by their bytes.
    ///
    /// - Returns: nil when there is none, or keys are not strings.
    /// - Throws: errors from reading keys.
    package mutating func index(ofKey key: String) throws(FormatError) -> Int? {
        try object.reading(property) { space throws(FormatError) in try leaves.index(ofKey: key, in: space) }
    }

    /// The targets of the links in a list or set, in order, without tombstones.
    ///
    /// - Returns: nil when elements are not links.
    /// - Throws: errors from opening leaves.
    package var linkedKeys: [ObjectKey]? {
        get throws(FormatError) {
            guard leaves.areLinks else { return nil }
            return try object.reading(property) { space throws(FormatError) in
                var keys: [ObjectKey] = []
                keys.reserveCapacity(min(count, WorkBudget.largestReserve))
                try leaves.forEachLeaf(in: space) { leaf in
                    for row in 0..<leaf.count {
                        if let key = leaf.link(at: row), !key.isUnresolved { keys.append(key) }
                    }
                }
                return keys
            }
        }
    }
}

/// The location of a Mixed value: that of a property, or one in a collection inside it.
private struct MixedPlace {
    let leaf: ColumnLeaf
    let row: Int
    /// The number of enclosing collections that are themselves Mixed values.
    private(set) var depth = 0

    /// - Returns: nil when the path leads nowhere, or to a value of another type.
    init?(
        _ object: StoredObject, _ index: PropertyIndex, _ path: [NestedStep<String>], in space: NodeSpace
    ) throws(FormatError) {
        let property = try object.home.property(at: index)
        var (leaf, row, rest) = (property.leaf, object.row, path[...])
        if property.collection != nil {
            guard let step = rest.popFirst(), let roots = try CollectionRoots(object, index) else { return nil }
            var leaves = try CollectionLeaves(roots, in: space)
            guard let found = try leaves.find(step, in: space) else { return nil }
            (leaf, row) = found
        }
        guard case .mixed = leaf.encoding else { return nil }
        for step in rest {
            try Nesting.collections.check(level: depth + 1, at: leaf.ref)
            guard var leaves = try CollectionLeaves(leaf.mixed(at: row, in: space), in: space),
                let found = try leaves.find(step, in: space)
            else { return nil }
            (leaf, row) = found
            depth += 1
        }
        (self.leaf, self.row) = (leaf, row)
    }
}

extension CollectionRoots {
    /// Finds the trees of the collection at the end of a path into a property.
    fileprivate init?(
        _ object: StoredObject, _ index: PropertyIndex, _ place: CollectionInProperty, in space: NodeSpace
    ) throws(FormatError) {
        if place.path.isEmpty, try object.home.property(at: index).collection != nil {
            try self.init(object, index)
        } else {
            guard let found = try MixedPlace(object, index, place.path, in: space) else { return nil }
            let value = try found.leaf.mixed(at: found.row, in: space)
            guard place.kind.map({ $0.isKind(of: value) }) ?? true else { return nil }
            try self.init(value, in: space)
        }
    }
}

extension StoredObject {
    /// Returns access to the elements of a collection of a property.
    ///
    /// - Returns: nil when it is empty, has a form older than format 23, or has a different kind.
    /// - Throws: errors from opening the leaves of the collection.
    package func elements(
        of index: PropertyIndex, _ place: CollectionInProperty
    ) throws(FormatError) -> ElementLookup? {
        try reading(index) { space throws(FormatError) in
            try CollectionRoots(self, index, place, in: space).map { roots throws(FormatError) in
                try ElementLookup(self, index, roots)
            }
        }
    }

    /// Returns the number of elements of a collection of a property, without reading them.
    ///
    /// - Returns: nil in the same cases as `elements(of:_:)`.
    /// - Throws: errors from opening the roots of the collection.
    package func elementCount(of index: PropertyIndex, _ place: CollectionInProperty) throws(FormatError) -> Int? {
        try reading(index) { space throws(FormatError) in
            guard let roots = try CollectionRoots(self, index, place, in: space) else { return nil }
            let count = try BPlusTree(root: roots.elements, of: roots.elementType, in: space).storedCount()
            guard let (root, type) = roots.keys else { return count }
            let keyCount = try BPlusTree(root: root, of: type, in: space).storedCount()
            guard keyCount == count else { throw DictionaryTree.wrongCount(keyCount, count, at: roots.root) }
            return count
        }
    }

    /// Returns the Mixed value at the end of a path into a property.
    ///
    /// - Parameter isShallow: whether to read a collection without its elements.
    /// - Returns: null when the path leads nowhere.
    /// - Throws: errors from reading it.
    package func value(
        of index: PropertyIndex, inside path: [NestedStep<String>], isShallow: Bool
    ) throws(FormatError) -> Value {
        try reading(index) { space throws(FormatError) in
            guard let found = try MixedPlace(self, index, path, in: space) else { return .null }
            var reader = ValueReader(space, isShallow: isShallow)
            return try reader.mixed(found.leaf.mixedLeaf, found.row, home, depth: found.depth)
        }
    }
}
