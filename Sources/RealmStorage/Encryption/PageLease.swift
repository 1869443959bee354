internal import Synchronization

/// The right to look at admitted bytes until it is returned.
package struct PageLease: Sendable {
    /// When it began.
    fileprivate let epoch: UInt64
}

/// A lease that is not in use: the next round takes it back, unless it is resumed before.
package struct ParkedLease: Sendable {
    fileprivate let number: UInt64
    fileprivate let lease: PageLease
}

/// The leases that are out.
struct LeaseTable {
    /// How many began at which time, the oldest first; none with 0.
    private var counts: [(epoch: UInt64, count: Int)] = []

    /// The numbers of those that are parked, with the times at which they began.
    private var parked: [UInt64: UInt64] = [:]
    private var parkedCount: UInt64 = 0

    /// When the oldest began.
    var oldest: UInt64? { counts.first?.epoch }

    mutating func add(_ epoch: UInt64) {
        if let last = counts.indices.last, counts[last].epoch == epoch {
            counts[last].count += 1
        } else {
            counts.append((epoch, 1))
        }
    }

    mutating func remove(_ epoch: UInt64) {
        guard let index = counts.lastIndex(where: { $0.epoch == epoch }) else { return }
        counts[index].count -= 1
        if counts[index].count == 0 { counts.remove(at: index) }
    }

    mutating func park(_ epoch: UInt64) -> UInt64 {
        parkedCount += 1
        parked[parkedCount] = epoch
        return parkedCount
    }

    /// - Returns: false when it was taken back.
    mutating func resume(_ number: UInt64) -> Bool { parked.removeValue(forKey: number) != nil }

    mutating func takeBackParked() {
        for epoch in parked.values { remove(epoch) }
        parked.removeAll(keepingCapacity: true)
    }
}

extension EncryptedPages {
    /// Begins a lease: nothing that is admitted from now on is dropped before it ends.
    package func beginLease() -> PageLease {
        leases.withLock { leases in
            // Under the lock, so that a round, which asks for the oldest lease under it, cannot miss this one.
            let now = epoch.load(ordering: .relaxed)
            leases.add(now)
            leaseCount.add(1, ordering: .relaxed)
            return PageLease(epoch: now)
        }
    }

    /// Ends a lease.
    package func end(_ lease: PageLease) {
        let isOldest = leases.withLock { leases in
            let before = leases.oldest
            leases.remove(lease.epoch)
            leaseCount.subtract(1, ordering: .relaxed)
            return leases.oldest != before
        }
        // What it held may have kept the cache from shrinking.
        if isOldest, store.isOverLimit { dropUnused() }
    }

    /// Puts a lease aside that its holder may use again.
    func park(_ lease: PageLease) -> ParkedLease {
        leases.withLock { leases in
            leaseCount.subtract(1, ordering: .relaxed)
            return ParkedLease(number: leases.park(lease.epoch), lease: lease)
        }
    }

    /// Takes a parked lease up again; nil when pages may have been dropped meanwhile.
    func resume(_ parked: ParkedLease) -> PageLease? {
        leases.withLock { leases in
            guard leases.resume(parked.number) else { return nil }
            leaseCount.add(1, ordering: .relaxed)
            return parked.lease
        }
    }

    /// Whether a reader should begin a new lease when it can, because there are more pages than should be.
    package var wantsLeasesBack: Bool { store.isOverLimit }

    /// Calls `body` with a lease.
    package func leased<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        let lease = beginLease()
        defer { end(lease) }
        return try body()
    }

    /// Starts a round: time goes on, and parked leases end.
    ///
    /// - Returns: the time before which a page must have been used last to be dropped, and the new time.
    func beginRound() -> (limit: UInt64, now: UInt64) {
        leases.withLock { leases in
            leases.takeBackParked()
            let now = epoch.add(1, ordering: .relaxed).newValue
            return (min(leases.oldest ?? now, now), now)
        }
    }
}

/// A lease that ends when the last reference to it goes.
package final class PageHold: Sendable {
    private let pages: EncryptedPages
    private let lease: PageLease

    /// Begins a lease.
    package init(_ pages: EncryptedPages) {
        self.pages = pages
        lease = pages.beginLease()
    }

    deinit { pages.end(lease) }
}
