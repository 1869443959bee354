internal import RealmLayout
internal import Synchronization

/// The first few clusters in which objects were found. Safe to read and extend from any thread.
///
/// Entries are never removed, so that lookups need neither locks nor reference counting.
@safe
struct RecentClusters: ~Copyable, @unchecked Sendable {
    /// A cluster, and those cached before it.
    private final class Entry: Sendable {
        let found: ClusterKeyRange
        let earlier: Entry?
        let number: Int

        init(_ found: ClusterKeyRange, after earlier: Entry?) {
            self.found = found
            self.earlier = earlier
            number = (earlier?.number ?? 0) + 1
        }

        @inline(__always)
        func object(_ key: ObjectKey) -> StoredObject? { found.object(key) ?? earlierObject(key) }

        @inline(never)
        private func earlierObject(_ key: ObjectKey) -> StoredObject? { earlier?.object(key) }
    }

    /// Enough for the objects embedded in 256 neighbours in most files, and a limit for files whose links lead
    /// anywhere.
    private static let most = 8

    private let latest = unsafe Atomic<Unmanaged<Entry>?>(nil)

    deinit { unsafe latest.load(ordering: .acquiring)?.release() }

    /// Returns the object with `key`; nil when it is in none of the clusters.
    @inline(__always)
    func object(_ key: ObjectKey) -> StoredObject? {
        guard let latest = unsafe latest.load(ordering: .acquiring) else { return nil }
        return unsafe latest._withUnsafeGuaranteedRef { $0.object(key) }
    }

    /// Whether the capacity is exhausted.
    var isFull: Bool {
        guard let latest = unsafe latest.load(ordering: .acquiring) else { return false }
        return unsafe latest._withUnsafeGuaranteedRef { $0.number >= Self.most }
    }

    /// Adds a cluster, unless another thread adds one at the same time.
    ///
    /// - Returns: false when the capacity is exhausted.
    func keep(_ found: ClusterKeyRange) -> Bool {
        guard !isFull else { return false }
        let earlier = unsafe latest.load(ordering: .acquiring)
        let entry = unsafe Unmanaged.passRetained(Entry(found, after: earlier?.takeUnretainedValue()))
        let (isKept, _) = unsafe latest.compareExchange(
            expected: earlier, desired: entry, ordering: .acquiringAndReleasing)
        // Each entry retains the previous one.
        unsafe (isKept ? earlier : entry)?.release()
        return true
    }
}
