internal import RealmLayout

/// Makes `Value`s of what leaves hold. Convenient, not fast: exporters read leaves themselves.
struct ValueReader {
    /// Elements to make room for before one of them was read: what leaves say may be wrong.
    private static let largestReserve = 4096

    private let snapshot: Snapshot
    private var budget: WorkBudget

    init(_ snapshot: Snapshot) {
        self.snapshot = snapshot
        budget = WorkBudget(for: snapshot.space)
    }

    private var space: NodeSpace { snapshot.space }

    /// The value of a property in `row` of its cluster leaf.
    mutating func value(
        of property: StoredProperty, _ column: Column, _ leaf: ColumnLeaf, _ row: Int
    ) throws(FormatError) -> Value {
        guard let collection = property.collection else { return try element(leaf, row, column, depth: 0) }
        let root = try leaf.collection(at: row)
        switch collection {
        case .list: return .list(try elements(root, column))
        case .set: return .set(try elements(root, column))
        case .dictionary(let keyType): return try dictionary(root, keyType, depth: 0)
        }
    }

    private mutating func elements(
        _ root: Ref?, _ column: Column, depth: Int = 0
    ) throws(FormatError) -> [Value] {
        guard let root else { return [] }
        let leaves = try BPlusTree(root: root, of: column.elementType, in: space).leaves(&budget)
        var values: [Value] = []
        values.reserveCapacity(leaves.reduce(0) { min($0 + $1.count, Self.largestReserve) })
        for leaf in leaves {
            for index in 0..<leaf.count {
                values.append(
                    leaf.encoding == .mixed
                        ? try mixed(leaf, index, depth: depth) : try element(leaf, index, column, depth: depth))
            }
        }
        return values
    }

    private mutating func dictionary(
        _ root: Ref?, _ keyType: DictionaryKeyType, depth: Int
    ) throws(FormatError) -> Value {
        guard let root else { return .dictionary([]) }
        let tree = DictionaryTree(root: root, keyType: keyType, version: snapshot.version, in: space)
        let runs = try tree.runs(&budget)
        var entries: [DictionaryEntry] = []
        entries.reserveCapacity(runs.reduce(0) { min($0 + $1.count, Self.largestReserve) })
        for run in runs {
            for index in 0..<run.count {
                let key = try scalar(run.keys, run.keyStart + index)
                // Whatever the column's type, values of dictionaries are Mixed.
                let value = try mixed(run.values, run.valueStart + index, depth: depth)
                entries.append(DictionaryEntry(key: key, value: value))
            }
        }
        return .dictionary(entries)
    }

    private mutating func element(
        _ leaf: ColumnLeaf, _ index: Int, _ column: Column, depth: Int
    ) throws(FormatError) -> Value {
        switch leaf.encoding {
        case .links:
            guard let key = leaf.link(at: index), let target = column.targetIndex else { return .null }
            return try link(to: key, in: target, at: leaf.ref)
        case .mixed:
            return try mixed(leaf, index, depth: depth)
        default:
            return try scalar(leaf, index)
        }
    }

    private func link(to key: ObjectKey, in target: Int, at ref: Ref) throws(FormatError) -> Value {
        let table = Table(snapshot: snapshot, position: target)
        guard table.schema.kind == .embedded, !key.isUnresolved else {
            return .link(Link(table: table, objectKey: key))
        }
        guard let object = try table.object(key) else {
            throw FormatError(
                .badLink, at: ref.offset,
                "a link leads to the embedded object \(key) of \(table.name), which does not exist")
        }
        return .embedded(object)
    }

    private mutating func scalar(_ leaf: ColumnLeaf, _ index: Int) throws(FormatError) -> Value {
        switch leaf.encoding {
        case .shortStrings, .mediumStrings, .bigStrings:
            return try text(leaf.string(at: index, in: space), at: leaf.ref)
        case .mediumBinaries, .bigBinaries: return try binary(leaf.binary(at: index, in: space), at: leaf.ref)
        case .timestamps: return try leaf.timestamp(at: index).map { .timestamp($0) } ?? .null
        default:
            guard let value = leaf.fixedValue(at: index) else {
                throw FormatError(.badLeaf, at: leaf.ref.offset, "not a leaf of plain values")
            }
            return value
        }
    }

    private mutating func text(_ bytes: ByteView?, at ref: Ref) throws(FormatError) -> Value {
        guard let bytes else { return .null }
        try budget.spend(bytes: bytes.count, at: ref)
        return bytes.string.map { .string($0) } ?? .malformedString(bytes.bytes)
    }

    private mutating func binary(_ blob: Blob?, at ref: Ref) throws(FormatError) -> Value {
        guard let blob else { return .null }
        let bytes = try blob.parts.map { parts throws(FormatError) in try space.joinedBytes(ofPartsAt: parts) }
        try budget.spend(bytes: bytes?.count ?? blob.view.count, at: ref)
        return .binary(bytes ?? blob.view.bytes)
    }

    /// The value of a Mixed. Calls itself by way of collections, so that its frame has to be small: what takes room is
    /// in `plain`.
    private mutating func mixed(_ leaf: ColumnLeaf, _ index: Int, depth: Int) throws(FormatError) -> Value {
        let value = try leaf.mixed(at: index, in: space)
        switch value {
        case .list(let root):
            try checkDepth(depth, root)
            return .list(try elements(root, .mixedElements, depth: depth + 1))
        case .dictionary(let root):
            try checkDepth(depth, root)
            return try dictionary(root, .string, depth: depth + 1)
        default:
            return try plain(value, leaf, index)
        }
    }

    /// The value of a Mixed that is no collection.
    @inline(never)
    private mutating func plain(_ value: MixedValue, _ leaf: ColumnLeaf, _ index: Int) throws(FormatError) -> Value {
        switch value {
        case .null, .list, .dictionary: return .null
        case .int(let value): return .int(value)
        case .bool(let value): return .bool(value)
        case .float(let bits): return .float(Float(bitPattern: bits))
        case .double(let bits): return .double(Double(bitPattern: bits))
        case .string(let bytes): return try text(bytes, at: leaf.ref)
        case .binary(let bytes): return try binary(Blob(view: bytes), at: leaf.ref)
        case .timestamp(let value): return .timestamp(value)
        case .decimal128(let value): return .decimal128(value)
        case .objectId(let bytes): return .objectId(ObjectID(bytes: bytes.bytes))
        case .uuid(let bytes): return .uuid(UUIDBytes(bytes: bytes.bytes))
        case .link(let tableKey, let key):
            guard let target = snapshot.position(of: tableKey) else {
                throw leaf.bad(index, "a link to the table \(tableKey), which does not exist")
            }
            return try link(to: key, in: target, at: leaf.ref)
        }
    }

    private func checkDepth(_ depth: Int, _ root: Ref?) throws(FormatError) {
        guard depth < Limits.nestingDepth else {
            throw FormatError(
                .tooDeep, at: root?.offset, "collections are nested more than \(Limits.nestingDepth) levels deep")
        }
    }
}
