internal import RealmCore
internal import RealmLayout

/// Checks the history of a synchronised file (Y; Spec 80): its shape, the number of change sets, and change sets in the
/// form of other files. Data exchanged with the server is not inspected.
struct SyncHistoryChecks {
    /// The positions of parts within the root.
    private struct Layout {
        /// The element counts that a root is known to have.
        let counts: Set<Int>
        /// The slot of the change sets for processes that share the file; nil when there are none.
        let changesets: Int?
        /// The first slot of data exchanged with the server: two trees of binaries, followed by three of numbers, each
        /// with one element per change set.
        let exchanged: Int

        /// The first layout whose source is public. Earlier layouts are known only from files and may be incomplete.
        static let firstPublic = 11

        /// The layout with a number: 0 and 1 belong to Core 2 to 4.
        static func of(_ version: UInt64) -> Layout {
            switch version {
            case 0: Layout(counts: [18, 21], changesets: nil, exchanged: 0)
            case 1: Layout(counts: [23], changesets: nil, exchanged: 0)
            default: Layout(counts: [21], changesets: 0, exchanged: 13)
            }
        }
    }

    let scope: SnapshotScope
    let changesets: HistoryChecks

    func run(_ root: Ref, isDeep: Bool) {
        let version = scope.root.number(.historySchemaVersion) ?? 0
        let layout = Layout.of(version)
        guard let slots = scope.refs(root), layout.counts.contains(slots.count) else {
            guard let node = scope.node(root) else { return }
            guard version < Layout.firstPublic, node.header.hasRefs, node.count > 0 else {
                return report(.historyShape, root, "\(node.summary) is not a root of a synchronisation history")
            }
            guard isDeep else { return }
            return scope.sink.report(
                .syncHistory, at: root.offset, in: scope.place,
                "the history was not looked into: a root of \(node.count) elements is not known of layout \(version)")
        }
        if let slot = layout.changesets, let tree = part(slot, slots, root) {
            changesets.checkChangesets(tree, isDeep: isDeep)
        }
        if isDeep { report(.syncHistory, root, "what is exchanged with the server was not looked into") }
        var counts: [Int] = []
        for offset in 0..<5 {
            guard let tree = part(layout.exchanged + offset, slots, root) else { continue }
            if let count = offset < 2 ? changesets.forEachLeaf(tree, { _ in }) : countOfNumbers(tree) {
                counts.append(count)
            }
        }
        guard let first = counts.first else { return }
        if counts.contains(where: { $0 != first }) {
            report(
                .historyShape, root,
                "the change sets for the server are \(counts.map { "\($0)" }.joined(separator: ", ")) in its arrays")
        } else if UInt64(first) > scope.root.version {
            report(
                .historyCount, root,
                "there are \(first) change sets for the server, but there were only \(scope.root.version) commits")
        }
    }

    /// The root of a tree; nil when it does not exist yet.
    private func part(_ slot: Int, _ slots: IntegerVector, _ root: Ref) -> Ref? {
        switch Slot(slots[unchecked: slot]) {
        case .ref(let ref): return ref
        case .empty: return nil
        case .tagged(let number):
            report(.historyShape, root, "the number \(number) in slot \(slot) of the history, where a tree should be")
            return nil
        }
    }

    private func countOfNumbers(_ root: Ref) -> Int? {
        var walk = TreeWalk(scope, root: root) { [self] _, ref, message in
            report(.historyShape, ref, "the history: \(message)")
        }
        var (total, count): (Int, Int?) = (0, nil)
        while let node = walk.next(count: count) {
            guard let numbers = scope.integers(node.ref), !node.header.hasRefs else {
                count = nil
                report(.historyShape, node.ref, "\(node.summary) where the history has numbers")
                continue
            }
            count = numbers.count
            total += numbers.count
        }
        return walk.isComplete ? total : nil
    }

    private func report(_ check: CheckIdentifier, _ ref: Ref, _ message: String) {
        scope.sink.report(check, at: ref.offset, in: scope.place, message)
    }
}
