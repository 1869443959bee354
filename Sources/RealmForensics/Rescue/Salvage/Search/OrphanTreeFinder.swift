internal import RealmCore
internal import RealmLayout

/// Finds object trees, and parts of them, that nothing refers to (Spec 190).
///
/// If the root and the free list of the commit exist, the results are certain to belong to it: each of its nodes is
/// either reachable or not free, so the rest was below a lost node. Otherwise results may belong to an older commit.
/// In any case they must match the clusters of exactly one table.
struct OrphanTreeFinder {
    /// A cluster, or an inner node of an object tree.
    struct Found {
        let ref: Ref
        let table: TablePosition
        /// 0 for a cluster.
        let height: Int
        /// The last key, relative to the node's own offset.
        let span: UInt64
        var hasParent = false
    }

    let source: SalvageSource
    let surveys: ByTable<TableSurvey>
    /// The tables that lack objects, or seem to.
    private let wanted: Set<TablePosition>
    /// Whether all unreachable nodes belong to the commit.
    let isOneCommit: Bool
    /// The tables by number of slots of their clusters.
    private let bySlotCount: [Int: [TablePosition]]
    /// Words of reachable nodes, and of free chunks.
    private var accounted: WordMap
    private var clusters: [Int: Found] = [:]
    private var inners: [(ref: Ref, depth: Int)] = []
    /// Lists of numbers that ascend from 0: possible offset lists of children.
    private(set) var offsets: [Ref] = []
    /// Key lists of found clusters, which are not offset lists.
    private var keys: Set<Int> = []

    /// - Parameters:
    ///   - wanted: The tables that lack objects.
    ///   - root: The root of the commit; nil when there is none.
    ///   - roots: All known roots.
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
            // Files in streaming form have no free list, and no free space.
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

    /// Searches, and assigns the results to the tables that lack objects.
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

    /// Examines all words that are neither reachable nor free.
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

    /// Joins clusters to inner nodes, bottom up. An inner node counts if most of its children were found.
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
                // If two inner nodes have the same children, one belongs to another commit.
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
        // If several tables fit, only those known to lack objects count.
        if fitting.count > 1 { fitting.removeAll { !surveys[$0.table].isIncomplete } }
        guard fitting.count == 1, let (table, span) = fitting.first else { return }
        clusters[ref.offset] = Found(ref: ref, table: table, height: 0, span: span)
    }

    /// Returns the tables whose clusters have the same number of slots.
    private func candidates(_ ref: Ref) -> [TablePosition] {
        do throws(FormatError) { return bySlotCount[try source.peek(ref).count] ?? [] } catch { return [] }
    }

    /// Returns the last key of the cluster at `ref`; nil when it does not fit the table.
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

    /// Returns the number of keys in a node if they ascend, otherwise 0.
    private func ascendingCount(_ ref: Ref) throws(FormatError) -> Int {
        let keys = try source.peek(ref).integers()
        for index in 1..<max(1, min(keys.count, Limits.clusterObjects))
        where keys.unsigned(unchecked: index - 1) >= keys.unsigned(unchecked: index) {
            return 0
        }
        return keys.count
    }
}
