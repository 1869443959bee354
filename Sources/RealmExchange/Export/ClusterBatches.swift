package import RealmCore
package import RealmLayout

/// Splits the objects of a table into pieces of work that each produce about a quarter of a megabyte of documents.
///
/// The boundaries of pieces do not affect the output.
package struct ClusterBatches {
    /// Rows of one cluster.
    package struct Piece: Sendable {
        let cluster: Cluster
        package let rows: Range<Int>
    }

    private var cursor: ClusterCursor
    private let orphans: Orphans?
    /// Finds the objects if only some are wanted.
    private var chosen: ChosenRows?
    /// Remaining pieces of the current cluster, with the next one last.
    private var rest: [Piece] = []
    private var writtenRows = 0
    private var writtenBytes = 0
    /// An error after the last returned pieces, which later calls throw as well.
    private var failure: FormatError?
    private let isTolerant: Bool
    private let tableName: String
    private var hasObjects = false
    /// The clusters that cannot be read, whose objects are unknown.
    private(set) var unreadable = UnreadableValues()

    /// Creates the pieces for all objects of a table, only for its orphans, or for some objects in their order.
    ///
    /// - Parameter isTolerant: Whether unreadable clusters are recorded and left out.
    package init(
        _ table: TableDescription, onlyOrphansIn snapshot: Snapshot? = nil, only keys: [ObjectKey]? = nil,
        isTolerant: Bool = false
    ) {
        cursor = ClusterCursor(table.objects)
        orphans = snapshot.map { Orphans(table: table, snapshot: $0) }
        chosen = keys.map { ChosenRows($0, in: table.objects) }
        self.isTolerant = isTolerant
        tableName = table.schema.tableName
    }

    /// Small enough to stay in the cache until it is written.
    private static var wantedBytes: Int { 1 << 18 }
    /// Used until the size of documents is known.
    private static var firstRows: Int { 128 }
    /// Enough to reach that size with the smallest documents.
    private static var maximumRows: Int { 8192 }

    /// Returns the next piece of work: rows in key order or in that of the choice, or an empty array at the end. Runs
    /// with a lease; the result is reopened with another.
    ///
    /// - Throws: An error only after all pieces before it were returned. The division into pieces depends on timing,
    ///   but the first error found must not.
    package mutating func next() throws(FormatError) -> [Piece] {
        if let failure { throw failure }
        var pieces: [Piece] = []
        var room = rowsPerBatch
        while room > 0 {
            if rest.isEmpty {
                do throws(FormatError) {
                    guard let more = try nextCluster() else { break }
                    rest = more
                } catch {
                    failure = error
                    if pieces.isEmpty { throw error }
                    break
                }
                continue
            }
            let piece = rest.removeLast()
            var count = piece.rows.count
            if count > room {
                // Clusters are divided only if they are much larger than a piece, because the leaves are reopened for
                // each part.
                if count > 2 * room, !pieces.isEmpty {
                    rest.append(piece)
                    break
                }
                count = count > 2 * room ? room : count
            }
            let end = piece.rows.lowerBound + count
            pieces.append(Piece(cluster: piece.cluster, rows: piece.rows.lowerBound..<end))
            if end < piece.rows.upperBound {
                rest.append(Piece(cluster: piece.cluster, rows: end..<piece.rows.upperBound))
            }
            room -= count
        }
        return pieces
    }

    /// Returns the rows of the next readable cluster, with the last ones first, or nil at the end.
    ///
    /// - Throws: Errors that are not tolerated, and the first error of a table that is entirely unreadable.
    private mutating func nextCluster() throws(FormatError) -> [Piece]? {
        while true {
            let pieces: [Piece]?
            do throws(FormatError) {
                pieces = try nextWholeCluster()
            } catch {
                guard isTolerant, error.concernsValues else { throw error }
                unreadable.note(error.at(table: tableName))
                continue
            }
            if pieces == nil, !hasObjects, let first = unreadable.sorted.first { throw first.error }
            hasObjects = true
            return pieces
        }
    }

    private mutating func nextWholeCluster() throws(FormatError) -> [Piece]? {
        if chosen != nil { return try chosen?.nextRows().map { [Piece(cluster: $0.cluster, rows: $0.rows)] } }
        guard let cluster = try cursor.next() else { return nil }
        let ranges = try orphans?.rows(in: cluster) ?? [0..<cluster.count]
        return ranges.reversed().map { Piece(cluster: cluster, rows: $0) }
    }

    /// Records the size of finished documents.
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
