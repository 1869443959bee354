internal import RealmLayout

/// A lease for work in pieces. Pages admitted for one piece remain for the next, unless the cache exceeds its limit.
/// Between pieces the lease is parked, so that unused pages can be reclaimed.
///
/// Not thread-safe: only one thread at a time may use it.
package final class OwnedLease {
    private let pages: EncryptedPages
    private var parked: ParkedLease?
    private var lease: PageLease?
    /// The number of rows to read in one piece: few if rows need many pages, for their values or the targets of their
    /// links.
    package private(set) var rows = 8

    /// Creates an idle lease; `resume` begins it.
    package init(_ pages: EncryptedPages) { self.pages = pages }

    deinit {
        if let lease { pages.end(lease) }
        if let lease = parked.flatMap({ pages.resume($0) }) { pages.end(lease) }
    }

    /// Begins a piece of work.
    ///
    /// - Returns: whether the pages admitted for earlier pieces are still present.
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
