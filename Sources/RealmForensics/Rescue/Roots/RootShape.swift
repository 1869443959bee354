internal import RealmCore
internal import RealmLayout

/// A node that may be the root of a commit, judged only by itself and the headers of its first two children (Spec
/// 160).
///
/// Nothing here throws or builds strings, because a search examines very many nodes that are not roots.
package struct RootShape {
    let ref: Ref
    let slots: RecordSlots<GroupTopSlot>
    /// Logical size of the database as stated by the root; may exceed the file's size.
    let logicalSize: Int
    /// The commit number; 1 if the root does not state it.
    package let commit: UInt64

    /// The slot counts that roots can have, as bits.
    private static let countBits = GroupTopSlot.allowedCounts.reduce(UInt64(0)) { $0 | 1 << UInt64($1) }
    /// Flags and the upper two bytes of the count: refs, elements of 8 to 64 bits, at most 255 of them.
    @inline(__always) private static var mask: UInt32 { 0x00FF_FFFC }
    @inline(__always) private static var pattern: UInt32 { 0x0000_0044 }

    /// Whether a node header may be that of a root. This rejects nearly all positions of a file.
    @inline(__always)
    static func isPossible(_ word: UInt64) -> Bool {
        let upper = UInt32(truncatingIfNeeded: word &>> 32)
        guard upper & mask == pattern else { return false }
        let count = UInt64(upper &>> 24)
        return count < 64 && countBits & (1 &<< count) != 0
    }

    /// Examines the node at a multiple of 8 that leaves room for a node header.
    init?(at offset: Int, in file: ByteView) {
        let word = file.uint64(unchecked: offset)
        guard Self.isPossible(word),
            let slots = Self.elements(at: offset, in: file).map({ RecordSlots<GroupTopSlot>($0) }),
            let size = slots.number(.logicalFileSize),
            size > UInt64(offset), size < UInt64(Int.max / 2)
        else { return nil }
        ref = Ref(offset)
        self.slots = slots
        logicalSize = Int(size)
        commit = max(1, slots.number(.version) ?? 0)
        guard hasPlausibleSlots, hasPlausibleTables(in: file) else { return nil }
    }

    /// Examines the node that a number in a file refers to, if any.
    init?(atNumber number: UInt64, in file: ByteView) {
        guard let ref = Ref(nodeAt: number, in: file.count) else { return nil }
        self.init(at: ref.offset, in: file)
    }

    subscript(slot: GroupTopSlot) -> Slot { slots[slot] }

    private static func elements(at offset: Int, in file: ByteView) -> IntegerVector? {
        let header = NodeHeader(word: file.uint64(unchecked: offset))
        guard header.isBits, let size = header.payloadSize,
            let payload = file.slice(at: offset + NodeHeader.size, count: (size + 7) & ~7)
        else { return nil }
        return IntegerVector(width: header.width, count: header.count, payload: payload)
    }

    /// Whether each slot holds an element of the right kind.
    private var hasPlausibleSlots: Bool {
        guard slots.count <= GroupTopSlot.allCases.count else { return false }
        for slot in GroupTopSlot.allCases where slots.has(slot) {
            let found = slots[slot]
            guard slot.allows(found) else { return false }
            // The target of the evacuation point is not checked.
            if case .ref(let ref) = found, slot != .evacuationPoint, !ref.mayBeNode(in: logicalSize) { return false }
        }
        return true
    }

    /// Whether names and tables have plausible headers and equal counts; anything beyond the end of the file passes.
    private func hasPlausibleTables(in file: ByteView) -> Bool {
        guard case .ref(let names) = self[.tableNames], case .ref(let tables) = self[.tables], names != tables else {
            return false
        }
        guard let tablesHeader = Self.header(at: tables, in: file), let namesHeader = Self.header(at: names, in: file)
        else { return logicalSize > file.count }
        guard tablesHeader.hasRefs, tablesHeader.isBits, !tablesHeader.isInner else { return false }
        // The names may be zeroed or overwritten while the tables still exist. Older files have no checksums.
        if namesHeader.word == 0 || tablesHeader.hasDummyChecksum && !namesHeader.hasDummyChecksum {
            return tablesHeader.count > 0
        }
        // Names of more than 15 characters make the node another kind of leaf, with its own count.
        return !namesHeader.isInner && (namesHeader.hasRefs || namesHeader.count == tablesHeader.count)
    }

    private static func header(at ref: Ref, in file: ByteView) -> NodeHeader? {
        guard ref.offset <= file.count - NodeHeader.size else { return nil }
        return NodeHeader(word: file.uint64(unchecked: ref.offset))
    }

    /// Returns the slot counts of the tops of its tables, skipping unreadable tables.
    func tableTopCounts(in file: ByteView) -> Set<Int> {
        guard case .ref(let ref) = self[.tables], ref.offset <= file.count - NodeHeader.size,
            let tables = Self.elements(at: ref.offset, in: file)
        else { return [] }
        var counts: Set<Int> = []
        for index in 0..<min(tables.count, Limits.tableSlots) {
            guard case .ref(let table) = Slot(tables[unchecked: index]), table.offset & 7 == 0,
                table.offset >= FileHeader.size, let header = Self.header(at: table, in: file), header.count > 0
            else { continue }
            counts.insert(header.count)
        }
        return counts
    }
}
