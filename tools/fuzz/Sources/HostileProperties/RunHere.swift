/// Runs jobs where they are handed in. An export on one thread never waits, so that all of it runs on the stack of its
/// caller: no thread is changed for each input, and the size of the stack is known.
private final class CallingThread: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        unsafe UnownedJob(job).runSynchronously(on: asUnownedTaskExecutor())
    }
}

private final class Box<Success: Sendable>: @unchecked Sendable {
    var result: Result<Success, any Error>?
}

/// What never waited for anything did.
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
