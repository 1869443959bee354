internal import RealmLayout
internal import RealmReader

/// One collection while it is filled (Spec 40).
///
/// Elements of lists go straight into leaves. Those of sets and dictionaries are kept until the end, because they are stored
/// in an order of their own.
final class CollectionBuilder {
    enum Kind {
        case list
        case set
        case dictionary
    }

    private struct KeyRange: BitwiseCopyable {
        let start: Int
        let count: Int
        var range: Range<Int> { start..<(start + count) }
    }

    /// A link, and where it leads; no table in collections of links, which all lead to one.
    struct StoredLink: BitwiseCopyable {
        let table: TableKey
        let key: ObjectKey
    }

    private let nodes: NodeOutput
    private(set) var kind = Kind.list
    private var leaf: LeafBuilder
    private var hasUnresolvedLinks = false
    private var tree = BPlusTreeWriter()
    /// Leaves for the other types that this builder was used for.
    private var others: [(type: LeafType, leaf: LeafBuilder)] = []
    private let elements = PlainArray<FlatValue>()
    private let bytes = PlainArray<UInt8>()
    /// Where the keys of a dictionary are.
    private let keys = PlainArray<KeyRange>()
    private let stringKeys: LeafBuilder
    private let integerKeys: LeafBuilder
    private var hasIntegerKeys = false
    /// Elements so far.
    private(set) var count = 0
    /// Where the links of a set or dictionary lead, each as often as it is stored. Those of lists are known when they come.
    let links = PlainArray<StoredLink>()
    /// Elements of sets that were there already, and entries of dictionaries whose key was.
    private(set) var duplicates = 0

    init(_ nodes: NodeOutput) {
        self.nodes = nodes
        leaf = LeafBuilder(.mixed, nodes)
        stringKeys = LeafBuilder(.string, nodes)
        integerKeys = LeafBuilder(.int(nullable: false), nodes)
    }

    /// Begins a collection of elements of that type: of a dictionary always Mixed.
    func begin(_ kind: Kind, of type: LeafType) {
        links.removeAll()
        self.kind = kind
        (count, duplicates, hasUnresolvedLinks, hasIntegerKeys) = (0, 0, false, false)
        guard leaf.type != type else { return }
        if let known = others.firstIndex(where: { $0.type == type }) {
            let other = others[known].leaf
            others[known] = (leaf.type, leaf)
            leaf = other
        } else {
            others.append((leaf.type, leaf))
            leaf = LeafBuilder(type, nodes)
        }
    }

    /// The key of the next entry of a dictionary.
    func add(key: ByteView) {
        let start = bytes.count
        bytes.append(key)
        keys.append(KeyRange(start: start, count: key.count))
    }

