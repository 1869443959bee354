internal import Synchronization

/// Does the parts of a query, some of them at the same time.
struct QueryTasks: Sendable {
    /// How many are done at the same time.
    let jobs: Int
    /// Objects that are worth a part of their own.
    let partSize: Int
    /// Into how many parts the share of each is cut: some parts take longer than others.
    var partsPerJob = 4

    init(_ jobs: Int, partSize: Int) {
        self.jobs = max(jobs, 1)
        self.partSize = max(partSize, 1)
    }

    /// Into how many parts a job is cut.
    var parts: Int { jobs * partsPerJob }

    /// Parts of rows, in their order; one where more are not worth it.
    func parts(of count: Int) -> [Range<Int>] {
        let parts = jobs < 2 ? 1 : Swift.min(self.parts, Swift.max(1, count / partSize))
        return (0..<parts).map { $0 * count / parts..<($0 + 1) * count / parts }
    }

    /// What comes of each part, in the order of the parts.
    ///
    /// - Throws: what `body` throws of the first part of which it does.
    func map<Part: Sendable, Result: Sendable>(
        _ parts: [Part], _ body: @escaping @Sendable (Part) throws(QueryError) -> Result
    ) async throws(QueryError) -> [Result] {
        try await map(parts, with: {}) { (_, part) throws(QueryError) in try body(part) }
    }

    /// The same with something that each task makes once, for all parts that it does.
    ///
    /// - Parameter makeState: makes it.
    /// - Throws: what `body` throws of the first part of which it does.
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

    /// Does parts by their numbers, several at the same time: each task takes the next one as long as there are some.
    ///
    /// Knows nothing of what the parts are, so that it is compiled once.
    ///
    /// - Parameter makeWorker: makes for each task what does a part.
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
            // The caller does parts as well: a task that is begun costs as much as looking at some thousand values.
            work()
            await group.waitForAll()
        }
    }

    /// Whose turn it is among parts.
    private final class Turn: Sendable {
        private let next = Atomic(0)

        func take() -> Int { next.wrappingAdd(1, ordering: .relaxed).oldValue }
    }
}
