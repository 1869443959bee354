internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// Reads the values at the end of a path for many objects of a table, cluster by cluster.
struct SortKeyReader: Sendable {
    private let snapshot: Snapshot
    private let space: NodeSpace
    /// Texts are accessed after reading.
    private let hold: PageHold?
    private let meter: WorkMeter?

    init(_ snapshot: Snapshot, _ meter: WorkMeter? = nil) {
        self.snapshot = snapshot
        self.meter = meter
        space = snapshot.space
        hold = snapshot.hold()
    }

    /// The values of a path, one for each key.
    ///
    /// - Parameter keys: keys of existing objects, in any order.
    /// - Throws: errors of reading the values.
    func column(_ path: BoundPath, of keys: [ObjectKey], in table: Table) throws(FormatError) -> SortKeyColumn {
        switch try found(path, of: keys, in: table) {
        case .column(let column): column
        case .values(let values): SortKeyColumn(values)
        }
    }

    /// Values read for a path.
    enum Found: Sendable {
        case column(SortKeyColumn)
        /// Values without numbers, read object by object.
        case values([Value?])
    }

    /// Reads a part of the objects; values without numbers are not ranked yet.
    func found(_ path: BoundPath, of keys: [ObjectKey], in table: Table) throws(FormatError) -> Found {
        guard path.steps.isEmpty, path.suffix == nil, path.hops.allSatisfy(\.isLink), let kind = Ending(path) else {
            return .values(
                try QueryEvaluator(snapshot: snapshot, meter: meter).values(of: path, for: keys, in: table))
        }
        return .column(try column(kind, path.hops[...], keys, table))
    }

    /// The end of a path.
    private enum Ending {
        case link
        case property(PropertyIndex, StoredPropertyType)

        init?(_ path: BoundPath) {
            switch path.end {
            case .object: self = .link
            case .backlinkCount: return nil
            case .property(let index):
                guard let property = path.property, property.collection == nil else { return nil }
                switch property.type {
                case .int, .bool, .float, .double, .timestamp, .objectId, .uuid, .string:
                    self = .property(index, property.type)
                case .binary, .decimal128, .mixed, .link: return nil
                }
            }
        }
    }

    private func column(
        _ ending: Ending, _ hops: ArraySlice<BoundPath.Hop>, _ keys: [ObjectKey], _ table: Table
    ) throws(FormatError) -> SortKeyColumn {
        if !keys.isAscending {
            var rows = Array(0..<UInt32(truncatingIfNeeded: keys.count))
            RadixSort.sort(&rows) { SortKeyNumber.of(keys[Int($0)].value) }
            let sorted = rows.map { keys[Int($0)] }
            return try column(ending, hops, sorted, table).scattered(to: rows)
        }
        guard case .link(let property) = hops.first else {
            guard case .property(let index, let type) = ending else { return SortKeyColumn(keys.count, of: nil) }
            return try self.property(index, type, keys, table)
        }
        let links = try self.links(property, keys, table)
        if hops.count == 1, case .link = ending { return links }
        guard let position = table.columns[property].target else { return links }
        let targetTable = snapshot.table(at: position)
        if let found = try? ofFew(ending, hops.dropFirst(), keys.count, targetTable) {
            return try links.led(to: found.column, found.rows)
        }
        // Only links that lead to an object are followed.
        var rows: [UInt32] = []
        var targets: [ObjectKey] = []
        for row in 0..<keys.count where links.kinds[row] == .value {
            rows.append(UInt32(truncatingIfNeeded: row))
            targets.append(ObjectKey(SortKeyNumber.integer(links.high[row])))
        }
        let found = try column(ending, hops.dropFirst(), targets, targetTable)
        return rows.count == keys.count ? found : found.spread(to: rows, of: keys.count)
    }

    /// The values of all objects of a table, and their rows; nil unless the objects are few compared to the links.
    private func ofFew(
        _ ending: Ending, _ hops: ArraySlice<BoundPath.Hop>, _ links: Int, _ table: Table
    ) throws(FormatError) -> (column: SortKeyColumn, rows: KeyRows)? {
        guard try table.count <= links / Self.fewTargets else { return nil }
        let keys = try snapshot.reading { () throws(FormatError) in
            var keys: [ObjectKey] = []
            var clusters = ClusterCursor(table.tree)
            while let cluster = try clusters.next() {
                cluster.forEachKey(unchecked: 0..<cluster.count) { keys.append($1) }
            }
            return keys
        }
        return (try column(ending, hops, keys, table), KeyRows(keys))
    }

    /// With this many links per object, looking up targets is faster than sorting the links.
    private static let fewTargets = 4

    private func links(_ index: PropertyIndex, _ keys: [ObjectKey], _ table: Table) throws(FormatError) -> SortKeyColumn
    {
        var result = SortKeyColumn(keys.count, of: .int)
        try forEachLeaf(index, keys, table) { leaf, rows in
            rows.forEach { place, row in
                guard let key = leaf.link(at: row), !key.isUnresolved else { return }
                result.set(place, .value, SortKeyNumber.of(key.value))
            }
        }
        return result
    }

