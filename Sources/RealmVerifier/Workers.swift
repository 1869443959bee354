internal import Dispatch
internal import Synchronization

/// Does pieces of work on several threads. What comes of them must not depend on which thread does which piece, nor when.
///
/// Exports have tasks for that, because they are asynchronous anyway. A verification is an ordinary function, also for
/// callers that have no tasks, and may not wait for any.
package struct Workers: Sendable {
    /// Threads that work at the same time; 1 does all on the thread that asks.
    let count: Int

    /// Whether pieces that are made one after the other end when the task of the caller is cancelled.
    private let isCancellable: Bool

    package init(_ count: Int, isCancellable: Bool = false) {
        self.count = max(1, count)
        self.isCancellable = isCancellable
    }

    private var isCancelled: Bool { isCancellable && Task.isCancelled }

    /// Does something with each piece and returns when all are done. Each thread begins at a part of its own, because
    /// pieces that are neighbours are often so in memory too, and helps with other parts when it is done with that.
    ///
    /// - Parameter pieces: what belongs to one thread at a time; results are left in it.
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

    /// Numbers that are given to threads, each to one of them.
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

    /// What a function makes of each piece, in order.
    ///
    /// - Parameter pieces: what belongs to one thread at a time.
    package func map<Piece, Result>(_ pieces: [Piece], _ body: @escaping (Piece) -> Result) -> [Result] {
        let works = pieces.map { Work(piece: $0, body: body) }
        perform(works) { $0.run() }
        return works.compactMap(\.result)
    }

    /// Does pieces that are made while others are worked on. Only a few of them are there at a time.
    ///
    /// - Parameters:
    ///   - next: makes the next piece; nil after the last. Called for one piece at a time.
    ///   - work: what to do with a piece. Called for several at the same time.
    ///   - take: takes what came of a piece. Called for one piece after the other, in the order in which they were made,
    ///     and not while `next` is.
    package func perform<Piece, Result>(
        _ next: @escaping () -> Piece?, work: @escaping (Piece) -> Result,
        take: @escaping (Piece, Result) -> Void
    ) {
        guard count > 1 else {
            while !isCancelled, let piece = next() { take(piece, work(piece)) }
            return
        }
        // Of the threads one is that of the caller, which knows the task.
        let line = WorkLine(
            limit: count * Self.piecesPerThread, next: { isCancelled ? nil : next() }, work: work, take: take)
        DispatchQueue.concurrentPerform(iterations: count) { _ in line.run() }
    }

    /// Pieces whose results may wait for those before them: enough that threads wait for none but very long pieces.
    private static let piecesPerThread = 32
}

/// A piece of work and its result: one thread at a time has it, and whoever asked for it waits until all are done.
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

/// Pieces of work that are made, worked on and taken one after the other, on several threads. All that changes, and all
/// that is called but `work`, is behind the lock.
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
    /// Threads that wait for room.
    private var waiting = 0
    /// What came of pieces, by number, while one before them is not done.
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

    /// Works until there are no more pieces.
    func run() {
        while true {
            switch lock.withLock({ _ in step() }) {
            case .work(let number, let piece):
                let result = work(piece)
                let woken = lock.withLock { _ in finish(number, piece, result) }
                for _ in 0..<woken { room.signal() }
            case .wait:
                // The piece that all wait for has a thread, which is none of those that wait.
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

    /// Takes what can be taken; how many threads have room then.
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
