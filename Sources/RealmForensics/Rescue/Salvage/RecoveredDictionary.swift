internal import RealmCore
internal import RealmLayout

/// The positions of a dictionary entry's key and value.
struct DictionaryPart {
    let keyNode: Node
    let keys: ColumnLeaf
    let keyIndex: Int
    let valueNode: Node
    let values: ColumnLeaf
    let valueIndex: Int
}

/// The readable part of a dictionary.
struct RecoveredDictionary {
    var entries: [DictionaryPart] = []
    /// The unreadable parts: number of entries, position and error.
    var gaps: [(count: Int?, ref: Ref, error: FormatError)] = []
}

extension SalvageSource {
    /// Returns the entries of a dictionary of either form whose key and value both exist.
    func entries(ofDictionary root: Ref, _ keyType: DictionaryKeyType, isFinal: Bool) -> RecoveredDictionary {
        let keyLeaf: LeafType = keyType == .int ? .int(nullable: false) : .string
        do throws(FormatError) {
            guard version.hasPairDictionaries else {
                return clusteredEntries(root, keyLeaf, isFinal: isFinal)
            }
            let node = isFinal ? try take(root) : try peek(root)
            let slots = RecordSlots<DictionarySlot>(try node.refs())
            guard let keys = slots.ref(.keys), let values = slots.ref(.values) else {
                throw FormatError(
                    .unexpectedNode, at: root.offset, "\(node.summary) where keys and values of a dictionary should be")
            }
            return joined(
                parts(ofTree: keys, keyLeaf, isFinal: isFinal), parts(ofTree: values, .mixed, isFinal: isFinal), root)
        } catch {
            return RecoveredDictionary(gaps: [(nil, root, error)])
        }
    }

    /// Pairs keys and values of the same position.
    private func joined(_ keys: [TreePart], _ values: [TreePart], _ root: Ref) -> RecoveredDictionary {
        var result = RecoveredDictionary()
        for part in keys + values where part.leaf == nil || part.start == nil {
            result.gaps.append(
                (
                    part.count, part.ref,
                    part.error
                        ?? FormatError(.badTree, at: part.ref.offset, "which entries the leaf belongs to is not known")
                ))
        }
        let placed = values.filter { $0.leaf != nil && $0.start != nil }
        var current = 0
        var matched = 0
        for part in keys {
            guard let (keyNode, keyLeaf) = part.leaf, let start = part.start else { continue }
            for index in 0..<keyLeaf.count {
                while current < placed.count, end(placed[current]) <= start + index { current += 1 }
                guard current < placed.count, let (valueNode, valueLeaf) = placed[current].leaf,
                    let valueStart = placed[current].start, valueStart <= start + index
                else { continue }
                matched += 1
                result.entries.append(
                    DictionaryPart(
                        keyNode: keyNode, keys: keyLeaf, keyIndex: index, valueNode: valueNode, values: valueLeaf,
                        valueIndex: start + index - valueStart))
            }
        }
        let (keyCount, valueCount) = (count(keys), count(values))
        if result.gaps.isEmpty, keyCount != valueCount {
            result.gaps.append(
                (
                    max(keyCount, valueCount) - matched, root,
                    FormatError(
                        .wrongCount, at: root.offset, "the dictionary has \(keyCount) keys and \(valueCount) values")
                ))
        }
        return result
    }

    private func end(_ part: TreePart) -> Int { (part.start ?? 0) + (part.count ?? 0) }

    private func count(_ parts: [TreePart]) -> Int { parts.reduce(0) { $0 + ($1.count ?? 0) } }

    /// Reads the form before format 23: a cluster tree with two columns.
    private func clusteredEntries(_ root: Ref, _ keyType: LeafType, isFinal: Bool) -> RecoveredDictionary {
        let columns = [keyType, .mixed].enumerated().map { index, type in
            Column(entryColumn: ColumnIndex(index), type)
        }
        let survey = ClusterSurvey(self, columns, root: root, .entries, isFinal: isFinal)
        var result = RecoveredDictionary()
        for gap in survey.gaps { result.gaps.append((nil, gap.ref, gap.error)) }
        for cluster in survey.clusters + survey.keyless.map(\.cluster) {
            do throws(FormatError) {
                let keys = try entryLeaf(cluster, 0, keyType, isFinal: isFinal)
                let values = try entryLeaf(cluster, 1, .mixed, isFinal: isFinal)
                for row in 0..<cluster.rowCount where cluster.rows.map({ $0.contains(UInt16(row)) }) ?? true {
                    result.entries.append(
                        DictionaryPart(
                            keyNode: keys.0, keys: keys.1, keyIndex: row, valueNode: values.0, values: values.1,
                            valueIndex: row))
                }
            } catch {
                result.gaps.append((cluster.count, cluster.ref, error))
            }
        }
        return result
    }

    private func entryLeaf(
        _ cluster: SalvagedCluster, _ index: Int, _ type: LeafType, isFinal: Bool
    ) throws(FormatError) -> (Node, ColumnLeaf) {
        guard let ref = cluster.leaf(ColumnIndex(index)) else {
            throw FormatError(
                .badCluster, at: cluster.ref.offset, "the dictionary has no \(index == 0 ? "keys" : "values")")
        }
        if isFinal { return try takeLeaf(ref, type, count: cluster.rowCount) }
        let node = try peek(ref)
        let leaf = try leaf(node, type)
        guard leaf.count == cluster.rowCount else {
            throw FormatError(.wrongCount, at: ref.offset, "\(leaf.count) elements for \(cluster.rowCount) entries")
        }
        return (node, leaf)
    }
}
