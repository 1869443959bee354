internal import RealmReader

/// What was found in the version that a realm shows. The space of a version is not used again while something holds it, so that what nobody
/// asks for any more must not.
class VersionCache {
    /// Lets what was found go.
    func letGo() {}
}

/// What holds the version that a realm shows, until it shows another one.
final class VersionCaches {
    private var held = WeakList<VersionCache>(least: 256)
    private let homes = RetainedClusters()
    private var lastHolder: RetainedCluster?
    /// What `lastHolder` holds, to be compared without a reference that is counted.
    private var lastHome: ObjectIdentifier?

    func add(_ cache: VersionCache) { held.add(cache) }

    /// What holds the place of objects for them.
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
