internal import RealmReader

/// What was found in the version that a realm shows. The space of a version is not used again while something holds it, so that what nobody
/// asks for any more must not.
protocol VersionCache: AnyObject {
    /// Lets what was found go.
    func letGo()
}

/// What holds the version that a realm shows, until it shows another one.
final class VersionCaches {
    private struct Held {
        weak var cache: (any VersionCache)?
    }

    private var held: [Held] = []
    private var limit = 256
    private let homes = HeldHomes()
    private var lastHolder: HeldHome?
    /// What `lastHolder` holds, to be compared without a reference that is counted.
    private var lastHome: ObjectIdentifier?

    func add(_ cache: some VersionCache) {
        if held.count >= limit {
            held.removeAll { $0.cache == nil }
            limit = max(256, 2 * held.count)
        }
        held.append(Held(cache: cache))
    }

    /// What holds the place of objects for them.
    @inline(__always)
    func holder(of home: ObjectHome) -> HeldHome {
        if lastHome == ObjectIdentifier(home), let lastHolder { return lastHolder }
        return newHolder(of: home)
    }

    @inline(never)
    private func newHolder(of home: ObjectHome) -> HeldHome {
        let holder = homes.hold(home)
        (lastHolder, lastHome) = (holder, ObjectIdentifier(home))
        return holder
    }

    func letGo() {
        (lastHolder, lastHome) = (nil, nil)
        homes.letGo()
        for held in held { held.cache?.letGo() }
        held.removeAll(keepingCapacity: held.count <= 256)
        limit = 256
    }
}
