package import RealmLayout
internal import Synchronization

/// The search index of a primary key, of formats 10 and up (Spec 80).
///
/// It is believed as far as it can be proven: what it finds is looked at, and what it does not find counts as missing only
/// when every object of the table has been found through it once.
package struct PrimaryKeyIndex {
    private let root: Ref
    private let space: NodeSpace
    /// What lists of objects may take, which intact files hardly have here.
    private var budget: WorkBudget
    /// Nodes that may still be visited.
    private var steps: Int

    /// More levels than the bytes of a key make, with the trees on each.
    private static let deepest = 512

    /// The index of a table's primary key; nil when there is none that can be used.
    ///
    /// - Parameter searches: how many keys are going to be looked for.
    package init?(_ table: Table, searches: Int = 1) {
        let core = table.core
        guard !table.snapshot.version.isLegacy, let primary = core.primaryKeyIndex else { return nil }
        space = table.snapshot.space
        budget = WorkBudget(for: space, passes: 4)
        // A file may be made so that every search is long.
        steps = searches.multipliedReportingOverflow(by: 64).partialValue &+ Self.deepest
        do throws(FormatError) {
            let top = try Record<TableTopSlot>(at: core.topRef, in: space)
            let indexes = try top.integers(.searchIndexes, in: space)
            guard let entry = indexes.element(at: core.columns[primary].index), case .ref(let root) = Slot(entry) else {
                return nil
            }
            self.root = root
        } catch {
            return nil
        }
    }

    /// The keys of the objects that the index has where those with a primary key belong: they may have others.
    ///
    /// - Parameter bytes: the bytes of the value; nil for null.
    /// - Throws: `FormatError` where the index is damaged.
    package mutating func candidates(_ bytes: [UInt8]?) throws(FormatError) -> [ObjectKey] {
        try candidates { level in IndexChunk.at(level, of: bytes?.count) { bytes?[$0] ?? 0 } }
    }

    /// The same for a value whose chunks are at hand.
    package mutating func candidates(_ chunk: (Int) -> Int32) throws(FormatError) -> [ObjectKey] {
        var ref = root
        var depth = 0
        for _ in 0..<Self.deepest {
            steps &-= 1
            guard steps >= 0 else { throw WorkBudget.exhausted(ref) }
            let node = try space.node(at: ref)
            guard node.header.isContext, let slots = IndexNodeSlots(try node.refs()) else {
                throw FormatError(.unexpectedNode, at: ref.offset, "\(node.summary) is not a node of an index")
            }
            let chunks = try space.node(at: slots.chunks).integers()
            let wanted = Int64(chunk(depth))
            // The first that is not lower: of an inner node, the child that may have it.
            var (low, high) = (0, chunks.count)
            while low < high {
                let middle = (low + high) / 2
                if Int64(Int32(truncatingIfNeeded: chunks[unchecked: middle])) < wanted {
                    low = middle + 1
                } else {
                    high = middle
                }
            }
            guard low < chunks.count, low < slots.count else { return [] }
            let slot = slots.entry(unchecked: low)
            if node.header.isInner {
                guard case .ref(let child) = slot else { return [] }
                ref = child
                continue
            }
            guard Int64(Int32(truncatingIfNeeded: chunks[unchecked: low])) == wanted else { return [] }
            switch slot {
            case .empty: return []
            case .tagged(let number): return [ObjectKey(Int64(bitPattern: number))]
            case .ref(let below):
                guard try space.node(at: below).header.isContext else { return try list(below) }
                ref = below
                depth += 1
            }
        }
        throw FormatError(.tooDeep, at: ref.offset, "the index has more than \(Self.deepest) levels")
    }

    private mutating func list(_ root: Ref) throws(FormatError) -> [ObjectKey] {
        try BPlusTree.numbers(at: root, in: space, &budget).map { ObjectKey($0) }
    }
}

/// Which search indexes have been proven to find every object, or not to, by the position of the table. Looking it up twice
/// at the same time does no harm.
package final class ProvenIndexes: Sendable {
    private let known = Mutex<[Int: Bool]>([:])

    package subscript(position: Int) -> Bool? {
        get { known.withLock { $0[position] } }
        set { known.withLock { $0[position] = newValue } }
    }
}
