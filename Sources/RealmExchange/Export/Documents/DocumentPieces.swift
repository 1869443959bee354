internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// Documents created on demand. Used by one task at a time.
protocol DocumentPieces: AnyObject {
    /// Returns the next complete documents, or nil after the last.
    ///
    /// - Throws: Errors for unreadable data that may not be left out. The sequence has then ended.
    func next() throws(FormatError) -> [UInt8]?

    /// The document of one object.
    func document(inRow row: Int, of cluster: Cluster) throws(FormatError) -> [UInt8]

    /// The results so far.
    var outcome: ClassOutcome { get }
}

/// Makes pieces of a table with one writer.
final class PieceMaker<Sink: DocumentSink & ~Copyable>: DocumentPieces {
    private var writer: DocumentWriter<Sink>
    private let plan: ExportPlan
    private let position: TablePosition
    private let firstByte: UInt8?
    private var batches: ClusterBatches
    private var objects = 0
    private var bytes = 0
    private var isBegun = false

    init(_ plan: ExportPlan, _ sink: consuming Sink, _ position: TablePosition, chosen: [ObjectKey]?, firstByte: UInt8?)
    {
        writer = DocumentWriter(plan, sink)
        self.plan = plan
        self.position = position
        self.firstByte = firstByte
        batches = ClusterBatches(
            plan.snapshot.cores[position], only: chosen, isTolerant: plan.onDamage != .error)
    }

    func next() throws(FormatError) -> [UInt8]? {
        let parts = try plan.snapshot.reading { () throws(FormatError) in try batches.next() }
        guard !parts.isEmpty else { return nil }
        let made = try write(parts, firstByte: isBegun ? nil : firstByte)
        isBegun = true
        return made
    }

    func document(inRow row: Int, of cluster: Cluster) throws(FormatError) -> [UInt8] {
        try write([ClusterBatches.Piece(cluster: cluster, rows: row..<row + 1)], firstByte: nil)
    }

    private func write(_ parts: [ClusterBatches.Piece], firstByte: UInt8?) throws(FormatError) -> [UInt8] {
        defer { writer.sink.buffer.truncate() }
        try writer.write(parts, of: position, firstByte: firstByte)
        let made = writer.sink.buffer.view().bytes
        let count = parts.reduce(0) { $0 + $1.rows.count } - writer.lostObjects
        batches.note(rows: count, bytes: made.count)
        objects += count
        bytes += made.count
        return made
    }

    var outcome: ClassOutcome {
        var unreadable = batches.unreadable
        unreadable.add(writer.unreadable)
        return ClassOutcome(
            objects: objects, bytes: bytes, losses: writer.allLosses, unresolved: writer.unresolved,
            unreadable: unreadable)
    }
}
