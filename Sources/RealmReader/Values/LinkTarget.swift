internal import RealmLayout
internal import Synchronization

/// Finds the objects of one table that the links of one property lead to, single ones and those in collections, objects on their
/// own and embedded ones.
///
/// Keeps the cluster that was found last with its opened leaves: embedded objects of neighbours are neighbours. Each home has its
/// own, so that tasks share neither what is kept nor a reference count.
final class LinkTarget: Sendable {
    /// The table that the objects are in.
    let table: Table
    /// Whether they live inside the objects that link to them.
    let isEmbedded: Bool
    /// A home that is kept keeps others: so many one after the other, whatever the file says. Where there are none left, nothing is
    /// kept here, and what is found begins anew.
    private let keptLinks: Int
    private let last = Mutex<FoundCluster?>(nil)

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

    /// The object with `key`, if it is in the cluster that was found last.
    @inline(__always)
    func keptObject(_ key: ObjectKey) -> StoredObject? {
        // While another task looks for something here there is nothing kept.
        if let object = last.withLockIfAvailable({ $0?.object(key) }) { object } else { nil }
    }

    /// The cluster that was found last, for who looks for several objects.
    var kept: FoundCluster? {
        if let found = last.withLockIfAvailable({ $0 }) { found } else { nil }
    }

    @inline(never)
    private func search(_ key: ObjectKey) throws(FormatError) -> StoredObject? {
        let keeps = keptLinks > 0 && !table.snapshot.isEncrypted
        let (object, found) = try table.find(
            key, in: table.tree, keptLinks: keeps ? keptLinks - 1 : ObjectHome.mostKeptLinks)
        if keeps { last.withLockIfAvailable { $0 = found } }
        return object
    }
}
