internal import RealmCore
internal import RealmLayout

/// Finds the readable clusters of an object tree, and the keys of their objects (Spec 190).
struct ClusterSurvey {
    private let source: SalvageSource
    private let columns: [Column]
    private let headers: DamagedHeaders
    private let content: Content
    private let isFinal: Bool
    /// Whether new objects get the keys 0 to 255, 65536 to 65791, and so on, as in classes without a primary key (Spec
    /// 50).
    private let keysCountUp: Bool
    private var root: Inner?
    /// Whether the header of the last opened node was restored.
    private var isRestored = false
    /// Clusters with known keys, in key order.
    private(set) var clusters: [SalvagedCluster] = []
    private(set) var keyless: [Keyless] = []
    private(set) var gaps: [Gap] = []
    /// Clusters below nodes whose offset list is lost. Their keys are those that Realm assigns.
    private(set) var guessed: [SalvagedCluster] = []
    /// Clusters with a damaged header of their own or of their key list.
    private(set) var restored: [SalvagedCluster] = []
    /// Number of objects according to the root; nil when it does not state one.
    private(set) var expected: Int?

    /// - Parameters:
    ///   - isFinal: Whether nodes are claimed; otherwise they can be read again.
    ///   - base: Offset added to the keys; nil when unknown.
    ///   - keysCountUp: Whether new objects get the keys 0 to 255, 65536 to 65791, and so on.
    ///   - slotCount: Number of slots of each cluster; nil when unknown.
    init(
        _ source: SalvageSource, _ columns: [Column], root: Ref, base: UInt64? = 0, _ content: Content,
        isFinal: Bool = true, keysCountUp: Bool = false, slotCount: Int? = nil
    ) {
        headers = DamagedHeaders(source: source, columns: columns, slotCount: slotCount)
        self.keysCountUp = keysCountUp
        self.source = source
        self.columns = columns
        self.content = content
        self.isFinal = isFinal
        visitAll(from: root, base: base)
        loseRest()
        putInOrder()
    }

    private mutating func visitAll(from root: Ref, base: UInt64?) {
        var walk = TreeWalk(root: root, at: Place(base: base, limit: nil, height: nil, isGuessed: false), self)
        while let node = walk.next(count: 0) { walk.policy.add(node, at: walk.place) }
        self = walk.policy
    }

    /// Notes children that the offset list of a truncated inner node lists but the node itself lacks.
    private mutating func loseChildren(of level: Inner) {
        guard !level.info.isGuessed, let offsets = level.info.offsets, offsets.count <= Limits.clusterObjects else {
            return
        }
        var index = level.childCount
        while index < offsets.count {
            lose(
                level.ref, place(index, of: level), isWayLost: true,
                FormatError(
                    .badCluster, at: level.ref.offset,
                    "child \(index) of the tree of objects is missing: the list of key offsets has \(offsets.count)"))
            index += 1
        }
    }

    /// Notes that the tree had more objects if no gap explains the difference.
    private mutating func loseRest() {
        let found = clusters.reduce(0) { $0 + $1.count } + keyless.reduce(0) { $0 + $1.cluster.count }
        guard gaps.isEmpty, let root, let expected, found < expected else { return }
        let error = FormatError(
            .wrongCount, at: root.ref.offset, "the tree of objects counts \(expected), there are \(found)")
        let isCompact = root.info.slots[.keyOffsets] == .empty
        guard isCompact, root.info.depth == 1 else {
            lose(root.ref, Place(base: nil, limit: nil, height: nil, isGuessed: false), isWayLost: true, error)
            return
        }
        // The compact form was cut off at its end. At least this many clusters are missing.
        let size = Limits.clusterObjects
        let clusters = min((expected - found + size - 1) / size, size)
        for index in root.childCount..<(root.childCount + clusters) {
            let place = Place(base: UInt64(index) << 8, limit: UInt64(size), height: 0, isGuessed: false)
            lose(root.ref, place, isWayLost: true, error)
        }
    }

