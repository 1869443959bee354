internal import RealmCore
internal import RealmLayout

/// Determines the former positions of unreachable parts of a table's object tree (Spec 190).
///
/// Realm writes the children of a node one after the other, so their order in the file is that of their keys, and
/// unreachable lists of key offsets show where each one begins. The result is likely but not certain.
final class OrphanTreePlacement {
    /// Adjacent parts of a tree, with the key offset of each.
    private struct Part {
        var members: [(ref: Ref, offset: UInt64)]
        let span: UInt64
        /// Whether some of the parts are missing.
        var isIncomplete = false
        var ref: Ref { members[0].ref }
    }

    private let source: SalvageSource
    private let survey: TableSurvey
    private let isOneCommit: Bool
    private let offsets: [Ref]
    private let keysCountUp: Bool
    private var levels: [[Part]]

    /// Maximum distance of a zeroed page from the next part for a lost part to be assumed in it.
    private static let holeDistance = 16 * DamagedPages.pageSize
    /// Maximum number of offset lists to try for one node.
    private static let mostLists = 65_536

    init(_ trees: OrphanTreeFinder, _ survey: TableSurvey, _ found: [OrphanTreeFinder.Found]) {
        source = trees.source
        self.survey = survey
        isOneCommit = trees.isOneCommit
        offsets = trees.offsets
        keysCountUp = TableSurvey.keysCountUp(survey.core, source)
        levels = [[Part]](repeating: [], count: Limits.treeDepth + 1)
        for tree in found.sorted(by: { $0.ref.offset < $1.ref.offset }) where tree.height < levels.count {
            levels[tree.height].append(Part(members: [(tree.ref, 0)], span: tree.span))
        }
    }

    /// Assigns all parts to the table, with their keys if they can be determined.
    func run() {
        for height in levels.indices where !levels[height].isEmpty {
            let parts = levels[height]
            if fill(parts, height) { continue }
            let isTop = levels[(height + 1)...].allSatisfy(\.isEmpty)
            let isWhole = survey.gaps.allSatisfy { $0.height == nil } && survey.clusters.isEmpty
            if isTop, isWhole, parts.count == 1 {
                var part = parts[0]
                // The root, or other children of it, may lie in a zeroed page.
                if survey.gaps.contains(where: { source.pages.isZero($0.ref.offset) && $0.ref.offset != 0 })
                    || hasHole(parts)
                {
                    part.isIncomplete = true
                }
                adopt(part, base: 0, isAll: true, "it is the only tree of such objects")
                continue
            }
            // The parts may be children of a lost node.
            let parents = survey.gaps.filter { !$0.isWayLost && ($0.height ?? .max) > height }
            let parent = parents.count == 1 ? parents[0] : nil
            if parent != nil || survey.gaps.isEmpty, height + 1 < levels.count,
                let joined = joined(parts, height, limit: parent?.height == height + 1 ? parent?.limit : nil)
            {
                if let parent, parent.height == height + 1, let base = parent.base {
                    // A gap remains if some children are missing.
                    if !joined.isIncomplete { survey.close { $0.ref == parent.ref && $0.height == parent.height } }
                    adopt(joined, base: base, isAll: false, "their order in the file tells their keys")
                } else {
                    levels[height + 1].append(joined)
                    levels[height + 1].sort { $0.ref.offset < $1.ref.offset }
                }
                continue
            }
            for part in parts { adoptWithoutKeys(part) }
        }
    }

    /// Places parts in the gaps of the tree.
    private func fill(_ parts: [Part], _ height: Int) -> Bool {
        let gaps = survey.gaps.filter { $0.isWayLost && $0.height == height && $0.base != nil }
            .inOrder { $0.base ?? 0 < $1.base ?? 0 }
        guard !gaps.isEmpty else { return false }
        let bases = gaps.map { $0.base ?? 0 }
        guard
            let places = places(
                parts, count: gaps.count,
                fits: { part, index in gaps[index].limit.map { part.span < $0 } ?? true })
        else { return false }
        let filled = Set(places.map { bases[$0] })
        survey.close { $0.isWayLost && $0.height == height && $0.base.map { filled.contains($0) } ?? false }
        let members = zip(parts, places).flatMap { part, place in
            part.members.map { (ref: $0.ref, offset: $0.offset &+ bases[place]) }
        }
        adopt(Part(members: members, span: 0), base: 0, isAll: false, "their order in the file tells their keys")
        return true
    }

