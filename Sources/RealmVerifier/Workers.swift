internal import Dispatch
internal import Synchronization

/// Does pieces of work on several threads. What comes of them must not depend on which thread does which piece, nor when.
struct Workers: Sendable {
    /// Threads that work at the same time; 1 does all on the thread that asks.
    let count: Int

    init(_ count: Int) { self.count = max(1, count) }

    /// Pieces to do before all of them are waited for and their results taken: enough that threads do not wait long for
    /// the last one, and few enough for the results to take no room.
    var piecesPerRound: Int { count == 1 ? 1 : count * 32 }

    /// Does something with each piece and returns when all are done. Threads take pieces in order, the next one as soon as
    /// they are done with theirs.
    ///
    /// - Parameter pieces: what belongs to one thread at a time; results are left in it.
    func perform<Piece: Sendable>(_ pieces: [Piece], _ body: @Sendable (Piece) -> Void) {
        guard count > 1, pieces.count > 1 else { return pieces.forEach(body) }
        let next = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: min(count, pieces.count)) { _ in
            while true {
                let (index, _) = next.wrappingAdd(1, ordering: .relaxed)
                guard index < pieces.count else { return }
                body(pieces[index])
            }
        }
    }

    /// What a function makes of each piece, in order.
    ///
    /// - Parameter pieces: what belongs to one thread at a time.
    func map<Piece, Result>(_ pieces: [Piece], _ body: @escaping (Piece) -> Result) -> [Result] {
        let works = pieces.map { Work(piece: $0, body: body) }
        perform(works) { $0.run() }
        return works.compactMap(\.result)
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
}
