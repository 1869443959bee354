internal import RealmLayout
internal import RealmReader

/// Which formats the commit at a root can be of: the header may not say any more (Spec 160).
struct FormatEvidence {
    /// The format of the slot that leads to the root; nil where none does, or where the nodes are none of that format.
    let own: FormatVersion?
    /// Those that the header names, as far as the nodes allow them.
    let named: [FormatVersion]
    /// Those that the nodes speak for, the highest first.
    let likely: [FormatVersion]
    /// Those that the nodes do not rule out, the highest first.
    private let possible: [FormatVersion]

    /// Looks at the root, and at the roots of its tables.
    ///
    /// - Parameters:
    ///   - header: the file's header, when its mnemonic is there.
    ///   - slot: the slot that leads to the root, or led there before a part of it was lost; nil for none.
    init(_ root: RootShape, _ header: FileHeader?, slot: Int?, in file: ByteView) {
        let shape = Self.formats(Self.ofShape(root, root.tableTopCounts(in: file)))
        let (likely, possible) = Self.narrowed(shape, root)
        self.likely = likely
        self.possible = possible
        var named: [FormatVersion] = []
        if let header {
            for slot in [header.selectedSlot, 1 - header.selectedSlot] {
                let format = header.slots[slot].format
                if possible.contains(format), !named.contains(format) { named.append(format) }
            }
        }
        self.named = named
        own = slot.flatMap { header?.slots[$0].format }.flatMap { shape.contains($0) ? $0 : nil }
    }

    /// The formats above that of the slot which the nodes allow, the highest first: formats of a file only rise, so that a slot that
    /// names a lower one than its nodes are of has lost it. None where no slot tells.
    var above: [FormatVersion] { own.map { own in possible.filter { $0 > own } } ?? [] }

    /// The formats in the order in which they are to be tried: that of the slot, where one tells, and those above it.
    var order: [FormatVersion] {
        if let own { return [own] + above }
        var order = named
        for format in likely + possible where !order.contains(format) { order.append(format) }
        return order
    }

    private static func formats(_ numbers: ClosedRange<UInt8>) -> [FormatVersion] {
        numbers.reversed().map { FormatVersion($0) }.filter { $0.isClustered || $0.isLegacy }
    }

    /// Tables have two slots before clusters; an upgrade to 10 that was interrupted leaves some or all with more, under a root
    /// of the older format. How many more they have tells nothing: an upgrade leaves them as they are, and the root too.
    private static func ofShape(_ root: RootShape, _ tableTops: Set<Int>) -> ClosedRange<UInt8> {
        if tableTops.contains(2) || root.slots.count == 9 { return 2...9 }
        let mayBeUpgraded = tableTops.isEmpty ? root.slots.count <= 10 : root.slots.count == 10
        return mayBeUpgraded ? 2...24 : 10...24
    }

    /// What the root itself says beside its shape.
    private static func narrowed(
        _ shape: [FormatVersion], _ root: RootShape
    ) -> (likely: [FormatVersion], possible: [FormatVersion]) {
        func within(_ range: ClosedRange<UInt8>) -> [FormatVersion] { shape.filter { range.contains($0.number) } }
        guard shape.contains(where: \.isClustered) else {
            // History in the file came with 4, the layout of the history with 7.
            let likely: ClosedRange<UInt8> = root.slots.count == 9 ? 4...6 : root.slots.count == 10 ? 7...9 : 2...9
            return (within(likely), shape)
        }
        guard root[.historyType] == .tagged(UInt64(HistoryType.inRealm.rawValue)) else {
            return (within(10...24), shape)
        }
        // Core 14 changed the layout of the history, and opens no other without changing it.
        let isOld = root[.historySchemaVersion] == .tagged(0)
        return (within(isOld ? 10...23 : 24...24), within(isOld ? 2...23 : 24...24))
    }
}
