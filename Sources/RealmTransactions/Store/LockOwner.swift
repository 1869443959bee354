internal import Dispatch
internal import RealmStorage

/// Who asks to write, as far as it can be told: one that asks again while it may write would wait for itself for ever.
struct LockOwner: Sendable {
    /// What the transaction was begun for, and the actor that it was begun on.
    private let owner: ObjectIdentifier?
    /// Whose transactions keep this one from running, though they are not the same.
    private let obstacle: ObjectIdentifier?
    private let actor: ObjectIdentifier?
    /// The task; nil outside of tasks.
    private let task: Int?
    /// Nil where what the transaction is for runs somewhere else.
    private let thread: UInt64?
    /// The queue that the transaction stays on: the thread that runs one of its blocks runs those of other queues too.
    private let queue: QueueMark?
    private let isOnMainThread: Bool

    /// The code that runs now.
    ///
    /// - Parameters:
    ///   - owner: what it acts for, if it says so.
    ///   - actor: the actor that it runs on.
    ///   - queue: the serial queue that the transaction stays on.
    init(for owner: AnyObject? = nil, on actor: (any Actor)? = nil, queue: DispatchQueue? = nil) {
        self.owner = owner.map { ObjectIdentifier($0) }
        obstacle = nil
        thread = CurrentThread.number
        self.queue = queue.map { QueueMark($0) }
        task = unsafe withUnsafeCurrentTask { task in unsafe task?.hashValue }
        self.actor = actor.map { ObjectIdentifier($0) }
        isOnMainThread = actor === MainActor.shared
    }

    /// Who will act somewhere, but not while something else there blocks its thread.
    init(unlessBlockedBy obstacle: AnyObject) {
        self.obstacle = ObjectIdentifier(obstacle)
        (owner, actor, task, thread, queue, isOnMainThread) = (nil, nil, nil, nil, nil, false)
    }

    /// Who ends what it has begun whatever others wait for.
    static let elsewhere = LockOwner(elsewhere: ())

    private init(elsewhere: Void) {
        (owner, obstacle, actor, task, thread, queue, isOnMainThread) = (nil, nil, nil, nil, nil, nil, false)
    }

    /// Whether a transaction of `holder` cannot end while this one blocks its thread. Where that belongs to a queue, this is to be asked by
    /// the caller itself.
    func blocks(_ holder: LockOwner) -> Bool {
        if waits(for: holder) { return true }
        if let owner, owner == holder.obstacle { return true }
        if let actor, actor == holder.actor { return true }
        if let queue = holder.queue { return queue.isCurrent }
        // A thread that runs tasks runs those of others as well, but the main thread only what belongs there.
        guard let thread, thread == holder.thread else { return false }
        return isOnMainThread || holder.isOnMainThread || task == nil && holder.task == nil
    }

    /// Whether a transaction of `holder` cannot end while this task waits.
    func waits(for holder: LockOwner) -> Bool {
        if let owner, owner == holder.owner { return true }
        return task != nil && task == holder.task
    }
}

/// Tells whether code runs on a queue, whichever thread runs it.
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
