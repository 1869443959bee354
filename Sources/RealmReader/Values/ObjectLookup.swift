package import RealmLayout

/// Finds one object of a table after the other; those that are near to the last one without a search.
///
/// For one task alone, so that nothing is locked.
package struct ObjectLookup {
    /// Where the objects are.
    package let table: Table
    private var last: ClusterKeyRange?

    package init(_ table: Table) { self.table = table }

    /// The object with `key`; nil when there is none.
    ///
    /// - Throws: `FormatError` when the way to it is damaged.
    @inline(__always)
    package mutating func object(_ key: ObjectKey) throws(FormatError) -> StoredObject? {
        if let object = last?.object(key) { return object }
        return try search(key)
    }

    @inline(never)
    private mutating func search(_ key: ObjectKey) throws(FormatError) -> StoredObject? {
        let (object, found) = try table.find(key, in: table.tree)
        // Of an encrypted file nothing may be looked at later.
        last = table.snapshot.isEncrypted ? nil : found
        return object
    }
}
