internal import RealmCore
internal import RealmLayout

/// A value of a collection, for comparing it with another snapshot. Values are equal if they are the same in the file.
indirect enum ComparedValue: Hashable {
    case null
    case int(Int64)
    case bool(Bool)
    case float(UInt32)
    case double(UInt64)
    case string([UInt8])
    case binary([UInt8])
    case timestamp(Timestamp)
    case decimal128(Decimal128Bits)
    case objectId([UInt8])
    case uuid([UInt8])
    /// Without a table, the link leads to the table of the property.
    case link(TableKey?, ObjectKey)
    case list([ComparedValue])
    case set(Set<ComparedValue>)
    case dictionary([ComparedValue: ComparedValue])
}

/// Reads values of a snapshot for comparing them.
struct ComparedValueReader {
    let space: NodeSpace
    let version: FormatVersion
    var budget: WorkBudget

    init(_ snapshot: Snapshot) {
        space = snapshot.space
        version = snapshot.version
        budget = WorkBudget(for: snapshot.space, passes: 2)
    }

    /// Reads an element of a leaf.
    ///
    /// - Throws: errors of reading it, `sharedNodes`.
    mutating func value(_ leaf: ColumnLeaf, _ index: Int, depth: Int = 0) throws(FormatError) -> ComparedValue {
        switch leaf.encoding {
        case .links: return leaf.link(at: index).map { .link(nil, $0) } ?? .null
        case .mixed: return try value(leaf.mixed(at: index, in: space), depth: depth)
        default:
            switch try leaf.scalar(at: index, in: space) {
            case .value(let value): return try self.value(value, depth: depth)
            case .parts(let parts):
                let bytes = try space.joinedBytes(ofPartsAt: parts)
                try budget.spend(bytes: bytes.count, at: parts)
                return .binary(bytes)
            }
        }
    }

    private mutating func value(_ value: MixedValue, depth: Int) throws(FormatError) -> ComparedValue {
        switch value {
        case .null: return .null
        case .int(let number): return .int(number)
        case .bool(let value): return .bool(value)
        case .float(let bits): return .float(bits)
        case .double(let bits): return .double(bits)
        case .string(let bytes): return .string(bytes.bytes)
        case .binary(let bytes): return .binary(bytes.bytes)
        case .timestamp(let time): return .timestamp(time)
        case .decimal128(let bits): return .decimal128(bits)
        case .objectId(let bytes): return .objectId(bytes.bytes)
        case .uuid(let bytes): return .uuid(bytes.bytes)
        case .link(let table, let key): return .link(table, key)
        case .list(let root): return .list(try elements(root, .mixed, depth: depth + 1))
        case .dictionary(let root): return .dictionary(try entries(root, .string, depth: depth + 1))
        }
    }

    /// Returns the leaves of a list or set.
    mutating func leaves(_ root: Ref?, _ type: LeafType) throws(FormatError) -> [ColumnLeaf] {
        guard let root else { return [] }
        return try BPlusTree(root: root, of: type, in: space).leaves(&budget)
    }

    /// Returns the elements of leaves.
    mutating func elements(_ leaves: ArraySlice<ColumnLeaf>, depth: Int = 0) throws(FormatError) -> [ComparedValue] {
        var values: [ComparedValue] = []
        for leaf in leaves {
            for index in 0..<leaf.count { values.append(try value(leaf, index, depth: depth)) }
        }
        return values
    }

    mutating func elements(_ root: Ref?, _ type: LeafType, depth: Int) throws(FormatError) -> [ComparedValue] {
        try Nesting.collections.check(level: depth, at: root)
        return try elements(leaves(root, type)[...], depth: depth)
    }

    mutating func entries(
        _ root: Ref?, _ keyType: DictionaryKeyType, depth: Int = 0
    ) throws(FormatError) -> [ComparedValue: ComparedValue] {
        try Nesting.collections.check(level: depth, at: root)
        guard let root else { return [:] }
        var entries: [ComparedValue: ComparedValue] = [:]
        let tree = DictionaryTree(root: root, keyType: keyType, version: version, in: space)
        for run in try tree.runs(&budget) {
            for index in 0..<run.count {
                let key = try value(run.keys, run.keyStart + index)
                entries[key] = try value(run.values, run.valueStart + index, depth: depth)
            }
        }
        return entries
    }
}
