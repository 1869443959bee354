internal import RealmCore
internal import RealmLayout

/// The recoverable objects of a table.
final class TableSurvey {
    let core: TableDescription
    /// Objects with known keys, in key order.
    private(set) var clusters: [SalvagedCluster]
    /// Objects whose keys are lost.
    private(set) var keyless: [ClusterSurvey.Keyless]
    private(set) var tombstones: [SalvagedCluster] = []
    /// Embedded objects without an owner, with their former keys.
    private(set) var orphans: [SalvagedCluster] = []
    private(set) var keylessOrphans: [ClusterSurvey.Keyless] = []
    /// Parts of the tree that cannot be recovered.
    private(set) var gaps: [ClusterSurvey.Gap]
    /// Number of objects according to the root; nil when it does not state one.
    private(set) var expected: Int?
    /// Parts of the tree that were found by scanning.
    private(set) var found: [Found] = []
    let gone: ClusterSurvey?

    /// Objects that were found by the structure of their clusters, with their keys.
    struct Found {
        let count: Int
        let keys: ClosedRange<ObjectKey>
        let bytes: Range<Int>
        /// How their keys were determined.
        let reason: String
    }

    init(_ core: TableDescription, _ source: SalvageSource) {
        self.core = core
        let objects = ClusterSurvey(
            source, Array(core.columns), root: core.objects.root, .objects, keysCountUp: Self.keysCountUp(core, source),
            slotCount: core.slotCount)
        (gaps, expected) = (objects.gaps, objects.expected)
        gone = core.tombstones.map { ClusterSurvey(source, Array(core.columns), root: $0.root, .tombstones) }
        (clusters, keyless) = (objects.clusters, objects.keyless)
        tombstones = gone?.clusters ?? []
        for cluster in objects.restored {
            note(
                [cluster], at: cluster.ref,
                reason: "the header of the cluster, or of its object keys, is damaged; what it holds tells what it was",
                source)
        }
        if let first = objects.guessed.first {
            note(
                objects.guessed, at: first.ref,
                reason: "the list of key offsets is lost; the keys are those that Realm gives to new objects", source)
        }
    }

    /// Whether keys of the table are assigned in sequence, because it has no primary key.
    static func keysCountUp(_ core: TableDescription, _ source: SalvageSource) -> Bool {
        guard core.primaryKeyIndex == nil else { return false }
        // If the top is lost, it is unknown whether there is a primary key.
        do throws(FormatError) {
            return try source.peek(core.topRef).count > TableTopSlot.primaryKeyColumn.rawValue
        } catch {
            return false
        }
    }

    private func note(_ clusters: [SalvagedCluster], at ref: Ref, reason: String, _ source: SalvageSource) {
        guard let first = clusters.map(\.first).min(), let last = clusters.map(\.last).max() else { return }
        found.append(
            Found(
                count: clusters.reduce(0) { $0 + $1.count }, keys: ObjectKey(first)...ObjectKey(last),
                bytes: source.range(ref), reason: reason))
    }

    /// Returns the position of the object with this key.
    func find(_ key: Int64) -> (cluster: SalvagedCluster, index: Int)? { Self.find(key, in: clusters) }

    /// Whether there is an object, or a tombstone, with this key.
    func has(_ key: ObjectKey) -> Bool {
        Self.find(key.value, in: key.isUnresolved ? tombstones : clusters) != nil
    }

    private static func find(_ key: Int64, in clusters: [SalvagedCluster]) -> (cluster: SalvagedCluster, index: Int)? {
        let position = clusters.partitioningIndex { $0.last >= key }
        guard position < clusters.count else { return nil }
        return clusters[position].index(of: key).map { (clusters[position], $0) }
    }

    /// Whether objects are missing because a part of the tree cannot be read.
    var isIncomplete: Bool { !gaps.isEmpty }

    /// Adopts a part of the tree that was found by scanning.
    ///
    /// - Parameters:
    ///   - parts: Surveys of adjacent subtrees.
    ///   - isAll: Whether they are the whole tree.
    ///   - reason: How their keys were determined; nil when they are unknown.
    func adopt(_ parts: [ClusterSurvey], at ref: Ref, isAll: Bool, reason: String?, _ source: SalvageSource) {
        if isAll { (gaps, expected) = ([], parts.count == 1 ? parts[0].expected : nil) }
        gaps += parts.flatMap(\.gaps)
        keyless += parts.flatMap(\.keyless).map { keyless in
            ClusterSurvey.Keyless(
                cluster: keyless.cluster,
                reason: reason == nil
                    ? "nothing leads to the cluster any more; it was found by scanning" : keyless.reason,
                bytes: keyless.bytes)
        }
        let new = parts.flatMap(\.clusters)
        let (ordered, others) = ClusterSurvey.ordered(clusters + new, source)
        clusters = ordered
        keyless += others
        note(new, at: ref, reason: reason ?? "", source)
    }

    /// Removes gaps that were filled.
    func close(_ isFound: (ClusterSurvey.Gap) -> Bool) { gaps.removeAll(where: isFound) }

    /// Moves the matching objects to the orphans, and all objects without keys, because no link can refer to those.
    func moveOrphans(_ isOrphan: (Int64) -> Bool) {
        var kept: [SalvagedCluster] = []
        for cluster in clusters {
            let flags = (0..<cluster.count).map { isOrphan(cluster.key($0)) }
            if let rest = cluster.filtered({ !flags[$0] }) { kept.append(rest) }
            if let moved = cluster.filtered({ flags[$0] }) { orphans.append(moved) }
        }
        clusters = kept
        keylessOrphans = keyless
        keyless = []
    }
}

extension TableDescription {
    /// Number of slots of a cluster in a table whose schema never changed: the object keys, and one leaf for each
    /// column.
    var slotCount: Int { (columns + backlinkColumns).map(\.index).max().map { ClusterSlots.element(of: $0) + 1 } ?? 0 }
}
