internal import RealmCore
internal import RealmLayout

/// A collection that a transaction changes. A list or set is one B+tree, a dictionary has a second one for its keys
/// (Spec 40).
final class CollectionChanges {
    let kind: CollectionKind
    /// The elements, or the values of the entries.
    let values: MutableBPlusTree
    /// The keys of a dictionary.
    let keys: MutableBPlusTree?
    private let root: Ref?
    private let space: NodeSpace
    /// Links to removed objects that are still among the elements. They are removed together when the collection is
    /// next used.
    private(set) var gone = LinkRedirection()
    /// Whether a NaN is between other elements; nil before it is determined.
    private var isDisordered: Bool?

    /// - Parameters:
    ///   - root: the root of the collection; nil for an empty one.
    ///   - type: how elements are stored; those of dictionaries are Mixed.
    /// - Throws: errors of reading the collection.
    init(
        _ kind: CollectionKind, _ root: Ref?, of type: LeafType, in space: NodeSpace
    ) throws(FormatError) {
        (self.kind, self.root, self.space) = (kind, root, space)
        guard case .dictionary(let keyType) = kind else {
            values = try MutableBPlusTree(root, of: type, in: space)
            keys = nil
            return
        }
        let roots: (keys: Ref, values: Ref)? =
            if let root { try DictionaryTree.pair(at: root, in: space) } else { nil }
        values = try MutableBPlusTree(roots?.values, of: .mixed, in: space)
        let keys = try MutableBPlusTree(roots?.keys, of: keyType.leafType, in: space)
        if let root, keys.count != values.count {
            throw DictionaryTree.wrongCount(keys.count, values.count, at: root)
        }
        self.keys = keys
    }

    var count: Int { values.count }
    var isChanged: Bool { values.isChanged || keys?.isChanged ?? false }

    /// The position of an element of a set, or the position at which it would be inserted.
    func position(of element: MixedValue) throws(FormatError) -> (index: Int, isThere: Bool) {
        let found = try Self.position(of: element, in: values)
        guard !found.isThere, try hasDisorder() else { return found }
        for index in 0..<values.count
        where SetOrder.compare(try values.value(at: index), element, areDecimals: false) == 0 {
            return (index, true)
        }
        return found
    }

    /// Whether binary search is impossible: for Realm Core, NaN compares with nothing, and may be anywhere in a set
    /// (Spec 40).
    private func hasDisorder() throws(FormatError) -> Bool {
        guard values.type == .double || values.type == .float else { return false }
        if let isDisordered { return isDisordered }
        var isDisordered = false
        for index in 0..<values.count where index > 0 && !isDisordered {
            switch try values.value(at: index) {
            case .float(let bits): isDisordered = Float(bitPattern: bits).isNaN
            case .double(let bits): isDisordered = Double(bitPattern: bits).isNaN
            default: break
            }
        }
        self.isDisordered = isDisordered
        return isDisordered
    }

    /// The position of a key, or the position at which it would be inserted. Keys have the order of elements of sets:
    /// by their bytes, or by their numbers.
    func position(ofKey key: MixedValue) throws(FormatError) -> (index: Int, isThere: Bool) {
        guard let keys else { return (0, false) }
        return try Self.position(of: key, in: keys)
    }

    /// The position of the element or entry of a step; nil if there is none.
    func position(of step: NestedStep<String>) throws(FormatError) -> Int? {
        switch step {
        case .index(let index): return !kind.isDictionary && index >= 0 && index < count ? index : nil
        case .key(let key):
            guard case .string? = keys?.type else { return nil }
            let bytes = Array(key.utf8)
            let (index, isThere) = try ByteView.with(bytes) { key throws(FormatError) in
                try position(ofKey: .string(key))
            }
            return isThere ? index : nil
        }
    }

    private static func position(
        of value: MixedValue, in tree: MutableBPlusTree
    ) throws(FormatError) -> (index: Int, isThere: Bool) {
        let areDecimals = tree.type == .decimal128
        let index = try tree.firstIndex { SetOrder.compare($0, value, areDecimals: areDecimals) < 0 }
        guard index < tree.count else { return (index, false) }
        return (index, SetOrder.compare(try tree.value(at: index), value, areDecimals: areDecimals) == 0)
    }

    /// Records that links to an object have to be removed.
    func noteGone(_ target: ObjectKey, of table: TableKey) { gone.insert(target, of: table) }

    /// Returns the recorded links and clears them; the caller removes them from the collection.
    func takeGone() -> LinkRedirection {
        defer { gone = LinkRedirection() }
        return gone
    }

    /// Removes an element or entry.
    func remove(at index: Int) throws(FormatError) {
        try keys?.remove(at: index)
        try values.remove(at: index)
    }

    /// Writes the changes.
    ///
    /// - Parameter released: receives the nodes that are no longer used.
    /// - Returns: the root; nil for an empty collection.
    func write(_ nodes: NodeOutput, _ released: inout FreedNodes) throws -> Ref? {
        guard isChanged else { return root }
        let newValues = try values.write(nodes, &released)
        guard let keys else { return newValues }
        let newKeys = try keys.write(nodes, &released)
        try released.add(root, in: space)
        guard let newKeys, let newValues else { return nil }
        return try nodes.refs([Int64(newKeys.offset), Int64(newValues.offset)])
    }
}
