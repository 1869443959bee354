internal import RealmLayout
internal import Synchronization

/// Finds the objects of one table that the links of one property lead to, single ones and those in collections, objects on their
/// own and embedded ones.
///
/// Keeps the clusters that were found with their opened leaves: embedded objects of neighbours are neighbours. Each home has its
/// own, so that tasks share neither what is kept nor a reference count.
final class LinkResolver: Sendable {
    /// The table that the objects are in.
    let table: Table
    /// Whether they live inside the objects that link to them.
    let isEmbedded: Bool
    /// A home that is kept keeps others: so many one after the other, whatever the file says. Where there are none left, nothing is
    /// kept here, and what is found begins anew.
    private let keptLinks: Int
    private let first = RecentClusters()
    /// The cluster that was found last, when `first` has no place for more.
    private let last = Mutex<ClusterKeyRange?>(nil)

    init(_ table: Table, keptLinks: Int = 0) {
        self.table = table
        self.keptLinks = keptLinks
        isEmbedded = table.schema.kind == .embedded
    }

    /// The object with `key`; nil when there is none.
    ///
    /// - Throws: `FormatError` when the way to it is damaged.
    func object(_ key: ObjectKey) throws(FormatError) -> StoredObject? {
        if let object = keptObject(key) { return object }
        return try search(key)
    }

    /// The object with `key`, if it is in one of the clusters that are kept.
    @inline(__always)
    func keptObject(_ key: ObjectKey) -> StoredObject? { first.object(key) ?? lastObject(key) }

    @inline(never)
    private func lastObject(_ key: ObjectKey) -> StoredObject? {
        // While another task looks for something here there is nothing kept.
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

/// The first clusters that objects were found in, for as long as these live: a few. Any thread may look and add.
///
/// What is kept stays, so that who looks takes no lock and counts no reference.
@safe
private struct RecentClusters: ~Copyable, @unchecked Sendable {
    /// A cluster, and those that were kept before it.
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

    /// What embedded objects of 256 neighbours mostly need, and no more of a file in which links lead anywhere.
    private static let most = 8

    private let latest = unsafe Atomic<Unmanaged<Entry>?>(nil)

    deinit { unsafe latest.load(ordering: .acquiring)?.release() }

    /// The object with `key`; nil when it is in none of the clusters.
    @inline(__always)
    func object(_ key: ObjectKey) -> StoredObject? {
        guard let latest = unsafe latest.load(ordering: .acquiring) else { return nil }
        return unsafe latest._withUnsafeGuaranteedRef { $0.object(key) }
    }

    /// Whether no more clusters are kept.
    var isFull: Bool {
        guard let latest = unsafe latest.load(ordering: .acquiring) else { return false }
        return unsafe latest._withUnsafeGuaranteedRef { $0.number >= Self.most }
    }

    /// Keeps a cluster, unless another thread keeps one at the same time.
    ///
    /// - Returns: false when there is no place for more.
    func keep(_ found: ClusterKeyRange) -> Bool {
        guard !isFull else { return false }
        let earlier = unsafe latest.load(ordering: .acquiring)
        let entry = unsafe Unmanaged.passRetained(Entry(found, after: earlier?.takeUnretainedValue()))
        let (isKept, _) = unsafe latest.compareExchange(
            expected: earlier, desired: entry, ordering: .acquiringAndReleasing)
        // Each entry holds the one before it.
        unsafe (isKept ? earlier : entry)?.release()
        return true
    }
}
