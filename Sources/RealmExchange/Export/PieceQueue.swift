internal import RealmCore
internal import RealmLayout
internal import RealmStorage
internal import Synchronization

/// Hands out pieces of work in the order of the objects, and accepts the results in the same order.
final class PieceQueue: @unchecked Sendable {
    /// Work, and its number in the order.
    struct Piece {
        let number: Int
        let parts: [ClusterBatches.Piece]

        var objects: Int { parts.reduce(0) { $0 + $1.rows.count } }
    }

    private struct State {
        /// The number of the next piece to hand out.
        var next = 0
        var isAtEnd = false
        /// The number of the next piece to write; only its worker touches the destination.
        var turn = 0
        var outcome = ClassOutcome()
        var failure: (number: Int, error: any Error)?
        var waiting: [(number: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    private let state = Mutex(State())
    /// Protected by the lock of `state`.
    private var batches: ClusterBatches
    private let snapshot: Snapshot
    /// Used by the worker whose turn it is.
    private let destination: any ByteDestination
    private let progress: (Int) -> Void

    init(
        _ batches: ClusterBatches, _ snapshot: Snapshot, _ destination: any ByteDestination,
        _ progress: @escaping (Int) -> Void
    ) {
        self.batches = batches
        self.snapshot = snapshot
        self.destination = destination
        self.progress = progress
    }

    /// Returns the next piece, or nil if there are no more, or something failed.
    func next() -> Piece? {
        let result: Result<Piece?, FormatError> = state.withLock { state in
            guard state.failure == nil, !state.isAtEnd else { return .success(nil) }
            do throws(FormatError) {
                let parts = try snapshot.reading { () throws(FormatError) in try batches.next() }
                state.isAtEnd = parts.isEmpty
                guard !parts.isEmpty else { return .success(nil) }
                state.next += 1
                return .success(Piece(number: state.next - 1, parts: parts))
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success(let piece): return piece
        case .failure(let error):
            // Ranks after all pieces that were handed out.
            fail(.max, error)
            return nil
        }
    }

    /// Whether all earlier pieces are written.
    func isTurn(of number: Int) -> Bool { state.withLock { $0.turn == number } }

    /// Waits until all earlier pieces are written.
    ///
    /// - Returns: False if that will never happen, because something failed.
    func waitForTurn(of number: Int) async -> Bool {
        await withCheckedContinuation { continuation in
            let answer: Bool? = state.withLock { state in
                if state.turn == number { return true }
                if state.failure != nil { return false }
                state.waiting.append((number, continuation))
                return nil
            }
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// Writes the output of the piece whose turn it is.
    ///
    /// - Returns: False if the destination fails.
    func write(_ bytes: ByteView, of number: Int, objects: Int) -> Bool {
        do throws(StorageError) {
            try destination.write(bytes)
        } catch {
            fail(number, error)
            return false
        }
        let next = state.withLock { state in
            state.outcome.objects += objects
            state.outcome.bytes += bytes.count
            batches.note(rows: objects, bytes: bytes.count)
            progress(objects)
            state.turn += 1
            let index = state.waiting.firstIndex { [turn = state.turn] in $0.number == turn }
            return index.map { state.waiting.remove(at: $0).continuation }
        }
        next?.resume(returning: true)
        return true
    }

    /// Ends everything. If there are several failures, that of the earliest piece counts, so that the result is
    /// deterministic.
    func fail(_ number: Int, _ error: any Error) {
        let waiting = state.withLock { state in
            if state.failure.map({ number < $0.number }) ?? true { state.failure = (number, error) }
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiting in waiting { waiting.continuation.resume(returning: false) }
    }

    /// The results of all pieces, or of those before the first failure.
    func outcome() -> (ClassOutcome, failure: (any Error)?) {
        state.withLock { state in
            var outcome = state.outcome
            outcome.unreadable = batches.unreadable
            return (outcome, state.failure?.error)
        }
    }
}
