package import RealmLayout

/// Builds one collection (Spec 40).
///
/// Elements of lists go straight into leaves. Elements of sets and dictionaries are buffered until the end, because
/// they are stored in sorted order.
package final class CollectionBuilder {
    private struct KeyRange: BitwiseCopyable {
        let start: Int
        let count: Int
        package var range: Range<Int> { start..<(start + count) }
    }

    /// A link with its target table; null in collections of links, which all have the same target table.
    struct StoredLink: BitwiseCopyable {
        let table: TableKey
        let key: ObjectKey
    }

    private let nodes: NodeOutput
    private(set) var kind = CollectionKind.list
    /// One leaf for each element type this builder was used for.
    private let leaves = OwnedObjects<LeafBuilder>()
    /// Indices of leaves by type number; negative for unused types.
    private let leafNumbers = UnsharedArray<Int>()
    private var leafNumber = 0
    private var hasUnresolvedLinks = false
    private var tree = BPlusTreeWriter()
    private let elements: UnsharedArray<FlatValue>
    private let bytes: UnsharedArray<UInt8>
    /// The positions of dictionary keys in `bytes`.
    private let keys: UnsharedArray<KeyRange>
    private let stringKeys: LeafBuilder
    private let integerKeys: LeafBuilder
    private var hasIntegerKeys = false
    /// Number of elements so far.
    private(set) var count = 0
    /// The links of a set or dictionary as stored, including repeated ones. Links of lists are noted when they are
    /// added.
    let links: UnsharedArray<StoredLink>
    /// Number of duplicate elements of a set, or of dictionary entries with a duplicate key.
    package var duplicates: Int { duplicateCount }
    private var duplicateCount = 0

    package init(_ nodes: NodeOutput) {
        self.nodes = nodes
        elements = UnsharedArray(in: nodes.folder)
        bytes = UnsharedArray(in: nodes.folder)
        keys = UnsharedArray(in: nodes.folder)
        links = UnsharedArray(in: nodes.folder)
        leafNumbers.append(repeating: -1, count: LeafType.numberCount)
        stringKeys = LeafBuilder(.string, nodes)
        integerKeys = LeafBuilder(.int(nullable: false), nodes)
    }

    /// Begins a collection. The element type of dictionaries must be Mixed.
    package func begin(_ kind: CollectionKind, of type: LeafType) {
        links.removeAll()
        self.kind = kind
        (count, duplicateCount, hasUnresolvedLinks, hasIntegerKeys) = (0, 0, false, false)
        leafNumber = leafNumbers[type.number]
        if leafNumber < 0 { addLeaf(type) }
    }

    @inline(never)
    private func addLeaf(_ type: LeafType) {
        leafNumber = leaves.count
        leafNumbers[type.number] = leafNumber
        leaves.append(LeafBuilder(type, nodes))
    }

    /// Calls `body` with the leaf for the type of the collection's elements.
    @inline(__always)
    private func withLeaf<R, E: Error>(_ body: (LeafBuilder) throws(E) -> R) throws(E) -> R {
        try leaves.with(leafNumber, body)
    }

    /// Sets the key of the next entry of a dictionary.
    package func add(key: ByteView) {
        let start = bytes.count
        bytes.append(key)
        keys.append(KeyRange(start: start, count: key.count))
    }

    /// Sets the key of the next entry of a dictionary with integer keys.
    package func add(key number: Int64) {
        hasIntegerKeys = true
        let start = bytes.count
        // Encoded so that the bytes order like the numbers.
        let ordered = UInt64(bitPattern: number) ^ (1 << 63)
        for shift in stride(from: 56, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: ordered >> UInt64(shift)))
        }
        keys.append(KeyRange(start: start, count: 8))
    }

    /// Adds the entries of an existing dictionary.
    ///
    /// - Parameters:
    ///   - runs: All of its entries.
    ///   - value: Maps each value to the one to add.
    package func add(
        entriesOf runs: [DictionaryTree.Run], in space: NodeSpace,
        _ value: (MixedValue) throws(WriteError) -> MixedValue
    ) throws(WriteError) {
        for run in runs {
            let hasNumbers = run.keys.encoding == .integers
            for index in 0..<run.count {
                if hasNumbers {
                    add(key: run.keys.int(at: run.keyStart + index))
                } else {
                    let key = try checked { () throws(FormatError) in
                        try run.keys.string(at: run.keyStart + index, in: space)
                    }
                    add(key: key ?? .empty)
                }
                let stored = try checked { () throws(FormatError) in
                    try run.values.mixed(at: run.valueStart + index, in: space)
                }
                try add(value(stored))
            }
        }
    }

    /// Removes a key that has no value yet.
    func dropKey() {
        if keys.count > elements.count { keys.removeLast(1) }
    }

    /// Adds an element, or the value of an entry.
    package func add(_ value: MixedValue) throws(WriteError) {
        count += 1
        if kind.isList {
            try append(value)
        } else {
            elements.append(FlatValue.copy(of: value, to: bytes))
        }
    }

    /// Adds an element of a list of strings, of at most `BytesForm.longestMediumString` bytes.
    @inline(__always)
    func add(mediumString view: ByteView) throws(WriteError) {
        count &+= 1
        let isFull = withLeaf { leaf in
            leaf.append(mediumString: view)
            return leaf.count == Limits.treeElements
        }
        if isFull { try endLeaf() }
    }

    /// Adds an element of a list of links.
    @inline(__always)
    func add(listedLink key: ObjectKey) throws(WriteError) {
        count &+= 1
        try appendLink(key)
    }

    /// Adds an element of a list or set of links.
    package func add(link key: ObjectKey) throws(WriteError) {
        if kind.isList { return try add(listedLink: key) }
        count += 1
        // Links of sets are sorted by key, like integers.
        elements.append(.int(key.value))
    }

    @inline(__always)
    private func appendLink(_ key: ObjectKey) throws(WriteError) {
        if key.isUnresolved { hasUnresolvedLinks = true }
        let isFull = withLeaf { leaf in
            leaf.append(link: key)
            return leaf.count == Limits.treeElements
        }
        if isFull { try endLeaf() }
    }

    @inline(__always)
    private func append(_ value: MixedValue) throws(WriteError) {
        let isFull = try withLeaf { leaf throws(WriteError) in
            if case .mixed = leaf.type {
                // Unique in the collection; Realm Core finds nested collections by it.
                try leaf.append(value, collectionKey: Int64(tree.count + leaf.count + 1))
            } else {
                try leaf.append(typed: value)
            }
            return leaf.count == Limits.treeElements
        }
        if isFull { try endLeaf() }
    }

    private func endLeaf() throws(WriteError) {
        try withLeaf { leaf throws(WriteError) in
            let count = leaf.count
            guard count > 0 else { return }
            // Copied out and back: the property itself is never passed inout, which avoids exclusivity checks.
            let root = try leaf.write()
            var tree = tree
            tree.add(root, count: count)
            self.tree = tree
        }
    }

    /// Writes the remaining elements.
    ///
    /// - Returns: The ref for the object's slot; nil for an empty collection.
    package func end() throws(WriteError) -> Ref? {
        switch kind {
        case .list: return try endTree()
        case .set:
            try appendElements()
            return try endTree()
        case .dictionary: return try endDictionary()
        }
    }

    private func endTree() throws(WriteError) -> Ref? {
        let flags = hasUnresolvedLinks ? NodeHeader.Mask.context : 0
        if tree.isEmpty {
            return try withLeaf { leaf throws(WriteError) in
                leaf.count == 0 ? nil : try leaf.write(flags: flags)
            }
        }
        try endLeaf()
        var tree = tree
        self.tree = BPlusTreeWriter()
        return try tree.end(to: nodes, flags: flags)
    }

    /// Appends the distinct elements of a set in order.
    private func appendElements() throws(WriteError) {
        let order = SetOrder(bytes: bytes.view, areDecimals: withLeaf { $0.type == .decimal128 })
        let indices = elements.indices
        if indices.dropFirst().allSatisfy({ order.compare(elements[$0 - 1], elements[$0]) < 0 }) {
            return try append(elementsAt: indices)
        }
        let sorted = indices.sorted { left, right in
            let found = order.compare(elements[left], elements[right])
            return found < 0 || found == 0 && left < right
        }
        var unique: [Int] = []
        for index in sorted {
            if let last = unique.last, order.compare(elements[last], elements[index]) == 0 {
                duplicateCount += 1
            } else {
                unique.append(index)
            }
        }
        try append(elementsAt: unique)
    }

    private func append(elementsAt order: some RandomAccessCollection<Int>) throws(WriteError) {
        let areLinks = withLeaf { if case .link = $0.type { true } else { false } }
        let view = bytes.view
        for index in order {
            if areLinks, case .int(let key) = elements[index] {
                links.append(StoredLink(table: .null, key: ObjectKey(key)))
                try appendLink(ObjectKey(key))
            } else {
                if case .link(let table, let key) = elements[index] { links.append(StoredLink(table: table, key: key)) }
                try append(elements[index].value(view))
            }
        }
        elements.removeAll()
        bytes.removeAll()
    }

    private func endDictionary() throws(WriteError) -> Ref? {
        defer {
            keys.removeAll()
            elements.removeAll()
            bytes.removeAll()
        }
        guard !keys.isEmpty else { return nil }
        let indices = keys.indices
        if indices.dropFirst().allSatisfy({ precedes($0 - 1, $0) }) { return try endDictionary(indices) }
        return try endDictionary(orderOfKeys())
    }

    private func endDictionary(_ order: some RandomAccessCollection<Int>) throws(WriteError) -> Ref? {
        var keyTree = try hasIntegerKeys ? keyLeaves(order, integerKeys) : keyLeaves(order, stringKeys)
        try append(elementsAt: order)
        guard let keyRoot = try keyTree.end(to: nodes), let valueRoot = try endTree() else { return nil }
        return try nodes.refs(Int64(keyRoot.offset), Int64(valueRoot.offset))
    }

    private func keyLeaves(
        _ order: some RandomAccessCollection<Int>, _ leaf: LeafBuilder
    ) throws(WriteError) -> BPlusTreeWriter {
        var tree = BPlusTreeWriter()
        for index in order {
            if hasIntegerKeys {
                leaf.append(number: integer(keys[index]))
            } else {
                try leaf.append(string: bytes.view(keys[index].range))
            }
            if leaf.count == Limits.treeElements {
                tree.add(try leaf.write(), count: Limits.treeElements)
            }
        }
        let count = leaf.count
        if count > 0 { tree.add(try leaf.write(), count: count) }
        return tree
    }

    private func integer(_ key: KeyRange) -> Int64 {
        Int64(bitPattern: bytes.view(key.range).uint64(unchecked: 0).byteSwapped ^ (1 << 63))
    }

    /// Returns the indices of the entries in key order; of entries with equal keys only the last.
    private func orderOfKeys() -> [Int] {
        var unique: [Int] = []
        for index in keys.indices.sorted(by: { precedes($0, $1) || !precedes($1, $0) && $0 < $1 }) {
            if let last = unique.last, bytes.view(keys[last].range).elementsEqual(bytes.view(keys[index].range)) {
                duplicateCount += 1
                unique[unique.count - 1] = index
            } else {
                unique.append(index)
            }
        }
        return unique
    }

    private func precedes(_ left: Int, _ right: Int) -> Bool {
        bytes.view(keys[left].range).order(bytes.view(keys[right].range)) < 0
    }
}