    /// Returns the key offset and key limit of a child.
    private func place(_ index: Int, of level: Inner) -> Place {
        let start = offset(index, level)
        let end =
            index + 1 < max(level.childCount, level.info.offsets?.count ?? 0)
            ? offset(index + 1, level) : level.place.limit
        return Place(
            base: start.flatMap { start in level.place.base.map { $0 &+ start } },
            limit: start.flatMap { start in end.flatMap { $0 > start ? $0 - start : nil } },
            height: level.info.depth - 1, isGuessed: level.info.isGuessed || level.place.isGuessed)
    }

    /// Returns the offset added to the keys of a child; nil when it is lost.
    private func offset(_ index: Int, _ level: Inner) -> UInt64? {
        switch level.info.slots[.keyOffsets] {
        case .empty:
            // A zeroed root merely looks like the compact form.
            guard !source.pages.isZero(level.ref.offset + NodeHeader.size) else { return nil }
            let shift = 8 * level.info.depth
            return shift < 64 ? UInt64(index) << UInt64(shift) : 0
        case .tagged: return nil
        case .ref:
            guard !level.info.isGuessed else { return UInt64(index) << UInt64(8 * (level.info.depth + 1)) }
            guard let offsets = level.info.offsets, let offset = offsets.unsigned(at: index) else { return nil }
            guard index == 0 || offset > offsets.unsigned(at: index - 1) ?? .max else { return nil }
            return offset
        }
    }

    private func take(_ ref: Ref) throws(FormatError) -> Node { try take(source.peek(ref)) }

    private func take(_ node: Node) throws(FormatError) -> Node { isFinal ? try source.take(node) : node }

    private mutating func lose(_ ref: Ref, _ place: Place, isWayLost: Bool = false, _ error: FormatError) {
        gaps.append(
            Gap(
                ref: ref, base: place.base, limit: place.limit, height: place.height, isWayLost: isWayLost,
                error: error))
    }

    /// Whether the readable children have keys as Realm assigns them in sequence: below 256 in clusters, and offset
    /// lists with a step of 65536 in inner nodes.
    private func areKeysCounted(_ slots: RecordSlots<ClusterInnerSlot>) -> Bool {
        (0..<max(0, slots.childCount)).allSatisfy { index in
            guard case .ref(let child) = slots.child(unchecked: index) else { return true }
            do throws(FormatError) {
                let node = try source.peek(child)
                switch Slot(try node.refs().element(at: 0) ?? 0) {
                case .tagged(let count): return count <= 256
                case .ref(let list):
                    let numbers = try source.peek(list).integers()
                    guard numbers.count <= Limits.clusterObjects else { return false }
                    guard node.header.isInner else { return numbers.unsigned(at: numbers.count - 1) ?? 0 < 256 }
                    return (0..<numbers.count).allSatisfy { numbers.unsigned(unchecked: $0) == UInt64($0) << 16 }
                case .empty: return !node.header.isInner
                }
            } catch {
                return true
            }
        }
    }

    /// Returns the number of levels from this inner node down to the clusters, along the first readable path.
    private func height(of slots: RecordSlots<ClusterInnerSlot>) -> Int {
        var slots = slots
        for height in 1..<Limits.treeDepth {
            var child: RecordSlots<ClusterInnerSlot>?
            for index in 0..<max(0, slots.childCount) {
                guard case .ref(let ref) = slots.child(unchecked: index) else { continue }
                do throws(FormatError) {
                    let node = try source.peek(ref)
                    guard node.header.isInner else { return height }
                    child = RecordSlots(try node.refs())
                    break
                } catch { continue }
            }
            guard let child else { return height }
            slots = child
        }
        return 1
    }

    // MARK: Clusters

    private mutating func add(_ node: Node, at place: Place) {
        do throws(FormatError) { try add(node, isRestored ? node.elements : node.refs(), place) } catch {
            lose(node.ref, place, error)
        }
    }

