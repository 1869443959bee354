internal import RealmLayout

/// Where objects are that a cursor comes to in one cluster: their table, and the opened leaves of the cluster.
///
/// A class, so that an object is one reference and numbers. Each cursor makes its own, so that tasks that read the same table share
/// no reference count from object to object.
final class ObjectHome: Sendable {
    let table: Table
    let space: NodeSpace
    /// The leaf of each property, opened once for all objects of the cluster. Nil where it cannot be opened: whoever reads it
    /// opens it again, and learns why. Empty for an object that was looked up, and in encrypted files, where leaves do not stay.
    private let leaves: [ColumnLeaf?]

    /// For an object that was looked up.
    init(_ table: Table) {
        self.table = table
        space = table.snapshot.space
        leaves = []
    }

    /// For the objects of a cluster that a cursor has come to.
    init(_ table: Table, _ cluster: Cluster) {
        self.table = table
        let space = table.snapshot.space
        self.space = space
        leaves = space.isTransient ? [] : table.core.columns.map { try? cluster.leaf(of: $0, in: space) }
    }

    /// The opened leaf of a property, which has an element for each row of the cluster.
    @inline(__always)
    func leaf(ofProperty index: Int) -> ColumnLeaf? {
        index < leaves.count ? leaves[index] : nil
    }

    /// The index of the property of that name.
    func index(ofProperty name: String) -> Int? {
        table.schema.properties.firstIndex(named: name) { $0.name }
    }
}
