package import RealmLayout

/// Finds objects of a table one after another, without a search if they are in the same cluster as the last one.
///
/// For a single task, and therefore without locking.
package struct ObjectLookup {
    /// The table of the objects.
    package let table: Table
    private var last: ClusterKeyRange?

    package init(_ table: Table) { self.table = table }

    /// Returns the object with `key`; nil when there is none.
    ///
    /// - Throws: `FormatError` when the path to it is damaged.
    @inline(__always)
    package mutating func object(_ key: ObjectKey) throws(FormatError) -> StoredObject? {
        if let object = last?.object(key) { return object }
        return try search(key)
    }

    @inline(never)
    private mutating func search(_ key: ObjectKey) throws(FormatError) -> StoredObject? {
        let (object, found) = try table.find(key, in: table.tree)
        // Nodes of an encrypted file may not be accessed later.
        last = table.snapshot.isEncrypted ? nil : found
        return object
    }
}
