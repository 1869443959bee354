internal import RealmLayout
internal import RealmReader

/// Cuts the objects of a table into pieces of work that make about a megabyte of documents each.
///
/// Where pieces end does not show in the output.
struct ClusterBatches {
    /// Rows of one cluster.
    struct Piece: Sendable {
        let cluster: Cluster
        let rows: Range<Int>
    }

    private var cursor: ClusterCursor
    private var rest: Piece?
    private var writtenRows = 0
    private var writtenBytes = 0

    init(_ tree: ClusterTree) { cursor = ClusterCursor(tree) }

    private static var wantedBytes: Int { 1 << 20 }
    /// Until something is known of the size of documents.
    private static var firstRows: Int { 128 }
    /// Enough for a megabyte of the smallest documents.
    private static var maximumRows: Int { 32_768 }

    /// The next piece of work: rows in key order; empty at the end.
    mutating func next() throws(FormatError) -> [Piece] {
        var pieces: [Piece] = []
        var room = rowsPerBatch
        while room > 0 {
            if rest == nil, let cluster = try cursor.next() {
                rest = Piece(cluster: cluster, rows: 0..<cluster.count)
            }
            guard let piece = rest else { break }
            let count = min(room, piece.rows.count)
            let end = piece.rows.lowerBound + count
            pieces.append(Piece(cluster: piece.cluster, rows: piece.rows.lowerBound..<end))
            rest = end < piece.rows.upperBound ? Piece(cluster: piece.cluster, rows: end..<piece.rows.upperBound) : nil
            room -= count
        }
        return pieces
    }

    /// Tells how large finished documents were.
    mutating func note(rows: Int, bytes: Int) {
        writtenRows += rows
        writtenBytes += bytes
    }

    private var rowsPerBatch: Int {
        guard writtenRows > 0 else { return Self.firstRows }
        let bytesPerRow = max(1, writtenBytes / writtenRows)
        return max(1, min(Self.maximumRows, Self.wantedBytes / bytesPerRow))
    }
}
