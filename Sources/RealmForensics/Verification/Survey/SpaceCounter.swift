internal import RealmCore
internal import RealmLayout

/// Counts the bytes of a commit by the purposes of its nodes.
struct SpaceCounter {
    private let snapshot: Snapshot
    private let space: NodeSpace
    private(set) var plan: SurveyPlan
    /// Bytes by purpose, as numbered by the plan.
    private(set) var counts: [NodeBytes]
    private(set) var damage = SurveyDamage()
    /// Bytes of other commits after the end of the database.
    private(set) var othersBeyond = 0
    /// The words of the commit's nodes, up to the end of the database.
    private var owned: WordMap
    private var ownedEnd: Int { snapshot.logicalSize }
    /// The bytes of overlapping nodes that are still counted exactly.
    private var overlapRoom: Int
    /// The words of the nodes of other commits.
    private var others: WordMap

    init(_ snapshot: Snapshot) {
        self.snapshot = snapshot
        space = snapshot.space.withoutOverlay
        plan = snapshot.reading { SurveyPlan(snapshot) }
        counts = [NodeBytes](repeating: NodeBytes(), count: plan.purposeCount)
        owned = WordMap(bytes: snapshot.logicalSize)
        others = WordMap(bytes: snapshot.data.view.count)
        overlapRoom = snapshot.data.view.count
    }

    // MARK: Nodes

    mutating func countNodes() {
        guard let top = snapshot.topRef else { return }
        var walk = NodeWalk(root: top, in: space)
        // The places of the nodes from the root to the current one.
        var places: [NodePlace] = []
        while let step = walk.next() {
            switch step {
            case .node(let node):
                places.removeLast(places.count - min(places.count, walk.depth))
                let place =
                    walk.lastIndex.map { index in
                        places.last.map { plan.place(of: index, in: $0) } ?? .purpose(SurveyPlan.unknown)
                    } ?? .root
                places.append(plan.entered(place, node, in: space))
                let claimed = claim(node)
                if claimed < node.body.count { noteOverlap(node) }
                counts[plan.purpose(of: place)].add(node.body.count, claimed: claimed)
            case .again(let ref):
                damage.note(FormatError(.sharedNodes, at: ref.offset, "the node is referred to a second time"))
            case .damaged(_, let error):
                damage.note(error)
            }
        }
    }

    private mutating func noteOverlap(_ node: Node) {
        damage.note(
            FormatError(
                .sharedNodes, at: node.ref.offset, "the node of \(node.body.count) bytes overlaps another one"))
    }

    /// Returns the number of bytes that no other node has claimed.
    private mutating func claim(_ node: Node) -> Int {
        let (start, count) = (node.ref.offset, node.body.count)
        guard owned.intersects(start, count: count) else {
            owned.insert(start, count: count)
            return count
        }
        guard takeFromOverlapRoom(node) else { return 0 }
        let claimed = owned.count(isSet: false, from: start, to: start + count)
        owned.insert(start, count: count)
        return claimed
    }

    // MARK: Other commits

    /// Returns the bytes of other commits that neither this one nor those before in the list use.
    mutating func countOthers(_ snapshots: [Snapshot]) -> [SpaceSurvey.OtherCommit] {
        var result: [SpaceSurvey.OtherCommit] = []
        for other in snapshots {
            guard let top = other.topRef, top != snapshot.topRef else { continue }
            var bytes = 0
            other.reading {
                var walk = NodeWalk(root: top, in: other.space.withoutOverlay)
                while let step = walk.next() {
                    guard case .node(let node) = step else { continue }
                    bytes += claimOther(node)
                }
            }
            result.append(SpaceSurvey.OtherCommit(number: other.commitNumber, slot: other.slot, bytes: bytes))
        }
        return result
    }

