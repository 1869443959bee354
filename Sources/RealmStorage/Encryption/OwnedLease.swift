internal import RealmLayout

/// A lease for work that comes in pieces: what was admitted for one piece is still there for the next, unless there are more
/// pages than should be. Between pieces the lease is parked, and pages that nobody else uses can be had back.
///
/// One thread at a time may use it.
package final class OwnedLease {
    private let pages: EncryptedPages
    private var parked: ParkedLease?
    private var lease: PageLease?
    /// How many rows to read in one piece: few where rows need many pages, for what they hold or link to.
    package private(set) var rows = 8

    /// Holds nothing before `resume`.
    package init(_ pages: EncryptedPages) { self.pages = pages }

    deinit {
        if let lease { pages.end(lease) }
        if let lease = parked.flatMap({ pages.resume($0) }) { pages.end(lease) }
    }

    /// Begins a piece of work.
    ///
    /// - Returns: whether what was admitted for the pieces before is still there.
    package func resume() -> Bool {
        if lease != nil { return true }
        if let resumed = parked.flatMap({ pages.resume($0) }) {
            (lease, parked) = (resumed, nil)
            return true
        }
        (lease, parked) = (pages.beginLease(), nil)
        return false
    }

    /// Ends a piece of work.
    package func park() {
        guard let lease else { return }
        self.lease = nil
        if pages.wantsLeasesBack {
            rows = max(1, rows / 2)
            pages.end(lease)
        } else {
            rows = min(rows * 2, Limits.clusterObjects)
            parked = pages.park(lease)
        }
    }
}
