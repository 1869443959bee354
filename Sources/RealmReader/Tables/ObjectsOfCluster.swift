package import RealmLayout

/// The objects of one cluster of a table, for who goes through clusters and asks for few of their objects.
package struct ObjectsOfCluster: Sendable {
    private let home: OpenedCluster

    /// - Parameter cluster: one of the table's own tree.
    package init(_ table: Table, _ cluster: Cluster) { home = OpenedCluster(table, cluster) }

    /// The object in a row of the cluster. Only while nodes may be looked at.
    ///
    /// - Precondition: there is such a row.
    /// - Throws: what opening the cluster again throws, of an encrypted file.
    package func object(inRow row: Int) throws(FormatError) -> StoredObject { try home.object(inRow: row) }
}
