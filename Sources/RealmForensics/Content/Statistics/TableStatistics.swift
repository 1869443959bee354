package import RealmCore
package import RealmLayout

/// The values of all properties of a table in numbers, made in one pass over its objects.
package struct TableStatistics: Sendable {
    /// The statistics of the properties, in the order of the schema.
    package private(set) var properties: ByProperty<PropertyStatistics>
    /// The number of objects that were read.
    package private(set) var objects = 0
    /// The first errors.
    package private(set) var damage: [FormatError] = []
    /// The number of errors.
    package private(set) var damageCount = 0
    private static let keptErrors = 20

    private let table: Table
    private let space: NodeSpace
    private var budget: WorkBudget
    /// Work on long values, which enumerated columns share.
    private var repeats: WorkBudget
    /// As for content hashes: far more than any real database needs.
    private static let repeatedPasses = 512
    /// The size of strings and binaries that may be nodes of their own, and whose bytes are charged.
    private static let paidBytes = 64

    /// Reads all objects of a table. What cannot be read is counted and recorded.
    package init(of table: Table) {
        self.table = table
        space = table.snapshot.space
        budget = WorkBudget(for: space)
        repeats = WorkBudget(for: space, passes: Self.repeatedPasses)
        let hashes = Self.hashes(forProperties: table.schema.properties.count)
        properties = ByProperty(
            table.schema.properties.map {
                PropertyStatistics(isEmbedded: $0.type == .link && $0.isTargetEmbedded, hashes: hashes)
            })
        run()
    }

    /// The number of hashes to keep of each property: with up to 32 properties, the most that are useful; with more,
    /// as many as take the same memory together.
    private static func hashes(forProperties count: Int) -> Int {
        max(1 << 12, min(1 << 17, (1 << 22) / max(1, count)))
    }

    private mutating func run() {
        var clusters = ClusterCursor(table.tree)
        var isRunning = true
        while isRunning {
            table.snapshot.reading {
                do throws(FormatError) {
                    guard let cluster = try clusters.next() else {
                        isRunning = false
                        return
                    }
                    // An intact cluster has at least a byte for each column.
                    try budget.spend(bytes: properties.count, at: cluster.ref)
                    read(cluster)
                } catch {
                    note(error)
                    // Once it is spent, all that follows fails.
                    if error.code == .sharedNodes { isRunning = false }
                }
            }
        }
    }

    private mutating func note(_ error: FormatError) {
        damageCount += 1
        if damage.count < Self.keptErrors { damage.append(error.at(table: table.schema.tableName)) }
    }

    private mutating func read(_ cluster: Cluster) {
        objects += cluster.count
        for index in properties.indices {
            let column = table.columns[index]
            do throws(FormatError) {
                let leaf = try cluster.leaf(of: column, in: space)
                if column.leafType == .collections {
                    readCollections(leaf, cluster, index)
                } else {
                    read(leaf, index) { cluster.key(unchecked: $0) }
                }
            } catch {
                note(error.at(property: table.schema.properties[index].name))
                properties[index].unreadable += cluster.count
            }
        }
    }

    // MARK: Collections

    private mutating func readCollections(_ leaf: ColumnLeaf, _ cluster: Cluster, _ index: PropertyIndex) {
        for row in 0..<leaf.count {
            let key = cluster.key(unchecked: row)
            do throws(FormatError) {
                var size = 0
                if let root = try leaf.collection(at: row) {
                    for elements in try leaves(of: index, at: root) {
                        size += elements.count
                        read(elements, index) { _ in key }
                    }
                }
                properties[index].noteCollection(size, key)
            } catch {
                note(error.at(property: table.schema.properties[index].name, objectKey: key))
                properties[index].unreadable += 1
            }
        }
    }

    /// Returns the leaves of the elements of a collection, or of the values of a dictionary.
    private mutating func leaves(of index: PropertyIndex, at root: Ref) throws(FormatError) -> [ColumnLeaf] {
        guard case .dictionary(let keyType) = table.schema.properties[index].collection else {
            return try BPlusTree(root: root, of: table.columns[index].elementType, in: space).leaves(&budget)
        }
        let tree = DictionaryTree(root: root, keyType: keyType, version: table.snapshot.version, in: space)
        var leaves: [ColumnLeaf] = []
        // A leaf of values can be part of several runs.
        for run in try tree.runs(&budget) where run.valueStart == 0 { leaves.append(run.values) }
        return leaves
    }

    // MARK: Values

    /// Reads all values of a leaf.
    ///
    /// - Parameter owner: returns the object of a value.
    private mutating func read(_ leaf: ColumnLeaf, _ index: PropertyIndex, owner: (Int) -> ObjectKey) {
        var statistics = properties[index]
        let target = table.columns[index].target.map { table.snapshot.cores[$0].schema.key } ?? .null
        // Bytes of encrypted files are valid only for now: extremes are kept once a leaf.
        var (least, greatest): (MixedValue?, MixedValue?)
        for row in 0..<leaf.count {
            do throws(FormatError) {
                if leaf.encoding == .bigBinaries, let parts = try leaf.binary(at: row, in: space)?.parts {
                    try addSplit(parts, owner(row), to: &statistics)
                    continue
                }
                let value = try value(of: leaf, row, target)
                statistics.count &+= 1
                if let text = value.text {
                    if text.count >= Self.paidBytes { try repeats.spend(bytes: text.count, at: leaf.ref) }
                    statistics.noteLongest(text.count, owner(row))
                }
                if case .null = value {
                    statistics.nulls &+= 1
                    continue
                }
                if let hash = value.storedHash { statistics.distinct?.add(hash) }
                guard value.isOrdered else { continue }
                if least.map({ value.setOrder($0) < 0 }) ?? true { least = value }
                if greatest.map({ value.setOrder($0) > 0 }) ?? true { greatest = value }
            } catch {
                note(error.at(property: table.schema.properties[index].name, objectKey: owner(row)))
                statistics.unreadable &+= 1
            }
        }
        if let least, statistics.least.map({ $0.isAfter(least) }) ?? true { statistics.least = KeptValue(least) }
        if let greatest, statistics.greatest.map({ $0.isBefore(greatest) }) ?? true {
            statistics.greatest = KeptValue(greatest)
        }
        properties[index] = statistics
    }

    private func value(of leaf: ColumnLeaf, _ row: Int, _ target: TableKey) throws(FormatError) -> MixedValue {
        switch leaf.encoding {
        case .integers: .int(leaf.int(at: row))
        case .nullableIntegers: leaf.nullableInt(at: row).map { .int($0) } ?? .null
        case .bools: leaf.bool(at: row).map { .bool($0) } ?? .null
        case .floats: leaf.floatBits(at: row).map { .float(bits: $0) } ?? .null
        case .doubles: leaf.doubleBits(at: row).map { .double(bits: $0) } ?? .null
        case .shortStrings, .mediumStrings, .bigStrings:
            try leaf.string(at: row, in: space).map { .string($0) } ?? .null
        case .timestamps: try leaf.timestamp(at: row).map { .timestamp($0) } ?? .null
        case .decimals128, .decimals64, .decimals32, .nullDecimals, .zeroDecimals:
            leaf.decimal(at: row).map { .decimal128($0) } ?? .null
        case .objectIds: leaf.objectIdBytes(at: row).map { .objectId($0) } ?? .null
        case .uuids: leaf.uuidBytes(at: row).map { .uuid($0) } ?? .null
        case .links: leaf.link(at: row).map { .link(target, $0) } ?? .null
        case .mixed: Self.shown(try leaf.mixed(at: row, in: space))
        case .mediumBinaries, .bigBinaries: try leaf.binary(at: row, in: space).map { .binary($0.view) } ?? .null
        case .collections, .backlinks: throw leaf.bad(row, "a collection where a value should be")
        }
    }

    /// Realm Core shows links to tombstones as null where they are Mixed values, which those of dictionaries are too.
    private static func shown(_ value: MixedValue) -> MixedValue {
        if case .link(_, let key) = value, key.isUnresolved { .null } else { value }
    }

    /// Adds a binary of more than 16 MB, which is stored in parts. It is compared with no other value.
    private mutating func addSplit(
        _ parts: Ref, _ object: ObjectKey, to statistics: inout PropertyStatistics
    ) throws(FormatError) {
        let refs = try space.node(at: parts).refs()
        var (size, hash) = (0, UInt64(0))
        for index in 0..<refs.count {
            guard case .ref(let ref) = Slot(refs[unchecked: index]) else {
                throw FormatError(.badLeaf, at: parts.offset, "part \(index) of a split blob is missing")
            }
            let part = try space.node(at: ref).payload
            try repeats.spend(bytes: part.count, at: ref)
            size += part.count
            hash = hash &* 31 &+ StringHash.of(part)
        }
        statistics.count &+= 1
        statistics.distinct?.add(hash)
        statistics.noteLongest(size, object)
    }
}
