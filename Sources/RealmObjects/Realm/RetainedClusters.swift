internal import RealmReader
internal import Synchronization

/// The places of objects that live objects of a realm read, until another version is shown: the space of a version is not used again
/// while something holds it, and an object that nobody reads does not see that there is another.
///
/// Not weak references to the holders, for the reason that `RealmAnchor` gives: every live object counts one to its holder.
final class RetainedClusters: Sendable {
    private struct Content {
        var homes: [OpenedCluster?] = []
        var free: [Int] = []
        /// Of the version that is shown.
        var generation = 0
    }

    // Holders end on any thread.
    private let content = Mutex(Content())

    /// What keeps a place until the last object in it ends, or `letGo`.
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
        // What ends with the place is not to end inside of the lock.
        let home: OpenedCluster? = content.withLock { content in
            guard content.generation == generation else { return nil }
            let home = content.homes[slot]
            content.homes[slot] = nil
            content.free.append(slot)
            return home
        }
        _ = home
    }

    /// Lets all places go.
    func letGo() {
        let homes = content.withLock { content in
            let homes = content.homes
            content = Content(generation: content.generation + 1)
            return homes
        }
        _ = homes
    }
}

/// Keeps a place of objects, for live ones.
final class RetainedCluster: Sendable {
    private let homes: RetainedClusters?
    private let slot: Int
    private let generation: Int
    private let home: OpenedCluster?

    fileprivate init(_ homes: RetainedClusters, _ slot: Int, _ generation: Int) {
        (self.homes, self.slot, self.generation, home) = (homes, slot, generation, nil)
    }

    /// Keeps a place for good, of a realm that shows nothing else.
    init(frozen home: OpenedCluster) { (homes, slot, generation, self.home) = (nil, 0, 0, home) }

    deinit { homes?.end(slot, generation) }
}