    private mutating func add(_ node: Node, _ slots: IntegerVector, _ place: Place) throws(FormatError) {
        guard slots.count > 0 else {
            throw FormatError(.badCluster, at: node.ref.offset, "a cluster without its object keys")
        }
        let stated = ClusterSlots(slots).keys
        let leafCount = leafCount(slots)
        var isRestored = isRestored
        var keys: IntegerVector?
        var problem: String?
        var count: Int
        var keyNode: Node?
        switch stated {
        case .tagged(let number):
            count = Int(clamping: min(number, UInt64(Limits.nodeElements)))
            if let leafCount, leafCount.count != count, !leafCount.hasStated(count) { count = leafCount.count }
        case .empty:
            guard source.pages.state(node) != .lost || leafCount != nil else {
                throw FormatError(.badCluster, at: node.ref.offset, "the cluster lies in a page of zeros")
            }
            count = leafCount?.count ?? 0
            if count > 0 { problem = "the object keys of the cluster are missing" }
        case .ref(let ref):
            do throws(FormatError) {
                let list = try headers.keyList(at: ref, leafCount, limit: place.limit)
                keyNode = try take(list.node)
                keys = list.node.elements
                count = list.node.count
                isRestored = isRestored || list.isRestored
            } catch {
                guard let leafCount else { throw error }
                count = leafCount.count
                problem = "the object keys cannot be read: \(error.detail)"
            }
        }
        guard count <= (source.version.isLegacy ? Limits.legacyLeafElements : Limits.clusterObjects) else {
            throw FormatError(.badCluster, at: node.ref.offset, "a cluster of \(count) objects")
        }
        try source.spend(count, bytes: node.size, at: node.ref)
        let taken = try take(node)
        guard count > 0 else { return }
        add(
            SalvagedCluster(ref: taken.ref, slots: slots, rowCount: count, rows: nil, first: 0, keys: nil), keys,
            keyNode, place, problem, isRestored: isRestored)
    }

    /// Sorts the objects of a cluster into those with known and unknown keys.
    private mutating func add(
        _ cluster: SalvagedCluster, _ keys: IntegerVector?, _ keyNode: Node?, _ place: Place, _ problem: String?,
        isRestored: Bool
    ) {
        let bytes = source.range(keyNode?.ref ?? cluster.ref)
        guard problem == nil, let base = place.base else {
            keyless.append(
                Keyless(
                    cluster: cluster, reason: problem ?? "where the keys of the cluster begin is lost", bytes: bytes))
            return
        }
        let lost = keyNode.flatMap { node in
            ElementStates(
                node, .int(nullable: false), count: cluster.rowCount, distinct: false, in: source.space, source.pages)
        }
        func key(_ relative: UInt64) -> Int64? {
            let key = Int64(bitPattern: base &+ relative)
            let fits =
                switch content {
                case .objects: key >= 0 && key < .max
                case .tombstones: key < -1
                case .entries: true
                }
            return fits ? key : nil
        }
        let found = (0..<cluster.rowCount).map { row -> UInt64? in
            let relative = keys?.unsigned(unchecked: row) ?? UInt64(row)
            let isThere = lost.map { $0.states[row] != .lost } ?? true
            return isThere && key(relative) != nil && place.limit.map { relative < $0 } ?? true ? relative : nil
        }
        var rows: [UInt16] = []
        var values: [Int64] = []
        var others: [UInt16] = []
        for (row, relative) in AscendingKeys.resolved(found, limit: place.limit).enumerated() {
            if let key = relative.flatMap(key) {
                rows.append(UInt16(truncatingIfNeeded: row))
                values.append(key)
            } else {
                others.append(UInt16(truncatingIfNeeded: row))
            }
        }
        if !values.isEmpty {
            var known = cluster
            known.first = values[0]
            let isDense = values[values.count - 1] &- values[0] == Int64(values.count - 1)
            known.keys = isDense ? nil : values
            known.rows = others.isEmpty ? nil : rows
            clusters.append(known)
            if place.isGuessed { guessed.append(known) }
            if isRestored { restored.append(known) }
        }
        guard !others.isEmpty else { return }
        var unknown = cluster
        unknown.rows = others
        keyless.append(
            Keyless(cluster: unknown, reason: "the object keys are lost, or do not ascend", bytes: bytes))
    }

    /// Returns the element counts of a cluster's readable leaves; nil when there are none.
    private func leafCount(_ slots: IntegerVector) -> LeafCount? {
        var result: LeafCount?
        for column in columns {
            guard case .ref(let ref) = ClusterSlots(slots).leaf(of: column.index) else { continue }
            do throws(FormatError) {
                let node = try source.peek(ref)
                let count = try source.leaf(node, column.leafType, distinct: column.distinct).count
                if result == nil { result = LeafCount() }
                result?.counts[count, default: 0] += 1
            } catch { continue }
        }
        return result
    }

