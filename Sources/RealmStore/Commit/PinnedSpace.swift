internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// Decides which released bytes are still needed: by readers of older snapshots, or by the commit that a loss of power
/// may lead back to (Spec 220).
///
/// A snapshot's own list of free space shows what it does not need. Bytes that were used and released again while it
/// was read are therefore reusable at once, and a snapshot that is kept for long costs only its own space.
struct PinnedSpace {
    /// The oldest commit that is still needed.
    private let oldest: Int64
    /// The commit that a loss of power may lead back to: bytes released later are kept.
    private let durable: Int64
    /// The commits of snapshots that may still be read, in ascending order.
    private let kept: [UInt64]
    /// Returns the newest snapshot before a commit that may still be read.
    private let newest: (UInt64) -> Snapshot?
    /// The free lists of snapshots, and their indexes by commit.
    private var spaces: [FormerSpace] = []
    private var places: [Int64: Int] = [:]
    /// A cache: for a commit, the newest snapshot before it. There are few commits, and each is requested often.
    private var known: [(version: Int64, snapshot: Snapshot?)] = []
    private static let knownCount = 64

    /// The maximum number of consecutive snapshots examined for one chunk; there are rarely more than two.
    private static let depth = 32

    init(oldest: UInt64, durable: UInt64, kept: [UInt64], newestBefore newest: @escaping (UInt64) -> Snapshot?) {
        self.oldest = Int64(clamping: min(oldest, durable))
        self.durable = Int64(clamping: durable)
        self.kept = kept
        self.newest = newest
    }

    /// Whether nobody needs the bytes that a commit released.
    @inline(__always)
    func isFree(releasedBy version: Int64) -> Bool { version <= oldest }

    /// Divides a chunk of the list of free space. Chunks must come in the order of the list.
    ///
    /// - Parameters:
    ///   - version: the commit that released it.
    ///   - body: called with each part and its version: older snapshots may need it; 0 if none does.
    mutating func forEachPart(
        of chunk: FreeSpace.Chunk, releasedBy version: Int64, depth: Int = 0, _ body: (FreeSpace.Chunk, Int64) -> Void
    ) {
        if isFree(releasedBy: version) { return body(chunk, 0) }
        // If the snapshot right before is kept, it needs the whole chunk.
        guard version <= durable, depth < Self.depth, !keeps(version - 1),
            let snapshot = snapshot(before: version), let space = space(of: snapshot)
        else { return body(chunk, version) }
        // The lowest version that still protects the part, so that it merges with its neighbours and is recognised next
        // time.
        let needed = Int64(clamping: snapshot.commitNumber) + 1
        var start = chunk.start
        while start < chunk.end {
            let (end, released) = spaces[space].firstPart(of: start..<chunk.end)
            let part = FreeSpace.Chunk(start: start, size: end - start)
            if let released {
                forEachPart(of: part, releasedBy: released, depth: depth + 1, body)
            } else {
                body(part, needed)
            }
            start = end
        }
    }

    /// Whether the snapshot of a commit may still be read. There may be ten thousand, and as many entries in the list
    /// for some of their commits.
    private func keeps(_ version: Int64) -> Bool {
        guard let last = kept.last, let version = UInt64(exactly: version), version <= last else { return false }
        // If every commit is kept, the position is known.
        let place = kept.count - 1 - Int(clamping: last - version)
        if place >= 0, kept[place] == version { return true }
        let found = kept.partitioningIndex { $0 >= version }
        return kept[found] == version
    }

    /// The newest snapshot before a commit; nil if none can be read.
    private mutating func snapshot(before version: Int64) -> Snapshot? {
        if known.isEmpty { known = Array(repeating: (-1, nil), count: Self.knownCount) }
        let place = Int(truncatingIfNeeded: version) & (Self.knownCount - 1)
        if known[place].version != version { known[place] = (version, newest(UInt64(version))) }
        return known[place].snapshot
    }

    /// The index of a snapshot's free list; nil if it cannot be read, in which case the snapshot may need everything.
    private mutating func space(of snapshot: Snapshot) -> Int? {
        let number = Int64(clamping: snapshot.commitNumber)
        if let known = places[number] { return known }
        guard let space = try? FormerSpace(snapshot) else { return nil }
        places[number] = spaces.count
        spaces.append(space)
        return spaces.count - 1
    }
}

/// The bytes that a snapshot does not need.
private struct FormerSpace {
    /// The commit of the snapshot.
    let version: Int64
    private let snapshot: Snapshot
    private let hold: PageHold?
    private let list: FreeList
    private let logicalSize: Int
    /// The first entry that may still be relevant.
    private var next = 0

    /// - Throws: `FormatError` if the snapshot's list cannot be read.
    init(_ snapshot: Snapshot) throws(FormatError) {
        guard let group = snapshot.group else { throw FormatError.emptyDatabase }
        self.snapshot = snapshot
        version = Int64(clamping: snapshot.commitNumber)
        hold = snapshot.hold()
        let root = try snapshot.reading { () throws(FormatError) in try DatabaseRoot(group) }
        list = try snapshot.reading { () throws(FormatError) in try root.top.freeList(in: root.space) }
        logicalSize = snapshot.logicalSize
    }

    /// The longest beginning of a range that is either completely needed or completely free.
    ///
    /// - Returns: its end, and the commit that released the bytes, 0 if that is irrelevant; nil if the snapshot needs
    ///   them.
    mutating func firstPart(of range: Range<Int>) -> (end: Int, released: Int64?) {
        guard range.lowerBound < logicalSize else { return (range.upperBound, 0) }
        seek(range.lowerBound)
        guard next < list.count, let free = list.chunk(next, limit: logicalSize) else {
            return (min(range.upperBound, logicalSize), nil)
        }
        guard free.lowerBound <= range.lowerBound else { return (min(range.upperBound, free.lowerBound), nil) }
        let released = list.versions?.element(at: next) ?? 0
        return (min(range.upperBound, free.upperBound), min(released, version))
    }

    /// Advances to the first entry that ends after an offset, which is mostly near.
    private mutating func seek(_ offset: Int) {
        var step = 1
        while next + step < list.count, ends(next + step - 1, before: offset) {
            next += step
            step *= 2
        }
        var end = min(next + step, list.count)
        while next < end {
            let middle = (next + end) / 2
            if ends(middle, before: offset) { next = middle + 1 } else { end = middle }
        }
    }

    private func ends(_ index: Int, before offset: Int) -> Bool {
        list.positions[unchecked: index] + list.lengths[unchecked: index] <= Int64(offset)
    }
}
