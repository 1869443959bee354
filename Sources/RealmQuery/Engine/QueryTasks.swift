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
        let turn = Turn()
        /// Does parts as long as there are some that nobody has begun with.
        @Sendable func work() -> [(Int, Swift.Result<Result, QueryError>)] {
            var done: [(Int, Swift.Result<Result, QueryError>)] = []
            var state = makeState()
            while true {
                let number = turn.take()
                guard number < parts.count else { return done }
                do throws(QueryError) {
                    done.append((number, .success(try body(&state, parts[number]))))
                } catch {
                    done.append((number, .failure(error)))
                }
            }
        }
        let done = await withTaskGroup(of: [(Int, Swift.Result<Result, QueryError>)].self) { group in
            var done = [Swift.Result<Result, QueryError>?](repeating: nil, count: parts.count)
            for _ in 1..<Swift.min(jobs, parts.count) { group.addTask { work() } }
            // Who asks does not wait for others only: a task that is begun costs as much as looking at some thousand values.
            for (number, result) in work() { done[number] = result }
            for await some in group { for (number, result) in some { done[number] = result } }
            return done
        }
        var results: [Result] = []
        results.reserveCapacity(done.count)
        for result in done { if let result { results.append(try result.get()) } }
        return results
    }

    /// Whose turn it is among parts.
    private final class Turn: Sendable {
        private let next = Atomic(0)

        func take() -> Int { next.wrappingAdd(1, ordering: .relaxed).oldValue }
    }
}
