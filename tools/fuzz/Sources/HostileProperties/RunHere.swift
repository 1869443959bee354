/// Runs jobs when they are enqueued. An export on one thread never waits, so that all of it runs on the stack of its
/// caller: there are no thread switches for each input, and the stack size is known.
private final class CallingThread: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        unsafe UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
    }
}

private final class Box<Success: Sendable>: @unchecked Sendable {
    var result: Result<Success, any Error>?
}

/// Thrown when the body waited although it must not.
private struct NotFinished: Error {}

/// Runs `body`, which must not wait for other threads, on the calling thread.
func runHere<Success: Sendable>(_ body: @escaping @Sendable () async throws -> Success) throws -> Success {
    let box = Box<Success>()
    Task(executorPreference: CallingThread()) {
        do { box.result = .success(try await body()) } catch { box.result = .failure(error) }
    }
    guard let result = box.result else { throw NotFinished() }
    return try result.get()
}
