internal import RealmStorage

/// Merges sorted runs of the entries of an index that are on the disk: of each, one entry and a piece of the run are in memory.
final class IndexMerge {
    typealias Entry = IndexEntries.Entry

    /// What is stored of an entry in front of its tail.
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
    private let heads = PlainArray<Entry>()
    /// Numbers of runs that have one: a heap, the run whose entry comes first on top.
    private let heap = PlainArray<Int>()
    /// Bytes of tails that are kept before they are packed.
    private(set) var mostTails = 1 << 20

    init(_ runs: [SpilledBytes]) { readers = runs.map { SpillReader($0) } }

    /// Reads the first entry of each run.
    ///
    /// - Parameter entries: where tails go, and what knows the order.
    func begin(_ entries: IndexEntries) throws(StorageError) {
        for run in readers.indices {
            guard let entry = try read(run, entries.tails) else { continue }
            heads.append(entry)
            heap.append(run)
        }
        // Runs are never empty, so that numbers of heads are numbers of runs.
        var index = heap.count / 2
        while index > 0 {
            index -= 1
            sink(index, entries)
        }
    }

    /// The next entry of all; nil at the end.
    func next(_ entries: IndexEntries) throws(StorageError) -> Entry? {
        guard let run = heap.first else { return nil }
        let entry = heads[run]
        if let following = try read(run, entries.tails) {
            heads[run] = following
        } else {
            heap[0] = heap[heap.count - 1]
            heap.removeLast(1)
        }
        if !heap.isEmpty { sink(0, entries) }
        return entry
    }

    private func read(_ run: Int, _ tails: PlainArray<UInt8>) throws(StorageError) -> Entry? {
        guard let head = try readers[run].next(Head.self) else { return nil }
        let tail = tails.count
        try tails.append(from: readers[run], count: head.tailCount)
        return Entry(rank: head.rank, object: head.object, tail: tail, tailCount: head.tailCount)
    }

    private func sink(_ start: Int, _ entries: IndexEntries) {
        var index = start
        while true {
            var child = 2 * index + 1
            guard child < heap.count else { return }
            if child + 1 < heap.count, entries.isBefore(heads[heap[child + 1]], heads[heap[child]]) { child += 1 }
            // Of runs that begin alike the earlier one comes first.
            guard entries.isBefore(heads[heap[child]], heads[heap[index]]) else { return }
            (heap[index], heap[child]) = (heap[child], heap[index])
            index = child
        }
    }

    /// Keeps only the tails of the next entries, and that of one more.
    func pack(_ tails: PlainArray<UInt8>, _ other: inout Entry) {
        let packed = PlainArray<UInt8>()
        other = Self.move(other, tails, packed)
        for run in heap { heads[run] = Self.move(heads[run], tails, packed) }
        tails.swap(with: packed)
        mostTails = max(1 << 20, 2 * tails.count)
    }

    private static func move(_ entry: Entry, _ tails: PlainArray<UInt8>, _ packed: PlainArray<UInt8>) -> Entry {
        let tail = packed.count
        packed.append(tails.view(entry.tail..<(entry.tail + entry.tailCount)))
        return Entry(rank: entry.rank, object: entry.object, tail: tail, tailCount: entry.tailCount)
    }
}
