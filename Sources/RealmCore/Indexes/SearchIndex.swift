package import RealmLayout
internal import Synchronization

/// The search index of a property, in formats 10 and up (Spec 80).
///
/// Results must be checked against the objects, since an index can be wrong. A primary key that it does not find counts
/// as missing only after every object of the table has been found through the index once.
package struct SearchIndex {
    private let root: Ref
    private let space: NodeSpace
    /// The budget for lists of objects, which are rare here in intact files.
    private var budget: WorkBudget
    /// Nodes that may still be visited.
    private var steps: Int
    /// Exceeds the number of levels that the bytes of a key can make, including the trees on each level.
    private static let deepest = 512

    /// Opens the index of a table's primary key; nil when there is no usable one.
    ///
    /// - Parameter searches: the expected number of searches.
    package init?(ofPrimaryKey table: Table, searches: Int = 1) {
        guard let primary = table.core.primaryKeyIndex else { return nil }
        self.init(of: primary, table, searches: searches)
    }

    /// Opens the index of a property; nil when there is no usable one.
    ///
    /// - Parameters:
    ///   - property: its index among the properties of the table.
    ///   - searches: the expected number of searches or results.
    package init?(of property: PropertyIndex, _ table: Table, searches: Int = 1) {
        guard !table.snapshot.version.isLegacy else { return nil }
        space = table.snapshot.space
        budget = WorkBudget(for: space, passes: 4)
        // A malicious file can make every search long.
        steps = searches.multipliedReportingOverflow(by: 64).partialValue &+ Self.deepest
        do throws(FormatError) {
            let top = try Record<TableTopSlot>(at: table.snapshot.cores[table.position].topRef, in: space)
            let indexes = try top.integers(.searchIndexes, in: space)
            guard let entry = indexes.element(of: table.columns[property].index), case .ref(let root) = Slot(entry)
            else {
                return nil
            }
            self.root = root
        } catch {
            return nil
        }
    }

    /// Returns the keys of the objects that the index lists under a value. The objects may have other values.
    ///
    /// - Parameter bytes: the bytes of the value; nil for null.
    /// - Throws: `FormatError` when the index is damaged.
    package mutating func candidates(_ bytes: [UInt8]?) throws(FormatError) -> [ObjectKey] {
        try candidates { level in IndexChunk.at(level, of: bytes?.count) { bytes?[$0] ?? 0 } }
    }

    /// Returns the same keys, for a value given as chunks.
    package mutating func candidates(_ chunk: (Int) -> Int32) throws(FormatError) -> [ObjectKey] {
        switch try find(chunk) {
        case .nothing: []
        case .one(let key): [key]
        case .list(let root): try list(root)
        }
    }

    /// The result of a search.
    package enum Found {
        case nothing
        case one(ObjectKey)
        /// The root of a list of keys.
        case list(Ref)
    }

    /// Searches for one value, with the step limit of a single search.
    ///
    /// - Parameters:
    ///   - opened: a cache of opened nodes, for callers that search for many values.
    ///   - chunk: the chunks of the value, by level.
    /// - Throws: `FormatError` when the index is damaged.
    package func found(_ opened: OpenedIndexNodes?, _ chunk: (Int) -> Int32) throws(FormatError) -> Found {
        var steps = Self.deepest
        return try find(chunk, opened, &steps)
    }

    /// - Parameter chunk: the chunks of a value, by level.
    @inline(__always)
    mutating func find(_ chunk: (Int) -> Int32) throws(FormatError) -> Found {
        var steps = steps
        defer { self.steps = steps }
        return try find(chunk, nil, &steps)
    }

    @inline(__always)
    private func find(
        _ chunk: (Int) -> Int32, _ known: OpenedIndexNodes?, _ steps: inout Int
    ) throws(FormatError) -> Found {
        var ref = root
        var depth = 0
        for _ in 0..<Self.deepest {
            let (isInner, slots, chunks, bounds) = try opened(ref, known, &steps)
            let wanted = Int64(chunk(depth))
            let low = Self.first(in: chunks, notBelow: wanted, bounds)
            guard low < chunks.count, low < slots.count - 1 else { return .nothing }
            let slot = Slot(slots[unchecked: low + 1])
            if isInner {
                guard case .ref(let child) = slot else { return .nothing }
                ref = child
                continue
            }
            guard Int64(Int32(truncatingIfNeeded: chunks[unchecked: low])) == wanted else { return .nothing }
            switch slot {
            case .empty: return .nothing
            case .tagged(let number): return .one(ObjectKey(Int64(bitPattern: number)))
            case .ref(let below):
                guard try space.node(at: below).header.isContext else { return .list(below) }
                ref = below
                depth += 1
            }
        }
        throw FormatError(.tooDeep, at: ref.offset, "the index has more than \(Self.deepest) levels")
    }

    /// Returns the keys of the objects that the index lists under values with the given prefix, in no particular order.
    ///
    /// - Throws: `FormatError` when the index is damaged, or has more results than declared when it was opened.
    package mutating func candidates(beginningWith start: [UInt8]) throws(FormatError) -> [ObjectKey] {
        var found: [ObjectKey] = []
        var open: [(ref: Ref, level: Int)] = [(root, 0)]
        while let (ref, level) = open.popLast() {
            guard level < Self.deepest else {
                throw FormatError(.tooDeep, at: ref.offset, "the index has more than \(Self.deepest) levels")
            }
            let (node, slots, chunks) = try self.open(ref, &steps)
            let wanted = Self.chunks(level, beginningWith: start)
            var index = Self.first(in: chunks, notBelow: wanted.lowerBound, Self.bounds(of: chunks))
            while index < chunks.count, index < slots.count {
                let chunk = Int64(Int32(truncatingIfNeeded: chunks[unchecked: index]))
                if !node.header.isInner, chunk > wanted.upperBound { break }
                switch slots.entry(unchecked: index) {
                case .empty: break
                case .tagged(let number): if !node.header.isInner { found.append(ObjectKey(Int64(bitPattern: number))) }
                case .ref(let below):
                    if node.header.isInner {
                        open.append((below, level))
                    } else if try space.node(at: below).header.isContext {
                        open.append((below, level + 1))
                    } else {
                        found += try list(below)
                    }
                }
                // The last child that can contain one is the first whose highest chunk reaches the highest wanted.
                if node.header.isInner, chunk >= wanted.upperBound { break }
                index += 1
            }
        }
        return found
    }

    /// The range of chunks at a level for values with the given prefix.
    private static func chunks(_ level: Int, beginningWith start: [UInt8]) -> ClosedRange<Int64> {
        let left = start.dropFirst(level * 4).prefix(4)
        guard !left.isEmpty else { return Int64(Int32.min)...Int64(Int32.max) }
        var (low, high): (UInt32, UInt32) = (0, 0)
        for position in 0..<4 {
            let byte = left.dropFirst(position).first
            low = low << 8 | UInt32(byte ?? 0)
            high = high << 8 | UInt32(byte ?? 255)
        }
        return Int64(Int32(bitPattern: low))...Int64(Int32(bitPattern: high))
    }

    /// Opens a node, or returns it from the cache.
    @inline(__always)
    private func opened(
        _ ref: Ref, _ known: OpenedIndexNodes?, _ steps: inout Int
    ) throws(FormatError) -> OpenedIndexNodes.Node {
        if let known, let node = known[ref] { return node }
        let (node, slots, chunks) = try open(ref, &steps)
        let opened = (node.header.isInner, slots.elements, chunks, Self.bounds(of: chunks))
        known?.keep(opened, at: ref)
        return opened
    }

    /// The first and the last chunk, if they have the form that all writers produce.
    @inline(__always)
    private static func bounds(of chunks: IntegerVector) -> ClosedRange<Int64>? {
        guard chunks.width == 32, chunks.count > 0 else { return nil }
        let (least, most) = (chunks.int32(unchecked: 0), chunks.int32(unchecked: chunks.count &- 1))
        return least <= most ? least...most : nil
    }

    @inline(__always)
    private func open(
        _ ref: Ref, _ steps: inout Int
    ) throws(FormatError) -> (node: Node, slots: IndexNodeSlots, chunks: IntegerVector) {
        steps &-= 1
        guard steps >= 0 else { throw WorkBudget.exhausted(ref) }
        let node = try space.node(at: ref)
        guard node.header.isContext, let slots = IndexNodeSlots(try node.refs()) else {
            throw FormatError(.unexpectedNode, at: ref.offset, "\(node.summary) is not a node of an index")
        }
        return (node, slots, try space.node(at: slots.chunks).integers())
    }

    /// The index of the first chunk that is not lower than `wanted`; in an inner node, the only child that can contain
    /// it.
    @inline(__always)
    private static func first(in chunks: IntegerVector, notBelow wanted: Int64, _ bounds: ClosedRange<Int64>?) -> Int {
        if let bounds {
            // Chunks of identities are usually spread evenly, so interpolation lands close to the target.
            let last = chunks.count &- 1
            let (least, most) = (bounds.lowerBound, bounds.upperBound)
            if wanted <= least { return 0 }
            if wanted > most { return chunks.count }
            let guess = min(max(Int((wanted &- least) &* Int64(last) / max(most &- least, 1)), 0), last)
            var (low, high) = (0, chunks.count)
            var step = 4
            if chunks.int32(unchecked: guess) < wanted {
                low = guess &+ 1
                while low &+ step < high {
                    guard chunks.int32(unchecked: low &+ step) < wanted else {
                        high = low &+ step
                        break
                    }
                    low &+= step &+ 1
                    step &*= 4
                }
            } else {
                high = guess
                while high &- step > 0 {
                    guard chunks.int32(unchecked: high &- step) >= wanted else {
                        low = high &- step &+ 1
                        break
                    }
                    high &-= step
                    step &*= 4
                }
            }
            while low < high {
                let middle = (low &+ high) &>> 1
                if chunks.int32(unchecked: middle) < wanted { low = middle &+ 1 } else { high = middle }
            }
            return low
        }
        var (low, high) = (0, chunks.count)
        while low < high {
            let middle = (low &+ high) &>> 1
            let chunk = Int64(Int32(truncatingIfNeeded: chunks[unchecked: middle]))
            if chunk < wanted { low = middle &+ 1 } else { high = middle }
        }
        return low
    }

    mutating func list(_ root: Ref) throws(FormatError) -> [ObjectKey] {
        try BPlusTree.numbers(at: root, in: space, &budget).map { ObjectKey($0) }
    }
}

