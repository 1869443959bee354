internal import RealmCore
internal import Synchronization

/// The clusters that live objects of a realm read, until another version is shown. The space of a version is not reused
/// while anything holds it, and an object that is no longer read does not notice a new version.
///
/// Not weak references to the holders, for the reason given in `RealmAnchor`: every live object retains its holder.
final class RetainedClusters: Sendable {
    private struct Content {
        var homes: [OpenedCluster?] = []
        var free: [Int] = []
        /// Generation of the version shown.
        var generation = 0
    }

    // Holders may end on any thread.
    private let content = Mutex(Content())

    /// Returns a holder that keeps a cluster alive until the last object in it ends, or until `letGo`.
    func hold(_ home: OpenedCluster) -> RetainedCluster {
        let (slot, generation) = content.withLock { content in
            guard let slot = content.free.popLast() else {
                content.homes.append(home)
                return (content.homes.count - 1, content.generation)
            }
            content.homes[slot] = home
            return (slot, content.generation)
        }
        return RetainedCluster(self, slot, generation)
    }

    fileprivate func end(_ slot: Int, _ generation: Int) {
        // Releases the cluster outside the lock.
        let home: OpenedCluster? = content.withLock { content in
            guard content.generation == generation else { return nil }
            let home = content.homes[slot]
            content.homes[slot] = nil
            content.free.append(slot)
            return home
        }
        _ = home
    }

    /// Releases all clusters.
    func letGo() {
        let homes = content.withLock { content in
            let homes = content.homes
            content = Content(generation: content.generation + 1)
            return homes
        }
        _ = homes
    }
}

/// Keeps a cluster alive for the live objects in it.
final class RetainedCluster: Sendable {
    private let homes: RetainedClusters?
    private let slot: Int
    private let generation: Int
    private let home: OpenedCluster?

    fileprivate init(_ homes: RetainedClusters, _ slot: Int, _ generation: Int) {
        (self.homes, self.slot, self.generation, home) = (homes, slot, generation, nil)
    }

    /// Keeps a cluster alive permanently, for a realm that shows one version only.
    init(frozen home: OpenedCluster) { (homes, slot, generation, self.home) = (nil, 0, 0, home) }

    deinit { homes?.end(slot, generation) }
}
