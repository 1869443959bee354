internal import RealmLayout
internal import RealmReader

// Lists, sets and dictionaries (K; Spec 40).
extension ContentChecks {
    /// Checks a leaf of refs of collections, one an object.
    func checkCollections(_ node: Node) -> Int? {
        guard let elements = references(node) else { return nil }
        guard elements.width > 0 else { return elements.count }
        // Whatever follows would be for rows that do not exist.
        for row in 0..<min(elements.count, cluster?.count ?? 0) {
            switch Slot(elements[unchecked: row]) {
            case .empty: continue
            case .tagged(let number):
                fail(.collectionSlot, node.ref, row, "the number \(number) where a collection should be")
            case .ref(let root):
                ownerRow = row
                checkCollection(root)
                ownerRow = nil
            }
        }
        return elements.count
    }

    private func checkCollection(_ root: Ref) {
        guard let column, let collection = column.collection else { return }
        switch collection {
        case .list:
            checkElements(root, column.elementType, isNullable: column.isNullable, isSet: false, depth: 0)
        case .set:
            checkElements(root, column.elementType, isNullable: column.isNullable, isSet: true, depth: 0)
        case .dictionary(let keys):
            checkDictionary(root, keys, depth: 0)
        }
    }

    /// Where findings about the shape of a collection go.
    private var treeReporter: TreeWalk.Reporter {
        { [unowned self] check, ref, message in failLeaf(check, ref, message) }
    }

    /// Checks a B+tree of elements.
    func checkElements(_ root: Ref, _ type: LeafType, isNullable: Bool, isSet: Bool, depth: Int) {
        // Most collections are a single leaf.
        if !isSet, let node = scope.node(root), !node.header.isInner {
            if checkElementLeaf(node, type, isNullable: isNullable, depth: depth) == nil { loseCollection() }
            return
        }
        var walk = TreeWalk(scope, root: root, reporter: treeReporter)
        var order = isSet ? ValueOrder(scope, type) : nil
        var count: Int?
        while let node = walk.next(count: count) {
            count = checkElementLeaf(node, type, isNullable: isNullable, depth: depth)
            guard count != nil, order != nil, let leaf = scope.leaf(node.ref, as: type) else { continue }
            if let problem = order?.add(leaf) { failLeaf(.setOrder, node.ref, problem) }
        }
        if !walk.isComplete { loseCollection() }
    }

    /// Notes that the collection at hand could not be read in full.
    func loseCollection() {
        spoil()
        loseValues()
    }

    /// Largest leaf that Realm Core makes.
    private static let usualLeaf = 1000

    private func checkElementLeaf(_ node: Node, _ type: LeafType, isNullable: Bool, depth: Int) -> Int? {
        let count = type == .mixed ? checkMixed(node, depth: depth) : checkLeaf(node, as: type, isNullable: isNullable)
        if count == nil { loseValues() }
        if let count, count > Self.usualLeaf {
            report(.treeLeafSize, node.ref, "a leaf of \(count) elements")
        }
        return count
    }

    /// Checks a dictionary of either form.
    func checkDictionary(_ root: Ref, _ keys: DictionaryKeyType, depth: Int) {
        guard scope.format.hasPairDictionaries else { return checkEntries(root, keys) }
        guard let node = scope.node(root), let parts = references(node) else { return loseCollection() }
        guard parts.count >= 2, case .ref(let keyRoot) = Slot(parts[0]), case .ref(let valueRoot) = Slot(parts[1])
        else {
            failLeaf(.dictionaryPairs, root, "\(node.summary) where keys and values of a dictionary should be")
            return loseValues()
        }
        let keyType = keyLeafType(keys)
        var walk = TreeWalk(scope, root: keyRoot, reporter: treeReporter)
        var order = ValueOrder(scope, keyType)
        var keyCount = 0
        var count: Int?
        while let leafNode = walk.next(count: count) {
            count = checkElementLeaf(leafNode, keyType, isNullable: false, depth: depth)
            keyCount += count ?? 0
            guard count != nil, let leaf = scope.leaf(leafNode.ref, as: keyType) else { continue }
            if let problem = order.add(leaf) { failLeaf(.dictionaryPairs, leafNode.ref, "the keys: \(problem)") }
        }
        var values = TreeWalk(scope, root: valueRoot, reporter: treeReporter)
        var valueCount = 0
        count = nil
        while let leafNode = values.next(count: count) {
            count = checkElementLeaf(leafNode, .mixed, isNullable: true, depth: depth)
            valueCount += count ?? 0
        }
        if walk.isComplete, values.isComplete, keyCount != valueCount {
            failLeaf(.dictionaryPairs, root, "the dictionary has \(keyCount) keys and \(valueCount) values")
        }
        if !walk.isComplete || !values.isComplete { loseCollection() }
    }

    private func keyLeafType(_ keys: DictionaryKeyType) -> LeafType { keys == .int ? .int(nullable: false) : .string }

    /// Checks a dictionary of the form before 23: a cluster tree of entries, in the order of their keys' hashes.
    private func checkEntries(_ root: Ref, _ keys: DictionaryKeyType) {
        var walk = ClusterWalk(scope, root: root) { [unowned self] check, ref, message in failLeaf(check, ref, message)
        }
        while let view = walk.next() {
            for (index, type) in [keyLeafType(keys), LeafType.mixed].enumerated() {
                guard let ref = view.leaf(index) else {
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
                }
            }
        }
        if !walk.isComplete { loseCollection() }
    }
}
