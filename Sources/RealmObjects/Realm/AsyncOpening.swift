public import Dispatch
internal import Synchronization

extension Realm {
    /// What there is to be fetched before a realm is opened: nothing, without a server.
    public enum OpenBehavior: Sendable {
        /// Opens at once.
        case never
        /// Opens at once: there is no server.
        case once
        /// Opens at once: there is no server.
        case always
    }

    /// Opens a configuration for the actor that calls.
    ///
    /// - Parameter downloadBeforeOpen: has no effect.
    /// - Throws: `Realm.Error`.
    public static func open(
        configuration: Configuration = .defaultConfiguration, downloadBeforeOpen: OpenBehavior,
        _isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Realm {
        try await open(configuration: configuration)
    }

    /// An opening that was begun with `asyncOpen`.
    public struct AsyncOpenTask: Sendable {
        fileprivate let cancellation = Cancellation()

        /// Gives the opening up: its callback is not called. What has been done to the file, such as a migration, stays.
        public func cancel() { cancellation.isCancelled.withLock { $0 = true } }
    }

    fileprivate final class Cancellation: Sendable {
        let isCancelled = Mutex(false)
    }

    /// Opens a configuration on another thread, where it may be migrated and compacted, and then on a queue.
    ///
    /// ```swift
    /// let configuration = Realm.Configuration(schemaVersion: 2)
    /// Realm.asyncOpen(configuration: configuration) { result in
    ///     if case .success(let realm) = result { print(realm.objects(Dog.self).count) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - configuration: what is opened, and how.
    ///   - callbackQueue: the serial queue that the realm is to belong to.
    ///   - callback: called on the queue, with the realm or with the `Realm.Error` that kept it from being opened.
    @discardableResult
    public static func asyncOpen(
        configuration: Configuration = .defaultConfiguration, callbackQueue: DispatchQueue = .main,
        callback: @escaping (Result<Realm, any Swift.Error>) -> Void
    ) -> AsyncOpenTask {
        let task = AsyncOpenTask()
        nonisolated(unsafe) let callback = callback
        DispatchQueue.global(qos: .userInitiated).async {
            // It is held until there is a realm of it: nothing is migrated or compacted twice.
            let opened = Result { try SharedDatabase.open(configuration, configuration.models) }
            callbackQueue.async {
                guard !task.cancellation.isCancelled.withLock({ $0 }) else { return }
                let realm = opened.flatMap { database in
                    withExtendedLifetime(database) {
                        Result { try Realm(configuration: configuration, queue: callbackQueue) }
                    }
                }
                unsafe callback(realm)
            }
        }
        return task
    }
}
