internal import Synchronization

/// Finds the property names along a key path by evaluating it on a probe: an object whose properties record accesses.
final class KeyPathRecorder {
    private var names: [String] = []

    /// The recorded names, in order, separated by points.
    var path: String { names.joined(separator: ".") }

    func note(_ name: String) { names.append(name) }

    /// Calls `body` without recording its accesses.
    func silently<R>(_ body: () -> R) -> R {
        let known = names
        defer { names = known }
        return body()
    }

    /// Returns an object whose accesses are recorded here.
    func probe(_ type: ObjectBase.Type) -> ObjectBase {
        let probe = type.init()
        probe.makeProbe(ModelClass.of(type), self)
        return probe
    }

    /// Returns the path of a key path, such as `owner.name`; nil if it leads to no stored property.
    static func path(_ keyPath: AnyKeyPath, _ root: ObjectBase.Type) -> String? {
        let kept = Kept(keyPath: keyPath)
        if let known = known.withLock({ $0[kept] }) { return known }
        let recorder = KeyPathRecorder()
        _ = recorder.probe(root)[keyPath: keyPath]
        guard !recorder.names.isEmpty else { return nil }
        let path = recorder.path
        known.withLock { $0[kept] = path }
        return path
    }

    /// A key path. Two are equal if they lead to the same property, even if each call creates its own, as in generic
    /// functions. They are immutable.
    private struct Kept: Hashable, @unchecked Sendable {
        let keyPath: AnyKeyPath
    }

    private static let known = Mutex<[Kept: String]>([:])
}

extension ObjectBase {
    fileprivate subscript(keyPath keyPath: AnyKeyPath) -> Any? {
        func open<T>(_ object: T) -> Any? { object[keyPath: keyPath] }
        return open(self)
    }
}
