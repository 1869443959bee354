internal import CSwiftMetadata
internal import RealmStorage
internal import Synchronization

/// A thread that is not the main one, and the run loop that it runs in, as soon as it has been seen in one.
final class ThreadPlace: Sendable {
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
            })
        guard let source = unsafe source else { return nil }
        unsafe self.source = source
    }

    deinit { unsafe run_loop_source_remove(source) }

    func perform(_ work: @escaping @Sendable () -> Void) {
        pending.add(work)
        unsafe run_loop_source_signal(source)
    }
}

/// Work for a run loop, which may still come to it when the realm is gone.
private final class PendingWork: Sendable {
    private let work = Mutex<[@Sendable () -> Void]>([])

    func add(_ new: @escaping @Sendable () -> Void) { work.withLock { $0.append(new) } }

    func run() {
        let all = work.withLock { work in
            defer { work = [] }
            return work
        }
        for work in all { work() }
    }
}
