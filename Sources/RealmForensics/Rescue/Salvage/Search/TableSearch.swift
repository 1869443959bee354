internal import RealmCore
internal import RealmLayout

/// Finds the tops of tables anywhere in a file by their structure, for tables that nothing refers to (Spec 190).
///
/// Costs one load and two comparisons for each 8 bytes of the file, and little more for the few candidates.
struct TableSearch {
    /// A node that looks like the top of a table.
    struct Found {
        let ref: Ref
        /// A counter of changes: the higher of two tops of a table is newer.
        let contentVersion: UInt64
        let isTopOf: TableKey
    }

    /// Maximum number of candidates for each slot.
    private static let mostOfSlot = 64

    private(set) var bySlot: [Int: [Found]] = [:]
    private let space: NodeSpace

    /// Examines every multiple of 8.
    init(in space: NodeSpace) {
        self.space = space
        let bytes = space.bytes
        var offset = FileHeader.size
        while offset <= bytes.count - NodeHeader.size {
            if Self.isPossible(bytes.uint64(unchecked: offset)) { consider(Ref(offset)) }
            offset &+= 8
        }
        for slot in bySlot.keys {
            bySlot[slot] = bySlot[slot]?.inOrder {
                ($0.contentVersion, $0.ref.offset) > ($1.contentVersion, $1.ref.offset)
            }
        }
    }

    /// Whether a header has 12 to 16 refs in elements of 8 to 64 bits.
    @inline(__always)
    private static func isPossible(_ word: UInt64) -> Bool {
        let upper = UInt32(truncatingIfNeeded: word >> 32)
        return upper & 0x00FF_FFFC == 0x44 && (12...16).contains(upper >> 24)
    }

    private mutating func consider(_ ref: Ref) {
        guard let slots = elements(ref) else { return }
        func slot(_ slot: TableTopSlot) -> Slot { Slot(slots.element(at: slot.rawValue) ?? 0) }
        guard case .tagged(let number) = slot(.tableKey), let key = UInt32(exactly: number), key < 0x7FFF_FFFF,
            case .ref = slot(.spec), case .ref(let clusters) = slot(.clusterTree), elements(clusters) != nil,
            isNumber(slot(.contentVersion)), isNumber(slot(.sequenceNumber)), isNumber(slot(.columnKeySequence)),
            isNumber(slot(.flags))
        else { return }
        var version: UInt64 = 0
        if case .tagged(let found) = slot(.contentVersion) { version = found }
        let tableKey = TableKey(key)
        let known = bySlot[tableKey.slot] ?? []
        guard known.count < Self.mostOfSlot, space.isTableTop(ref, slot: tableKey.slot) else { return }
        bySlot[tableKey.slot] = known + [Found(ref: ref, contentVersion: version, isTopOf: tableKey)]
    }

    private func isNumber(_ slot: Slot) -> Bool { if case .ref = slot { false } else { true } }

    private func elements(_ ref: Ref) -> IntegerVector? {
        do throws(FormatError) { return try space.node(at: ref).refs() } catch { return nil }
    }
}

extension TableSearch {
    /// Returns the names of tables from a leaf that looks like their list: short strings, nearly all with the prefix
    /// of classes.
    ///
    /// - Parameter count: Minimum number of slots.
    func names(atLeast count: Int) -> [Int: String] {
        let bytes = space.bytes
        var offset = FileHeader.size
        var best: (names: [Int: String], classes: Int) = ([:], 0)
        while offset <= bytes.count - NodeHeader.size {
            defer { offset &+= 8 }
            // Short strings of 8 to 64 bytes, few enough for names.
            let word = bytes.uint64(unchecked: offset)
            let flags = UInt8(truncatingIfNeeded: word >> 32)
            guard (0x0C...0x0F).contains(flags), UInt32(truncatingIfNeeded: word) == NodeHeader.dummyChecksum else {
                continue
            }
            guard let found = nameLeaf(Ref(offset)), found.names.count >= min(count, 1), found.classes >= best.classes
            else { continue }
            best = found
        }
        return best.names
    }

    private func nameLeaf(_ ref: Ref) -> (names: [Int: String], classes: Int)? {
        do throws(FormatError) {
            let leaf = try ColumnLeaf(at: ref, as: .string, in: space)
            guard leaf.count > 0, leaf.count <= Limits.tableSlots else { return nil }
            var names: [Int: String] = [:]
            var classes = 0
            for index in 0..<leaf.count {
                let name = (try leaf.string(at: index, in: space) ?? .empty).repairedString
                guard !name.isEmpty else { continue }
                names[index] = name
                if name.hasPrefix(TableName.classPrefix) { classes += 1 }
            }
            // Few tables are not classes.
            return classes > 0 && names.count <= classes + 6 ? (names, classes) : nil
        } catch {
            return nil
        }
    }
}
