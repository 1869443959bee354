internal import RealmLayout
internal import RealmReader

/// Clusters and lists of object keys whose header is damaged: what they must hold tells what it was (Spec R190.14).
struct DamagedHeaders {
    let source: SalvageSource
    /// The columns that have a leaf in each cluster.
    let columns: [Column]
    /// The slots of a cluster; nil where they are not known, and nothing is told.
    let slotCount: Int?

    // MARK: Clusters

    /// The cluster at `ref` with the only header for which all columns have leaves with as many elements.
    ///
    /// - Returns: nil when there is none, or more than one, or that header is there.
    func cluster(at ref: Ref) -> Node? {
        guard let slotCount, !columns.isEmpty, !isIntact(ref) else { return nil }
        return only([8, 16, 32, 64]) { width in
            node(at: ref, flags: NodeHeader.Mask.hasRefs, width: width, count: slotCount)
                .flatMap { isCluster($0.elements) ? $0 : nil }
        }
    }

    /// Whether there is a cluster at `ref` as it is, or what seems to be an inner node.
    private func isIntact(_ ref: Ref) -> Bool {
        do throws(FormatError) {
            let node = try source.peek(ref)
            let slots = try node.refs()
            guard node.header.isInner else { return isCluster(slots) }
            if RecordSlots<ClusterInnerSlot>(slots).number(.depth) != nil { return true }
            return false
        } catch {
            return false
        }
    }

    private func isCluster(_ slots: IntegerVector) -> Bool {
        var counts: Set<Int> = []
        do throws(FormatError) {
            switch ClusterSlots(slots).keys {
            case .tagged(let count): counts.insert(Int(clamping: count))
            // The keys may be damaged as well.
            case .ref: break
            case .empty: return false
            }
            for column in columns {
                guard case .ref(let leaf) = ClusterSlots(slots).leaf(of: column.index) else { return false }
                counts.insert(
                    try source.leaf(source.peek(leaf), column.leafType, distinct: column.distinct).count)
            }
        } catch {
            return false
        }
        return counts.count == 1 && counts.allSatisfy { 1...Limits.clusterObjects ~= $0 }
    }

    // MARK: Object keys

    /// The list of a cluster's object keys.
    ///
    /// - Parameters:
    ///   - leafCount: how many elements the leaves of the cluster have; nil where none can be read.
    ///   - limit: what all keys are below; nil where that is not known.
    /// - Returns: the node, with the only header for which the keys ascend where the one that is there is damaged, and whether
    ///   it is. Keys of a node that is not may be wrong nevertheless.
    /// - Throws: what is wrong with it.
    func keyList(
        at ref: Ref, _ leafCount: ClusterSurvey.LeafCount?, limit: UInt64?
    ) throws(FormatError) -> (node: Node, isRestored: Bool) {
        do throws(FormatError) {
            let node = try source.peek(ref)
            let keys = try node.integers()
            let count = leafCount?.count ?? keys.count
            let doAscend = Self.doAscend(keys, limit: limit)
            if keys.count == count, doAscend { return (node, false) }
            // One more may ascend by chance.
            if let list = restoredKeys(at: ref, count: count, limit: limit), !doAscend || count > keys.count + 1 {
                return (list, true)
            }
            guard keys.count == count || leafCount?.hasStated(keys.count) ?? true else {
                throw FormatError(.wrongCount, at: ref.offset, "\(keys.count) object keys for \(count) objects")
            }
            return (node, false)
        } catch {
            guard let leafCount, let list = restoredKeys(at: ref, count: leafCount.count, limit: limit) else {
                throw error
            }
            return (list, true)
        }
    }

    private func restoredKeys(at ref: Ref, count: Int, limit: UInt64?) -> Node? {
        // Of a single one all numbers ascend.
        guard slotCount != nil, 2...Limits.clusterObjects ~= count else { return nil }
        return only([1, 2, 4, 8, 16, 32, 64]) { width in
            node(at: ref, flags: 0, width: width, count: count)
                .flatMap { Self.doAscend($0.elements, limit: limit) ? $0 : nil }
        }
    }

    private static func doAscend(_ keys: IntegerVector, limit: UInt64?) -> Bool {
        for index in 0..<keys.count {
            let key = keys.unsigned(unchecked: index)
            guard index == 0 || keys.unsigned(unchecked: index - 1) < key, key < limit ?? UInt64(Int64.max) else {
                return false
            }
        }
        return true
    }

    // MARK: Nodes

    /// What is found for the only width for which there is something.
    private func only(_ widths: [Int], _ find: (Int) -> Node?) -> Node? {
        let found = widths.compactMap(find)
        return found.count == 1 ? found[0] : nil
    }

    /// The node at `ref` with another header, if that can be what the damaged one was: one that has the same count, or the
    /// same flags and width, or that was overwritten with zeros. Any other may be the intact one of something else.
    private func node(at ref: Ref, flags: UInt8, width: Int, count: Int) -> Node? {
        guard !source.version.isLegacy else { return nil }
        let wanted = NodeHeader(flags: flags, .bits, width: width, count: count)
        do throws(FormatError) {
            let there = try source.space.header(at: ref)
            let isWiped = there.word == 0 || there.hasDummyChecksum && there.word >> 32 == 0
            guard isWiped || there.flags == wanted.flags || there.count == count else { return nil }
            let node = try source.space.node(at: ref, as: wanted)
            // A page of zeros has lost more than the header.
            return source.pages.hasZeros(node) ? nil : node
        } catch {
            return nil
        }
    }
}
