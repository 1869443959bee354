internal import Synchronization

/// How much is told, from nothing to all.
///
/// ```swift
/// Logger.shared = Logger(level: .debug) { level, message in print(level, message) }
/// ```
public enum LogLevel: UInt, Sendable, CaseIterable {
    /// Nothing.
    case off
    /// What the program ends for.
    case fatal
    /// What failed.
    case error
    /// What may be wrong.
    case warn
    /// What happens seldom.
    case info
    /// Databases that are opened.
    case detail
    /// Commits.
    case debug
    /// Transactions and versions.
    case trace
    /// Everything.
    case all
}

/// Gets what realms tell of their work.
///
/// ```swift
/// let logger = Logger(level: .detail) { level, message in print("Realm Log - \(level): \(message)") }
/// Logger.shared = logger
/// ```
public final class Logger: Sendable {
    /// Gets a message.
    public typealias LogFunction = @Sendable (_ level: LogLevel, _ message: String) -> Void

    private let threshold: Atomic<UInt>
    private let write: LogFunction

    /// How much is told.
    public var level: LogLevel {
        get { LogLevel(rawValue: threshold.load(ordering: .relaxed)) ?? .off }
        set { threshold.store(newValue.rawValue, ordering: .relaxed) }
    }

    /// A logger that calls a function, on the thread that does what is told.
    public init(level: LogLevel, logFunction: @escaping LogFunction) {
        threshold = Atomic(level.rawValue)
        write = logFunction
    }

    private static let common = Mutex(Logger(level: .off) { _, _ in })
    /// Whether `shared` was set, to be asked without a lock.
    private static let isSet = Atomic(false)

    /// Who is told; at first nobody.
    public static var shared: Logger {
        get { common.withLock { $0 } }
        set {
            common.withLock { $0 = newValue }
            isSet.store(true, ordering: .releasing)
        }
    }

    /// Tells `shared` a message, which is made only where the level asks for it.
    static func log(_ level: LogLevel, _ message: @autoclosure () -> String) {
        guard isSet.load(ordering: .acquiring) else { return }
        let logger = shared
        guard level.rawValue <= logger.threshold.load(ordering: .relaxed) else { return }
        logger.write(level, message())
    }
}
