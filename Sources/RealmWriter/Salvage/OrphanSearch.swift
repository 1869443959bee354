internal import RealmLayout
internal import RealmReader
internal import RealmVerifier

/// Finds clusters to which nothing leads any more, because an inner node above them is lost (Spec 190).
///
/// Only what is certain counts: all nodes of the commit are either reached from its root or not free, so that what is neither
/// was below something that is lost. It must look exactly like a cluster of one table, and of no other.
struct OrphanSearch {
    private let source: SalvageSource
    /// The tables by the slots that their clusters have.
    private let bySlotCount: [Int: [TableSurvey]]
    /// Words of nodes that the root leads to, and of free chunks.
    private var accounted: WordMap

    /// - Parameter root: the root, whose list of free chunks is needed; nil is returned where it cannot be read.
    init?(_ source: SalvageSource, _ surveys: [TableSurvey], root: Ref) {
        self.source = source
        bySlotCount = Dictionary(grouping: surveys) { survey in
            ((survey.core.columns + survey.core.backlinkColumns).map(\.index).max() ?? -2) + 2
        }
        accounted = WordMap(bytes: source.space.bytes.count)
        guard addFreeChunks(root) else { return nil }
        var walk = NodeWalk(root: root, in: source.space)
        while let step = walk.next() {
            if case .node(let node) = step {
                accounted.insert(node.ref.offset, count: NodeHeader.size + (node.size + 7) & ~7)
            }
        }
    }

    private mutating func addFreeChunks(_ root: Ref) -> Bool {
        do throws(FormatError) {
            let top = try source.peek(root).refs()
            // Files in streaming form have no list, and nothing that is free.
            guard let first = top.element(at: GroupTopSlot.freePositions.rawValue),
                let second = top.element(at: GroupTopSlot.freeLengths.rawValue)
            else { return true }
            guard case .ref(let positionsRef) = Slot(first), case .ref(let lengthsRef) = Slot(second) else {
                return first == 0 && second == 0 && source.pages.ranges.isEmpty
            }
            let positions = try source.peek(positionsRef).integers()
            let lengths = try source.peek(lengthsRef).integers()
            guard positions.count == lengths.count else { return false }
            for index in 0..<positions.count {
                let (offset, length) = (positions[unchecked: index], lengths[unchecked: index])
                guard offset >= 0, length > 0, offset <= Int64(source.space.bytes.count),
                    length <= Int64(source.space.bytes.count) - offset
                else { return false }
                accounted.insert(Int(offset), count: Int(length))
            }
            return true
        } catch {
            return false
        }
    }

    /// Gives the clusters that are found to the tables that miss some.
    func run() {
        let bytes = source.space.bytes
        var offset = FileHeader.size
        while let next = accounted.next(isSet: false, from: offset, to: bytes.count - NodeHeader.size) {
            offset = next + 8
            // Refs in elements of bits, neither inner nor with the context flag.
            let word = bytes.uint64(unchecked: next)
            guard (word >> 32) & 0xF8 == 0x40, UInt32(truncatingIfNeeded: word) == NodeHeader.dummyChecksum else {
                continue
            }
            consider(Ref(next))
        }
    }

    private func consider(_ ref: Ref) {
        var found: (survey: TableSurvey, rows: Int)?
        for survey in candidates(ref) {
            guard let rows = rowCount(ref, survey.core) else { continue }
            // It could be of either table.
            guard found == nil else { return }
            found = (survey, rows)
        }
        guard let (survey, rows) = found, survey.isIncomplete else { return }
        do throws(FormatError) {
            let slots = try source.take(ref).refs()
            survey.adopt(
                SalvagedCluster(ref: ref, slots: slots, rowCount: rows, rows: nil, first: 0, keys: nil),
                bytes: source.range(ref))
        } catch {
            return
        }
    }

    /// The tables whose clusters have as many slots.
    private func candidates(_ ref: Ref) -> [TableSurvey] {
        do throws(FormatError) { return bySlotCount[try source.peek(ref).count] ?? [] } catch { return [] }
    }

    /// The objects of the cluster at `ref`; nil when it is none of the table.
    private func rowCount(_ ref: Ref, _ core: TableCore) -> Int? {
        let columns = core.columns + core.backlinkColumns
        do throws(FormatError) {
            try source.spend(columns.count, bytes: NodeHeader.size, at: ref)
            let slots = try source.peek(ref).refs()
            var count = 0
            switch Slot(slots.element(at: 0) ?? 0) {
            case .tagged(let number): count = Int(clamping: number)
            case .ref(let keys): count = try ascendingCount(keys)
            case .empty: return nil
            }
            guard count > 0, count <= Limits.clusterObjects else { return nil }
            for column in columns {
                guard case .ref(let leaf) = Slot(slots[unchecked: column.index + 1]),
                    !accounted.intersects(leaf.offset, count: NodeHeader.size),
                    try source.leaf(source.peek(leaf), column.leafType, distinct: column.distinct).count == count
                else { return nil }
            }
            return count
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
