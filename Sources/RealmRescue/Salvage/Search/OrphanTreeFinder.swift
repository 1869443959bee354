internal import RealmLayout
internal import RealmReader
internal import RealmVerifier

/// Finds trees of objects, and parts of them, to which nothing leads any more (Spec 190).
///
/// Where the root of the commit and its list of free chunks are there, only what is certain counts: each node of the commit
/// is either reached from the root or not free, so that what is neither was below something that is lost. Otherwise what
/// is found may be of an older commit. In any case it must look exactly like a cluster of one table.
struct OrphanTreeFinder {
    /// A cluster, or an inner node of a tree of objects.
    struct Found {
        let ref: Ref
        let table: TablePosition
        /// 0 for a cluster.
        let height: Int
        /// The last key, before anything is added to it.
        let span: UInt64
        var hasParent = false
    }

    let source: SalvageSource
    let surveys: ByTable<TableSurvey>
    /// The tables that miss objects, or seem to.
    private let wanted: Set<TablePosition>
    /// Whether all that nothing leads to is of the commit.
    let isOneCommit: Bool
    /// The tables by the slots that their clusters have.
    private let bySlotCount: [Int: [TablePosition]]
    /// Words of nodes that something leads to, and of free chunks.
    private var accounted: WordMap
    private var clusters: [Int: Found] = [:]
    private var inners: [(ref: Ref, depth: Int)] = []
    /// Lists of numbers that ascend from 0: of what is added to the keys of children.
    private(set) var offsets: [Ref] = []
    /// The keys of clusters that were found: no such lists.
    private var keys: Set<Int> = []

    /// - Parameters:
    ///   - wanted: the tables that miss objects.
    ///   - root: the root of the commit; nil where there is none.
    ///   - roots: what leads to anything that is known.
    init(_ source: SalvageSource, _ surveys: ByTable<TableSurvey>, wanted: Set<TablePosition>, root: Ref?, roots: [Ref])
    {
        self.source = source
        self.surveys = surveys
        self.wanted = wanted
        bySlotCount = Dictionary(grouping: surveys.indices) { surveys[$0].core.slotCount }
        var accounted = WordMap(bytes: source.space.bytes.count)
        isOneCommit = root.map { Self.addFreeChunks($0, source, to: &accounted) } ?? false
        var walk = NodeWalk(roots: roots, in: source.space)
        while let step = walk.next() {
            if case .node(let node) = step {
                accounted.insert(node.ref.offset, count: NodeHeader.size + (node.size + 7) & ~7)
            }
        }
        self.accounted = accounted
    }

    private static func addFreeChunks(_ root: Ref, _ source: SalvageSource, to accounted: inout WordMap) -> Bool {
        do throws(FormatError) {
            let top = RecordSlots<GroupTopSlot>(try source.peek(root).refs())
            // Files in streaming form have no list, and nothing that is free.
            guard top.has(.freeLengths) else { return true }
            guard let positions = top.ref(.freePositions), let lengths = top.ref(.freeLengths) else {
                return top[.freePositions] == .empty && top[.freeLengths] == .empty && source.pages.ranges.isEmpty
            }
            let list = FreeList(
                positions: try source.peek(positions).integers(), lengths: try source.peek(lengths).integers(),
                versions: nil)
            guard list.positions.count == list.lengths.count else { return false }
            for index in 0..<list.count {
                guard let chunk = list.chunk(index, limit: source.space.bytes.count) else { return false }
                accounted.insert(chunk.lowerBound, count: chunk.count)
            }
            return true
        } catch {
            return false
        }
    }

    /// Gives what is found to the tables that miss some.
    mutating func run() {
        scan()
        joinInner()
        let byTable = Dictionary(grouping: clusters.values.filter { !$0.hasParent }, by: \.table)
        source.add(roots: wanted.inOrder().flatMap { table in byTable[table]?.map(\.ref) ?? [] })
        for table in wanted.inOrder() {
            guard let found = byTable[table] else { continue }
            OrphanTreePlacement(self, surveys[table], found).run()
        }
    }

    /// Looks at all words that nothing leads to.
    private mutating func scan() {
        let bytes = source.space.bytes
        var offset = FileHeader.size
        while let next = accounted.next(isSet: false, from: offset, to: bytes.count - NodeHeader.size) {
            offset = next + 8
            let word = bytes.uint64(unchecked: next)
            guard UInt32(truncatingIfNeeded: word) == NodeHeader.dummyChecksum else { continue }
            switch (word >> 32) & 0xF8 {
            case 0x40: addCluster(Ref(next))
            case 0xC0: addInner(Ref(next))
            case 0x00: addOffsets(Ref(next))
            default: continue
            }
        }
        offsets.removeAll { keys.contains($0.offset) }
    }

