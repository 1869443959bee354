internal import RealmCore
internal import RealmStore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import Dispatch

/// A database as seen by one thread, queue or actor.
///
/// ```swift
/// let realm = try Realm()
/// try realm.write { realm.add(Dog(value: ["name": "Rex", "age": 3])) }
/// for dog in realm.objects(Dog.self).where({ $0.age > 2 }) { print(dog.name) }
/// ```
///
/// Reading never waits, and sees one version at a time. One transaction writes at a time; others wait. A realm, its
/// objects and its collections belong to the thread, queue or actor that opened it: use from elsewhere terminates the
/// program. Pass an object's primary key, a `ThreadSafeReference`, or the result of `freeze()` to others.
public struct Realm {
    let state: RealmInstance

    init(_ state: RealmInstance) { self.state = state }

    /// Opens the default configuration.
    ///
    /// - Parameter queue: the serial queue to confine the realm to, instead of the current thread.
    /// - Throws: `Realm.Error`.
    public init(queue: DispatchQueue? = nil) throws {
        try self.init(configuration: .defaultConfiguration, queue: queue)
    }

    /// Opens a configuration.
    ///
    /// - Parameters:
    ///   - configuration: the configuration to open.
    ///   - queue: the serial queue to confine the realm to, instead of the thread. The main queue is the main thread.
    /// - Precondition: the code runs on the queue, and nothing else does: a concurrent queue terminates the program.
    /// - Throws: `Realm.Error`.
    public init(configuration: Configuration, queue: DispatchQueue? = nil) throws {
        // All code on a serial queue is a barrier on it.
        if let queue {
            if Isolation.isGlobal(queue) {
                Failure.stop(
                    "Invalid queue '\(queue.label)': Realms can only be confined to serial queues or the main queue.")
            }
            dispatchPrecondition(condition: .onQueueAsBarrier(queue))
        }
        try self.init(configuration, .of(queue))
    }

    /// Opens a file.
    ///
    /// - Throws: `Realm.Error`.
    public init(fileURL: URL) throws {
        var configuration = Configuration.defaultConfiguration
        configuration.fileURL = fileURL
        try self.init(configuration: configuration)
    }

    /// Opens a configuration for the main actor.
    ///
    /// - Parameters:
    ///   - configuration: the configuration to open.
    ///   - downloadBeforeOpen: has no effect, because there is no server.
    /// - Throws: `Realm.Error`.
    @MainActor
    public init(configuration: Configuration = .defaultConfiguration, downloadBeforeOpen: OpenBehavior) async throws {
        try self.init(configuration, .currentThread)
    }

    /// Opens a configuration for an actor.
    ///
    /// - Parameters:
    ///   - configuration: the configuration to open.
    ///   - actor: the actor to confine the realm to.
    ///   - downloadBeforeOpen: has no effect, because there is no server.
    /// - Throws: `Realm.Error`.
    public init<A: Actor>(
        configuration: Configuration = .defaultConfiguration, actor: isolated A,
        downloadBeforeOpen: OpenBehavior = .never
    ) async throws {
        try self.init(configuration, actor === MainActor.shared ? .main : .actor(actor))
    }

    /// Opens a configuration for the calling actor.
    ///
    /// - Throws: `Realm.Error`.
    public static func open(
        configuration: Configuration = .defaultConfiguration, _isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Realm {
        guard let actor else { throw Error(.fail, "a realm is opened from an actor, or for a thread with `Realm()`") }
        return try Realm(configuration, actor === MainActor.shared ? .main : .actor(actor))
    }

    private init(_ configuration: Configuration, _ confinement: Isolation) throws {
        state = try SharedDatabase.realm(configuration, confinement, configuration.models)
    }

    // MARK: Properties

    /// The configuration that the realm was opened with.
    public var configuration: Configuration { state.configuration }

    /// The classes.
    public var schema: Schema { Schema(state.models) }

    /// Whether the realm has no objects.
    public var isEmpty: Bool {
        state.settle()
        return Failure.unlessStopped { try state.snapshot.classes.allSatisfy { try $0.count == 0 } }
    }

    /// Whether a transaction is open in this realm.
    public var isInWriteTransaction: Bool {
        state.checkConfinement()
        return state.transaction != nil
    }

    // MARK: Versions

    /// Whether the realm advances by itself to versions committed elsewhere, when its thread, queue or actor is free.
    public var autorefresh: Bool {
        get {
            state.checkConfinement()
            return state.autorefresh && !state.isFrozen
        }
        nonmutating set {
            state.checkConfinement()
            if newValue, state.isFrozen { Failure.stop("Auto-refresh cannot be enabled for frozen Realms.") }
            // Threads share frozen realms.
            if !state.isFrozen { state.autorefresh = newValue }
        }
    }

    /// Advances to the latest version, and notifies observers of pending changes. Does nothing inside an observer.
    ///
    /// - Returns: whether the version changed.
    @discardableResult
    public func refresh() -> Bool { state.refreshAndTell() }

    /// Invalidates all objects and results, and advances to the latest version. An open transaction is cancelled,
    /// transactions that have not begun are dropped, and running commits are awaited and reported.
    public func invalidate() { state.invalidate() }

    /// Whether the realm is immutable, and may be read on any thread.
    public var isFrozen: Bool { state.isFrozen }

    /// Returns a frozen realm of the current version, which may be read on any thread.
    public func freeze() -> Realm { Realm(state.frozen()) }

    /// Returns the live realm of this thread, at the version that it shows.
    public func thaw() -> Realm { Realm(state.thawed()) }

    // MARK: Files

    /// Writes a copy of the current version, without free space.
    ///
    /// - Parameters:
    ///   - fileURL: the new file.
    ///   - encryptionKey: the 64-byte key of the copy; nil for a plain copy.
    /// - Throws: `Realm.Error`: `fileExists` if the file exists.
    public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
        var configuration = Configuration(fileURL: fileURL)
        configuration.encryptionKey = encryptionKey
        try writeCopy(configuration: configuration)
    }

    /// Writes a copy of the current version to the file of a configuration.
    ///
    /// - Throws: as `writeCopy(toFile:encryptionKey:)`.
    public func writeCopy(configuration: Configuration) throws {
        guard let path = configuration.path else { throw Error(.fail, "a copy needs a file") }
        state.checkConfinement()
        try state.writeCopy(path, try SharedDatabase.key(configuration))
    }

    /// Whether the file of a configuration exists.
    public static func fileExists(for configuration: Configuration) -> Bool {
        configuration.path.map { FileSystem.exists($0) } ?? false
    }

    /// Deletes the file of a configuration, and the files that Realm keeps beside it: `.note`, `.log` and
    /// `.management`. The lock file stays, because it means nothing without the file. Copies of the file also stay,
    /// such as the backup made before an upgrade of its format.
    ///
    /// - Returns: whether the file existed.
    /// - Throws: `Realm.Error`: `alreadyOpen` if it is open in this process or another.
    @discardableResult
    public static func deleteFiles(for configuration: Configuration) throws -> Bool {
        guard let path = configuration.path else { return false }
        return try SharedDatabase.delete(path, configuration.identity)
    }
}

extension Realm: Equatable {
    /// Whether both are the same realm with the same confinement, or are frozen at the same version.
    public static func == (left: Realm, right: Realm) -> Bool { left.state.isSame(as: right.state) }
}
