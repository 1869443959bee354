package import RealmLayout

/// The top node of the group of a new file (Spec 70).
package struct GroupTop {
    /// The commit number of new files: the first commit of a program with a history in the file, and an empty history.
    /// SDKs therefore open the file without another commit (Spec 165).
    static let firstCommit: UInt64 = 2

    let format: FormatVersion
    /// The commit number.
    let commitNumber: UInt64

    package init(format: FormatVersion) { self.init(format: format, commitNumber: Self.firstCommit) }

    init(format: FormatVersion, commitNumber: UInt64) { (self.format, self.commitNumber) = (format, commitNumber) }

    /// The history schema version that releases with this format expect.
    private var historySchemaVersion: Int { format.number >= 24 ? 1 : 0 }

    /// Writes the node, which is the last of the file and holds the file's size.
    package func write(names: Ref, tables: Ref, to nodes: NodeOutput) throws(WriteError) -> Ref {
        // Releases of formats 2 to 9 stored the history elsewhere.
        let last: GroupTopSlot = format.isLegacy ? .version : .syncFileIdentifier
        var top = RecordBuilder<GroupTopSlot>(count: last.rawValue + 1)
        top[.tableNames] = .ref(names)
        top[.tables] = .ref(tables)
        let gaps = nodes.gaps
        top[.freePositions] = .ref(try nodes.integers(gaps.map { Int64($0.offset) }))
        top[.freeLengths] = .ref(try nodes.integers(gaps.map { Int64($0.size) }))
        top[.freeVersions] = .ref(try nodes.integers([Int64](repeating: 0, count: gaps.count)))
        top[.version] = .tagged(commitNumber)
        if !format.isLegacy {
            top[.historyType] = .number(HistoryType.inRealm.rawValue)
            top[.historySchemaVersion] = .number(historySchemaVersion)
            top[.syncFileIdentifier] = .number(0)
        }
        // The node's largest possible size determines its width.
        var range = ValueRange()
        for element in top.elements { range.add(element) }
        let start = nodes.position
        range.add(Slot.number(start + NodeHeader.size + 8 * top.elements.count).element)
        let size = NodeHeader.size + (top.elements.count * range.width / 8 + 7) & ~7
        top[.logicalFileSize] = .number(start + size)
        return try nodes.packed(top.elements, width: range.width, flags: NodeOutput.hasRefs)
    }
}
