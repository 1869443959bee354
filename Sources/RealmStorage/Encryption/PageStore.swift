internal import Synchronization

/// Which pages there are, and how many there should be.
final class PageStore: Sendable {
    /// How many pages to keep at most.
    private let limit: Int
    private let count = Atomic<Int>(0)
    private let peak = Atomic<Int>(0)
    private let total = Atomic<Int>(0)
    /// From how many pages on a round is worth its work: more than the limit while leases keep most of them.
    private let threshold: Atomic<Int>
    /// Frames that got data since the last round.
    private let added = Mutex<[Int]>([])
    /// Frames that had data before, the oldest first. Its lock makes rounds exclusive.
    private let kept = Mutex<[Int]>([])

    init(limit: Int) {
        self.limit = limit
        threshold = Atomic(limit)
    }

    /// The number of pages now, the most there ever were, and how often one was decrypted.
    var statistics: (now: Int, peak: Int, total: Int) {
        (count.load(ordering: .relaxed), peak.load(ordering: .relaxed), total.load(ordering: .relaxed))
    }

    /// Whether it is time for a round.
    var isFull: Bool { count.load(ordering: .relaxed) > threshold.load(ordering: .relaxed) }
    /// Whether there are more pages than should be.
    var isOverLimit: Bool { count.load(ordering: .relaxed) > limit }

    /// Notes that a page of `frame` got its data.
    func add(frame: Int, in memory: PageMemory) {
        let now = count.add(1, ordering: .relaxed).newValue
        total.add(1, ordering: .relaxed)
        peak.max(now, ordering: .relaxed)
        if memory.noteInUse(frame: frame) { added.withLock { $0.append(frame) } }
    }

    /// Lets go of frames that were used last before `oldest`, until there is some room again; first of those that were
    /// not used in the last rounds. Does nothing when another thread is at it.
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
            // When leases keep more than there should be, the next round waits until it may have more success.
            let left = count.load(ordering: .relaxed)
            threshold.store(left > goal ? max(limit, left + limit / 8) : limit, ordering: .relaxed)
        }
    }
}

extension PageMemory {
    /// Empties a frame, unless one of its pages was used at `epoch` or later, is pinned or busy.
    ///
    /// - Returns: the number of pages that had data; nil when the frame stays.
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
    /// Drops pages that nobody can be looking at.
    func dropUnused() {
        let round = beginRound()
        store.shrink(
            memory, pageCount: file.geometry.pageCount, oldest: round.limit, now: round.now)
    }

    /// The number of decrypted pages now, the most there were, and how often one was decrypted.
    package var statistics: (now: Int, peak: Int, total: Int) { store.statistics }
}
