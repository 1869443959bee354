internal import RealmLayout
internal import RealmReader
internal import RealmStorage

/// What came of the export of one class.
struct ClassOutcome: Sendable {
    var objects = 0
    var bytes = 0
    var losses = LossCounters()
    var unresolved: [UnresolvedLink] = []
}

/// A thread's writer and what it wrote, handed back and forth between the coordinator and one task at a time.
private final class Worker<Sink: DocumentSink & ~Copyable>: @unchecked Sendable {
    var writer: DocumentWriter<Sink>
    var objects = 0

    init(_ plan: ExportPlan, _ sink: consuming Sink) { writer = DocumentWriter(plan, sink) }

    func process(_ pieces: [ClusterBatches.Piece], of position: Int) throws(FormatError) {
        objects = 0
        for piece in pieces {
            try writer.write(piece.cluster, rows: piece.rows, of: position)
            objects += piece.rows.count
        }
    }
}

/// Writes all objects of one table to a destination, on one thread or several; the bytes are the same.
struct ClassExport<Sink: DocumentSink & ~Copyable> {
    let plan: ExportPlan
    let position: Int
    let jobs: Int
    let makeSink: @Sendable () -> Sink
    /// What overwrites the first byte of the output: the bracket of a JSON array.
    var firstByte: UInt8?
    /// Whether only embedded objects without an owner are written.
    var writesOrphans = false
    /// Hears of each piece that is written.
    var progress: (_ objects: Int) -> Void = { _ in }

    /// Writes everything; does not finish the destination.
    ///
    /// - Throws: `FormatError` when an object cannot be read, `StorageError` when the destination fails.
    func run(to destination: any ByteDestination) async throws -> ClassOutcome {
        var state = State(
            batches: ClusterBatches(plan.snapshot.cores[position], onlyOrphansIn: writesOrphans ? plan.snapshot : nil))
        if jobs > 1 {
            try await runInParallel(&state, to: destination)
        } else {
            let worker = Worker(plan, makeSink())
            while true {
                let pieces = try plan.snapshot.reading { () throws(FormatError) in try state.batches.next() }
                if pieces.isEmpty { break }
                try worker.process(pieces, of: position)
                try take(worker, &state, destination)
            }
            collect(worker, &state)
        }
        return state.outcome
    }

    private struct State {
        var batches: ClusterBatches
        var outcome = ClassOutcome()
    }

    /// Hands pieces to tasks and takes their output in order. One worker more than tasks can run keeps every thread
    /// busy while output is written.
    private func runInParallel(_ state: inout State, to destination: any ByteDestination) async throws {
        var idle = (0...jobs).map { _ in Worker(plan, makeSink()) }
        let workers = idle
        var finished: [Int: Worker<Sink>] = [:]
        var started = 0
        var written = 0
        let position = position
        try await withThrowingTaskGroup(of: (Int, Worker<Sink>).self) { group in
            while true {
                while let worker = idle.last {
                    let pieces = try plan.snapshot.reading { () throws(FormatError) in try state.batches.next() }
                    if pieces.isEmpty { break }
                    idle.removeLast()
                    let number = started
                    started += 1
                    group.addTask {
                        try worker.process(pieces, of: position)
                        return (number, worker)
                    }
                }
                guard let (number, worker) = try await group.next() else { return }
                finished[number] = worker
                while let worker = finished.removeValue(forKey: written) {
                    try take(worker, &state, destination)
                    written += 1
                    idle.append(worker)
                }
            }
        }
        for worker in workers { collect(worker, &state) }
    }

    /// Writes what a worker has made.
    private func take(
        _ worker: Worker<Sink>, _ state: inout State, _ destination: any ByteDestination
    ) throws(StorageError) {
        if let firstByte, state.outcome.objects == 0 { worker.writer.sink.buffer.patch(firstByte, at: 0) }
        let bytes = worker.writer.sink.buffer.count
        try destination.write(worker.writer.sink.buffer.view())
        worker.writer.sink.buffer.truncate()
        state.outcome.objects += worker.objects
        state.outcome.bytes += bytes
        state.batches.note(rows: worker.objects, bytes: bytes)
        progress(worker.objects)
    }

    private func collect(_ worker: Worker<Sink>, _ state: inout State) {
        state.outcome.losses.add(worker.writer.losses)
        state.outcome.unresolved += worker.writer.unresolved
    }
}
