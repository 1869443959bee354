internal import RealmStorage

/// Who asks to write, as far as it can be told: one that asks again while it may write would wait for itself for ever.
struct Caller: Sendable {
    /// What the transaction was begun for, and the actor that it was begun on.
    private let owner: ObjectIdentifier?
    /// Whose transactions keep this one from running, though they are not the same.
    private let obstacle: ObjectIdentifier?
    private let actor: ObjectIdentifier?
    /// The task; nil outside of tasks.
    private let task: Int?
    /// Nil where what the transaction is for runs somewhere else.
    private let thread: UInt64?
    private let isOnMainThread: Bool

    /// The code that runs now.
    ///
    /// - Parameters:
    ///   - owner: what it acts for, if it says so.
    ///   - actor: the actor that it runs on.
    init(for owner: AnyObject? = nil, on actor: (any Actor)? = nil) {
        self.owner = owner.map { ObjectIdentifier($0) }
        obstacle = nil
        thread = CurrentThread.number
        task = unsafe withUnsafeCurrentTask { task in unsafe task?.hashValue }
        self.actor = actor.map { ObjectIdentifier($0) }
        isOnMainThread = actor === MainActor.shared
    }

    /// Who will act somewhere, but not while something else there blocks its thread.
    init(unlessBlockedBy obstacle: AnyObject) {
        self.obstacle = ObjectIdentifier(obstacle)
        (owner, actor, task, thread, isOnMainThread) = (nil, nil, nil, nil, false)
    }

    /// Who ends what it has begun whatever others wait for.
    static let elsewhere = Caller(elsewhere: ())

    private init(elsewhere: Void) {
        (owner, obstacle, actor, task, thread, isOnMainThread) = (nil, nil, nil, nil, nil, false)
    }

    /// Whether a transaction of `holder` cannot end while this one blocks its thread.
    func blocks(_ holder: Caller) -> Bool {
        if waits(for: holder) { return true }
        if let owner, owner == holder.obstacle { return true }
        if let actor, actor == holder.actor { return true }
        // A thread that runs tasks runs those of others as well, but the main thread only what belongs there.
        guard let thread, thread == holder.thread else { return false }
        return isOnMainThread || holder.isOnMainThread || task == nil && holder.task == nil
    }

    /// Whether a transaction of `holder` cannot end while this task waits.
    func waits(for holder: Caller) -> Bool {
        if let owner, owner == holder.owner { return true }
        return task != nil && task == holder.task
    }
}
