internal import Synchronization

/// Amount of logging, from nothing to everything.
///
/// ```swift
/// Logger.shared = Logger(level: .debug) { level, message in print(level, message) }
/// ```
public enum LogLevel: UInt, Sendable, CaseIterable {
    /// Nothing.
    case off
    /// Errors that terminate the program.
    case fatal
    /// Failures.
    case error
    /// Possible problems.
    case warn
    /// Rare events.
    case info
    /// Opening of databases.
    case detail
    /// Commits.
    case debug
    /// Transactions and versions.
    case trace
    /// Everything.
    case all
}

/// Receives the log messages of realms.
///
/// ```swift
/// let logger = Logger(level: .detail) { level, message in print("Realm Log - \(level): \(message)") }
/// Logger.shared = logger
/// ```
public final class Logger: Sendable {
    /// Receives a message.
    public typealias LogFunction = @Sendable (_ level: LogLevel, _ message: String) -> Void

    private let threshold: Atomic<UInt>
    private let write: LogFunction

    /// Level up to which messages are logged.
    public var level: LogLevel {
        get { LogLevel(rawValue: threshold.load(ordering: .relaxed)) ?? .off }
        set { threshold.store(newValue.rawValue, ordering: .relaxed) }
    }

    /// Creates a logger that calls a function on the logging thread.
    public init(level: LogLevel, logFunction: @escaping LogFunction) {
        threshold = Atomic(level.rawValue)
        write = logFunction
    }

    private static let common = Mutex(Logger(level: .off) { _, _ in })
    /// Whether `shared` was set; read without a lock.
    private static let isSet = Atomic(false)

    /// The logger of all realms; initially it drops everything.
    public static var shared: Logger {
        get { common.withLock { $0 } }
        set {
            common.withLock { $0 = newValue }
            isSet.store(true, ordering: .releasing)
        }
    }

    /// Logs a message to `shared`; the message is built only if its level is logged.
    static func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
        guard isSet.load(ordering: .acquiring) else { return }
        let logger = shared
        guard level.rawValue <= logger.threshold.load(ordering: .relaxed) else { return }
        logger.write(level, message())
    }
}
