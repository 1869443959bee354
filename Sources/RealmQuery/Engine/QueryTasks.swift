/// Does the parts of a query, some of them at the same time.
struct QueryTasks: Sendable {
    /// How many are done at the same time.
    let jobs: Int
    /// Objects that are worth a part of their own.
    let partSize: Int

    init(_ jobs: Int, partSize: Int) {
        self.jobs = max(jobs, 1)
        self.partSize = max(partSize, 1)
    }

    /// Into how many parts a job is cut: some take longer than others.
    var parts: Int { jobs * 4 }

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
        guard jobs > 1, parts.count > 1 else {
            var results: [Result] = []
            for part in parts { results.append(try body(part)) }
            return results
        }
        let done = await withTaskGroup(of: (Int, Swift.Result<Result, QueryError>).self) { group in
            var done = [Swift.Result<Result, QueryError>?](repeating: nil, count: parts.count)
            var next = 0
            func start() {
                guard next < parts.count else { return }
                let (number, part) = (next, parts[next])
                next += 1
                group.addTask {
                    do throws(QueryError) {
                        return (number, .success(try body(part)))
                    } catch {
                        return (number, .failure(error))
                    }
                }
            }
            for _ in 0..<jobs { start() }
            while let (number, result) = await group.next() {
                done[number] = result
                start()
            }
            return done
        }
        var results: [Result] = []
        results.reserveCapacity(done.count)
        for result in done { if let result { results.append(try result.get()) } }
        return results
    }
}
