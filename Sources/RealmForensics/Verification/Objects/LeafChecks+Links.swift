internal import RealmCore
internal import RealmLayout

// Links and backlinks (R; Spec 60).
extension LeafChecks {
    /// Checks a leaf of links.
    ///
    /// - Parameter isBiased: whether key + 1 is stored, as in clusters.
    func checkLinks(_ node: Node, _ isBiased: Bool) -> Int? {
        guard let elements = numbers(node), spend(elements.count, at: node.ref) else { return nil }
        guard let target = linkTarget, let pair = linkPair, let cluster else { return elements.count }
        var run = linkRun
        defer { linkRun = run }
        let owner = ownerRow.map { cluster.key($0) }
        var sum = MultisetSum()
        for index in 0..<elements.count {
            let key = ObjectKey(linkElement: elements[unchecked: index], isBiased: isBiased)
            guard key != .null else { continue }
            let origin = owner ?? cluster.key(index)
            guard note(origin, key, of: pair, areBacklinks: false, &sum), !run.contains(key) else { continue }
            if let found = plan.keyRuns[target]?.run(of: key) {
                run = found
            } else {
                checkTarget(key, in: target, node.ref, index)
            }
        }
        ledger.add(sum, of: pair, areBacklinks: false)
        return elements.count
    }

    /// Checks that a link in a Mixed leads to an object, and adds it to the sum of links.
    func noteLink(to key: ObjectKey, in target: TablePosition, _ ref: Ref, _ index: Int) {
        guard let column, let position, let origin = cluster?.key(ownerRow ?? index) else { return }
        let pair = LinkChecksum.Pair(
            originTable: plan.tables[position].key, originColumn: column.key, targetTable: plan.tables[target].key)
        var sum = MultisetSum()
        guard note(origin, key, of: pair, areBacklinks: false, &sum) else { return }
        ledger.add(sum, of: pair, areBacklinks: false)
        checkTarget(key, in: target, ref, index)
    }

    /// Adds a link to a sum; returns false when an observer receives it instead.
    private func note(
        _ origin: ObjectKey, _ target: ObjectKey, of pair: LinkChecksum.Pair, areBacklinks: Bool,
        _ sum: inout MultisetSum
    ) -> Bool {
        if let observer = purpose.observer {
            observer(LinkChecksum.Link(pair: pair, origin: origin, target: target), areBacklinks)
            return false
        }
        sum.add(MultisetSum.hash(origin.value, target.value))
        return true
    }

    private func checkTarget(_ key: ObjectKey, in target: TablePosition, _ ref: Ref, _ index: Int) {
        if plan.keyRuns[target]?.contains(key) == true { return }
        guard targets.lacks(key, in: target) else { return }
        fail(
            .linkTarget, ref, index,
            "the link leads to the object \(key) of \(plan.tables[target].className), which does not exist")
    }

    // MARK: Backlinks

    /// Checks a leaf of backlinks and adds them to the sum.
    func checkBacklinks(_ node: Node) -> Int? {
        guard let elements = references(node), let pair = linkPair, let cluster else { return nil }
        guard elements.width > 0 else { return elements.count }
        guard spend(elements.count, at: node.ref) else { return nil }
        var sum = MultisetSum()
        // Moved out of `self` while it is modified, so that it is known to be uniquely referenced.
        var incoming = self.incoming
        self.incoming = []
        defer { self.incoming = incoming }
        for row in 0..<min(elements.count, cluster.count) {
            switch Slot(elements[unchecked: row]) {
            case .empty: continue
            case .tagged(let number):
                _ = note(
                    ObjectKey(Int64(bitPattern: number)), cluster.key(row), of: pair, areBacklinks: true, &sum)
                incoming[row] += 1
            case .ref(let root):
                ownerRow = row
                incoming[row] += checkBacklinkList(root, cluster.key(row), pair, &sum)
                ownerRow = nil
            }
        }
        ledger.add(sum, of: pair, areBacklinks: true)
        return elements.count
    }

    /// Checks the backlinks to an object with several of them: one long leaf, or a B+tree since format 24.
    ///
    /// - Returns: the number of backlinks.
    private func checkBacklinkList(
        _ root: Ref, _ target: ObjectKey, _ pair: LinkChecksum.Pair, _ sum: inout MultisetSum
    ) -> Int {
        if let node = scope.node(root), !node.header.isInner {
            let count = checkBacklinkLeaf(node, target, pair, &sum)
            if count == nil { loseCollection() }
            return count ?? 0
        }
        var walk = TreeWalk(scope, root: root) { [unowned self] check, ref, message in failLeaf(check, ref, message) }
        var total = 0
        var count: Int?
        while let node = walk.next(count: count) {
            count = checkBacklinkLeaf(node, target, pair, &sum)
            total += count ?? 0
        }
        if !walk.isComplete { loseCollection() }
        return total
    }

    private func checkBacklinkLeaf(
        _ node: Node, _ target: ObjectKey, _ pair: LinkChecksum.Pair, _ sum: inout MultisetSum
    ) -> Int? {
        guard let keys = numbers(node), spend(keys.count, at: node.ref) else { return nil }
        for index in 0..<keys.count {
            _ = note(ObjectKey(keys[unchecked: index]), target, of: pair, areBacklinks: true, &sum)
        }
        return keys.count
    }
}
