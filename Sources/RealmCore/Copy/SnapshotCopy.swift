package import RealmLayout

/// Copies the content of a snapshot of any format, object by object, into a new file. Object keys are unchanged.
struct SnapshotCopy {
    private let source: Snapshot
    private let file: FileWriter
    private let selection: TableSelection

    /// - Parameter selection: The tables of the new file, in file order.
    init(_ source: Snapshot, _ selection: TableSelection, to file: FileWriter) {
        self.source = source
        self.file = file
        self.selection = selection
    }

    /// Copies objects and tombstones.
    ///
    /// - Returns: The links that were omitted.
    func run() throws(WriteError) -> [OmittedLinks] {
        // The positions in the new file of the source's tables whose objects are copied.
        var positions = ByTable<TablePosition?>(repeating: nil, count: source.cores.count)
        for (new, old) in zip(file.tables.indices, selection.tables) where selection.keeps(old) { positions[old] = new }
        var leftOut: [OmittedLinks] = []
        for (old, core) in source.cores.indexed {
            guard let new = positions[old] else { continue }
            let table = file.tables[new]
            var columns: [ColumnCopy] = []
            for (number, property) in zip(core.columns.indices, core.schema.properties) {
                columns.append(
                    ColumnCopy(
                        property, core.columns[number], table.position, number, file: file, source: source,
                        positions: positions))
            }
            do throws(WriteError) {
                let filter: ((ObjectKey) throws(FormatError) -> Bool)? =
                    selection.isPartial(old)
                    ? { key throws(FormatError) in try selection.keeps(key, in: old) } : nil
                try copy(core, core.objects, columns, to: table, filter)
                if let tombstones = core.tombstones {
                    try copy(core, tombstones, columns, to: table, areTombstones: true)
                }
            } catch {
                throw error.at(table: core.schema.tableName)
            }
            for column in columns { leftOut += column.leftOut }
        }
        return leftOut
    }

    private func copy(
        _ core: TableDescription, _ tree: ClusterTree, _ columns: [ColumnCopy], to table: TableWriter,
        _ filter: ((ObjectKey) throws(FormatError) -> Bool)? = nil, areTombstones: Bool = false
    ) throws(WriteError) {
        var cursor = ClusterCursor(tree)
        while let cluster = try reading({ () throws(FormatError) in try cursor.next() }) {
            let target = areTombstones ? table.tombstoneTree() : table.objects
            try source.reading { () throws(WriteError) in
                let cluster = try checked { () throws(FormatError) in try cluster.current(in: source.space) }
                var start = 0
                while start < cluster.count {
                    var end = min(cluster.count, start + target.room)
                    if let filter {
                        // The longest run of kept rows.
                        var row = start
                        while row < end,
                            try checked({ () throws(FormatError) in try filter(cluster.key(unchecked: row)) })
                        {
                            row += 1
                        }
                        end = row
                        guard end > start else {
                            start += 1
                            continue
                        }
                    }
                    let rows = start..<end
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

/// Converts errors of reading into errors of writing.
@inline(__always)
package func checked<R>(_ body: () throws(FormatError) -> R) throws(WriteError) -> R {
    do throws(FormatError) { return try body() } catch { throw .source(error) }
}

extension WriteError {
    /// Returns the error with missing parts of its place filled in.
    package func at(table: String? = nil, property: String? = nil, objectKey: ObjectKey? = nil) -> WriteError {
        switch self {
        case .misfit(let misfit): .misfit(misfit.at(table: table, property: property, objectKey: objectKey))
        case .source(let error): .source(error.at(table: table, property: property, objectKey: objectKey))
        case .storage, .internalInconsistency: self
        }
    }
}
