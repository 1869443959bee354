package import RealmCore
package import RealmLayout

/// The entries of the history of a snapshot, one for each commit (Spec 80).
package struct CommitHistory {
    /// An entry of the history.
    package struct Entry: Sendable {
        /// The number of the commit that it led to.
        package let commit: UInt64
        /// The bytes of the changeset for processes that share the file; nil when there is none, or it cannot be read.
        package let byteCount: Int?
        /// The changes; nil when there is no such changeset, or it is one of formats 2 to 9, which is not decoded.
        package let changes: CommitChanges?
        /// The exchange with the server, of a synchronised history.
        package let exchange: Exchange?
    }

    /// An entry of a synchronised history.
    package struct Exchange: Sendable {
        /// The bytes of the changeset, which is not decoded; nil when there is none.
        package let byteCount: Int?
        /// The version of the server that the entry is based on, or came with.
        package let serverVersion: Int64?
        /// The number of the file in which the change was made; 0 for this one.
        package let originFile: Int64?
        /// The time of the change by the clock of its device, in milliseconds since 2015.
        package let milliseconds: Int64?
    }

    /// The trees of data exchanged with the server.
    private struct ExchangedTrees {
        let changesets: HistoryTree
        let serverVersions: HistoryTree
        let originFiles: HistoryTree
        let times: HistoryTree
    }

    /// The first errors.
    package private(set) var damage: [FormatError] = []
    /// The number of errors.
    package private(set) var damageCount = 0
    /// The number of entries.
    package let total: Int

    private let snapshot: Snapshot
    private let space: NodeSpace
    /// The changesets for processes that share the file.
    private let local: HistoryTree
    private let exchanged: ExchangedTrees?
    /// Work on changesets, which intact files do not share.
    private var budget: WorkBudget
    private static let keptErrors = 20

    /// Finds the entries of a snapshot's history.
    package init(_ snapshot: Snapshot) {
        self.snapshot = snapshot
        let space = snapshot.space.withoutOverlay
        self.space = space
        budget = WorkBudget(for: space)
        let root = snapshot.reading {
            snapshot.topRef.flatMap { try? Record<GroupTopSlot>(at: $0, in: space) }?.slots.ref(.history)
        }
        let binary: LeafType = snapshot.version.isLegacy ? .legacyBinary(nullable: true) : .binary
        var trees: [HistoryTree] = []
        func tree(_ root: Ref?, _ type: LeafType) -> HistoryTree {
            let tree = snapshot.reading { HistoryTree(root, of: type, in: space) }
            trees.append(tree)
            return tree
        }
        switch snapshot.history.type {
        case .inRealm:
            local = tree(root, binary)
            exchanged = nil
        case .syncClient:
            let slots = snapshot.reading { root.flatMap { try? space.node(at: $0).refs() } } ?? .empty
            // Layouts 0 and 1 begin with the trees that later ones have from slot 13 on.
            let isOld = snapshot.history.schemaVersion < 2
            func part(_ slot: SyncClientHistorySlot) -> Ref? {
                let first = isOld ? SyncClientHistorySlot.changesets.rawValue : 0
                return slot.rawValue < first ? nil : Slot(slots.element(at: slot.rawValue - first) ?? 0).ref
            }
            local = tree(part(.localChangesets), binary)
            exchanged = ExchangedTrees(
                changesets: tree(part(.changesets), binary),
                serverVersions: tree(part(.remoteVersions), .int(nullable: false)),
                originFiles: tree(part(.originFileIdentifiers), .int(nullable: false)),
                times: tree(part(.originTimestamps), .int(nullable: false)))
        default:
            local = tree(nil, binary)
            exchanged = nil
        }
        total = max(local.total, exchanged?.changesets.total ?? 0)
        for error in trees.flatMap(\.errors) { note(error) }
    }

    private mutating func note(_ error: FormatError) {
        damageCount += 1
        if damage.count < Self.keptErrors { damage.append(error) }
    }

    /// The number of the oldest commit whose entry is there; nil when there is none.
    package var firstCommit: UInt64? { total > 0 ? commit(total) : nil }

    /// The commit that an entry led to. The last entry led to the current commit.
    ///
    /// - Parameter distance: the number of entries from it to the end, 1 for the last.
    private func commit(_ distance: Int) -> UInt64 {
        snapshot.commitNumber &- UInt64(truncatingIfNeeded: distance) &+ 1
    }

    /// Calls `body` with the entries, the oldest first.
    ///
    /// - Parameter limit: the number of entries from the end on that are read.
    package mutating func forEach<E: Error>(last limit: Int = .max, _ body: (Entry) throws(E) -> Void) throws(E) {
        let leading = exchanged.map { $0.changesets.total > local.total ? $0.changesets : local } ?? local
        let first = limit < total ? leading.total - limit : 0
        for range in leading.ranges {
            for index in range where index >= first { try body(entry(leading.total - index)) }
        }
    }

    private mutating func entry(_ distance: Int) -> Entry {
        let snapshot = snapshot
        return snapshot.reading {
            let decoded = changes(distance)
            return Entry(
                commit: commit(distance), byteCount: decoded.byteCount, changes: decoded.changes,
                exchange: exchange(distance))
        }
    }

    private mutating func changes(_ distance: Int) -> (byteCount: Int?, changes: CommitChanges?) {
        let index = local.total - distance
        guard index >= 0, let (leaf, row) = local.leaf(of: index) else { return (nil, nil) }
        do throws(FormatError) {
            guard let blob = try leaf.binary(at: row, in: space) else {
                throw FormatError(.badLeaf, at: leaf.ref.offset, "changeset \(index) is null")
            }
            guard let parts = blob.parts else { return try changes(blob.view, index, leaf.ref) }
            let joined = try space.joinedBytes(ofPartsAt: parts)
            return try ByteView.with(joined) { view throws(FormatError) in try changes(view, index, leaf.ref) }
        } catch {
            note(error)
            return (nil, nil)
        }
    }

    private mutating func changes(
        _ bytes: ByteView, _ index: Int, _ leaf: Ref
    ) throws(FormatError) -> (byteCount: Int?, changes: CommitChanges?) {
        try budget.spend(bytes: bytes.count, at: leaf)
        guard snapshot.version.isClustered else { return (bytes.count, nil) }
        let changes = CommitChanges(bytes)
        if let problem = changes.problem {
            note(FormatError(.badLeaf, at: leaf.offset, "changeset \(index): \(problem)"))
        }
        return (bytes.count, changes)
    }

    private func exchange(_ distance: Int) -> Exchange? {
        guard let exchanged else { return nil }
        let index = exchanged.changesets.total - distance
        guard index >= 0 else { return nil }
        let blob = exchanged.changesets.leaf(of: index).flatMap { found in
            (try? found.leaf.binary(at: found.row, in: space)) ?? nil
        }
        return Exchange(
            byteCount: blob.map { $0.view.count }, serverVersion: exchanged.serverVersions.number(at: index),
            originFile: exchanged.originFiles.number(at: index), milliseconds: exchanged.times.number(at: index))
    }
}
