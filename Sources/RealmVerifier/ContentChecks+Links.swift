internal import RealmLayout
internal import RealmReader

// Links and backlinks (R; Spec 60).
extension ContentChecks {
    /// Checks a leaf of links.
    ///
    /// - Parameter isBiased: whether key + 1 is stored, as in clusters.
    func checkLinks(_ node: Node, _ isBiased: Bool) -> Int? {
        guard let elements = plain(node), spend(elements.count, at: node.ref) else { return nil }
        guard let column, let target = positions[column.oppositeTable] else { return elements.count }
        for index in 0..<elements.count {
            let stored = elements[unchecked: index]
            // In clusters 0 is null; in lists -1 would be.
            let key = ObjectKey(isBiased ? stored &- 1 : stored)
            if key != .null { noteLink(to: key, in: target, node.ref, index) }
        }
        return elements.count
    }

    /// Checks that a link leads to an object, and adds it to the sum of links.
    func noteLink(to key: ObjectKey, in target: Int, _ ref: Ref, _ index: Int) {
        guard let column, let origin = cluster?.key(ownerRow ?? index) else { return }
        let pair = LinkLedger.Pair(originTable: table.key, originColumn: column.key, targetTable: tables[target].key)
        note(LinkLedger.Link(pair: pair, origin: origin, target: key), isBacklink: false)
        guard observer == nil else { return }
        let result =
            key.isUnresolved ? tombstones[target]?.find(key) ?? .missing : objects[target]?.find(key) ?? .missing
        if case .missing = result {
            fail(
                .linkTarget, ref, index,
                "the link leads to the object \(key) of \(tables[target].className), which does not exist")
        }
    }

    private func note(_ link: LinkLedger.Link, isBacklink: Bool) {
        if let observer { observer(link, isBacklink) } else { ledger.add(link, isBacklink: isBacklink) }
    }

    /// Checks a leaf of backlinks and adds them to the sum.
    func checkBacklinks(_ node: Node) -> Int? {
        guard let elements = references(node), let column, let cluster else { return nil }
        guard elements.width > 0 else { return elements.count }
        guard spend(elements.count, at: node.ref) else { return nil }
        let pair = LinkLedger.Pair(
            originTable: column.oppositeTable, originColumn: column.oppositeColumn, targetTable: table.key)
        for row in 0..<min(elements.count, cluster.count) {
            let target = cluster.key(row)
            switch Slot(elements[unchecked: row]) {
            case .empty: continue
            case .tagged(let number):
                note(
                    LinkLedger.Link(pair: pair, origin: ObjectKey(Int64(bitPattern: number)), target: target),
                    isBacklink: true)
                incoming[row] += 1
            case .ref(let root):
                ownerRow = row
                checkBacklinkList(root, pair, target, row)
                ownerRow = nil
            }
        }
        return elements.count
    }

    /// Backlinks to an object that has several: one long leaf, since format 24 a B+tree.
    private func checkBacklinkList(_ root: Ref, _ pair: LinkLedger.Pair, _ target: ObjectKey, _ row: Int) {
        var walk = TreeWalk(scope, root: root) { [unowned self] check, ref, message in failLeaf(check, ref, message) }
        var count: Int?
        while let node = walk.next(count: count) {
            guard let keys = plain(node), spend(keys.count, at: node.ref) else {
                count = nil
                continue
            }
            count = keys.count
            for index in 0..<keys.count {
                note(
                    LinkLedger.Link(pair: pair, origin: ObjectKey(keys[unchecked: index]), target: target),
                    isBacklink: true)
            }
            incoming[row] += keys.count
        }
        if !walk.isComplete { loseCollection() }
    }
}