    private mutating func claimOther(_ node: Node) -> Int {
        let (start, end) = (node.ref.offset, node.ref.offset + node.body.count)
        // Sound nodes do not overlap.
        if others.intersects(start, count: node.body.count), !takeFromOverlapRoom(node) { return 0 }
        var bytes = 0
        owned.forEachRun(isSet: false, from: start, to: min(end, ownedEnd)) { from, to in
            bytes += others.count(isSet: false, from: from, to: to)
        }
        if end > ownedEnd {
            let beyond = others.count(isSet: false, from: max(start, ownedEnd), to: end)
            othersBeyond += beyond
            bytes += beyond
        }
        others.insert(start, count: node.body.count)
        return bytes
    }

    /// Charges an overlapping node, of which a hostile file can have many large ones; returns false when it is not to
    /// be counted.
    private mutating func takeFromOverlapRoom(_ node: Node) -> Bool {
        overlapRoom -= node.body.count
        return overlapRoom >= 0
    }

    // MARK: Free chunks

    mutating func countFree() -> FreeBytes {
        var free = FreeBytes()
        guard let top = snapshot.topRef else { return free }
        let list: FreeList
        do throws(FormatError) {
            list = try Record<GroupTopSlot>(at: top, in: space).freeList(in: space)
        } catch {
            damage.note(error)
            return free
        }
        if list.positions.count != list.lengths.count || list.versions.map({ $0.count != list.count }) ?? false {
            damage.note(FormatError(.badGroup, at: top.offset, "the arrays of free chunks differ in length"))
        }
        var end = FileHeader.size
        for index in 0..<list.count {
            // Arrays of width 0 claim millions of chunks in eight bytes.
            guard let chunk = list.chunk(index, limit: snapshot.logicalSize), chunk.lowerBound >= end,
                (chunk.lowerBound | chunk.upperBound) & 7 == 0
            else {
                damage.note(
                    FormatError(.badGroup, at: top.offset, "free chunk \(index) is not a chunk of its own"))
                if list.positions.width == 0 || list.lengths.width == 0 { break }
                continue
            }
            end = chunk.upperBound
            count(chunk, freedBy: list.versions?.element(at: index) ?? 0, in: &free)
        }
        return free
    }

    private mutating func count(_ chunk: Range<Int>, freedBy version: Int64, in free: inout FreeBytes) {
        free.chunks += 1
        free.largestChunk = max(free.largestChunk, chunk.count)
        if let node = owned.next(isSet: true, from: chunk.lowerBound, to: chunk.upperBound) {
            damage.note(
                FormatError(
                    .badGroup, at: node, "the free chunk at \(Ref(chunk.lowerBound)) overlaps a node in use"))
        }
        var bytes = 0
        owned.forEachRun(isSet: false, from: chunk.lowerBound, to: chunk.upperBound) { start, end in
            bytes += others.count(isSet: false, from: start, to: end)
        }
        let freed = UInt64(bitPattern: version)
        if freed == 0 {
            free.reusable += bytes
        } else if freed < snapshot.commitNumber {
            free.pinned += bytes
            let known = free.pinnedBy ?? freed...freed
            free.pinnedBy = min(known.lowerBound, freed)...max(known.upperBound, freed)
        } else {
            free.freedLast += bytes
        }
    }
}

extension WordMap {
    /// Calls `body` with each run of words of a range whose bits are all set, or all clear.
    fileprivate func forEachRun(
        isSet: Bool, from start: Int, to end: Int, _ body: (_ from: Int, _ to: Int) -> Void
    ) {
        var offset = start
        while let first = next(isSet: isSet, from: offset, to: end) {
            let last = next(isSet: !isSet, from: first, to: end) ?? end
            body(first, last)
            offset = last
        }
    }

    /// The bytes of the words of a range whose bits are set, or clear.
    fileprivate func count(isSet: Bool, from start: Int, to end: Int) -> Int {
        var bytes = 0
        forEachRun(isSet: isSet, from: start, to: end) { bytes += $1 - $0 }
        return bytes
    }
}
