public import Dispatch
internal import Synchronization

extension Realm {
    /// Download behaviour before opening; it has no effect, because there is no server.
    public enum OpenBehavior: Sendable {
        /// Opens at once.
        case never
        /// Opens at once, because there is no server.
        case once
        /// Opens at once, because there is no server.
        case always
    }

    /// Opens a configuration for the calling actor.
    ///
    /// - Parameter downloadBeforeOpen: has no effect.
    /// - Throws: `Realm.Error`.
    public static func open(
        configuration: Configuration = .defaultConfiguration, downloadBeforeOpen: OpenBehavior,
        _isolation actor: isolated (any Actor)? = #isolation
    ) async throws -> Realm {
        try await open(configuration: configuration)
    }

    /// An opening started with `asyncOpen`.
    public struct AsyncOpenTask: Sendable {
        fileprivate let cancellation = Cancellation()

        /// Cancels the opening: its callback is not called. Changes made to the file, such as a migration, remain.
        public func cancel() { cancellation.isCancelled.withLock { $0 = true } }
    }

    fileprivate final class Cancellation: Sendable {
        let isCancelled = Mutex(false)
    }

    /// Opens a configuration on a background thread, where it may be migrated and compacted, and then on a queue.
    ///
    /// ```swift
    /// let configuration = Realm.Configuration(schemaVersion: 2)
    /// Realm.asyncOpen(configuration: configuration) { result in
    ///     if case .success(let realm) = result { print(realm.objects(Dog.self).count) }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - configuration: the configuration to open.
    ///   - callbackQueue: the serial queue that the realm is confined to.
    ///   - callback: called on the queue with the realm, or with the `Realm.Error` that prevented opening it.
    @discardableResult
    public static func asyncOpen(
        configuration: Configuration = .defaultConfiguration, callbackQueue: DispatchQueue = .main,
        callback: @escaping (Result<Realm, any Swift.Error>) -> Void
    ) -> AsyncOpenTask {
        let task = AsyncOpenTask()
        nonisolated(unsafe) let callback = callback
        DispatchQueue.global(qos: .userInitiated).async {
            // Held until the realm exists, so that nothing is migrated or compacted twice.
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
