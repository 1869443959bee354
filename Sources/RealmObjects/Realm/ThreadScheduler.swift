internal import CSwiftMetadata
internal import RealmStorage
internal import Synchronization

/// A thread other than the main one, and its run loop once it was seen running.
final class ThreadScheduler: Sendable {
    let number = CurrentThread.number
    private let loop = Mutex<ThreadLoop?>(nil)

    /// Looks for the run loop; called on the thread.
    func notice() {
        loop.withLock { if $0 == nil { $0 = ThreadLoop() } }
    }

    /// Whether the thread can receive work.
    var hasLoop: Bool { loop.withLock { $0 != nil } }

    /// Schedules work on the thread; does nothing if it has no run loop.
    func perform(_ work: @escaping @Sendable () -> Void) {
        loop.withLock { $0 }?.perform(work)
    }

    /// Runs code on the thread when its run loop ends, together with the thread.
    func whenItEnds(_ body: @escaping @Sendable () -> Void) {
        loop.withLock { $0 }?.whenItEnds(body)
    }
}

/// The run loop of a thread, which accepts work from other threads.
@safe private final class ThreadLoop: Sendable {
    private let pending = PendingWork()
    private nonisolated(unsafe) let source: OpaquePointer

    /// Finds the run loop of the current thread; nil if it runs in none.
    init?() {
        let source = unsafe run_loop_source_add(
            Unmanaged.passUnretained(pending).toOpaque(),
            { info in
                if let info = unsafe info { _ = unsafe Unmanaged<PendingWork>.fromOpaque(info).retain() }
                return unsafe info
            },
            { info in if let info = unsafe info { unsafe Unmanaged<PendingWork>.fromOpaque(info).release() } },
            { info in
                if let info = unsafe info { unsafe Unmanaged<PendingWork>.fromOpaque(info).takeUnretainedValue().run() }
            },
            { info, _, _ in
                if let info = unsafe info { unsafe Unmanaged<PendingWork>.fromOpaque(info).takeUnretainedValue().end() }
            })
        guard let source = unsafe source else { return nil }
        unsafe self.source = source
    }

    deinit { unsafe run_loop_source_remove(source) }

    func perform(_ work: @escaping @Sendable () -> Void) {
        pending.add(work)
        unsafe run_loop_source_signal(source)
    }

    func whenItEnds(_ body: @escaping @Sendable () -> Void) { pending.whenItEnds(body) }
}

/// Work for a run loop, which may still receive it when the realm is gone.
private final class PendingWork: Sendable {
    private struct Content: Sendable {
        var work: [@Sendable () -> Void] = []
        /// Blocks to run when the run loop ends.
        var endings: [@Sendable () -> Void] = []
        var isEnded = false
    }

    private let content = Mutex(Content())

    /// Adds work. After the end of the run loop it is released instead, with everything that it captures.
    func add(_ new: @escaping @Sendable () -> Void) {
        content.withLock { content in
            if !content.isEnded { content.work.append(new) }
        }
    }

    func whenItEnds(_ body: @escaping @Sendable () -> Void) { content.withLock { $0.endings.append(body) } }

    func run() {
        let all = content.withLock { content in
            defer { content.work = [] }
            return content.work
        }
        for work in all { work() }
    }

    func end() {
        let last = content.withLock { content in
            defer { content = Content(isEnded: true) }
            return content
        }
        for body in last.endings { body() }
    }
}
