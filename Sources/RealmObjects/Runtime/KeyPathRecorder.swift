internal import Synchronization

/// Finds the names of the properties that a key path leads through: an object whose properties tell when they are asked for (a probe) is
/// asked for what the key path leads to.
final class KeyPathRecorder {
    private var names: [String] = []

    /// What was asked for, one after the other.
    var path: String { names.joined(separator: ".") }

    func note(_ name: String) { names.append(name) }

    /// Calls `body`, and notes nothing of what it asks for.
    func silently<R>(_ body: () -> R) -> R {
        let known = names
        defer { names = known }
        return body()
    }

    /// An object that notes here what it is asked for.
    func probe(_ type: ObjectBase.Type) -> ObjectBase {
        let probe = type.init()
        probe.makeProbe(ModelClass.of(type), self)
        return probe
    }

    /// The path of a key path, such as `owner.name`; nil where it leads to no property that is stored.
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

    /// A key path: equal where it leads to the same, also where it is made anew with each call, as in generic functions. They are immutable.
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
