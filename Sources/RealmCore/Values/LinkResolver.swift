internal import RealmLayout
internal import Synchronization

/// Finds the target objects of the links of one property, in single values and in collections, top-level and embedded.
///
/// Caches the clusters found, with their opened leaves: objects embedded in neighbours are neighbours. Each home has
/// its own resolver, so that tasks share neither the cache nor a reference count.
final class LinkResolver: Sendable {
    /// The table of the target objects.
    let table: Table
    /// Whether the target objects are embedded.
    let isEmbedded: Bool
    /// A cached home keeps further homes alive: this limits the length of the chain, regardless of the file. At 0
    /// nothing is cached, and homes found start a new chain.
    private let keptLinks: Int
    private let first = RecentClusters()
    /// The cluster found last, when `first` is full.
    private let last = Mutex<ClusterKeyRange?>(nil)

    init(_ table: Table, keptLinks: Int = 0) {
        self.table = table
        self.keptLinks = keptLinks
        isEmbedded = table.schema.kind == .embedded
    }

    /// Returns the object with `key`; nil when there is none.
    ///
    /// - Throws: `FormatError` when the path to it is damaged.
    func object(_ key: ObjectKey) throws(FormatError) -> StoredObject? {
        if let object = keptObject(key) { return object }
        return try search(key)
    }

    /// Returns the object with `key`, if it is in one of the cached clusters.
    @inline(__always)
    func keptObject(_ key: ObjectKey) -> StoredObject? { first.object(key) ?? lastObject(key) }

    @inline(never)
    private func lastObject(_ key: ObjectKey) -> StoredObject? {
        // Treated as a cache miss while another task holds the lock.
        guard first.isFull, let object = last.withLockIfAvailable({ $0?.object(key) }) else { return nil }
        return object
    }

    @inline(never)
    private func search(_ key: ObjectKey) throws(FormatError) -> StoredObject? {
        let keeps = keptLinks > 0 && !table.snapshot.isEncrypted
        let (object, found) = try table.find(
            key, in: table.tree, keptLinks: keeps ? keptLinks - 1 : OpenedCluster.mostKeptLinks)
        if keeps, !first.keep(found) { last.withLockIfAvailable { $0 = found } }
        return object
    }
}

/// The first few clusters in which objects were found. Safe to read and extend from any thread.
///
/// Entries are never removed, so that lookups need neither locks nor reference counting.
@safe
private struct RecentClusters: ~Copyable, @unchecked Sendable {
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