    /// The key of the next entry of a dictionary with integers as keys.
    func add(key number: Int64) {
        hasIntegerKeys = true
        let start = bytes.count
        // In bytes that are in the order of the numbers.
        let ordered = UInt64(bitPattern: number) ^ (1 << 63)
        for shift in stride(from: 56, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: ordered >> UInt64(shift)))
        }
        keys.append(KeyRange(start: start, count: 8))
    }

    /// Takes back a key that has no value yet.
    func dropKey() {
        if keys.count > elements.count { keys.removeLast(1) }
    }

    /// Adds an element, or the value of an entry.
    func add(_ value: MixedValue) throws(WriteError) {
        count += 1
        if kind == .list {
            try append(value)
        } else {
            elements.append(FlatValue(value, bytes))
        }
    }

    /// Adds an element of a list of links.
    func add(link key: ObjectKey) throws(WriteError) {
        guard kind == .list else {
            count += 1
            // Links of sets are sorted by their keys, as integers are.
            elements.append(.int(key.value))
            return
        }
        count += 1
        try appendLink(key)
    }

    private func appendLink(_ key: ObjectKey) throws(WriteError) {
        if key.isUnresolved { hasUnresolvedLinks = true }
        leaf.append(link: key)
        try endLeafIfFull()
    }

    private func append(_ value: MixedValue) throws(WriteError) {
        if leaf.type == .mixed {
            // Unique in the collection, as Realm Core finds nested ones by it.
            try leaf.append(value, collectionKey: Int64(tree.count + leaf.count + 1))
        } else {
            try leaf.append(typed: value)
        }
        try endLeafIfFull()
    }

    private func endLeafIfFull() throws(WriteError) {
        if leaf.count == BPlusTreeWriter.nodeElements { try endLeaf() }
    }

    private func endLeaf() throws(WriteError) {
        let count = leaf.count
        guard count > 0 else { return }
        tree.add(try leaf.write(), count: count)
    }

    /// Writes what is left.
    ///
    /// - Returns: what the object's slot gets; nil for an empty collection.
    func end() throws(WriteError) -> Ref? {
        switch kind {
        case .list: return try endTree()
        case .set:
            try appendSorted(order(of: elements.indices))
            return try endTree()
        case .dictionary: return try endDictionary()
        }
    }

    private func endTree() throws(WriteError) -> Ref? {
        let flags = hasUnresolvedLinks ? NodeHeader.Mask.context : 0
        if tree.isEmpty {
            let count = leaf.count
            guard count > 0 else { return nil }
            return try leaf.write(flags: flags)
        }
        try endLeaf()
        return try tree.end(to: nodes, flags: flags)
    }

    /// The elements of a set in their order, each once.
    private func order(of indices: Range<Int>) -> [Int] {
        let order = SetOrder(bytes: bytes, areDecimals: leaf.type == .decimal128)
        let sorted = indices.sorted { left, right in
            let found = order.compare(elements[left], elements[right])
            return found < 0 || found == 0 && left < right
        }
        var unique: [Int] = []
        for index in sorted {
            if let last = unique.last, order.compare(elements[last], elements[index]) == 0 {
                duplicates += 1
            } else {
                unique.append(index)
            }
        }
        return unique
    }

    private func appendSorted(_ order: [Int]) throws(WriteError) {
        let areLinks = if case .link = leaf.type { true } else { false }
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
        let order = orderOfKeys()
        let leaf = hasIntegerKeys ? integerKeys : stringKeys
        var tree = BPlusTreeWriter()
        for index in order {
            if hasIntegerKeys {
                leaf.append(number: integer(keys[index]))
            } else {
                try leaf.append(string: bytes.view(keys[index].range))
            }
            if leaf.count == BPlusTreeWriter.nodeElements {
                tree.add(try leaf.write(), count: BPlusTreeWriter.nodeElements)
            }
        }
        let count = leaf.count
        if count > 0 { tree.add(try leaf.write(), count: count) }
        try appendSorted(order)
        guard let keyRoot = try tree.end(to: nodes), let valueRoot = try endTree() else { return nil }
        return try nodes.refs([Int64(keyRoot.offset), Int64(valueRoot.offset)])
    }

    private func integer(_ key: KeyRange) -> Int64 {
        Int64(bitPattern: bytes.view(key.range).uint64(unchecked: 0).byteSwapped ^ (1 << 63))
    }

    /// The entries in the order of their keys; of several with one key the last.
    private func orderOfKeys() -> [Int] {
        func precedes(_ left: Int, _ right: Int) -> Bool {
            bytes.view(keys[left].range).order(bytes.view(keys[right].range)) < 0
        }
        let indices = Array(0..<keys.count)
        if indices.dropFirst().allSatisfy({ precedes($0 - 1, $0) }) { return indices }
        var unique: [Int] = []
        for index in indices.sorted(by: { precedes($0, $1) || !precedes($1, $0) && $0 < $1 }) {
            if let last = unique.last, bytes.view(keys[last].range).elementsEqual(bytes.view(keys[index].range)) {
                duplicates += 1
                unique[unique.count - 1] = index
            } else {
                unique.append(index)
            }
        }
        return unique
    }
}

extension LeafBuilder {
    /// Appends a value whose type is that of the leaf, or null.
    func append(typed value: MixedValue) throws(WriteError) {
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
