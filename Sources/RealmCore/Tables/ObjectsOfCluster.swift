package import RealmLayout

/// Random access to the objects of one cluster, for callers that read only a few of them.
package struct ObjectsOfCluster: Sendable {
    private let home: OpenedCluster

    /// - Parameter cluster: a cluster of the table's own tree.
    package init(_ table: Table, _ cluster: Cluster) { home = OpenedCluster(table, cluster) }

    /// Returns the object in a row of the cluster. Only valid while nodes may be accessed.
    ///
    /// - Precondition: the row exists.
    /// - Throws: errors from reopening the cluster of an encrypted file.
    package func object(inRow row: Int) throws(FormatError) -> StoredObject { try home.object(inRow: row) }
}
