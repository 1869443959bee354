internal import Synchronization

/// Bookkeeping of the decrypted pages and their limit.
final class PageStore: Sendable {
    /// The maximum number of pages to keep.
    private let limit: Int
    private let count = Atomic<Int>(0)
    private let peak = Atomic<Int>(0)
    private let total = Atomic<Int>(0)
    /// The number of pages from which a round is worthwhile: more than the limit while leases keep most of them.
    private let threshold: Atomic<Int>
    /// Frames that gained data since the last round.
    private let added = Mutex<[Int]>([])
    /// Frames that had data before, the oldest first. Its lock makes rounds exclusive.
    private let kept = Mutex<[Int]>([])

    init(limit: Int) {
        self.limit = limit
        threshold = Atomic(limit)
    }

    /// The current number of pages, its peak, and the number of decryptions.
    var statistics: (now: Int, peak: Int, total: Int) {
        (count.load(ordering: .relaxed), peak.load(ordering: .relaxed), total.load(ordering: .relaxed))
    }

    /// Whether a round is due.
    var isFull: Bool { count.load(ordering: .relaxed) > threshold.load(ordering: .relaxed) }
    /// Whether there are more pages than the limit.
    var isOverLimit: Bool { count.load(ordering: .relaxed) > limit }

    /// Records that a page of `frame` has data.
    func add(frame: Int, in memory: PageMemory) {
        let now = count.add(1, ordering: .relaxed).newValue
        total.add(1, ordering: .relaxed)
        peak.max(now, ordering: .relaxed)
        if memory.noteInUse(frame: frame) { added.withLock { $0.append(frame) } }
    }

    /// Drops frames last used before `oldest`, until there is some room again; first those that were not used in the
    /// last rounds. Does nothing if another thread is already doing this.
    func shrink(_ memory: PageMemory, pageCount: Int, oldest: UInt64, now: UInt64) {
        let goal = limit - limit / 8
        _ = kept.withLockIfAvailable { kept in
            kept += added.withLock { added in
                defer { added.removeAll(keepingCapacity: true) }
                return added
            }
            for bound in [min(oldest, now > 3 ? now - 3 : 0), oldest] {
                guard count.load(ordering: .relaxed) > goal else { break }
                kept.removeAll { frame in
                    guard count.load(ordering: .relaxed) > goal else { return false }
                    let dropped = memory.drop(frame: frame, pageCount: pageCount, usedBefore: bound)
                    count.subtract(dropped ?? 0, ordering: .relaxed)
                    return dropped != nil
                }
            }
            // If leases keep too many pages, the next round waits until it is likely to drop more.
            let left = count.load(ordering: .relaxed)
            threshold.store(left > goal ? max(limit, left + limit / 8) : limit, ordering: .relaxed)
        }
    }
}

extension PageMemory {
    /// Empties a frame, unless one of its pages was used at `epoch` or later, is pinned or busy.
    ///
    /// - Returns: the number of pages that had data; nil if the frame stays.
    func drop(frame: Int, pageCount: Int, usedBefore epoch: UInt64) -> Int? {
        let first = frame * pagesInFrame
        let pages = first..<min(first + pagesInFrame, pageCount)
        var taken: [PageWord] = []
        for index in pages {
            let word = word(index)
            let isIdle = word == .absent || word.isPresent && !word.isPinned && word.epoch < epoch
            guard isIdle, exchange(index, word, for: .busy) else {
                for (index, word) in zip(pages, taken) { set(index, word) }
                return nil
            }
            taken.append(word)
        }
        release(frame: frame)
        noteEmpty(frame: frame)
        for index in pages { set(index, .absent) }
        return taken.count { $0.isPresent }
    }
}

extension EncryptedPages {
    /// Drops pages that nobody can be reading.
    func dropUnused() {
        let round = beginRound()
        store.shrink(
            memory, pageCount: file.geometry.pageCount, oldest: round.limit, now: round.now)
    }

    /// The current number of decrypted pages, its peak, and the number of decryptions.
    package var statistics: (now: Int, peak: Int, total: Int) { store.statistics }
}
