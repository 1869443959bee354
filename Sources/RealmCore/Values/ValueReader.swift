internal import RealmLayout

/// Converts the contents of leaves to `Value`s. Exporters read leaves directly.
///
/// The home of the objects is a parameter and not stored here, which would cost reference counting for each value.
struct ValueReader {
    private let space: NodeSpace
    /// Whether collections inside Mixed values are read without their elements.
    private let isShallow: Bool
    private var budget: WorkBudget
    /// The target of the last link in a Mixed: those of one collection usually lead to the same table.
    private var mixedTarget: LinkResolver?

    init(_ space: NodeSpace, isShallow: Bool = false) {
        (self.space, self.isShallow) = (space, isShallow)
        budget = WorkBudget(for: space)
    }

    /// Reads a property of the home's objects, in `row` of the cluster.
    mutating func value(
        of property: PropertyReader, _ row: Int, in home: OpenedCluster
    ) throws(FormatError) -> Value {
        guard let collection = property.collection else {
            return try element(property.leaf, row, property.target, home)
        }
        let root = try property.leaf.collection(at: row)
        switch collection {
        case .list: return .list(try elements(root, property.elementType, property.target, home))
        case .set: return .set(try elements(root, property.elementType, property.target, home))
        case .dictionary(let keyType): return try dictionary(root, keyType, home)
        }
    }

    private mutating func elements(
        _ root: Ref?, _ type: LeafType, _ target: LinkResolver?, _ home: OpenedCluster
    ) throws(FormatError) -> [Value] {
        guard let root else { return [] }
        if case .mixed = type { return try mixedElements(root, home, depth: 0) }
        let tree = BPlusTree(root: root, of: type, in: space)
        if let leaf = try tree.singleLeaf(&budget) {
            return try [Value].of(leaf.count) { index throws(FormatError) in try element(leaf, index, target, home) }
        }
        let leaves = try tree.leaves(&budget)
        var values: [Value] = []
        values.reserveCapacity(leaves.reduce(0) { min($0 + $1.count, WorkBudget.largestReserve) })
        for leaf in leaves {
            for index in 0..<leaf.count { values.append(try element(leaf, index, target, home)) }
        }
        return values
    }

    /// Reads elements that may be collections. Recursive through `mixed`, so its frame must be small: it holds no leaf
    /// directly, since leaves are large.
    private mutating func mixedElements(_ root: Ref, _ home: OpenedCluster, depth: Int) throws(FormatError) -> [Value] {
        let leaves = try BPlusTree(root: root, of: .mixed, in: space).leaves(&budget)
        var values: [Value] = []
        values.reserveCapacity(leaves.reduce(0) { min($0 + $1.count, WorkBudget.largestReserve) })
        for leaf in leaves {
            for index in 0..<leaf.count { values.append(try mixed(leaf.mixedLeaf, index, home, depth: depth)) }
        }
        return values
    }

    /// Reads a dictionary that is not nested in a collection: usually one leaf of keys and one of values.
    private mutating func dictionary(
        _ root: Ref?, _ keyType: DictionaryKeyType, _ home: OpenedCluster
    ) throws(FormatError) -> Value {
        guard let root else { return .dictionary([]) }
        let tree = tree(root, keyType, home)
        if let run = try tree.shortRun(&budget) { return .dictionary(try entries(run, home)) }
        guard let run = try tree.singleRun(&budget) else {
            return try dictionary(root, keyType, home, depth: 0)
        }
        return .dictionary(
            try [DictionaryEntry].of(run.count) { index throws(FormatError) in try entry(run, index, home, depth: 0) })
    }

    /// Reads the entries of a dictionary with one leaf of short keys and one of values.
    private mutating func entries(
        _ run: DictionaryTree.ShortRun, _ home: OpenedCluster
    ) throws(FormatError) -> [DictionaryEntry] {
        try budget.spend(bytes: run.keys.size, at: run.keyRef)
        return try [DictionaryEntry].of(run.count) { index throws(FormatError) in
            let key: Value
            if let text = run.keys.plainString(at: index)?.string {
                key = .string(text)
            } else {
                key = try scalar(ColumnLeaf(at: run.keyRef, as: .string, in: space), index)
            }
            return DictionaryEntry(key: key, value: try mixed(run.values, index, home, depth: 0))
        }
    }

