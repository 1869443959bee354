internal import RealmCore
internal import RealmLayout

// Lists, sets and dictionaries (K; Spec 40).
extension LeafChecks {
    /// Checks a leaf of refs to collections, one for each object.
    func checkCollections(_ node: Node) -> Int? {
        guard let elements = references(node) else { return nil }
        guard elements.width > 0, let column else { return elements.count }
        warm(elements)
        // Further elements would belong to rows that do not exist.
        for row in 0..<min(elements.count, cluster?.count ?? 0) {
            switch Slot(elements[unchecked: row]) {
            case .empty: continue
            case .tagged(let number):
                fail(.collectionSlot, node.ref, row, "the number \(number) where a collection should be")
            case .ref(let root):
                ownerRow = row
                checkCollection(root, column)
                ownerRow = nil
            }
        }
        return elements.count
    }

    /// Loads the headers of the next nodes together, so that the memory accesses overlap.
    private func warm(_ elements: IntegerVector) {
        var sum: UInt64 = 0
        for row in 0..<min(elements.count, Limits.clusterObjects) {
            sum &+= scope.space.word(at: elements[unchecked: row])
        }
        warmth &+= sum
    }

    private func checkCollection(_ root: Ref, _ column: CheckedColumn) {
        guard let collection = column.collection else { return }
        switch collection {
        case .list:
            checkElements(root, column.elementType, isNullable: column.isNullable, isSet: false, depth: 0)
        case .set:
            checkElements(root, column.elementType, isNullable: column.isNullable, isSet: true, depth: 0)
        case .dictionary(let keys):
            checkDictionary(root, keys, depth: 0)
        }
    }

    /// Reports findings about the shape of a collection.
    private var treeReporter: ReportedTree.Reporter {
        { [unowned self] check, ref, message in failLeaf(check, ref, message) }
    }

    /// Checks a B+tree of elements.
    func checkElements(_ root: Ref, _ type: LeafType, isNullable: Bool, isSet: Bool, depth: Int) {
        let order = isSet ? ElementOrder(type: type, check: .setOrder, prefix: "") : nil
        if checkTree(root, type, isNullable: isNullable, order, depth: depth) == nil { loseCollection() }
    }

    /// The required order of elements, and the wording of violations.
    private struct ElementOrder {
        let type: LeafType
        let check: CheckIdentifier
        let prefix: String
    }

    /// Checks a B+tree and returns the number of its elements; nil when some are unreadable.
    private func checkTree(
        _ root: Ref, _ type: LeafType, isNullable: Bool, _ order: ElementOrder?, depth: Int
    ) -> Int? {
        var values: OrderCheck?
        // Most collections are a single leaf.
        if let node = scope.node(root), !node.header.isInner {
            let count = checkElementLeaf(node, type, isNullable: isNullable, depth: depth)
            if let order, count ?? 0 > 1 { checkOrder(node, order, &values) }
            return count
        }
        var walk = TreeWalk(scope, root: root, reporter: treeReporter)
        var total = 0
        var count: Int?
        while let node = walk.next(count: count) {
            count = checkElementLeaf(node, type, isNullable: isNullable, depth: depth)
            total += count ?? 0
            if let order, count != nil { checkOrder(node, order, &values) }
        }
        return walk.isComplete ? total : nil
    }

    private func checkOrder(_ node: Node, _ order: ElementOrder, _ values: inout OrderCheck?) {
        guard let leaf = scope.leaf(node.ref, as: order.type) else { return }
        var ordered = values ?? OrderCheck(scope, order.type)
        if let problem = ordered.add(leaf) { failLeaf(order.check, node.ref, order.prefix + problem) }
        values = ordered
    }

    /// Records that the current collection could not be read completely.
    func loseCollection() {
        spoil()
        loseValues()
    }

    private func checkElementLeaf(_ node: Node, _ type: LeafType, isNullable: Bool, depth: Int) -> Int? {
        let count = type == .mixed ? checkMixed(node, depth: depth) : checkLeaf(node, as: type, isNullable: isNullable)
        if count == nil { loseValues() }
        if let count, count > Limits.treeElements {
            report(.treeLeafSize, node.ref, "a leaf of \(count) elements")
        }
        return count
    }

    /// Checks a dictionary in either form.
    func checkDictionary(_ root: Ref, _ keys: DictionaryKeyType, depth: Int) {
        guard scope.format.hasPairDictionaries else { return checkEntries(root, keys) }
        guard let node = scope.node(root), let parts = references(node) else { return loseCollection() }
        guard parts.count >= 2, case .ref(let keyRoot) = Slot(parts[0]), case .ref(let valueRoot) = Slot(parts[1])
        else {
            failLeaf(.dictionaryPairs, root, "\(node.summary) where keys and values of a dictionary should be")
            return loseValues()
        }
        let keyType = keyLeafType(keys)
        let order = ElementOrder(type: keyType, check: .dictionaryPairs, prefix: "the keys: ")
        let keyCount = checkTree(keyRoot, keyType, isNullable: false, order, depth: depth)
        let valueCount = checkTree(valueRoot, .mixed, isNullable: true, nil, depth: depth)
        guard let keyCount, let valueCount else { return loseCollection() }
        if keyCount != valueCount {
            failLeaf(.dictionaryPairs, root, "the dictionary has \(keyCount) keys and \(valueCount) values")
        }
    }

    private func keyLeafType(_ keys: DictionaryKeyType) -> LeafType { keys == .int ? .int(nullable: false) : .string }

    /// Checks a dictionary in the form before format 23: a cluster tree of entries, ordered by the hashes of their
    /// keys.
    private func checkEntries(_ root: Ref, _ keys: DictionaryKeyType) {
        var walk = ClusterWalk(scope, root: root) { [unowned self] check, ref, message in failLeaf(check, ref, message)
        }
        while let view = walk.next() {
            for (index, type) in [keyLeafType(keys), LeafType.mixed].enumerated() {
                guard let ref = view.leaf(ColumnIndex(index)) else {
                    failLeaf(.dictionaryPairs, view.ref, "the dictionary has no \(index == 0 ? "keys" : "values")")
                    continue
                }
                guard let node = scope.node(ref) else {
                    loseCollection()
                    continue
                }
                let count = checkElementLeaf(node, type, isNullable: index == 1, depth: 0)
                if let count, count != view.count {
                    failLeaf(
                        .dictionaryPairs, ref,
                        "\(count) \(index == 0 ? "keys" : "values") for \(view.count) entries of the dictionary")
                } else if index == 0, count != nil, type == .string {
                    checkEntryHashes(view, ref, in: root)
                }
            }
        }
        if !walk.isComplete { loseCollection() }
    }
}