    /// Combines the children of a lost node, using the only offset list that fits.
    private func joined(_ parts: [Part], _ height: Int, limit: UInt64?) -> Part? {
        var result: [UInt64]?
        var count = parts.count
        for ref in offsets.prefix(Self.mostLists) {
            guard let (starts, all) = starts(parts, ref, limit: limit) else { continue }
            // Equal results come from older or newer versions of the same list.
            guard result == nil || result == starts else { return nil }
            result = starts
            count = max(count, all)
        }
        guard let starts = result ?? compactStarts(parts, height, limit: limit) else { return nil }
        var members: [(ref: Ref, offset: UInt64)] = []
        for (part, start) in zip(parts, starts) {
            members += part.members.map { ($0.ref, $0.offset &+ start) }
        }
        return Part(
            members: members, span: (starts.last ?? 0) &+ (parts.last?.span ?? 0),
            isIncomplete: count > parts.count || parts.contains(where: \.isIncomplete))
    }

    /// Returns the key offsets of parts according to a list, and its length.
    private func starts(_ parts: [Part], _ ref: Ref, limit: UInt64?) -> (starts: [UInt64], count: Int)? {
        do throws(FormatError) {
            try source.spend(parts.count, bytes: 0, at: ref)
            let list = try source.peek(ref).integers()
            guard list.count >= parts.count, limit.map({ list.unsigned(unchecked: list.count - 1) < $0 }) ?? true else {
                return nil
            }
            let places = places(parts, count: list.count) { part, index in
                let start = list.unsigned(unchecked: index)
                let end = index + 1 < list.count ? list.unsigned(unchecked: index + 1) : limit
                return end.map { part.span < $0 - start } ?? true
            }
            return places.map { ($0.map { list.unsigned(unchecked: $0) }, list.count) }
        } catch {
            return nil
        }
    }

    /// Returns the key offsets of children without a list, each with room for the same number of keys.
    private func compactStarts(_ parts: [Part], _ height: Int, limit: UInt64?) -> [UInt64]? {
        guard parts.count > 1, parts.count <= Limits.clusterObjects, !hasHole(parts) else { return nil }
        if keysCountUp, height == 0, parts.allSatisfy({ $0.span < 256 }), limit == nil {
            return parts.indices.map { UInt64($0) << 16 }
        }
        let shift = UInt64(8 * (height + 1))
        guard shift < 56 else { return nil }
        let size: UInt64 = 1 << shift
        guard parts.allSatisfy({ $0.span < size }), parts.dropLast().allSatisfy({ $0.span >= size / 2 }),
            limit.map({ UInt64(parts.count - 1) << shift < $0 }) ?? true
        else { return nil }
        return parts.indices.map { UInt64($0) << shift }
    }

    // MARK: Places

    /// Returns the positions of parts among `count`: consecutive, except for one run of missing parts in a zeroed
    /// page. Nil if the positions are ambiguous.
    private func places(_ parts: [Part], count: Int, fits: (Part, Int) -> Bool) -> [Int]? {
        guard parts.count <= count else { return nil }
        func places(before hole: Int) -> [Int]? {
            let places = parts.indices.map { $0 < hole ? $0 : $0 + count - parts.count }
            return zip(parts, places).allSatisfy(fits) ? places : nil
        }
        guard parts.count < count else { return places(before: count) }
        var found: [Int]?
        for hole in 0...parts.count where isHole(hole, parts) {
            guard let places = places(before: hole) else { continue }
            guard found == nil else { return nil }
            found = places
        }
        return found
    }

    private func hasHole(_ parts: [Part]) -> Bool { (0...parts.count).contains { isHole($0, parts) } }

    /// Whether there is a zeroed page before a part, or after the last.
    private func isHole(_ index: Int, _ parts: [Part]) -> Bool {
        let start = index > 0 ? parts[index - 1].ref.offset : parts[0].ref.offset - Self.holeDistance
        let end = index < parts.count ? parts[index].ref.offset : (parts.last?.ref.offset ?? 0) + Self.holeDistance
        return source.pages.hasPage(in: max(0, start)..<max(0, start, end))
    }

    // MARK: Adoption

    private func adopt(_ part: Part, base: UInt64, isAll: Bool, _ how: String) {
        let older = isOneCommit ? "" : "; it may be of an older commit"
        survey.adopt(
            part.members.map {
                ClusterSurvey(
                    source, Array(survey.core.columns), root: $0.ref, base: base &+ $0.offset, .objects,
                    keysCountUp: keysCountUp)
            }, at: part.ref, isAll: isAll && !part.isIncomplete,
            reason: "nothing leads to these objects any more; they were found by scanning, and \(how)\(older)",
            source)
    }

    private func adoptWithoutKeys(_ part: Part) {
        survey.adopt(
            part.members.map { ClusterSurvey(source, Array(survey.core.columns), root: $0.ref, base: nil, .objects) },
            at: part.ref, isAll: false, reason: nil, source)
    }
}
