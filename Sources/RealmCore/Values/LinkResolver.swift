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
