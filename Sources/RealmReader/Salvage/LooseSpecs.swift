internal import RealmLayout

/// Finds descriptions of tables anywhere in a file, by their looks (Spec 190): for tables whose tops are lost.
///
/// The tag of a column key is the key of its table, xor the number of columns that had been removed before (Spec 60): it
/// tells whose description it is.
struct LooseSpecs {
    private struct Found {
        let ref: Ref
        let keys: [ColumnKey]
    }

    private var found: [Found] = []
    /// How many are kept: a file has few tables, and older descriptions of them.
    private static let most = 4096

    /// Looks at all multiples of 8.
    init(in space: NodeSpace) {
        let bytes = space.bytes
        var offset = FileHeader.size
        while offset <= bytes.count - NodeHeader.size, found.count < Self.most {
            if Self.isPossible(bytes.uint64(unchecked: offset)), let keys = Self.keys(Ref(offset), in: space) {
                found.append(Found(ref: Ref(offset), keys: keys))
            }
            offset &+= 8
        }
    }

    /// Refs in elements of 8 to 64 bits, as many as a description has.
    @inline(__always)
    private static func isPossible(_ word: UInt64) -> Bool {
        let upper = UInt32(truncatingIfNeeded: word >> 32)
        return upper & 0x00FF_FFFC == 0x44 && upper >> 24 == SpecSlot.allCases.count
    }

    /// The column keys of what looks like a description in all of its parts.
    private static func keys(_ ref: Ref, in space: NodeSpace) -> [ColumnKey]? {
        do throws(FormatError) {
            let spec = try Record(at: ref, in: space)
            let types = try integers(spec, .types, in: space)
            let keys = try integers(spec, .columnKeys, in: space)
            guard keys.count > 0, keys.count <= Limits.columns, types.count == keys.count,
                try integers(spec, .attributes, in: space).count == keys.count
            else { return nil }
            let names = try TableLayout.nameLeaf(spec.ref(SpecSlot.names.rawValue, ""), in: space)
            guard names.count <= keys.count else { return nil }
            var indexes: Set<Int> = []
            var result: [ColumnKey] = []
            for position in 0..<keys.count {
                let key = ColumnKey(keys[unchecked: position])
                guard let type = ColumnType(rawValue: key.typeNumber), indexes.insert(key.index).inserted,
                    Int(types[unchecked: position] & 0xFFFF) == key.typeNumber,
                    // Columns of backlinks have no names, and come last.
                    (type == .backLink) == (position >= names.count)
                else { return nil }
                result.append(key)
            }
            return result
        } catch {
            return nil
        }
    }

    private static func integers(
        _ spec: Record, _ slot: SpecSlot, in space: NodeSpace
    ) throws(FormatError) -> IntegerVector {
        try space.node(at: spec.requiredRef(slot.rawValue, "")).integers()
    }

    /// The description of the table in a slot: of several the one with the most columns, of those the last in the file.
    func spec(ofSlot slot: Int) -> (ref: Ref, key: TableKey)? {
        var best: (found: Found, key: TableKey)?
        for spec in found {
            guard let key = Self.tableKey(spec.keys, slot) else { continue }
            guard best.map({ $0.found.keys.count <= spec.keys.count }) ?? true else { continue }
            best = (spec, key)
        }
        return best.map { ($0.found.ref, $0.key) }
    }

    /// The key of the table in a slot, if those may be its columns: the column that came first was there before any was removed.
    private static func tableKey(_ keys: [ColumnKey], _ slot: Int) -> TableKey? {
        guard let first = keys.first(where: { Int($0.tag & 0xFFFF) == slot })?.tag,
            keys.allSatisfy({ ($0.tag ^ first) < UInt32(Limits.columns) })
        else { return nil }
        return TableKey(first)
    }
}
