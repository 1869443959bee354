internal import RealmLayout
internal import RealmReader

// Links and backlinks (R; Spec 60).
extension ContentChecks {
    /// Checks a leaf of links.
    ///
    /// - Parameter isBiased: whether key + 1 is stored, as in clusters.
    func checkLinks(_ node: Node, _ isBiased: Bool) -> Int? {
        guard let elements = plain(node), spend(elements.count, at: node.ref) else { return nil }
        guard let target = linkTarget, let cluster else { return elements.count }
        let owner = ownerRow.map { cluster.key($0) }
        var sum = MultisetSum()
        for index in 0..<elements.count {
            let stored = elements[unchecked: index]
            // In clusters 0 is null; in lists -1 would be.
            let key = ObjectKey(isBiased ? stored &- 1 : stored)
            guard key != .null else { continue }
            let origin = owner ?? cluster.key(index)
            if observer == nil {
                sum.add(MultisetSum.hash(origin.value, key.value))
                checkTarget(key, in: target, node.ref, index)
            } else {
                observe(origin, key, in: target)
            }
        }
        add(sum, to: target)
        return elements.count
    }

    /// Checks that a link of a Mixed leads to an object, and adds it to the sum of links.
    func noteLink(to key: ObjectKey, in target: Int, _ ref: Ref, _ index: Int) {
        guard let origin = cluster?.key(ownerRow ?? index) else { return }
        guard observer == nil else { return observe(origin, key, in: target) }
        var sum = MultisetSum()
        sum.add(MultisetSum.hash(origin.value, key.value))
        add(sum, to: target)
        checkTarget(key, in: target, ref, index)
    }

    private func checkTarget(_ key: ObjectKey, in target: Int, _ ref: Ref, _ index: Int) {
        if keyRuns[target]?.contains(key) == true { return }
        let result =
            key.isUnresolved ? tombstones[target]?.find(key) ?? .missing : objects[target]?.find(key) ?? .missing
        if case .missing = result {
            fail(
                .linkTarget, ref, index,
                "the link leads to the object \(key) of \(tables[target].className), which does not exist")
        }
    }

    /// The links of the column at hand to a table.
    private func pair(to target: Int) -> LinkLedger.Pair? {
        column.map { column in
            LinkLedger.Pair(
                originTable: tables[tableIndex].key, originColumn: column.key, targetTable: tables[target].key)
        }
    }

    private func add(_ sum: MultisetSum, to target: Int) {
        guard sum.count > 0, let pair = pair(to: target) else { return }
        ledger.add(sum, of: pair, areBacklinks: false)
    }

    private func observe(_ origin: ObjectKey, _ key: ObjectKey, in target: Int) {
        guard let pair = pair(to: target) else { return }
        observer?(LinkLedger.Link(pair: pair, origin: origin, target: key), false)
    }

    // MARK: Backlinks

    /// The backlinks of one column: noted one by one for an observer, otherwise summed up.
    private struct Backlinks {
        let pair: LinkLedger.Pair
        var sum = MultisetSum()
    }

    /// Checks a leaf of backlinks and adds them to the sum.
    func checkBacklinks(_ node: Node) -> Int? {
        guard let elements = references(node), let column, let cluster else { return nil }
        guard elements.width > 0 else { return elements.count }
        guard spend(elements.count, at: node.ref) else { return nil }
        var found = Backlinks(
            pair: LinkLedger.Pair(
                originTable: column.oppositeTable, originColumn: column.oppositeColumn,
                targetTable: tables[tableIndex].key))
        for row in 0..<min(elements.count, cluster.count) {
            switch Slot(elements[unchecked: row]) {
            case .empty: continue
            case .tagged(let number):
                note(ObjectKey(Int64(bitPattern: number)), cluster.key(row), &found)
                incoming[row] += 1
            case .ref(let root):
                ownerRow = row
                checkBacklinkList(root, cluster.key(row), row, &found)
                ownerRow = nil
            }
        }
        ledger.add(found.sum, of: found.pair, areBacklinks: true)
        return elements.count
    }

    private func note(_ origin: ObjectKey, _ target: ObjectKey, _ found: inout Backlinks) {
        if let observer {
            observer(LinkLedger.Link(pair: found.pair, origin: origin, target: target), true)
        } else {
            found.sum.add(MultisetSum.hash(origin.value, target.value))
        }
    }

    /// Backlinks to an object that has several: one long leaf, since format 24 a B+tree.
    private func checkBacklinkList(_ root: Ref, _ target: ObjectKey, _ row: Int, _ found: inout Backlinks) {
        if let node = scope.node(root), !node.header.isInner {
            if checkBacklinkLeaf(node, target, row, &found) == nil { loseCollection() }
            return
        }
        var walk = TreeWalk(scope, root: root) { [unowned self] check, ref, message in failLeaf(check, ref, message) }
        var count: Int?
        while let node = walk.next(count: count) { count = checkBacklinkLeaf(node, target, row, &found) }
        if !walk.isComplete { loseCollection() }
    }

    private func checkBacklinkLeaf(_ node: Node, _ target: ObjectKey, _ row: Int, _ found: inout Backlinks) -> Int? {
        guard let keys = plain(node), spend(keys.count, at: node.ref) else { return nil }
        for index in 0..<keys.count { note(ObjectKey(keys[unchecked: index]), target, &found) }
        incoming[row] += keys.count
        return keys.count
    }
}
