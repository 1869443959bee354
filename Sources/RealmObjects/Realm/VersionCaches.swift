internal import RealmCore

/// A cache for the version that a realm shows. The space of a version is not reused while anything holds it, so a cache
/// must not outlive its use.
class VersionCache {
    /// Clears the cache.
    func letGo() {}
}

/// Everything that holds the version shown by a realm, until it shows another one.
final class VersionCaches {
    private var held = WeakList<VersionCache>(least: 256)
    private let homes = RetainedClusters()
    private var lastHolder: RetainedCluster?
    /// Identity of the cluster in `lastHolder`, compared without reference counting.
    private var lastHome: ObjectIdentifier?

    func add(_ cache: VersionCache) { held.add(cache) }

    /// Returns the holder that keeps a cluster alive for its objects.
    @inline(__always)
    func holder(of home: OpenedCluster) -> RetainedCluster {
        if lastHome == ObjectIdentifier(home), let lastHolder { return lastHolder }
        return newHolder(of: home)
    }

    @inline(never)
    private func newHolder(of home: OpenedCluster) -> RetainedCluster {
        let holder = homes.hold(home)
        (lastHolder, lastHome) = (holder, ObjectIdentifier(home))
        return holder
    }

    func letGo() {
        (lastHolder, lastHome) = (nil, nil)
        homes.letGo()
        held.forEach { $0.letGo() }
        held.removeAll()
    }
}
