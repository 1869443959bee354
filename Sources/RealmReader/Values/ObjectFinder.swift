package import RealmLayout

/// Finds objects of a table by their keys; those that are near to the last one without a search.
package struct ObjectFinder: Sendable {
    private let target: LinkTarget

    /// - Parameter table: where the objects are.
    package init(_ table: Table) { target = LinkTarget(table, keptLinks: ObjectHome.mostKeptLinks) }

    /// The object with `key`; nil when there is none.
    ///
    /// - Throws: `FormatError` when the way to it is damaged.
    package func object(_ key: ObjectKey) throws(FormatError) -> StoredObject? { try target.object(key) }
}
