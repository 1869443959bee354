internal import RealmStorage

/// Merges sorted runs of index entries on disk. Memory holds one entry and one piece of each run.
final class IndexMerge {
    typealias Entry = IndexEntries.Entry

    /// The stored form of an entry, which precedes its tail.
    struct Head: BitwiseCopyable {
        let rank: UInt64
        let object: Int64
        let tailCount: Int

        init(_ entry: Entry) {
            rank = entry.rank
            object = entry.object
            tailCount = entry.tailCount
        }
    }

    private let readers: [SpillReader]
    /// The next entry of each run.
    private let heads = UnsharedArray<Entry>()
    private var heap: RunHeap
    /// Size of the tails in bytes at which they are packed.
    private(set) var mostTails = 1 << 20

    init(_ runs: [SpilledBytes]) {
        readers = runs.map { SpillReader($0) }
        heap = RunHeap(count: runs.count)
    }

    /// Reads the first entry of each run.
    ///
    /// - Parameter entries: Receives the tails, and defines the order.
    func begin(_ entries: IndexEntries) throws(StorageError) {
        // Runs are never empty, so indices of heads are indices of runs.
        for run in readers.indices { if let entry = try read(run, entries.tails) { heads.append(entry) } }
        heap.order { isBefore($0, $1, entries) }
    }

    /// Orders two runs. No two entries have the same value and object.
    @inline(__always)
    private func isBefore(_ left: Int, _ right: Int, _ entries: IndexEntries) -> Bool {
        entries.isBefore(heads[left], heads[right])
    }

    /// Returns the next entry of all runs; nil at the end.
    func next(_ entries: IndexEntries) throws(StorageError) -> Entry? {
        guard let run = heap.first else { return nil }
        let entry = heads[run]
        if let following = try read(run, entries.tails) {
            heads[run] = following
        } else {
            heap.removeFirst()
        }
        heap.sinkFirst { isBefore($0, $1, entries) }
        return entry
    }

    private func read(_ run: Int, _ tails: UnsharedArray<UInt8>) throws(StorageError) -> Entry? {
        guard let head = try readers[run].next(Head.self) else { return nil }
        let tail = tails.count
        try tails.append(from: readers[run], count: head.tailCount)
        return Entry(rank: head.rank, object: head.object, tail: tail, tailCount: head.tailCount)
    }

    /// Keeps only the tails of the next entries and of `other`.
    func pack(_ tails: UnsharedArray<UInt8>, _ other: inout Entry) {
        let packed = UnsharedArray<UInt8>(in: tails.folder)
        other = Self.move(other, tails, packed)
        for run in heap.all { heads[run] = Self.move(heads[run], tails, packed) }
        tails.swap(with: packed)
        mostTails = max(1 << 20, 2 * tails.count)
    }

    private static func move(_ entry: Entry, _ tails: UnsharedArray<UInt8>, _ packed: UnsharedArray<UInt8>) -> Entry {
        let tail = packed.count
        packed.append(tails.view(entry.tail..<(entry.tail + entry.tailCount)))
        return Entry(rank: entry.rank, object: entry.object, tail: tail, tailCount: entry.tailCount)
    }
}
