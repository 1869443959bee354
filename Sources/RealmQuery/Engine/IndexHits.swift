internal import RealmLayout
internal import RealmReader

/// Looks at the objects that an index leads to where one column decides, and few of them are in the same cluster.
///
/// Each is a cluster, a leaf and a value somewhere in the file. What is needed of some objects is loaded before it is looked at, so that they
/// are waited for together (`PlanRun.prepare`).
struct IndexHits {
    private let table: Table
    private let space: NodeSpace
    private let column: Column
    private let name: String
    private let test: ColumnTest
    private let meter: WorkMeter
    private var seeker: ClusterSeeker
    /// What was loaded in vain.
    private var loaded: UInt64 = 0

    private static let atOnce = 32

    init(_ test: ColumnTest, ofColumn index: Int, in table: Table, _ meter: WorkMeter) {
        self.table = table
        self.test = test
        self.meter = meter
        space = table.snapshot.space
        column = table.columns[index]
        name = table.schema.properties[index].name
        seeker = ClusterSeeker(table.tree)
    }

    /// The keys of those for which the test holds.
    ///
    /// - Parameter keys: ascending.
    /// - Throws: `noSuchObject`, what opening nodes and reading values throws, and what the meter does.
    mutating func holding(_ keys: [ObjectKey]) throws(FormatError) -> [ObjectKey] {
        var found: [ObjectKey] = []
        found.reserveCapacity(keys.count)
        var places: [ClusterPlace] = []
        var rows: [(cluster: Cluster, row: Int)] = []
        // Copies: a call with all of this for each object would count references.
        let (test, column, space) = (test, column, space)
        var next = 0
        while next < keys.count {
            let some = keys[next..<min(next + Self.atOnce, keys.count)]
            next += some.count
            try meter.charge(some.count &* test.work)
            try meter.checkResults(found.count)
            try table.snapshot.reading { () throws(FormatError) in
                places.removeAll(keepingCapacity: true)
                rows.removeAll(keepingCapacity: true)
                for key in some {
                    let place = try seeker.place(of: key)
                    loaded &+= space.word(at: Int64(place.ref.offset))
                    places.append(place)
                }
                var index = 0
                for key in some {
                    let cluster = try seeker.cluster(at: places[index])
                    guard let row = cluster.row(of: key) else {
                        throw FormatError(.noSuchObject, "the object \(key) does not exist")
                    }
                    loaded &+= space.word(at: Int64(cluster.leafOffset(of: column)))
                    rows.append((cluster, row))
                    index &+= 1
                }
                index = 0
                for key in some {
                    let (cluster, row) = rows[index]
                    let isFound: Bool
                    do throws(FormatError) {
                        let leaf = try cluster.leaf(of: column, in: space)
                        isFound = try !test.rows(of: leaf, row..<(row &+ 1), among: RowMask.first, in: space).isEmpty
                    } catch {
                        throw error.at(table: table.schema.tableName, property: name)
                    }
                    if isFound { found.append(key) }
                    index &+= 1
                }
            }
        }
        return found
    }
}
