internal import Dispatch
internal import RealmStorage

/// Identifies the writer, so that a re-entrant request is refused instead of deadlocking.
struct LockOwner: Sendable {
    /// The object on whose behalf the transaction was started.
    private let owner: ObjectIdentifier?
    /// The owner whose transactions block this one, although they are not the same.
    private let obstacle: ObjectIdentifier?
    private let actor: ObjectIdentifier?
    /// The task; nil outside tasks.
    private let task: Int?
    /// The thread; nil if the transaction runs elsewhere.
    private let thread: UInt64?
    /// The queue of the transaction. Needed because a thread that runs one of its blocks also runs blocks of other
    /// queues.
    private let queue: QueueMark?
    private let isOnMainThread: Bool

    /// Identifies the running code.
    ///
    /// - Parameters:
    ///   - owner: the object on whose behalf it runs, if it is given.
    ///   - actor: its actor.
    ///   - queue: the serial queue of the transaction.
    init(for owner: AnyObject? = nil, on actor: (any Actor)? = nil, queue: DispatchQueue? = nil) {
        self.owner = owner.map { ObjectIdentifier($0) }
        obstacle = nil
        thread = CurrentThread.number
        self.queue = queue.map { QueueMark($0) }
        task = unsafe withUnsafeCurrentTask { task in unsafe task?.hashValue }
        self.actor = actor.map { ObjectIdentifier($0) }
        isOnMainThread = actor === MainActor.shared
    }

    /// Identifies a writer that will run elsewhere, unless `obstacle` blocks its thread there.
    init(unlessBlockedBy obstacle: AnyObject) {
        self.obstacle = ObjectIdentifier(obstacle)
        (owner, actor, task, thread, queue, isOnMainThread) = (nil, nil, nil, nil, nil, false)
    }

    /// A writer that finishes independently of any waiting code.
    static let elsewhere = LockOwner(elsewhere: ())

    private init(elsewhere: Void) {
        (owner, obstacle, actor, task, thread, queue, isOnMainThread) = (nil, nil, nil, nil, nil, nil, false)
    }

    /// Whether a transaction of `holder` cannot end while this one blocks its thread. For a holder with a queue, this
    /// must be called on the thread of the caller.
    func blocks(_ holder: LockOwner) -> Bool {
        if waits(for: holder) { return true }
        if let owner, owner == holder.obstacle { return true }
        if let actor, actor == holder.actor { return true }
        if let queue = holder.queue { return queue.isCurrent }
        // A thread that runs tasks also runs those of others, but the main thread runs only code that belongs there.
        guard let thread, thread == holder.thread else { return false }
        return isOnMainThread || holder.isOnMainThread || task == nil && holder.task == nil
    }

    /// Whether a transaction of `holder` cannot end while this task waits.
    func waits(for holder: LockOwner) -> Bool {
        if let owner, owner == holder.owner { return true }
        return task != nil && task == holder.task
    }
}

/// Determines whether code runs on a queue, on whichever thread.
private final class QueueMark: Sendable {
    private let key = DispatchSpecificKey<Bool>()
    private let queue: DispatchQueue

    init(_ queue: DispatchQueue) {
        self.queue = queue
        queue.setSpecific(key: key, value: true)
    }

    deinit { queue.setSpecific(key: key, value: nil) }

    var isCurrent: Bool { DispatchQueue.getSpecific(key: key) ?? false }
}
