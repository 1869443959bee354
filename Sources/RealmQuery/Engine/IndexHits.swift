internal import RealmCore
internal import RealmLayout

/// Verifies candidates of an index by one column, where few of them share a cluster.
///
/// Each candidate needs a cluster, a leaf and a value from arbitrary places in the file, and most of the time is spent
/// waiting for memory. Candidates are therefore processed in batches, and the data for the next step is loaded before
/// it is used (`DenseClusterLookup`, `PlainProbe`).
///
/// All candidates are verified, where Realm checks at most the first of a value: a damaged index may lead to any
/// object, and no other check would notice that its value differs. Reading the value proves as much here as elsewhere,
/// so a query never returns an object with another value.
struct IndexHits {
    private let table: Table
    private let space: NodeSpace
    private let column: Column
    private let name: String
    private let test: ColumnTest
    private let meter: WorkMeter
    private var lookup: ClusterLookup
    /// Keeps prefetch loads from being optimised away.
    private var loaded: UInt64 = 0

    private static let atOnce = 128

    init(_ test: ColumnTest, ofProperty index: PropertyIndex, in table: Table, _ meter: WorkMeter) {
        self.table = table
        self.test = test
        self.meter = meter
        space = table.snapshot.space
        column = table.columns[index]
        name = table.schema.properties[index].name
        lookup = ClusterLookup(table.tree)
    }

    /// The keys of the matching objects.
    ///
    /// - Parameter keys: ascending.
    /// - Throws: `noSuchObject`, errors of opening nodes and reading values, and those of the meter.
    mutating func holding(_ keys: [ObjectKey]) throws(FormatError) -> [ObjectKey] {
        if let wanted = ShortTextProbe(test, column) { return try holding(keys, wanted) }
        if let wanted = IntegerProbe(test, column) { return try holding(keys, wanted) }
        return try holding(keys, NoProbe())
    }

    private mutating func holding<Probe: PlainProbe>(
        _ keys: [ObjectKey], _ probe: Probe
    ) throws(FormatError) -> [ObjectKey] {
        var found: [ObjectKey] = []
        found.reserveCapacity(keys.count)
        // Lookup state of each candidate, and the offsets to load next.
        var places: [ClusterPlace] = []
        var clusters: [DenseClusterLookup?] = []
        var values: [Probe.Place?] = []
        var offsets: [Int64] = []
        // Local copies: passing `self` for each object would count references.
        let (column, space) = (column.index, space)
        var next = 0
        while next < keys.count {
            let some = keys[next..<min(next &+ Self.atOnce, keys.count)]
            next &+= some.count
            try meter.charge(some.count &* test.work)
            try meter.checkResults(found.count)
            try table.snapshot.reading { () throws(FormatError) in
                try lookup.places(of: some, in: &places)
                offsets.removeAll(keepingCapacity: true)
                for place in places { offsets.append(Int64(place.ref.offset)) }
                loaded &+= space.load(offsets)
                clusters.removeAll(keepingCapacity: true)
                offsets.removeAll(keepingCapacity: true)
                for place in places {
                    let cluster = Probe.looksAtValues ? DenseClusterLookup(place, column: column, in: space) : nil
                    clusters.append(cluster)
                    guard let cluster else { continue }
                    offsets.append(Int64(cluster.leaf.offset))
                    if cluster.hasList { offsets.append(cluster.keys) }
                }
                loaded &+= space.load(offsets)
                values.removeAll(keepingCapacity: true)
                offsets.removeAll(keepingCapacity: true)
                for cluster in clusters {
                    var value: Probe.Place?
                    if let cluster, let (row, count) = cluster.row(in: space) {
                        value = probe.place(of: row, count, in: cluster.leaf, space)
                        if let value { offsets.append(Int64(cluster.leaf.offset &+ probe.distance(to: value)) & ~7) }
                    }
                    values.append(value)
                }
                loaded &+= space.load(offsets)
                for index in 0..<some.count {
                    let key = some[some.startIndex &+ index]
                    let isFound: Bool
                    if let value = values[index] {
                        isFound = probe.holds(value)
                    } else {
                        isFound = try holds(key, places[index])
                    }
                    if isFound { found.append(key) }
                }
            }
        }
        return found
    }

    /// Whether an object of any form matches. Reports damage exactly.
    @inline(never)
    private mutating func holds(_ key: ObjectKey, _ place: ClusterPlace) throws(FormatError) -> Bool {
        let cluster = try lookup.cluster(at: place)
        guard let row = cluster.row(of: key) else {
            throw FormatError(.noSuchObject, "the object \(key) does not exist")
        }
        do throws(FormatError) {
            let leaf = try cluster.leaf(of: column, in: space)
            return try !test.rows(of: leaf, row..<(row &+ 1), among: RowMask.first, in: space).isEmpty
        } catch {
            throw error.at(table: table.schema.tableName, property: name)
        }
    }
}
