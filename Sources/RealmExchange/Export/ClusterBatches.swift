package import RealmLayout
package import RealmReader

/// Cuts the objects of a table into pieces of work that make about a quarter of a megabyte of documents each.
///
/// Where pieces end does not show in the output.
package struct ClusterBatches {
    /// Rows of one cluster.
    package struct Piece: Sendable {
        let cluster: Cluster
        package let rows: Range<Int>
    }

    private var cursor: ClusterCursor
    private let orphans: Orphans?
    /// What finds objects where only some are wanted.
    private var chosen: ChosenRows?
    /// Pieces of the cluster at hand that are still to be given out, the next one last.
    private var rest: [Piece] = []
    private var writtenRows = 0
    private var writtenBytes = 0
    /// What failed behind the pieces that were given out last: whoever asks next finds it as well.
    private var failure: FormatError?
    private let isTolerant: Bool
    private let tableName: String
    private var hasObjects = false
    /// The clusters that cannot be read: objects of which nothing is known.
    private(set) var unreadable = UnreadableValues()

    /// Pieces of all objects of a table, or only of its orphans, or of some objects in their order.
    ///
    /// - Parameter isTolerant: whether clusters that cannot be read are noted and left out.
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

    /// What stays in the cache from its making to its writing, beside everything else.
    private static var wantedBytes: Int { 1 << 18 }
    /// Until something is known of the size of documents.
    private static var firstRows: Int { 128 }
    /// Enough for as much of the smallest documents.
    private static var maximumRows: Int { 8192 }

    /// The next piece of work: rows in key order, or in that of the choice; empty at the end. Runs with a lease, and what comes of it is opened again
    /// with another.
    ///
    /// - Throws: what fails behind all pieces that were given out: how these are cut depends on time, and what is found first
    ///   may not.
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
                // Clusters are divided only where they are much larger than a piece: the leaves of each part are opened anew.
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

    /// The rows of the next cluster that can be read, the last ones first; nil at the end.
    ///
    /// - Throws: what is not tolerated, and what is wrong with a table of which nothing can be read.
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
