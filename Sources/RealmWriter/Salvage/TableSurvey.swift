internal import RealmLayout
internal import RealmReader

/// The objects of a table that can be had.
final class TableSurvey {
    let core: TableCore
    /// Those with their keys, in the order of the keys.
    private(set) var clusters: [SalvagedCluster]
    /// Those whose keys are lost.
    private(set) var keyless: [ClusterSurvey.Keyless]
    private(set) var tombstones: [SalvagedCluster] = []
    /// Embedded objects without an owner, and the keys that they had.
    private(set) var orphans: [SalvagedCluster] = []
    private(set) var keylessOrphans: [ClusterSurvey.Keyless] = []
    let objects: ClusterSurvey
    let gone: ClusterSurvey?

    init(_ core: TableCore, _ source: SalvageSource) {
        self.core = core
        objects = ClusterSurvey(source, core.columns, root: core.objects.root, .objects)
        gone = core.tombstones.map { ClusterSurvey(source, core.columns, root: $0.root, .tombstones) }
        (clusters, keyless) = (objects.clusters, objects.keyless)
        tombstones = gone?.clusters ?? []
    }

    /// Where the object with that key is.
    func find(_ key: Int64) -> (cluster: SalvagedCluster, index: Int)? { Self.find(key, in: clusters) }

    /// Whether there is an object, or a tombstone, with that key.
    func has(_ key: ObjectKey) -> Bool {
        Self.find(key.value, in: key.isUnresolved ? tombstones : clusters) != nil
    }

    private static func find(_ key: Int64, in clusters: [SalvagedCluster]) -> (cluster: SalvagedCluster, index: Int)? {
        var (low, high) = (0, clusters.count)
        while low < high {
            let middle = (low + high) / 2
            if clusters[middle].last < key { low = middle + 1 } else { high = middle }
        }
        guard low < clusters.count else { return nil }
        return clusters[low].index(of: key).map { (clusters[low], $0) }
    }

    /// Whether objects are missing: a part of the tree cannot be read.
    var isIncomplete: Bool { !objects.gaps.isEmpty }

    /// Takes over a cluster that was found without a way to it: where its keys begin is not known.
    func adopt(_ cluster: SalvagedCluster, bytes: Range<Int>) {
        keyless.append(
            ClusterSurvey.Keyless(
                cluster: cluster, reason: "nothing leads to the cluster any more; it was found by its looks",
                bytes: bytes))
    }

    /// Takes the objects out of which that is so, and all whose keys are lost: no link can lead to those.
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
