internal import CSwiftMetadata
internal import RealmStorage
internal import Synchronization

/// A thread that is not the main one, and the run loop that it runs in, as soon as it has been seen in one.
final class ThreadScheduler: Sendable {
    let number = CurrentThread.number
    private let loop = Mutex<ThreadLoop?>(nil)

    /// Finds the run loop, on the thread.
    func notice() {
        loop.withLock { if $0 == nil { $0 = ThreadLoop() } }
    }

    /// Whether it can be given work.
    var hasLoop: Bool { loop.withLock { $0 != nil } }

    /// Runs work later on the thread; not at all where it has no run loop.
    func perform(_ work: @escaping @Sendable () -> Void) {
        loop.withLock { $0 }?.perform(work)
    }

    /// Runs something on the thread when its run loop ends, with which it does.
    func whenItEnds(_ body: @escaping @Sendable () -> Void) {
        loop.withLock { $0 }?.whenItEnds(body)
    }
}

/// The run loop of a thread, which can be given work from elsewhere.
@safe private final class ThreadLoop: Sendable {
    private let pending = PendingWork()
    private nonisolated(unsafe) let source: OpaquePointer

    /// That of the thread; nil where the caller runs in none.
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

/// Work for a run loop, which may still come to it when the realm is gone.
private final class PendingWork: Sendable {
    private struct Content: Sendable {
        var work: [@Sendable () -> Void] = []
        /// What is done when the run loop ends.
        var endings: [@Sendable () -> Void] = []
        var isEnded = false
    }

    private let content = Mutex(Content())

    /// Adds work, which nobody would do when the run loop has ended: then it is let go, with what it holds.
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
