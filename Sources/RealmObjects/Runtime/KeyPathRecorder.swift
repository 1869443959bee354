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
    static func path<Root: ObjectBase, Value>(_ keyPath: KeyPath<Root, Value>) -> String? {
        path(keyPath, Root.self)
    }

    static func path(_ keyPath: AnyKeyPath, _ root: ObjectBase.Type) -> String? {
        let place = Place(keyPath: ObjectIdentifier(keyPath))
        if let known = known.withLock({ $0[place] }) { return known }
        let recorder = KeyPathRecorder()
        _ = recorder.probe(root)[keyPath: keyPath]
        guard !recorder.names.isEmpty else { return nil }
        let path = recorder.path
        known.withLock {
            $0[place] = path
            kept.withLock { $0.append(Kept(keyPath)) }
        }
        return path
    }

    private struct Place: Hashable {
        let keyPath: ObjectIdentifier
    }

    /// A key path that lives for ever, so that no other one gets its identity. They are immutable.
    private struct Kept: @unchecked Sendable {
        let keyPath: AnyKeyPath
        init(_ keyPath: AnyKeyPath) { self.keyPath = keyPath }
    }

    private static let known = Mutex<[Place: String]>([:])
    private static let kept = Mutex<[Kept]>([])
}

extension ObjectBase {
    fileprivate subscript(keyPath keyPath: AnyKeyPath) -> Any? {
        func open<T>(_ object: T) -> Any? { object[keyPath: keyPath] }
        return open(self)
    }
}
