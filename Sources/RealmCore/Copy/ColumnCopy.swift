package import RealmLayout

/// Copies the values of one property, a leaf at a time.
package final class ColumnCopy {
    private let property: StoredProperty
    private let column: Column
    private let file: FileWriter
    private let source: Snapshot
    private let positions: ByTable<TablePosition?>
    private let table: TablePosition
    private let number: PropertyIndex
    private let ledger: PendingBacklinks?
    private let index: IndexEntries?
    private var collections: [CollectionBuilder] = []
    /// The object whose value is being copied.
    private var origin = ObjectKey.null
    /// Number of links to objects that are not copied, by table of the source.
    private var leftOutCounts: [TablePosition: Int] = [:]
    /// Whether links of the property refer to objects that are not copied.
    private let leadsOut: Bool

    init(
        _ property: StoredProperty, _ column: Column, _ table: TablePosition, _ number: PropertyIndex, file: FileWriter,
        source: Snapshot,
        positions: ByTable<TablePosition?>
    ) {
        self.property = property
        self.column = column
        self.table = table
        self.number = number
        self.file = file
        self.source = source
        self.positions = positions
        ledger = file.ledger(file.tables[table], number)
        leadsOut = column.target.map { positions[$0] == nil } ?? false
        index = file.tables[table].indexes[number]
    }

    /// Appends the values of `rows` to `target`.
    func copy(
        _ rows: Range<Int>, of cluster: Cluster, to target: LeafBuilder, _ areTombstones: Bool
    ) throws(WriteError) {
        do throws(WriteError) {
            // Clusters of tombstones may lack columns that were added later.
            if areTombstones, !cluster.hasLeaf(of: column.index) {
                for _ in rows { target.appendNull() }
                return
            }
            let leaf = try checked { () throws(FormatError) in try cluster.leaf(of: column, in: source.space) }
            guard let collection = property.collection else {
                try copy(rows, of: leaf, cluster, to: target)
                return
            }
            for row in rows {
                origin = cluster.key(unchecked: row)
                let root = try checked { () throws(FormatError) in try leaf.collection(at: row) }
                let copy = try root.map { root throws(WriteError) in
                    try copyCollection(root, collection)
                }
                target.append(number: Int64((copy ?? nil)?.offset ?? 0))
            }
        } catch {
            throw error.at(property: property.name)
        }
    }

    private func copy(
        _ rows: Range<Int>, of leaf: ColumnLeaf, _ cluster: Cluster, to target: LeafBuilder
    ) throws(WriteError) {
        let space = source.space
        switch leaf.encoding {
        case .integers:
            if property.isNullable {
                for row in rows { target.append(nullable: leaf.int(at: row)) }
            } else {
                for row in rows { target.append(number: leaf.int(at: row)) }
            }
        case .links:
            for row in rows {
                guard let key = leaf.link(at: row) else {
                    target.appendNull()
                    continue
                }
                if leadsOut {
                    leaveOut(column.target)
                    target.appendNull()
                    continue
                }
                origin = cluster.key(unchecked: row)
                try note(key)
                target.append(link: key)
            }
        case .mixed:
            for row in rows {
                origin = cluster.key(unchecked: row)
                let value = try checked { () throws(FormatError) in try leaf.mixed(at: row, in: space) }
                try target.append(copied(value, depth: 0), collectionKey: Int64(target.count + 1))
            }
        default:
            for row in rows {
                let value = try checked { () throws(FormatError) in try leaf.scalar(at: row, in: space) }
                try append(value, to: target)
            }
        }
    }

    private func append(_ value: ScalarValue, to target: LeafBuilder) throws(WriteError) {
        switch value {
        case .value(let value): try target.append(typed: value)
        case .parts(let ref):
            let bytes = try checked { () throws(FormatError) in try source.space.joinedBytes(ofPartsAt: ref) }
            try ByteView.with(bytes) { view throws(WriteError) in try target.append(binary: view) }
        }
    }

    /// Adds a link from the object that is being copied.
    private func note(_ key: ObjectKey) throws(WriteError) {
        ledger?.add(target: key, origin: origin)
    }

    private func leaveOut(_ target: TablePosition?) {
        if let target { leftOutCounts[target, default: 0] += 1 }
    }

    /// The links that were not copied.
    var leftOut: [OmittedLinks] {
        leftOutCounts.inOrder { $0.key < $1.key }.map { target, count in
            OmittedLinks(
                table: file.tables[table].definition.tableName, property: property.name,
                target: source.cores[target].schema.tableName, count: count)
        }
    }

    // MARK: Collections

    private func builder(_ depth: Int) -> CollectionBuilder {
        while collections.count <= depth { collections.append(CollectionBuilder(file.nodes)) }
        return collections[depth]
    }

    private func copyCollection(_ root: Ref, _ kind: CollectionKind) throws(WriteError) -> Ref? {
        switch kind {
        case .list, .set: try copyElements(root, kind)
        case .dictionary(let keyType): try copyDictionary(root, keyType, depth: 0)
        }
    }

    private func copyElements(_ root: Ref, _ kind: CollectionKind) throws(WriteError) -> Ref? {
        let builder = builder(0)
        let elementType: LeafType =
            property.type == .link ? .link(biased: false) : PropertyDefinition(property).elementType
        builder.begin(kind, of: elementType)
        let space = source.space
        let leaves = try checked { () throws(FormatError) in
            var budget = WorkBudget(for: space)
            return try BPlusTree(root: root, of: column.elementType, in: space).leaves(&budget)
        }
        for leaf in leaves {
            for index in 0..<leaf.count {
                switch leaf.encoding {
                case .links:
                    let key = leaf.link(at: index) ?? .null
                    if leadsOut, key != .null {
                        leaveOut(column.target)
                        continue
                    }
                    if key != .null { try note(key) }
                    try builder.add(link: key)
                case .mixed:
                    let value = try checked { () throws(FormatError) in try leaf.mixed(at: index, in: space) }
                    try builder.add(copied(value, depth: 1))
                default:
                    let value = try checked { () throws(FormatError) in try leaf.scalar(at: index, in: space) }
                    try add(value, to: builder)
                }
            }
        }
        return try builder.end()
    }

    private func add(_ value: ScalarValue, to builder: CollectionBuilder) throws(WriteError) {
        switch value {
        case .value(let value):
            if let index {
                if case .string(let view) = value { try index.add(word: view.bytes, of: origin) }
                if case .null = value { try index.add(word: nil, of: origin) }
            }
            try builder.add(value)
        case .parts(let ref):
            let bytes = try checked { () throws(FormatError) in try source.space.joinedBytes(ofPartsAt: ref) }
            try ByteView.with(bytes) { view throws(WriteError) in try builder.add(.binary(view)) }
        }
    }

    private func copyDictionary(_ root: Ref, _ keyType: DictionaryKeyType, depth: Int) throws(WriteError) -> Ref? {
        let builder = builder(depth)
        builder.begin(.dictionary(keyType), of: .mixed)
        let space = source.space
        let runs = try checked { () throws(FormatError) in
            var budget = WorkBudget(for: space)
            return try DictionaryTree(root: root, keyType: keyType, version: source.version, in: space).runs(&budget)
        }
        try builder.add(entriesOf: runs, in: space) { value throws(WriteError) in try copied(value, depth: depth + 1) }
        return try builder.end()
    }

    // MARK: Mixed

    /// Returns a Mixed value in its new form, with copied collections and links to the new table.
    private func copied(_ value: MixedValue, depth: Int) throws(WriteError) -> MixedValue {
        switch value {
        case .link(let tableKey, let key): return try link(tableKey, key)
        case .list(let root?): return .list(try copyNestedList(root, depth: depth))
        case .dictionary(let root?):
            try check(depth)
            return .dictionary(try copyDictionary(root, .string, depth: depth))
        default: return value
        }
    }

    private func link(_ tableKey: TableKey, _ key: ObjectKey) throws(WriteError) -> MixedValue {
        guard let position = source.position(of: tableKey) else {
            throw .source(FormatError(.badLink, "a link to the table \(tableKey), which does not exist"))
        }
        // The table is not selected.
        guard let target = positions[position].map({ file.tables[$0] }) else {
            leaveOut(position)
            return .null
        }
        (ledger ?? target.ledger(from: table, number)).add(target: key, origin: origin)
        return .link(target.key, key)
    }

    private func copyNestedList(_ root: Ref, depth: Int) throws(WriteError) -> Ref? {
        try check(depth)
        let builder = builder(depth)
        builder.begin(.list, of: .mixed)
        let space = source.space
        let leaves = try checked { () throws(FormatError) in
            var budget = WorkBudget(for: space)
            return try BPlusTree(root: root, of: .mixed, in: space).leaves(&budget)
        }
        for leaf in leaves {
            for index in 0..<leaf.count {
                let value = try checked { () throws(FormatError) in try leaf.mixed(at: index, in: space) }
                try builder.add(copied(value, depth: depth + 1))
            }
        }
        return try builder.end()
    }

    private func check(_ depth: Int) throws(WriteError) {
        try checked { () throws(FormatError) in try Nesting.collections.check(level: depth) }
    }
}

