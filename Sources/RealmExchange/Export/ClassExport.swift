internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// The results of exporting one class.
struct ClassOutcome: Sendable {
    var objects = 0
    var bytes = 0
    var losses = LossCounters()
    var unresolved: [UnresolvedLink] = []
    var unreadable = UnreadableValues()
}

/// The export of a class that ended early, with the results up to that point.
struct InterruptedExport: Error {
    let outcome: ClassOutcome
    let error: FormatError
}

/// Writes the objects of one table to a destination, on one or several threads; the bytes are the same.
struct ClassExport<Sink: DocumentSink & ~Copyable> {
    let plan: ExportPlan
    let position: TablePosition
    let jobs: Int
    let makeSink: @Sendable () -> Sink
    /// The byte that overwrites the first byte of the output: the bracket of a JSON array.
    var firstByte: UInt8?
    /// Whether only embedded objects without an owner are written.
    var writesOrphans = false
    /// The objects to write, in their order; nil for all.
    var chosen: [ObjectKey]?
    /// Called for each written piece, serially.
    var progress: (_ objects: Int) -> Void = { _ in }

    /// Writes everything, without finishing the destination.
    ///
    /// - Throws: `InterruptedExport` if data that may not be left out cannot be read, `StorageError` if the destination
    ///   fails, `CancellationError` if the task was cancelled.
    func run(to destination: any ByteDestination) async throws -> ClassOutcome {
        let queue = PieceQueue(
            ClusterBatches(
                plan.snapshot.cores[position], onlyOrphansIn: writesOrphans ? plan.snapshot : nil,
                only: writesOrphans ? nil : chosen, isTolerant: plan.onDamage != .error),
            plan.snapshot, destination, progress)
        let workers = (0..<jobs).map { _ in PieceWorker(plan, makeSink(), queue, position, firstByte) }
        if jobs > 1 {
            await withTaskGroup(of: Void.self) { group in
                for worker in workers { group.addTask { await worker.run() } }
            }
        } else {
            for worker in workers { await worker.run() }
        }
        var (outcome, failure) = queue.outcome()
        for worker in workers {
            outcome.losses.add(worker.writer.allLosses)
            outcome.unresolved += worker.writer.unresolved
            outcome.unreadable.add(worker.writer.unreadable)
        }
        if let error = failure as? FormatError { throw InterruptedExport(outcome: outcome, error: error) }
        if let failure { throw failure }
        return outcome
    }
}

/// A thread's writer, and its output that is still to be written.
///
/// Documents are written by the thread that made them, while they are in its cache, as soon as the preceding ones are
/// written; until then it makes more. Used by one task at a time.
final class PieceWorker<Sink: DocumentSink & ~Copyable>: @unchecked Sendable {
    private(set) var writer: DocumentWriter<Sink>
    private let queue: PieceQueue
    private let position: TablePosition
    private let firstByte: UInt8?
    /// Pieces whose turn has not come, in their order.
    private var waiting: [WaitingPiece] = []
    private var spare: [WaitingPiece] = []

    /// Maximum number of waiting pieces: few enough to stay in the cache, but enough that a slow piece does not stall
    /// other threads.
    private static var mostWaiting: Int { 3 }
    /// The corresponding limit for large documents, in bytes.
    private static var mostWaitingBytes: Int { 4 << 20 }

    init(
        _ plan: ExportPlan, _ sink: consuming Sink, _ queue: PieceQueue, _ position: TablePosition, _ firstByte: UInt8?
    ) {
        writer = DocumentWriter(plan, sink)
        self.queue = queue
        self.position = position
        self.firstByte = firstByte
    }

    /// Makes and writes pieces until there are no more, or something fails.
    func run() async {
        while let piece = queue.next() {
            guard make(piece), flush() else { return }
            let objects = piece.objects - writer.lostObjects
            if waiting.isEmpty, queue.isTurn(of: piece.number) {
                guard queue.write(writer.sink.buffer.view(), of: piece.number, objects: objects) else { return }
                writer.sink.buffer.truncate()
                continue
            }
            let later = spare.popLast() ?? WaitingPiece()
            (later.number, later.objects) = (piece.number, objects)
            swap(&later.buffer, &writer.sink.buffer)
            waiting.append(later)
            let bytes = waiting.reduce(0) { $0 + $1.buffer.count }
            guard waiting.count > Self.mostWaiting || bytes > Self.mostWaitingBytes else { continue }
            guard await queue.waitForTurn(of: waiting[0].number), flush() else { return }
        }
        while let first = waiting.first {
            guard await queue.waitForTurn(of: first.number), flush() else { return }
        }
    }

    private func make(_ piece: PieceQueue.Piece) -> Bool {
        guard !Task.isCancelled else {
            queue.fail(piece.number, CancellationError())
            return false
        }
        do throws(FormatError) {
            try writer.write(piece.parts, of: position, firstByte: piece.number == 0 ? firstByte : nil)
        } catch {
            queue.fail(piece.number, error)
            return false
        }
        return true
    }

    /// Writes the waiting pieces whose turn it is.
    private func flush() -> Bool {
        while let first = waiting.first, queue.isTurn(of: first.number) {
            guard queue.write(first.buffer.view(), of: first.number, objects: first.objects) else { return false }
            first.buffer.truncate()
            spare.append(waiting.removeFirst())
        }
        return true
    }
}

/// The output of a piece whose turn has not come.
private final class WaitingPiece {
    var number = 0
    var objects = 0
    var buffer = ByteBuffer()
}
