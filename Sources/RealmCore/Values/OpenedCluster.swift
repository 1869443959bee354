internal import RealmLayout

/// The home of objects found in one cluster: their table, the cluster, and its opened leaves.
///
/// A class, so that an object is one reference and numbers. Each cursor creates its own, so that tasks that read the
/// same table do not contend for a reference count with every object.
package final class OpenedCluster: Sendable {
    let table: Table
    let space: NodeSpace
    let cluster: Cluster
    let propertyCount: Int
    /// Whether dictionaries are pairs of trees.
    let hasPairDictionaries: Bool
    /// Properties opened for all objects of the cluster; empty for an encrypted file, where leaves can be evicted.
    let opened: PropertyReaderCache
    /// The number of successive links whose last target is cached; see `LinkResolver`.
    private let keptLinks: Int

    /// The maximum of successive links whose last target is cached: the object, its embedded object, and the one
    /// embedded in that.
    static let mostKeptLinks = 3

    init(_ table: Table, _ cluster: Cluster, keptLinks: Int = mostKeptLinks) {
        self.table = table
        self.cluster = cluster
        self.keptLinks = keptLinks
        space = table.snapshot.space
        propertyCount = table.columns.count
        hasPairDictionaries = table.snapshot.version.hasPairDictionaries
        opened = PropertyReaderCache(count: space.isTransient ? 0 : propertyCount)
    }

    /// Returns the object in a row of the cluster. Only valid while nodes may be accessed.
    ///
    /// - Throws: errors from reopening the cluster of an encrypted file.
    @inline(__always)
    func object(inRow row: Int) throws(FormatError) -> StoredObject {
        StoredObject(home: self, key: try cluster.current(in: space).key(unchecked: row), row: row)
    }

    /// Returns a property of the objects. Only valid while nodes may be accessed.
    ///
    /// - Precondition: the property exists.
    /// - Throws: `badCluster` when the cluster has no leaf for it, and errors from opening the leaf.
    func property(at index: PropertyIndex) throws(FormatError) -> PropertyReader {
        if let property = opened.property(at: index) { return property }
        let column = table.columns[index]
        let property = PropertyReader(
            leaf: try cluster.current(in: space).leaf(of: column, in: space), elementType: column.elementType,
            collection: table.schema.properties[index].collection,
            target: column.target.map { target(at: $0) })
        opened.keep(property, at: index)
        return property
    }

    /// Makes a resolver for the table at a position in the snapshot.
    func target(at position: TablePosition) -> LinkResolver {
        LinkResolver(table.snapshot.table(at: position), keptLinks: keptLinks)
    }

    /// Returns the index of the property with that name.
    func index(ofProperty name: String) -> PropertyIndex? {
        table.schema.properties.propertyIndex(named: name)
    }
}