/// A value of a leaf that is not Mixed.
package enum ScalarValue {
    case value(MixedValue)
    /// A binary in several parts.
    case parts(Ref)
}

extension ColumnLeaf {
    /// Returns the value at `index` of a leaf of any type except Mixed, links and refs.
    package func scalar(at index: Int, in space: NodeSpace) throws(FormatError) -> ScalarValue {
        switch encoding {
        case .integers: .value(.int(int(at: index)))
        case .nullableIntegers: .value(nullableInt(at: index).map { .int($0) } ?? .null)
        case .bools: .value(bool(at: index).map { .bool($0) } ?? .null)
        case .floats: .value(floatBits(at: index).map { .float(bits: $0) } ?? .null)
        case .doubles: .value(doubleBits(at: index).map { .double(bits: $0) } ?? .null)
        case .shortStrings, .mediumStrings, .bigStrings:
            .value(try string(at: index, in: space).map { .string($0) } ?? .null)
        case .mediumBinaries, .bigBinaries: try blob(try binary(at: index, in: space))
        case .timestamps: .value(try timestamp(at: index).map { .timestamp($0) } ?? .null)
        case .decimals128, .decimals64, .decimals32, .nullDecimals, .zeroDecimals:
            .value(decimal(at: index).map { .decimal128($0) } ?? .null)
        case .objectIds: .value(objectIdBytes(at: index).map { .objectId($0) } ?? .null)
        case .uuids: .value(uuidBytes(at: index).map { .uuid($0) } ?? .null)
        case .links, .mixed, .collections, .backlinks:
            throw FormatError(.badLeaf, at: ref.offset, "not a leaf of scalars")
        }
    }

    private func blob(_ blob: Blob?) throws(FormatError) -> ScalarValue {
        guard let blob else { return .value(.null) }
        return blob.parts.map { .parts($0) } ?? .value(.binary(blob.view))
    }
}