    // MARK: Order

    /// Sorts clusters by key. Where they overlap, the later objects lose their keys.
    private mutating func putInOrder() {
        let (ordered, others) = Self.ordered(clusters, source)
        clusters = ordered
        keyless += others
    }

    /// Returns the clusters in key order, and the parts whose keys preceding clusters already cover.
    static func ordered(
        _ clusters: [SalvagedCluster], _ source: SalvageSource
    ) -> (clusters: [SalvagedCluster], keyless: [Keyless]) {
        let isOrdered = zip(clusters, clusters.dropFirst()).allSatisfy { $0.last < $1.first }
        guard !isOrdered else { return (clusters, []) }
        let sorted = clusters.enumerated().sorted { ($0.element.first, $0.offset) < ($1.element.first, $1.offset) }
            .map(\.element)
        var last: Int64?
        var ordered: [SalvagedCluster] = []
        var keyless: [Keyless] = []
        for cluster in sorted {
            let limit = last
            if let kept = cluster.filtered({ index in limit.map { cluster.key(index) > $0 } ?? true }) {
                ordered.append(kept)
                last = kept.last
            }
            if let limit, let rest = cluster.filtered({ cluster.key($0) <= limit }) {
                keyless.append(
                    Keyless(
                        cluster: rest, reason: "other objects have the same keys", bytes: source.range(cluster.ref)))
            }
        }
        return (ordered, keyless)
    }
}

extension ClusterSurvey: TreePolicy {
    typealias Failure = Never

    mutating func node(at ref: Ref, _ place: Place, below parent: Inner?) throws(FormatError) -> Node? {
        guard ref.offset != 0 else { throw FormatError(.badTable, "where the tree of objects begins is lost") }
        // Every column's leaf is examined, and many refs may lead to the same cluster.
        try source.spend(columns.count, bytes: NodeHeader.size, at: ref)
        let cluster = headers.cluster(at: ref)
        isRestored = cluster != nil
        return if let cluster { cluster } else { try source.peek(ref) }
    }

    mutating func enter(_ node: Node, at place: Place, below parent: Inner?) throws(FormatError) -> Inner? {
        let slots = RecordSlots<ClusterInnerSlot>(try node.refs())
        // Refs have at least eight bits, which limits their number to that of the bytes.
        guard try take(node).header.isInner, slots.childCount > 0, slots.elements.width >= 8 else {
            throw FormatError(.badCluster, at: node.ref.offset, TreeFault.notInner(node, "tree of objects"))
        }
        try source.spend(slots.count, bytes: node.size, at: node.ref)
        if parent == nil, let count = slots.number(.objectCount) {
            expected = Int(clamping: min(count, UInt64(source.space.size) * 128))
        }
        var depth = place.height ?? 0
        if let stated = slots.number(.depth), stated >= 1, stated <= UInt64(Limits.treeDepth),
            place.height.map({ Int(stated) <= $0 }) ?? true
        {
            depth = Int(stated)
        } else {
            depth = height(of: slots)
        }
        var offsets: IntegerVector?
        var isGuessed = false
        if let ref = slots.ref(.keyOffsets) {
            do throws(FormatError) {
                offsets = try take(ref).integers()
            } catch {
                isGuessed = keysCountUp && depth <= 2 && areKeysCounted(slots)
            }
        }
        let info = Info(slots: slots, offsets: offsets, depth: depth, isGuessed: isGuessed)
        let inner = Inner(node, slots, total: nil, at: place, info)
        if parent == nil { root = inner }
        return inner
    }

    func place(of index: Int, in inner: inout Inner) -> Place { place(index, of: inner) }

    mutating func leave(_ inner: Inner) -> Int? {
        loseChildren(of: inner)
        return 0
    }

    mutating func note(_ fault: TreeFault, in ref: Ref, at place: Place) {
        if case .unreadable(let error) = fault { return lose(ref, place, error) }
        let isWayLost = if case .missingChild = fault { true } else { false }
        let words = fault.words("tree of objects", of: "objects")
        lose(ref, place, isWayLost: isWayLost, FormatError(.badCluster, at: ref.offset, words))
    }
}
