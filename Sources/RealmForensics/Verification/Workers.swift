internal import Dispatch
internal import Synchronization

/// Processes pieces of work on several threads. Results must not depend on which thread processes a piece, nor when.
///
/// Exports use tasks, since they are asynchronous. A verification is a synchronous function, also for callers without
/// tasks, and cannot wait for tasks.
package struct Workers: Sendable {
    /// The number of concurrent threads; with 1, all work runs on the calling thread.
    let count: Int

    /// Whether a sequence of pieces ends when the caller's task is cancelled.
    private let isCancellable: Bool

    package init(_ count: Int, isCancellable: Bool = false) {
        self.count = max(1, count)
        self.isCancellable = isCancellable
    }

    private var isCancelled: Bool { isCancellable && Task.isCancelled }

    /// Processes all pieces and returns when they are done. Each thread begins with a part of its own, because
    /// neighbouring pieces are often close together in memory, and helps with other parts when it is done.
    ///
    /// - Parameter pieces: each is used by one thread at a time and can store its results.
    func perform<Piece: Sendable>(_ pieces: [Piece], _ body: @Sendable (Piece) -> Void) {
        guard count > 1, pieces.count > 1 else { return pieces.forEach(body) }
        let parts = min(count, pieces.count)
        let cursors = (0..<parts).map { Cursor(pieces.count * $0 / parts..<pieces.count * ($0 + 1) / parts) }
        DispatchQueue.concurrentPerform(iterations: parts) { own in
            for part in 0..<parts {
                let cursor = cursors[(own + part) % parts]
                while let index = cursor.next() { body(pieces[index]) }
            }
        }
    }

    /// Hands out each number of a range to one thread.
    private final class Cursor: Sendable {
        private let first: Atomic<Int>
        private let end: Int

        init(_ range: Range<Int>) {
            first = Atomic(range.lowerBound)
            end = range.upperBound
        }

        func next() -> Int? {
            let (index, _) = first.wrappingAdd(1, ordering: .relaxed)
            return index < end ? index : nil
        }
    }

    /// The results of a function for all pieces, in order.
    ///
    /// - Parameter pieces: each is used by one thread at a time.
    package func map<Piece, Result>(_ pieces: [Piece], _ body: @escaping (Piece) -> Result) -> [Result] {
        let works = pieces.map { Work(piece: $0, body: body) }
        perform(works) { $0.run() }
        return works.compactMap(\.result)
    }

    /// Processes pieces that are created while others are being processed. Only a few exist at a time.
    ///
    /// - Parameters:
    ///   - next: creates the next piece; nil at the end. Calls are serialised.
    ///   - work: processes a piece. Called concurrently.
    ///   - take: receives the result of a piece. Calls are serialised, in the order in which the pieces were created,
    ///     and never overlap with `next`.
    package func perform<Piece, Result>(
        _ next: @escaping () -> Piece?, work: @escaping (Piece) -> Result,
        take: @escaping (Piece, Result) -> Void
    ) {
        guard count > 1 else {
            while !isCancelled, let piece = next() { take(piece, work(piece)) }
            return
        }
        // One of the threads is that of the caller, which knows its task.
        let line = WorkLine(
            limit: count * Self.piecesPerThread, next: { isCancelled ? nil : next() }, work: work, take: take)
        DispatchQueue.concurrentPerform(iterations: count) { _ in line.run() }
    }

    /// Maximum number of unfinished pieces per thread: enough that threads rarely wait, except for very long pieces.
    private static let piecesPerThread = 32
}

/// A piece of work and its result. One thread at a time uses it, and the caller waits until all are done.
private final class Work<Piece, Result>: @unchecked Sendable {
    private let piece: Piece
    private let body: (Piece) -> Result
    private(set) var result: Result?

    init(piece: Piece, body: @escaping (Piece) -> Result) {
        self.piece = piece
        self.body = body
    }

    func run() { result = body(piece) }
}

/// A sequence of pieces that are created, processed and taken in order, on several threads. The lock protects all
/// mutable state, and all closures except `work`.
private final class WorkLine<Piece, Result>: @unchecked Sendable {
    private enum Step {
        case work(number: Int, Piece)
        case wait
        case end
    }

    private let limit: Int
    private let next: () -> Piece?
    private let work: (Piece) -> Result
    private let take: (Piece, Result) -> Void

    private let lock = Mutex(())
    private let room = DispatchSemaphore(value: 0)
    private var made = 0
    private var taken = 0
    private var isAtEnd = false
    /// The number of threads waiting for room.
    private var waiting = 0
    /// Results by piece number, while an earlier piece is unfinished.
    private var results: [Int: (Piece, Result)] = [:]

    init(
        limit: Int, next: @escaping () -> Piece?, work: @escaping (Piece) -> Result,
        take: @escaping (Piece, Result) -> Void
    ) {
        self.limit = limit
        self.next = next
        self.work = work
        self.take = take
    }

    /// Processes pieces until none are left.
    func run() {
        while true {
            switch lock.withLock({ _ in step() }) {
            case .work(let number, let piece):
                let result = work(piece)
                let woken = lock.withLock { _ in finish(number, piece, result) }
                for _ in 0..<woken { room.signal() }
            case .wait:
                // The piece that they wait for is being processed by a thread that does not wait.
                room.wait()
            case .end:
                return
            }
        }
    }

    private func step() -> Step {
        guard !isAtEnd else { return .end }
        guard made - taken < limit else {
            waiting += 1
            return .wait
        }
        guard let piece = next() else {
            isAtEnd = true
            return .end
        }
        made += 1
        return .work(number: made - 1, piece)
    }

    /// Takes all results that are ready; returns the number of threads to wake.
    private func finish(_ number: Int, _ piece: Piece, _ result: Result) -> Int {
        results[number] = (piece, result)
        while let (piece, result) = results.removeValue(forKey: taken) {
            take(piece, result)
            taken += 1
        }
        guard made - taken < limit else { return 0 }
        defer { waiting = 0 }
        return waiting
    }
}
