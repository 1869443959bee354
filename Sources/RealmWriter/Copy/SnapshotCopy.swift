internal import RealmLayout
internal import RealmReader

/// Copies the content of a snapshot of any format, object by object, into a new file: keys stay as they are.
struct SnapshotCopy {
    private let source: Snapshot
    private let file: FileWriter
    /// The position in the new file of each of the source's tables.
    private let positions: [Int]

    /// - Parameter tables: the positions in the source of the tables that the file has, in the order of the file.
    init(_ source: Snapshot, tables: [Int], to file: FileWriter) {
        self.source = source
        self.file = file
        var positions = [Int](repeating: -1, count: source.cores.count)
        for (new, old) in tables.enumerated() { positions[old] = new }
        self.positions = positions
    }

    /// Copies all objects and tombstones of all tables.
    func run() throws(WriteError) {
        for (old, new) in positions.enumerated() where new >= 0 {
            let core = source.cores[old]
            let table = file.tables[new]
            var columns: [ColumnCopy] = []
            for (number, property) in core.schema.properties.enumerated() {
                columns.append(
                    ColumnCopy(
                        property, core.columns[number], table.index, number, file: file, source: source,
                        positions: positions))
            }
            do throws(WriteError) {
                try copy(core, core.objects, columns, to: table, areTombstones: false)
                if let tombstones = core.tombstones {
                    try copy(core, tombstones, columns, to: table, areTombstones: true)
                }
            } catch {
                throw error.at(table: core.schema.tableName)
            }
        }
    }

    private func copy(
        _ core: TableCore, _ tree: ClusterTree, _ columns: [ColumnCopy], to table: TableWriter, areTombstones: Bool
    ) throws(WriteError) {
        var cursor = ClusterCursor(tree)
        while let cluster = try reading({ () throws(FormatError) in try cursor.next() }) {
            let target = areTombstones ? table.tombstoneTree() : table.objects
            try source.reading { () throws(WriteError) in
                let cluster = try checked { () throws(FormatError) in try cluster.current(in: source.space) }
                var start = 0
                while start < cluster.count {
                    let rows = start..<min(cluster.count, start + target.room)
                    for (number, column) in columns.enumerated() {
                        try column.copy(rows, of: cluster, to: target.columns[number], areTombstones)
                    }
                    for row in rows {
                        let key = cluster.key(unchecked: row)
                        if areTombstones {
                            if target.add(key) { try target.endCluster() }
                        } else {
                            try table.endObject(key)
                        }
                    }
                    start = rows.upperBound
                }
            }
        }
    }

    private func reading<R>(_ body: () throws(FormatError) -> R) throws(WriteError) -> R {
        try checked { () throws(FormatError) in try source.reading(body) }
    }
}

/// Turns errors of reading into those of writing.
@inline(__always)
func checked<R>(_ body: () throws(FormatError) -> R) throws(WriteError) -> R {
    do throws(FormatError) { return try body() } catch { throw .source(error) }
}

extension WriteError {
    /// The same error with those parts of the place that it does not have yet.
    func at(table: String? = nil, property: String? = nil, objectKey: ObjectKey? = nil) -> WriteError {
        switch self {
        case .misfit(let misfit): .misfit(misfit.at(table: table, property: property, objectKey: objectKey))
        case .source(let error): .source(error.at(table: table, property: property, objectKey: objectKey))
        case .storage: self
        }
    }
}
