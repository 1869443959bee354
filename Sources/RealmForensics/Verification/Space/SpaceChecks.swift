internal import RealmCore
internal import RealmLayout

/// Checks the free list and the ownership of each byte (A; Spec 70).
struct SpaceChecks {
    let scope: SnapshotScope

    /// The free list, after checking it; nil when there is none.
    func freeList() -> FreeList? {
        let root = scope.root
        let refs = [GroupTopSlot.freePositions, .freeLengths, .freeVersions].map { root.ref($0) }
        guard let positionsRef = refs[0], let lengthsRef = refs[1] else {
            if refs.contains(where: { $0 != nil }) {
                report(.freeListShape, root.ref, "the free list has some of its arrays only")
            } else {
                report(.noFreeList, root.ref, "there is no list of free chunks")
            }
            return nil
        }
        if refs[2] == nil, root.slots.has(.freeVersions) {
            report(.freeListShape, root.ref, "the free list has no versions")
        }
        let arrays = refs.map { $0.flatMap { array($0) } }
        guard let positions = arrays[0], let lengths = arrays[1] else { return nil }
        let list = FreeList(positions: positions, lengths: lengths, versions: arrays[2])
        if positions.count != lengths.count || arrays[2].map({ $0.count != positions.count }) ?? false {
            report(
                .freeListShape, lengthsRef,
                "\(positions.count) positions, \(lengths.count) lengths, \(arrays[2]?.count ?? 0) versions of free chunks"
            )
        }
        check(list, at: positionsRef)
        return list
    }

    private func array(_ ref: Ref) -> IntegerVector? {
        guard let node = scope.node(ref), !node.header.hasRefs, !node.header.isInner, !node.header.isContext else {
            report(.freeListShape, ref, "an array of the free list is not a plain array")
            return nil
        }
        do throws(FormatError) {
            return try node.integers()
        } catch {
            report(.freeListShape, ref, "an array of the free list is not a plain array")
            return nil
        }
    }

    private func report(_ check: CheckIdentifier, _ ref: Ref, _ message: @autoclosure () -> String) {
        scope.sink.report(check, at: ref.offset, in: scope.place, message())
    }

    private func check(_ list: FreeList, at ref: Ref) {
        let limit = Int64(scope.root.logicalSize)
        var end: Int64 = 0
        var last: Int64 = -1
        var lastVersion: Int64?
        // Arrays of width 0 can claim millions of elements in 8 bytes: checking stops at the first wrong one.
        for index in 0..<list.count {
            let position = list.positions[unchecked: index]
            let length = list.lengths[unchecked: index]
            if position & 7 != 0 || length & 7 != 0 || length <= 0 || position < Int64(FileHeader.size) {
                report(
                    .freeEntryAlignment, ref,
                    "free chunk \(index) is said to be at \(position) and to have \(length) bytes")
                if list.positions.width == 0 || list.lengths.width == 0 { return }
            }
            if position < 0 || length > 0 && (position > limit || length > limit - position) {
                report(
                    .freeEntryRange, ref,
                    "free chunk \(index), \(length) bytes at \(position), reaches beyond the database (\(limit) bytes)")
            }
            if position <= last {
                report(
                    .freeListOrder, ref,
                    "free chunk \(index) at \(position) comes after one at \(last)")
            } else if position < end {
                report(
                    .freeOverlap, ref,
                    "free chunk \(index) at \(position) begins inside the one before, which ends at \(end)")
            }
            let version = list.versions?.element(at: index)
            if let version, UInt64(bitPattern: version) > scope.root.version {
                report(
                    .freeVersionRange, ref,
                    "free chunk \(index) was freed by commit \(version), later than the current one "
                        + "(\(scope.root.version))")
            }
            if position == end, index > 0, let version, version == lastVersion, version != 0 {
                report(.freeCoalesced, ref, "the free chunks \(index - 1) and \(index) could be one")
            }
            last = position
            let (sum, overflows) = position.addingReportingOverflow(max(0, length))
            end = overflows ? .max : sum
            lastVersion = version
        }
    }

    /// Compares the free list with the nodes in use: every byte must be used or free, but not both.
    func account(for nodes: NodeMap, _ list: FreeList?) {
        let limit = scope.root.logicalSize
        var free = WordMap(bytes: limit)
        if let list {
            for index in 0..<list.count {
                guard let chunk = list.chunk(index, limit: limit) else {
                    if list.lengths.width == 0 { break }
                    continue
                }
                if let overlap = nodes.owned.next(isSet: true, from: chunk.lowerBound, to: chunk.upperBound) {
                    scope.sink.report(
                        .freeVersusLive, at: overlap, in: scope.place,
                        "free chunk \(index), \(chunk.count) bytes at 0x\(String(chunk.lowerBound, radix: 16)), "
                            + "overlaps the node in use at 0x\(String(overlap, radix: 16))")
                }
                free.insert(chunk.lowerBound, count: chunk.count)
            }
        }
        reportLeaks(nodes, free, limit)
    }

    private func reportLeaks(_ nodes: NodeMap, _ free: WordMap, _ limit: Int) {
        var offset = FileHeader.size
        while let start = nodes.owned.next(isSet: false, from: offset, to: limit) {
            let gapEnd = nodes.owned.next(isSet: true, from: start, to: limit) ?? limit
            var inside = start
            while let leak = free.next(isSet: false, from: inside, to: gapEnd) {
                let end = free.next(isSet: true, from: leak, to: gapEnd) ?? gapEnd
                scope.sink.report(
                    .leak, at: leak, in: scope.place,
                    "\(end - leak) bytes at 0x\(String(leak, radix: 16)) are unaccounted for")
                inside = end
            }
            offset = gapEnd
            if offset >= limit { break }
        }
    }

    /// Checks that all bytes used only by the other commit have been free since this one: going back then remains
    /// possible until the next commit.
    func compare(_ nodes: NodeMap, _ list: FreeList?, withOther other: NodeMap, size: Int) {
        guard let list, let versions = list.versions else { return }
        var freed = WordMap(bytes: size)
        for index in 0..<min(list.count, versions.count) {
            guard UInt64(bitPattern: versions[unchecked: index]) == scope.root.version else { continue }
            guard let chunk = list.chunk(index, limit: scope.root.logicalSize) else { continue }
            freed.insert(chunk.lowerBound, count: chunk.count)
        }
        var offset = FileHeader.size
        while let start = other.owned.next(isSet: true, from: offset, to: size) {
            let end = other.owned.next(isSet: false, from: start, to: size) ?? size
            var inside = start
            while let alone = nodes.owned.next(isSet: false, from: inside, to: end) {
                let aloneEnd = nodes.owned.next(isSet: true, from: alone, to: end) ?? end
                if let loose = freed.next(isSet: false, from: alone, to: aloneEnd) {
                    scope.sink.report(
                        .otherVersusFree, at: loose, in: scope.place,
                        "the bytes at 0x\(String(loose, radix: 16)) belong to the other commit only, but are not free "
                            + "since the current one")
                    return
                }
                inside = aloneEnd
            }
            offset = end
        }
    }
}
