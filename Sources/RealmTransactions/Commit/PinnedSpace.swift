internal import RealmLayout
internal import RealmReader
internal import RealmStorage

/// Which of the bytes that commits released somebody still needs: who reads an older snapshot, or the commit that a loss of power may lead
/// back to (Spec 220).
///
/// A snapshot's own list of free space says what it does not need. So bytes that were used and released again while it was read are of use
/// at once, and a snapshot that is kept for long costs as much room as it has itself.
struct PinnedSpace {
    /// The oldest commit that somebody needs.
    private let oldest: Int64
    /// The commit that a loss of power may lead back to: what later ones released stays.
    private let durable: Int64
    /// The commits of snapshots that may still be read, in ascending order.
    private let kept: [UInt64]
    /// The newest of the snapshots before a commit that are still read.
    private let newest: (UInt64) -> Snapshot?
    /// What is known of snapshots, and where it is, by their commits.
    private var spaces: [FormerSpace] = []
    private var places: [Int64: Int] = [:]
    /// What was looked up: a commit, and the newest of them before it. There are few commits, and each is asked for often.
    private var known: [(version: Int64, snapshot: Snapshot?)] = []
    private static let knownCount = 64

    /// Snapshots between the release of a chunk and the next one that needs it, of which each has it in its list: there are hardly two.
    private static let depth = 32

    init(oldest: UInt64, durable: UInt64, kept: [UInt64], newestBefore newest: @escaping (UInt64) -> Snapshot?) {
        self.oldest = Int64(clamping: min(oldest, durable))
        self.durable = Int64(clamping: durable)
        self.kept = kept
        self.newest = newest
    }

    /// Whether nobody needs what a commit released.
    @inline(__always)
    func isFree(releasedBy version: Int64) -> Bool { version <= oldest }

    /// Goes through a chunk of the list of free space. Chunks come in the order of the list.
    ///
    /// - Parameters:
    ///   - version: the commit that released it.
    ///   - body: is called with each part and its own version: snapshots below may need it; 0 where none does.
    mutating func forEachPart(
        of chunk: FreeSpace.Chunk, releasedBy version: Int64, depth: Int = 0, _ body: (FreeSpace.Chunk, Int64) -> Void
    ) {
        if isFree(releasedBy: version) { return body(chunk, 0) }
        // Of what the snapshot right before needs no list tells more.
        guard version <= durable, depth < Self.depth, !keeps(version - 1),
            let snapshot = snapshot(before: version), let space = space(of: snapshot)
        else { return body(chunk, version) }
        // As old as it can be without being used again, so that it touches others that are, and is known next time.
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

    /// Whether the snapshot of a commit may still be read. There may be ten thousand, and as many entries of the list, of each commit some.
    private func keeps(_ version: Int64) -> Bool {
        guard let last = kept.last, let version = UInt64(exactly: version), version <= last else { return false }
        // Where each commit is kept its place is known.
        let place = kept.count - 1 - Int(clamping: last - version)
        if place >= 0, kept[place] == version { return true }
        let found = kept.partitioningIndex { $0 >= version }
        return kept[found] == version
    }

    /// The newest snapshot before a commit; nil where there is none that can be read.
    private mutating func snapshot(before version: Int64) -> Snapshot? {
        if known.isEmpty { known = Array(repeating: (-1, nil), count: Self.knownCount) }
        let place = Int(truncatingIfNeeded: version) & (Self.knownCount - 1)
        if known[place].version != version { known[place] = (version, newest(UInt64(version))) }
        return known[place].snapshot
    }

    /// What a snapshot does not need; nil where it cannot be read: all may be needed then.
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
    /// The snapshot's commit.
    let version: Int64
    private let snapshot: Snapshot
    private let hold: PageHold?
    private let list: FreeList
    private let logicalSize: Int
    /// The first entry that may be asked for.
    private var next = 0

    /// - Throws: `FormatError` where the snapshot's list cannot be read.
    init(_ snapshot: Snapshot) throws(FormatError) {
        guard let group = snapshot.group else { throw FormatError.emptyDatabase }
        self.snapshot = snapshot
        version = Int64(clamping: snapshot.commitNumber)
        hold = snapshot.hold()
        let root = try snapshot.reading { () throws(FormatError) in try DatabaseRoot(group) }
        list = try snapshot.reading { () throws(FormatError) in try root.top.freeList(in: root.space) }
        logicalSize = snapshot.logicalSize
    }

    /// How far the beginning of a range is needed, or is not needed, as a whole.
    ///
    /// - Returns: the end, and the commit that released the bytes, 0 where it does not matter; nil where the snapshot needs them.
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

    /// Goes to the first entry that ends behind an offset, which is mostly near.
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
