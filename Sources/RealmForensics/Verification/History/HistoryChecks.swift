internal import RealmCore
internal import RealmLayout

/// Checks the history of commits (Y; Spec 80).
struct HistoryChecks {
    let scope: SnapshotScope

    /// Compares the number of changesets with that of commits, and parses them if `isDeep`.
    func run(isDeep: Bool) {
        guard let root = scope.root.ref(.history) else { return }
        switch scope.root.historyType {
        case .inRealm: checkChangesets(root, isDeep: isDeep)
        case .syncClient: SyncHistoryChecks(scope: scope, changesets: self).run(root, isDeep: isDeep)
        default:
            if isDeep { scope.sink.report(.syncHistory, at: root.offset, in: scope.place, "the history was not read") }
        }
    }

    /// Checks the changesets of this file, one for each commit.
    func checkChangesets(_ root: Ref, isDeep: Bool) {
        var entries = 0
        forEachLeaf(root) { leaf in
            if isDeep { check(leaf, first: entries) }
            entries += leaf.count
        }
        if UInt64(entries) > scope.root.version {
            scope.sink.report(
                .historyCount, at: root.offset, in: scope.place,
                "the history has \(entries) changesets, but there were only \(scope.root.version) commits")
        }
    }

    /// Visits the leaves of a tree of changesets.
    ///
    /// - Returns: the number of changesets; nil when a part of the tree cannot be read.
    @discardableResult
    func forEachLeaf(_ root: Ref, _ body: (ColumnLeaf) -> Void) -> Int? {
        var walk = TreeWalk(scope, root: root) { check, ref, message in
            scope.sink.report(.historyShape, at: ref.offset, in: scope.place, "the history: \(message)")
        }
        let type = scope.format.isLegacy ? LeafType.legacyBinary(nullable: true) : .binary
        var entries = 0
        var count: Int?
        while let node = walk.next(count: count) {
            guard let leaf = scope.leaf(node.ref, as: type) else {
                count = nil
                guard !scope.hasUnsoundParts(node) else { continue }
                scope.sink.report(
                    .historyShape, at: node.ref.offset, in: scope.place, "\(node.summary) is not a leaf of changesets")
                continue
            }
            count = leaf.count
            entries += leaf.count
            body(leaf)
        }
        return walk.isComplete ? entries : nil
    }

    private func check(_ leaf: ColumnLeaf, first: Int) {
        for index in 0..<leaf.count {
            guard let blob = changeset(index, leaf, "changeset \(first + index)") else { continue }
            // Changesets of older formats have other instructions; those stored in parts exceed 16 MB.
            guard scope.format.isClustered, blob.parts == nil, let problem = Changeset.problem(in: blob.view) else {
                continue
            }
            report(.historyContent, leaf, "changeset \(first + index): \(problem)")
        }
    }

    /// The bytes of a changeset; nil when it is missing, which is reported.
    func changeset(_ index: Int, _ leaf: ColumnLeaf, _ name: @autoclosure () -> String) -> Blob? {
        do throws(FormatError) {
            if let blob = try leaf.binary(at: index, in: scope.space) { return blob }
            report(.historyShape, leaf, "\(name()) is null")
        } catch {
            report(.historyShape, leaf, "\(name()) cannot be read: \(error.detail)")
        }
        return nil
    }

    private func report(_ check: CheckIdentifier, _ leaf: ColumnLeaf, _ message: String) {
        scope.sink.report(check, at: leaf.ref.offset, in: scope.place, message)
    }
}
