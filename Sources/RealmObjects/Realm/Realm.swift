internal import RealmReader
internal import RealmTransactions

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import Dispatch

/// A database as one thread, queue or actor sees it.
///
/// ```swift
/// let realm = try Realm()
/// try realm.write { realm.add(Dog(value: ["name": "Rex", "age": 3])) }
/// for dog in realm.objects(Dog.self).where({ $0.age > 2 }) { print(dog.name) }
/// ```
///
/// Reading never waits, and sees one version at a time. One transaction writes at a time; others wait. A realm and what comes from it
/// belong to the thread, queue or actor that opened it: use from elsewhere ends the program. What goes to others is an
/// object's primary key, a `ThreadSafeReference`, or what `freeze()` gives.
public struct Realm {
    let state: RealmInstance

    init(_ state: RealmInstance) { self.state = state }

    /// Opens the default configuration.
    ///
    /// - Parameter queue: the serial queue that the realm is to belong to, instead of the thread.
    /// - Throws: `Realm.Error`.
    public init(queue: DispatchQueue? = nil) throws {
        try self.init(configuration: .defaultConfiguration, queue: queue)
    }

    /// Opens a configuration.
    ///
    /// - Parameters:
    ///   - configuration: what is opened, and how.
    ///   - queue: the serial queue that the realm is to belong to, instead of the thread. The main queue is the main thread.
    /// - Precondition: the code runs on the queue, and nothing else does meanwhile: a concurrent queue ends the program.
    /// - Throws: `Realm.Error`.
    public init(configuration: Configuration, queue: DispatchQueue? = nil) throws {
        // Whatever runs on a serial queue is a barrier on it.
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
    ///   - configuration: what is opened, and how.
    ///   - downloadBeforeOpen: has no effect: there is no server.
    /// - Throws: `Realm.Error`.
    @MainActor
    public init(configuration: Configuration = .defaultConfiguration, downloadBeforeOpen: OpenBehavior) async throws {
        try self.init(configuration, .currentThread)
    }

    /// Opens a configuration for an actor.
    ///
    /// - Parameters:
    ///   - configuration: what is opened, and how.
    ///   - actor: the actor that the realm is to belong to.
    ///   - downloadBeforeOpen: has no effect: there is no server.
    /// - Throws: `Realm.Error`.
    public init<A: Actor>(
        configuration: Configuration = .defaultConfiguration, actor: isolated A,
        downloadBeforeOpen: OpenBehavior = .never
    ) async throws {
        try self.init(configuration, actor === MainActor.shared ? .main : .actor(actor))
    }

    /// Opens a configuration for the actor that calls.
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

    // MARK: What it is

    /// What the realm was opened with.
    public var configuration: Configuration { state.configuration }

    /// The classes.
    public var schema: Schema { Schema(state.models) }

    /// Whether there are no objects.
    public var isEmpty: Bool {
        state.settle()
        return Failure.unlessStopped { try state.snapshot.classes.allSatisfy { try $0.count == 0 } }
    }

    /// Whether a transaction is open here.
    public var isInWriteTransaction: Bool {
        state.checkConfinement()
        return state.transaction != nil
    }

    // MARK: Versions

    /// Whether the realm goes on by itself to versions that others commit, when its thread, queue or actor has time.
    public var autorefresh: Bool {
        get {
            state.checkConfinement()
            return state.autorefresh && !state.isFrozen
        }
        nonmutating set {
            state.checkConfinement()
            if newValue, state.isFrozen { Failure.stop("Auto-refresh cannot be enabled for frozen Realms.") }
            // Threads share what is frozen.
            if !state.isFrozen { state.autorefresh = newValue }
        }
    }

    /// Goes on to the last version, and tells observers what they have not been told yet. Inside of a block of an observer it does nothing.
    ///
    /// - Returns: whether it is another one.
    @discardableResult
    public func refresh() -> Bool { state.refreshAndTell() }

    /// Lets all objects and results go: they are invalid. The realm shows the last version. An open transaction is cancelled, those that have
    /// not begun are dropped, and commits that run are waited for and told of.
    public func invalidate() { state.invalidate() }

    /// Whether the realm stays as it is, and may be read everywhere.
    public var isFrozen: Bool { state.isFrozen }

    /// The version at hand, which stays as it is and may be read everywhere.
    public func freeze() -> Realm { Realm(state.frozen()) }

    /// The realm of this thread, at the version that it shows.
    public func thaw() -> Realm { Realm(state.thawed()) }

    // MARK: Files

    /// Writes a copy of the version at hand, without free space.
    ///
    /// - Parameters:
    ///   - fileURL: the new file.
    ///   - encryptionKey: the 64 bytes that the copy is encrypted with; nil for a plain one.
    /// - Throws: `Realm.Error`: `fileExists` where there is a file.
    public func writeCopy(toFile fileURL: URL, encryptionKey: Data? = nil) throws {
        var configuration = Configuration(fileURL: fileURL)
        configuration.encryptionKey = encryptionKey
        try writeCopy(configuration: configuration)
    }

    /// Writes a copy of the version at hand to the file of a configuration.
    ///
    /// - Throws: as `writeCopy(toFile:encryptionKey:)`.
    public func writeCopy(configuration: Configuration) throws {
        guard let path = configuration.path else { throw Error(.fail, "a copy needs a file") }
        state.checkConfinement()
        try state.writeCopy(path, try SharedDatabase.key(configuration))
    }

    /// Whether there is the file of a configuration.
    public static func fileExists(for configuration: Configuration) -> Bool {
        configuration.path.map { FileSystem.exists($0) } ?? false
    }

    /// Deletes the file of a configuration, and what Realm keeps beside it: `.note`, `.log` and `.management`. The lock file stays, as it is
    /// nothing without the file, and so do copies of the file, such as the backup of one whose format was an older one.
    ///
    /// - Returns: whether there was one.
    /// - Throws: `Realm.Error`: `alreadyOpen` where it is open, here or elsewhere.
    @discardableResult
    public static func deleteFiles(for configuration: Configuration) throws -> Bool {
        guard let path = configuration.path else { return false }
        return try SharedDatabase.delete(path, configuration.identity)
    }
}

extension Realm: Equatable {
    /// Whether both are the same realm of the same place, or are frozen at the same version.
    public static func == (left: Realm, right: Realm) -> Bool { left.state.isSame(as: right.state) }
}
