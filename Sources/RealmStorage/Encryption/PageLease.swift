internal import Synchronization

/// The right to access admitted bytes until the lease ends.
package struct PageLease: Sendable {
    /// The time at which it began.
    fileprivate let epoch: UInt64
}

/// A lease that is not in use. The next round ends it, unless it is resumed before.
package struct ParkedLease: Sendable {
    fileprivate let number: UInt64
    fileprivate let lease: PageLease
}

/// The active leases.
struct LeaseTable {
    /// The number of leases by the time at which they began, the oldest first; without zero counts.
    private var counts: [(epoch: UInt64, count: Int)] = []

    /// The times at which parked leases began, by their numbers.
    private var parked: [UInt64: UInt64] = [:]
    private var parkedCount: UInt64 = 0

    /// The time at which the oldest lease began.
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

    /// - Returns: false if a round has ended the lease.
    mutating func resume(_ number: UInt64) -> Bool { parked.removeValue(forKey: number) != nil }

    mutating func takeBackParked() {
        for epoch in parked.values { remove(epoch) }
        parked.removeAll(keepingCapacity: true)
    }
}

extension EncryptedPages {
    /// Begins a lease: pages admitted from now on are not dropped before it ends.
    package func beginLease() -> PageLease {
        leases.withLock { leases in
            // Under the lock, so that a round, which determines the oldest lease under it, cannot miss this one.
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
        // The lease may have kept the cache from shrinking.
        if isOldest, store.isOverLimit { dropUnused() }
    }

    /// Parks a lease that its holder may use again.
    func park(_ lease: PageLease) -> ParkedLease {
        leases.withLock { leases in
            leaseCount.subtract(1, ordering: .relaxed)
            return ParkedLease(number: leases.park(lease.epoch), lease: lease)
        }
    }

    /// Resumes a parked lease; nil if pages may have been dropped meanwhile.
    func resume(_ parked: ParkedLease) -> PageLease? {
        leases.withLock { leases in
            guard leases.resume(parked.number) else { return nil }
            leaseCount.add(1, ordering: .relaxed)
            return parked.lease
        }
    }

    /// Whether readers should begin a new lease when they can, because the cache exceeds its limit.
    package var wantsLeasesBack: Bool { store.isOverLimit }

    /// Calls `body` with a lease.
    package func leased<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
        let lease = beginLease()
        defer { end(lease) }
        return try body()
    }

    /// Starts a round: advances the clock and ends parked leases.
    ///
    /// - Returns: the time before which the last use of a page must be for the page to be dropped, and the new time.
    func beginRound() -> (limit: UInt64, now: UInt64) {
        leases.withLock { leases in
            leases.takeBackParked()
            let now = epoch.add(1, ordering: .relaxed).newValue
            return (min(leases.oldest ?? now, now), now)
        }
    }
}

/// A lease that ends when the last reference to it is released.
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