    private func property(
        _ index: PropertyIndex, _ type: StoredPropertyType, _ keys: [ObjectKey], _ table: Table
    ) throws(FormatError) -> SortKeyColumn {
        var result = SortKeyColumn(keys.count, of: type)
        try forEachLeaf(index, keys, table) { (leaf, rows) throws(FormatError) in
            switch leaf.encoding {
            case .integers, .bools:
                rows.forEach { place, row in
                    let number = leaf.int(at: row)
                    if type == .bool {
                        let truth = leaf.bool(at: row)
                        result.set(place, truth == nil ? .null : .value, truth == true ? 1 : 0)
                    } else {
                        result.set(place, .value, SortKeyNumber.of(number))
                    }
                }
            case .nullableIntegers:
                rows.forEach { place, row in
                    let number = leaf.nullableInt(at: row)
                    result.set(place, number == nil ? .null : .value, number.map { SortKeyNumber.of($0) } ?? 0)
                }
            case .floats:
                rows.forEach { place, row in
                    guard let bits = leaf.floatBits(at: row) else { return result.setNull(place) }
                    let number = Float(bitPattern: bits)
                    number.isNaN
                        ? result.set(place, .notANumber, UInt64(bits))
                        : result.set(place, .value, SortKeyNumber.of(Double(number)))
                }
            case .doubles:
                rows.forEach { place, row in
                    guard let bits = leaf.doubleBits(at: row) else { return result.setNull(place) }
                    let number = Double(bitPattern: bits)
                    number.isNaN
                        ? result.set(place, .notANumber, bits) : result.set(place, .value, SortKeyNumber.of(number))
                }
            case .timestamps:
                try rows.forEach { (place, row) throws(FormatError) in
                    guard let time = try leaf.timestamp(at: row) else { return result.setNull(place) }
                    result.set(place, SortKeyNumber.of(time.seconds), SortKeyNumber.of(Int64(time.nanoseconds)))
                }
            case .objectIds, .uuids:
                let blocks = leaf.fixedBlocks
                rows.forEach { place, row in
                    guard let bytes = leaf.fixedBytes(at: row, blocks) else { return result.setNull(place) }
                    result.set(place, SortKeyNumber.of(bytes, from: 0), SortKeyNumber.of(bytes, from: 8))
                }
            case .shortStrings, .mediumStrings, .bigStrings:
                try rows.forEach { (place, row) throws(FormatError) in
                    result.set(place, try leaf.string(at: row, in: space))
                }
            default: throw leaf.bad(0, "values of another type")
            }
        }
        return result
    }

    /// Passes the leaves of a column that contain some objects to a closure.
    ///
    /// - Parameter keys: ascending.
    @inline(__always)
    private func forEachLeaf(
        _ index: PropertyIndex, _ keys: [ObjectKey], _ table: Table,
        _ body: (ColumnLeaf, RowsOfCluster) throws(FormatError) -> Void
    ) throws(FormatError) {
        var walk = KeyWalk(keys, in: table)
        let column = table.columns[index]
        let name = table.schema.properties[index].name
        do throws(FormatError) {
            while let rows = try walk.next() {
                try table.snapshot.reading { () throws(FormatError) in
                    let cluster = try rows.cluster.current(in: space)
                    try body(try cluster.leaf(of: column, in: space), rows)
                }
            }
        } catch {
            throw error.at(table: table.schema.tableName, property: name)
        }
    }
}

extension BoundPath.Hop {
    fileprivate var isLink: Bool { if case .link = self { true } else { false } }
}

extension [ObjectKey] {
    fileprivate var isAscending: Bool {
        var last = first
        for key in self {
            if let last, key < last { return false }
            last = key
        }
        return true
    }
}

extension SortKeyColumn {
    /// The values of the targets of a column of links.
    ///
    /// - Throws: `noSuchObject`.
    fileprivate func led(to targets: SortKeyColumn, _ rows: KeyRows) throws(FormatError) -> SortKeyColumn {
        var result = SortKeyColumn(count, likeThoseOf: targets)
        for row in 0..<count where kinds[row] == .value {
            let key = ObjectKey(SortKeyNumber.integer(high[row]))
            guard let place = rows.row(of: key) else {
                throw FormatError(.noSuchObject, "the object \(key) does not exist")
            }
            result.copy(place, of: targets, to: row)
        }
        return result
    }

    /// Spreads the values over more rows; the remaining rows have no value.
    ///
    /// - Parameter rows: the target row of each row.
    fileprivate func spread(to rows: [UInt32], of count: Int) -> SortKeyColumn {
        var wide = SortKeyColumn(count, likeThoseOf: self)
        for (row, place) in rows.enumerated() { wide.copy(row, of: self, to: Int(place)) }
        return wide
    }
}

extension QueryEvaluator {
    /// The value of a path for each object; nil where a link on the way leads nowhere.
    func values(of path: BoundPath, for keys: [ObjectKey], in table: Table) throws(FormatError) -> [Value?] {
        var values: [Value?] = []
        values.reserveCapacity(keys.count)
        for key in keys {
            guard let object = try table.object(key) else {
                values.append(nil)
                continue
            }
            if path.isCount, case .object = path.end {
                values.append(try self.values(of: path, from: object).values.first)
                continue
            }
            let reached = try objects(at: path.hops[...], from: object)
            values.append(reached.isEmpty ? nil : try self.values(of: path, from: object).values.first)
        }
        return values
    }
}
