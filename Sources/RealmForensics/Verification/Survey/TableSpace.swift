package import RealmLayout

/// The bytes of a table.
package struct TableSpace: Sendable {
    /// The name of the table; `table 3` if it is lost.
    package let name: String
    /// The position of the table in the snapshot; nil if it cannot be read.
    package let position: TablePosition?
    /// The top of the table, its spec, and the names of its columns.
    package let schema: NodeBytes
    /// The tree of objects and their keys, without the leaves of columns.
    package let objects: NodeBytes
    /// Tombstones, with their values.
    package let tombstones: NodeBytes
    /// Leaves of unknown columns.
    package let unknown: NodeBytes
    /// The columns: properties in the order of the schema, then backlinks.
    package let columns: [ColumnSpace]

    /// All bytes of the table.
    package var bytes: Int {
        schema.bytes + objects.bytes + tombstones.bytes + unknown.bytes + columns.reduce(0) { $0 + $1.bytes }
    }
}

/// The bytes of a column.
package struct ColumnSpace: Sendable {
    /// The name of the property, or of the link `Class.property` that backlinks belong to.
    package let name: String
    /// The property; nil for backlinks and unreadable columns.
    package let property: PropertyIndex?
    /// Whether it is a column of backlinks.
    package let isBacklink: Bool
    /// Leaves, collections, and values that are nodes of their own.
    package let values: NodeBytes
    /// The search index.
    package let index: NodeBytes
    /// The list of the distinct strings of an enumerated column.
    package let distinct: NodeBytes

    /// All bytes of the column.
    package var bytes: Int { values.bytes + index.bytes + distinct.bytes }
}
