internal import RealmCore
internal import RealmLayout

/// Restores damaged headers of clusters and key lists from their required content (Spec R190.14).
struct DamagedHeaders {
    let source: SalvageSource
    /// The columns that have a leaf in each cluster.
    let columns: [Column]
    /// Number of slots of a cluster; nil when unknown, which disables restoration.
    let slotCount: Int?

    // MARK: Clusters

    /// Returns the cluster at `ref` with the only header for which the leaves of all columns have equal counts.
    ///
    /// - Returns: Nil when there is no such header, or more than one, or the header is intact.
    func cluster(at ref: Ref) -> Node? {
        guard let slotCount, !columns.isEmpty, !isIntact(ref) else { return nil }
        return only([8, 16, 32, 64]) { width in
            node(at: ref, flags: NodeHeader.Mask.hasRefs, width: width, count: slotCount)
                .flatMap { isCluster($0.elements) ? $0 : nil }
        }
    }

    /// Whether there is an intact cluster or apparent inner node at `ref`.
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
            // The key list may be damaged as well.
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

    /// Returns the list of a cluster's object keys.
    ///
    /// - Parameters:
    ///   - leafCount: Element counts of the cluster's leaves; nil when none is readable.
    ///   - limit: Exclusive upper bound of all keys; nil when unknown.
    /// - Returns: The node and whether its header was restored: a damaged header is replaced with the only one for
    ///   which the keys ascend. Keys may be wrong even if it was not.
    /// - Throws: The error of the damaged list.
    func keyList(
        at ref: Ref, _ leafCount: ClusterSurvey.LeafCount?, limit: UInt64?
    ) throws(FormatError) -> (node: Node, isRestored: Bool) {
        do throws(FormatError) {
            let node = try source.peek(ref)
            let keys = try node.integers()
            let count = leafCount?.count ?? keys.count
            let doAscend = Self.doAscend(keys, limit: limit)
            if keys.count == count, doAscend { return (node, false) }
            // One additional key may ascend by chance.
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
        // With a single key, every width would ascend.
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

    /// Returns the result for a width if exactly one width has a result.
    private func only(_ widths: [Int], _ find: (Int) -> Node?) -> Node? {
        let found = widths.compactMap(find)
        return found.count == 1 ? found[0] : nil
    }

    /// Returns the node at `ref` with another header, if the damaged header may once have been that one: it has the
    /// same count, or the same flags, or was zeroed. Any other header may be the intact one of another node.
    private func node(at ref: Ref, flags: UInt8, width: Int, count: Int) -> Node? {
        guard !source.version.isLegacy else { return nil }
        let wanted = NodeHeader(flags: flags, .bits, width: width, count: count)
        do throws(FormatError) {
            let there = try source.space.header(at: ref)
            let isWiped = there.word == 0 || there.hasDummyChecksum && there.word >> 32 == 0
            guard isWiped || there.flags == wanted.flags || there.count == count else { return nil }
            let node = try source.space.node(at: ref, as: wanted)
            // A zeroed page has lost more than the header.
            return source.pages.hasZeros(node) ? nil : node
        } catch {
            return nil
        }
    }
}
