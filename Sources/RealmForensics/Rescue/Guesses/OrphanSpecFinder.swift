internal import RealmCore
internal import RealmLayout

/// Finds table descriptions anywhere in a file by their structure, for tables whose tops are lost (Spec 190).
///
/// The tag of a column key is the key of its table xor the number of columns removed before (Spec 60). It therefore
/// identifies the table if most columns were created before any was removed.
struct OrphanSpecFinder {
    private struct Found {
        let ref: Ref
        let key: TableKey
        let columns: Int
    }

    private var bySlot: [Int: Found] = [:]

    /// Examines every multiple of 8.
    init(in space: NodeSpace) {
        let bytes = space.bytes
        var offset = FileHeader.size
        // Candidates are charged for their columns even if they turn out not to be descriptions.
        var budget = WorkBudget(for: space)
        do throws(FormatError) {
            while offset <= bytes.count - NodeHeader.size {
                if Self.isPossible(bytes.uint64(unchecked: offset)),
                    let keys = try Self.keys(Ref(offset), in: space, &budget)
                {
                    add(Ref(offset), keys)
                }
                offset &+= 8
            }
        } catch {
            return
        }
    }

    /// Whether a header has refs in elements of 8 to 64 bits and as many elements as a description.
    @inline(__always)
    private static func isPossible(_ word: UInt64) -> Bool {
        let upper = UInt32(truncatingIfNeeded: word >> 32)
        return upper & 0x00FF_FFFC == 0x44 && upper >> 24 == SpecSlot.allCases.count
    }

    /// Returns the column keys of a candidate whose parts all look like those of a description.
    ///
    /// - Throws: `sharedNodes` when the budget is used up.
    private static func keys(
        _ ref: Ref, in space: NodeSpace, _ budget: inout WorkBudget
    ) throws(FormatError) -> [ColumnKey]? {
        guard let (names, types, keys) = parts(ref, in: space) else { return nil }
        try budget.spend(keys.count, at: ref)
        var indexes: Set<ColumnIndex> = []
        var result: [ColumnKey] = []
        for position in 0..<keys.count {
            let key = ColumnKey(keys[unchecked: position])
            guard let type = ColumnType(rawValue: key.typeNumber), indexes.insert(key.index).inserted,
                Int(types[unchecked: position] & 0xFFFF) == key.typeNumber,
                // Backlink columns have no names, and come last.
                (type == .backLink) == (position >= names)
            else { return nil }
            result.append(key)
        }
        return result
    }

    private static func parts(
        _ ref: Ref, in space: NodeSpace
    ) -> (names: Int, types: IntegerVector, keys: IntegerVector)? {
        do throws(FormatError) {
            let spec = try Record<SpecSlot>(at: ref, in: space)
            let types = try spec.child(.types, in: space).integers()
            let keys = try spec.child(.columnKeys, in: space).integers()
            guard keys.count > 0, keys.count <= Limits.columns, types.count == keys.count,
                try spec.child(.attributes, in: space).integers().count == keys.count
            else { return nil }
            let names = try TableLayout.nameLeaf(spec.ref(.names), in: space)
            guard names.count <= keys.count else { return nil }
            return (names.count, types, keys)
        } catch {
            return nil
        }
    }

    /// Returns the description of the table in a slot: the one with the most columns, and the last in the file among
    /// equals.
    func spec(ofSlot slot: Int) -> (ref: Ref, key: TableKey)? { bySlot[slot].map { ($0.ref, $0.key) } }

    private mutating func add(_ ref: Ref, _ keys: [ColumnKey]) {
        var counts: [UInt32: Int] = [:]
        for key in keys { counts[key.tag, default: 0] += 1 }
        // Assumes that most columns were created before any was removed.
        guard let tag = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) })?.key,
            keys.allSatisfy({ ($0.tag ^ tag) < UInt32(Limits.columns) })
        else { return }
        let key = TableKey(tag)
        guard bySlot[key.slot].map({ $0.columns <= keys.count }) ?? true else { return }
        bySlot[key.slot] = Found(ref: ref, key: key, columns: keys.count)
    }
}