/// Caches per table whether the search index has been proven to find every object. Concurrent proofs of the same index
/// are harmless.
package final class ProvenIndexes: Sendable {
    private let known = Mutex<[TablePosition: Bool]>([:])

    package subscript(position: TablePosition) -> Bool? {
        get { known.withLock { $0[position] } }
        set { known.withLock { $0[position] = newValue } }
    }
}

/// A cache of opened nodes of a search index, for callers that search for many values: each hit saves three memory
/// stalls.
///
/// Not thread-safe. Not for encrypted files, whose nodes may be evicted.
package final class OpenedIndexNodes {
    typealias Node = (isInner: Bool, slots: IntegerVector, chunks: IntegerVector, bounds: ClosedRange<Int64>?)

    private var refs: [Int]
    private var nodes: [Node]

    /// The number of leaves in an index of a million values.
    private static let places = 2048

    package init() {
        refs = [Int](repeating: -1, count: Self.places)
        nodes = [Node](repeating: (false, .empty, .empty, nil), count: Self.places)
    }

    private static func place(_ ref: Ref) -> Int {
        Int(truncatingIfNeeded: (UInt64(bitPattern: Int64(ref.offset)) &* 0x9E37_79B9_7F4A_7C15) &>> 53)
    }

    subscript(ref: Ref) -> Node? {
        let place = Self.place(ref)
        return refs[place] == ref.offset ? nodes[place] : nil
    }

    func keep(_ node: Node, at ref: Ref) {
        let place = Self.place(ref)
        refs[place] = ref.offset
        nodes[place] = node
    }
}
