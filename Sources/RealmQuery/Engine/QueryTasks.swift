internal import Synchronization

/// Runs the parts of a query, several at the same time.
struct QueryTasks: Sendable {
    /// The number of concurrent tasks.
    let jobs: Int
    /// Minimum number of objects per part.
    let partSize: Int
    /// The number of parts for each task; more than one, because some parts take longer than others.
    var partsPerJob = 4

    init(_ jobs: Int, partSize: Int) {
        self.jobs = max(jobs, 1)
        self.partSize = max(partSize, 1)
    }

    /// The maximum number of parts of a job.
    var parts: Int { jobs * partsPerJob }

    /// Divides rows into parts, in order; a single part if more are not worthwhile.
    func parts(of count: Int) -> [Range<Int>] {
        let parts = jobs < 2 ? 1 : Swift.min(self.parts, Swift.max(1, count / partSize))
        return (0..<parts).map { $0 * count / parts..<($0 + 1) * count / parts }
    }

    /// The results for all parts, in the order of the parts.
    ///
    /// - Throws: the error of the first part that failed.
    func map<Part: Sendable, Result: Sendable>(
        _ parts: [Part], _ body: @escaping @Sendable (Part) throws(QueryError) -> Result
    ) async throws(QueryError) -> [Result] {
        try await map(parts, with: {}) { (_, part) throws(QueryError) in try body(part) }
    }

    /// Same, with a state that each task creates once and uses for all of its parts.
    ///
    /// - Parameter makeState: creates the state.
    /// - Throws: the error of the first part that failed.
    func map<Part: Sendable, State, Result: Sendable>(
        _ parts: [Part], with makeState: @escaping @Sendable () -> State,
        _ body: @escaping @Sendable (inout State, Part) throws(QueryError) -> Result
    ) async throws(QueryError) -> [Result] {
        guard jobs > 1, parts.count > 1 else {
            var state = makeState()
            var results: [Result] = []
            for part in parts { results.append(try body(&state, part)) }
            return results
        }
        let done = Mutex([Swift.Result<Result, QueryError>?](repeating: nil, count: parts.count))
        await forEachPart(parts.count) {
            var state = makeState()
            return { number in
                let result: Swift.Result<Result, QueryError>
                do throws(QueryError) { result = .success(try body(&state, parts[number])) } catch {
                    result = .failure(error)
                }
                done.withLock { $0[number] = result }
            }
        }
        var results: [Result] = []
        results.reserveCapacity(parts.count)
        for result in done.withLock({ $0 }) { if let result { results.append(try result.get()) } }
        return results
    }

    /// Processes parts by number, several at the same time: each task takes the next one until none are left.
    ///
    /// Independent of the type of the parts, so that it is compiled only once.
    ///
    /// - Parameter makeWorker: creates for each task a closure that processes a part.
    private func forEachPart(_ count: Int, _ makeWorker: @escaping @Sendable () -> (Int) -> Void) async {
        let turn = Turn()
        @Sendable func work() {
            let worker = makeWorker()
            while true {
                let number = turn.take()
                guard number < count else { return }
                worker(number)
            }
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 1..<Swift.min(jobs, count) { group.addTask { work() } }
            // The caller processes parts as well: starting a task costs as much as reading some thousand values.
            work()
            await group.waitForAll()
        }
    }

    /// Counter that hands out part numbers.
    private final class Turn: Sendable {
        private let next = Atomic(0)

        func take() -> Int { next.wrappingAdd(1, ordering: .relaxed).oldValue }
    }
}