extension LeafType {
    /// Unique number of the type, below `numberCount`.
    fileprivate var number: Int {
        switch self {
        case .int(let nullable): nullable ? 1 : 0
        case .bool: 2
        case .string: 3
        case .binary: 4
        case .timestamp: 5
        case .float: 6
        case .double: 7
        case .decimal128: 8
        case .objectId: 9
        case .uuid: 10
        case .mixed: 11
        case .link(let biased): biased ? 13 : 12
        case .legacyString(let nullable): nullable ? 15 : 14
        case .legacyBinary(let nullable): nullable ? 17 : 16
        case .collections: 18
        case .backlinks: 19
        }
    }

    fileprivate static let numberCount = 20
}

extension LeafBuilder {
    /// Appends a value of the leaf's type, or null.
    package func append(typed value: MixedValue) throws(WriteError) {
        switch value {
        case .null: appendNull()
        case .int(let number):
            if type == .int(nullable: true) { append(nullable: number) } else { append(number: number) }
        case .bool(let value): append(number: value ? 1 : 0)
        case .float(let bits): append(number: Int64(bits))
        case .double(let bits): append(number: Int64(bitPattern: bits))
        case .string(let view): try append(string: view)
        case .binary(let view): try append(binary: view)
        case .timestamp(let time): append(time)
        case .decimal128(let value): append(value)
        case .objectId(let view), .uuid(let view): append(fixed: view)
        case .link(_, let key): append(link: key)
        case .list, .dictionary: appendNull()
        }
    }
}