    private mutating func addOffsets(_ ref: Ref) {
        do throws(FormatError) {
            let node = try source.peek(ref)
            guard node.count > 1, node.count <= Limits.clusterObjects else { return }
            let numbers = try node.integers()
            guard numbers.unsigned(at: 0) == 0, try ascendingCount(ref) == numbers.count else { return }
            offsets.append(ref)
        } catch {
            return
        }
    }

    private mutating func addInner(_ ref: Ref) {
        do throws(FormatError) {
            let slots = RecordSlots<ClusterInnerSlot>(try source.peek(ref).refs())
            // At most 256 children (Spec 50).
            guard slots.childCount > 0, slots.childCount <= Limits.clusterObjects, let depth = slots.number(.depth),
                depth >= 1, depth <= UInt64(Limits.treeDepth)
            else { return }
            inners.append((ref, Int(depth)))
        } catch {
            return
        }
    }

    /// Joins clusters to inner nodes, from below: an inner node counts if most of what it leads to was found.
    private mutating func joinInner() {
        for (ref, depth) in inners.sorted(by: { ($0.depth, $0.ref.offset) < ($1.depth, $1.ref.offset) }) {
            do throws(FormatError) {
                let slots = RecordSlots<ClusterInnerSlot>(try source.peek(ref).refs())
                var children: [Found] = []
                var last: Found?
                for index in 0..<max(0, slots.childCount) {
                    last = nil
                    guard case .ref(let child) = slots.child(unchecked: index), let found = clusters[child.offset],
                        found.height == depth - 1, !found.hasParent
                    else { continue }
                    children.append(found)
                    last = found
                }
                // Of two inner nodes with the same children one is of another commit.
                guard let table = children.first?.table, children.allSatisfy({ $0.table == table }),
                    children.count * 2 > slots.childCount
                else { continue }
                var start = UInt64(slots.childCount - 1) << UInt64(min(8 * depth, 63))
                if let list = slots.ref(.keyOffsets) {
                    let numbers = try source.peek(list).integers()
                    start = numbers.unsigned(at: slots.childCount - 1) ?? 0
                    keys.insert(list.offset)
                }
                for child in children { clusters[child.ref.offset]?.hasParent = true }
                clusters[ref.offset] = Found(
                    ref: ref, table: table, height: depth, span: start &+ (last?.span ?? 0))
            } catch { continue }
        }
        offsets.removeAll { keys.contains($0.offset) }
    }

    // MARK: Clusters

    private mutating func addCluster(_ ref: Ref) {
        var fitting: [(table: TablePosition, span: UInt64)] = []
        for table in candidates(ref) {
            if let span = span(ref, surveys[table].core) { fitting.append((table, span)) }
        }
        // It could be of either table, of those that are known to miss some.
        if fitting.count > 1 { fitting.removeAll { !surveys[$0.table].isIncomplete } }
        guard fitting.count == 1, let (table, span) = fitting.first else { return }
        clusters[ref.offset] = Found(ref: ref, table: table, height: 0, span: span)
    }

    /// The tables whose clusters have as many slots.
    private func candidates(_ ref: Ref) -> [TablePosition] {
        do throws(FormatError) { return bySlotCount[try source.peek(ref).count] ?? [] } catch { return [] }
    }

    /// The last key of the cluster at `ref`; nil when it is none of the table.
    private mutating func span(_ ref: Ref, _ core: TableDescription) -> UInt64? {
        let columns = core.columns + core.backlinkColumns
        do throws(FormatError) {
            try source.spend(columns.count, bytes: NodeHeader.size, at: ref)
            let slots = ClusterSlots(try source.peek(ref).refs())
            var count = 0
            var last: UInt64 = 0
            switch slots.keys {
            case .tagged(let number):
                count = Int(clamping: number)
                last = number &- 1
            case .ref(let ref):
                count = try ascendingCount(ref)
                last = try source.peek(ref).integers().unsigned(at: count - 1) ?? 0
                keys.insert(ref.offset)
            case .empty: return nil
            }
            guard count > 0, count <= Limits.clusterObjects else { return nil }
            var lost = 0
            for column in columns {
                guard case .ref(let leaf) = slots.leaf(of: column.index),
                    !accounted.intersects(leaf.offset, count: NodeHeader.size)
                else { return nil }
                guard !source.pages.isZero(leaf.offset) else {
                    lost += 1
                    continue
                }
                guard try source.leaf(source.peek(leaf), column.leafType, distinct: column.distinct).count == count
                else { return nil }
            }
            return lost == 0 || lost < columns.count ? last : nil
        } catch {
            return nil
        }
    }

    /// The number of keys in a node, if they ascend; 0 if not.
    private func ascendingCount(_ ref: Ref) throws(FormatError) -> Int {
        let keys = try source.peek(ref).integers()
        for index in 1..<max(1, min(keys.count, Limits.clusterObjects))
        where keys.unsigned(unchecked: index - 1) >= keys.unsigned(unchecked: index) {
            return 0
        }
        return keys.count
    }
}
