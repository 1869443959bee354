internal import RealmLayout

/// Where objects are that were found in one cluster: their table, the cluster, and its opened leaves.
///
/// A class, so that an object is one reference and numbers. Each cursor makes its own, so that tasks that read the same table share
/// no reference count from object to object.
package final class OpenedCluster: Sendable {
    let table: Table
    let space: NodeSpace
    let cluster: Cluster
    let propertyCount: Int
    /// Whether dictionaries are pairs of trees.
    let hasPairDictionaries: Bool
    /// What was opened for all objects of the cluster; of an encrypted file nothing, where leaves do not stay.
    let opened: PropertyReaderCache
    /// How many links one after the other are followed with what was found last kept: see `LinkResolver`.
    private let keptLinks: Int

    /// The links, one after the other, of which the last target is kept: the object, what it embeds, and what that does.
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

    /// The object in a row of the cluster. Only while nodes may be looked at.
    ///
    /// - Throws: what opening the cluster again throws, of an encrypted file.
    @inline(__always)
    func object(inRow row: Int) throws(FormatError) -> StoredObject {
        StoredObject(home: self, key: try cluster.current(in: space).key(unchecked: row), row: row)
    }

    /// A property of the objects. Only while nodes may be looked at.
    ///
    /// - Precondition: there is such a property.
    /// - Throws: `badCluster` when the cluster has no leaf of it, and what opening the leaf throws.
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

    /// What finds the objects of the table at a position in the snapshot.
    func target(at position: TablePosition) -> LinkResolver {
        LinkResolver(table.snapshot.table(at: position), keptLinks: keptLinks)
    }

    /// The index of the property of that name.
    func index(ofProperty name: String) -> PropertyIndex? {
        table.schema.properties.propertyIndex(named: name)
    }
}

/// The cluster in which the tree has the objects with keys in a range.
struct ClusterKeyRange: Sendable {
    let home: OpenedCluster
    /// The first and the last key, as unsigned numbers.
    let firstKey: UInt64
    let lastKey: UInt64

    /// The object with `key`; nil when it is not here. Only while nodes may be looked at.
    @inline(__always)
    func object(_ key: ObjectKey) -> StoredObject? {
        let wanted = UInt64(bitPattern: key.value)
        guard firstKey <= wanted, wanted <= lastKey else { return nil }
        return home.cluster.row(of: key).map { StoredObject(home: home, key: key, row: $0) }
    }
}