    /// Reads a dictionary of any form. Recursive through `mixed`, like `mixedElements`.
    private mutating func dictionary(
        _ root: Ref, _ keyType: DictionaryKeyType, _ home: OpenedCluster, depth: Int
    ) throws(FormatError) -> Value {
        let runs = try runs(of: root, keyType, home)
        var entries: [DictionaryEntry] = []
        entries.reserveCapacity(runs.reduce(0) { min($0 + $1.count, WorkBudget.largestReserve) })
        for run in runs {
            for index in 0..<run.count { entries.append(try entry(run, index, home, depth: depth)) }
        }
        return .dictionary(entries)
    }

    @inline(never)
    private mutating func runs(
        of root: Ref, _ keyType: DictionaryKeyType, _ home: OpenedCluster
    ) throws(FormatError) -> [DictionaryTree.Run] {
        try tree(root, keyType, home).runs(&budget)
    }

    private func tree(_ root: Ref, _ keyType: DictionaryKeyType, _ home: OpenedCluster) -> DictionaryTree {
        DictionaryTree(root: root, keyType: keyType, version: home.table.snapshot.version, in: space)
    }

    private mutating func entry(
        _ run: DictionaryTree.Run, _ index: Int, _ home: OpenedCluster, depth: Int
    ) throws(FormatError) -> DictionaryEntry {
        let key = try scalar(run.keys, run.keyStart + index)
        // Values of dictionaries are Mixed, regardless of the column's type.
        let value = try mixed(run.values.mixedLeaf, run.valueStart + index, home, depth: depth)
        return DictionaryEntry(key: key, value: value)
    }

    /// Reads an element of a collection.
    mutating func element(
        _ leaf: ColumnLeaf, _ index: Int, _ target: LinkResolver?, _ home: OpenedCluster
    ) throws(FormatError) -> Value {
        switch leaf.encoding {
        case .links:
            guard let key = leaf.link(at: index), let target else { return .null }
            return try link(to: key, target, at: leaf.ref)
        case .mixed:
            return try mixed(leaf.mixedLeaf, index, home, depth: 0)
        default:
            return try scalar(leaf, index)
        }
    }

    private func link(to key: ObjectKey, _ target: LinkResolver, at ref: Ref) throws(FormatError) -> Value {
        guard target.isEmbedded, !key.isUnresolved else { return .link(Link(target, key)) }
        guard let object = try target.object(key) else {
            throw FormatError(
                .badLink, at: ref.offset,
                "a link leads to the embedded object \(key) of \(target.table.name), which does not exist")
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
            guard let value = ColumnLeaf.fixedValue(of: leaf, at: index) else {
                throw FormatError(.badLeaf, at: leaf.ref.offset, "not a leaf of scalars")
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

    /// Reads a Mixed value. Recursive through collections, so its frame must be small: everything large is in
    /// `mixedScalar`.
    mutating func mixed(
        _ leaf: MixedLeaf, _ index: Int, _ home: OpenedCluster, depth: Int
    ) throws(FormatError) -> Value {
        let value = try leaf.value(at: index, in: space)
        switch value {
        case .list(let root):
            try Nesting.collections.check(level: depth + 1, at: root)
            guard let root, !isShallow else { return .list([]) }
            return .list(try mixedElements(root, home, depth: depth + 1))
        case .dictionary(let root):
            try Nesting.collections.check(level: depth + 1, at: root)
            guard let root, !isShallow else { return .dictionary([]) }
            return try dictionary(root, .string, home, depth: depth + 1)
        default:
            return try mixedScalar(value, leaf, index, home)
        }
    }

    /// Reads a Mixed value that is not a collection.
    @inline(never)
    private mutating func mixedScalar(
        _ value: MixedValue, _ leaf: MixedLeaf, _ index: Int, _ home: OpenedCluster
    ) throws(FormatError) -> Value {
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
        case .objectId(let bytes): return .objectId(ObjectID(bytes))
        case .uuid(let bytes): return .uuid(UUIDBytes(bytes))
        case .link(let tableKey, let key):
            return try link(to: key, target(tableKey, leaf, index, home), at: leaf.ref)
        }
    }

    private mutating func target(
        _ key: TableKey, _ leaf: MixedLeaf, _ index: Int, _ home: OpenedCluster
    ) throws(FormatError) -> LinkResolver {
        guard let position = home.table.snapshot.position(of: key) else {
            throw leaf.bad(index, "a link to the table \(key), which does not exist")
        }
        if let target = mixedTarget, target.table.position == position { return target }
        let target = home.target(at: position)
        mixedTarget = target
        return target
    }
}
