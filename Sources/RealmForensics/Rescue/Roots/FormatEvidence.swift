internal import RealmCore
internal import RealmLayout

/// The formats that the commit at a root may have, for files whose header no longer states it reliably (Spec 160).
struct FormatEvidence {
    /// The format of the slot that refers to the root; nil if there is no such slot, or the nodes contradict its
    /// format.
    let own: FormatVersion?
    /// Formats stated in the header that the nodes do not contradict.
    let named: [FormatVersion]
    /// Formats that the nodes suggest, highest first.
    let likely: [FormatVersion]
    /// Formats that the nodes do not contradict, highest first.
    private let possible: [FormatVersion]

    /// Examines the root, and the tops of its tables.
    ///
    /// - Parameters:
    ///   - header: The file's header, if it has its mnemonic.
    ///   - slot: The slot that refers to the root, or did before part of it was lost; nil for none.
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

    /// Formats above that of the slot that the nodes allow, highest first. A file's format only rises, so a slot that
    /// states a lower format than its nodes have is damaged. Empty when no slot states a format.
    var above: [FormatVersion] { own.map { own in possible.filter { $0 > own } } ?? [] }

    /// The formats in trial order: that of the slot, if any, then those above it.
    var order: [FormatVersion] {
        if let own { return [own] + above }
        var order = named
        for format in likely + possible where !order.contains(format) { order.append(format) }
        return order
    }

    private static func formats(_ numbers: ClosedRange<UInt8>) -> [FormatVersion] {
        numbers.reversed().map { FormatVersion($0) }.filter { $0.isClustered || $0.isLegacy }
    }

    /// Before clusters, tables have two slots. An interrupted upgrade to 10 leaves some or all of them with more,
    /// under a root of the older format. The exact number gives no evidence: upgrades do not change it, nor the root.
    private static func ofShape(_ root: RootShape, _ tableTops: Set<Int>) -> ClosedRange<UInt8> {
        if tableTops.contains(2) || root.slots.count == 9 { return 2...9 }
        let mayBeUpgraded = tableTops.isEmpty ? root.slots.count <= 10 : root.slots.count == 10
        return mayBeUpgraded ? 2...24 : 10...24
    }

    /// Narrows the formats by the root's history slots.
    private static func narrowed(
        _ shape: [FormatVersion], _ root: RootShape
    ) -> (likely: [FormatVersion], possible: [FormatVersion]) {
        func within(_ range: ClosedRange<UInt8>) -> [FormatVersion] { shape.filter { range.contains($0.number) } }
        guard shape.contains(where: \.isClustered) else {
            // Format 4 introduced the history in the file, format 7 the history's version.
            let likely: ClosedRange<UInt8> = root.slots.count == 9 ? 4...6 : root.slots.count == 10 ? 7...9 : 2...9
            return (within(likely), shape)
        }
        guard root[.historyType] == .tagged(UInt64(HistoryType.inRealm.rawValue)) else {
            return (within(10...24), shape)
        }
        // Core 14 changed the layout of the history, and converts any other when it opens a file.
        let isOld = root[.historySchemaVersion] == .tagged(0)
        return (within(isOld ? 10...23 : 24...24), within(isOld ? 2...23 : 24...24))
    }
}
