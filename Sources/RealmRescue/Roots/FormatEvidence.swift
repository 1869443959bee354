internal import RealmLayout
internal import RealmReader

/// Which formats the commit at a root can be of: the header may not say any more (Spec 160).
struct FormatEvidence {
    /// Those that the header names, as far as the nodes allow them.
    let named: [FormatVersion]
    /// Those that the nodes speak for, the highest first.
    let likely: [FormatVersion]
    /// Those that the nodes do not rule out, the highest first.
    private let possible: [FormatVersion]

    /// Looks at the root, and at the roots of its tables.
    ///
    /// - Parameter header: the file's header, when its mnemonic is there.
    init(_ root: RootShape, _ header: FileHeader?, in file: ByteView) {
        let tableTops = root.tableTopCounts(in: file)
        possible = Self.formats(Self.possible(root, tableTops))
        likely = Self.formats(Self.likely(root, tableTops))
        var named: [FormatVersion] = []
        if let header {
            for slot in [header.selectedSlot, 1 - header.selectedSlot] {
                let format = header.slots[slot].format
                if possible.contains(format), !named.contains(format) { named.append(format) }
            }
        }
        self.named = named
    }

    /// The formats in the order in which they are to be tried.
    var order: [FormatVersion] {
        var order = named
        for format in likely + possible where !order.contains(format) { order.append(format) }
        return order
    }

    private static func formats(_ numbers: ClosedRange<UInt8>) -> [FormatVersion] {
        numbers.reversed().map { FormatVersion($0) }.filter { $0.isClustered || $0.isLegacy }
    }

    /// Tables have two slots before clusters; an upgrade to 10 that was interrupted leaves some of both kinds, under a root
    /// of the older format.
    private static func possible(_ root: RootShape, _ tableTops: Set<Int>) -> ClosedRange<UInt8> {
        if tableTops.contains(2) || [9, 10].contains(root.slots.count) { return 2...9 }
        return tableTops.isEmpty && root.slots.count <= 7 ? 2...24 : 10...24
    }

    private static func likely(_ root: RootShape, _ tableTops: Set<Int>) -> ClosedRange<UInt8> {
        switch root.slots.count {
        // History in the file came with 4, the layout of the history with 7.
        case 9: return 4...6
        case 10: return 7...9
        default: break
        }
        if tableTops.contains(2) { return 2...9 }
        if tableTops == [12] { return 10...11 }
        guard root.slots.count >= 11, root[.historyType] == .tagged(UInt64(HistoryType.inRealm.rawValue)) else {
            return 20...24
        }
        // Core 14 changed the layout of the history, and opens no other without changing it.
        return root[.historySchemaVersion] == .tagged(0) ? 20...23 : 24...24
    }
}
