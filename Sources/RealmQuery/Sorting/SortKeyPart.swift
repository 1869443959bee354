internal import RealmCore
internal import RealmLayout

/// Values that a task reads for a part of some objects.
struct SortKeyPart: Sendable {
    let keys: [ObjectKey]
    /// One column for each path.
    var columns: [SortKeyColumn]
    /// Keeps the memory of the texts valid.
    private let reader: SortKeyReader

    /// Row numbers within a part.
    typealias Rows = [UInt32]

    /// Reads paths of objects, with a task for each part.
    ///
    /// - Throws: errors of reading the values.
    static func reading(
        _ paths: [BoundPath], of keys: [[ObjectKey]], in table: Table, _ meter: WorkMeter?, _ tasks: QueryTasks
    ) async throws(QueryError) -> [SortKeyPart] {
        assembled(try await read(paths, of: keys, in: table, meter, tasks), paths.count)
    }

    /// The values read by each task; ranks are not yet assigned across parts.
    static func read(
        _ paths: [BoundPath], of keys: [[ObjectKey]], in table: Table, _ meter: WorkMeter?, _ tasks: QueryTasks
    ) async throws(QueryError) -> [Read] {
        try await tasks.map(keys) { (keys) throws(QueryError) in
            do throws(FormatError) {
                return try Read(paths, keys, table, meter)
            } catch {
                throw meter?.failure(error) ?? .damage(error)
            }
        }
    }

    /// Combines the first `count` paths, with the same form and common ranks in all parts.
    static func assembled(_ read: [Read], _ count: Int) -> [SortKeyPart] {
        var parts = read.map { SortKeyPart(keys: $0.keys, columns: [], reader: $0.reader) }
        for path in 0..<count { add(read.map { $0.paths[path] }, to: &parts) }
        return parts
    }

    /// The values read for a part.
    struct Read: Sendable {
        fileprivate let keys: [ObjectKey]
        let paths: [SortKeyReader.Found]
        fileprivate let reader: SortKeyReader

        init(
            _ paths: [BoundPath], _ keys: [ObjectKey], _ table: Table, _ meter: WorkMeter?
        ) throws(FormatError) {
            self.keys = keys
            reader = SortKeyReader(table.snapshot, meter)
            var found: [SortKeyReader.Found] = []
            for path in paths { found.append(try reader.found(path, of: keys, in: table)) }
            self.paths = found
        }
    }

    /// Adds the values of one path in each part.
    private static func add(_ found: [SortKeyReader.Found], to parts: inout [SortKeyPart]) {
        // Values without numbers are ranked across all parts.
        var values: [Value?] = []
        for case .values(let some) in found { values += some }
        let ranked = SortKeyColumn(values)
        // A part in which all links lead nowhere has no values, and takes the form of the other parts.
        let form = found.compactMap(\.column).first { $0.form != .numbers }
        var start: UInt32 = 0
        for (index, found) in found.enumerated() {
            let end = start + UInt32(truncatingIfNeeded: parts[index].keys.count)
            switch found {
            case .values: parts[index].columns.append(ranked.taking(Array(start..<end)))
            case .column(let column):
                let hasForm = form.map { $0.form == column.form } ?? true
                parts[index].columns.append(
                    hasForm ? column : form.map { SortKeyColumn(column.count, likeThoseOf: $0) } ?? column)
            }
            start = end
        }
    }

    /// A column of some rows of each part, in the order of the parts.
    static func gathered(_ column: Int, _ rows: [Rows], of parts: [SortKeyPart]) -> SortKeyColumn {
        var gathered = parts[0].columns[column].taking(rows[0])
        for part in parts.indices.dropFirst() { gathered.append(rows[part], of: parts[part].columns[column]) }
        return gathered
    }
}

extension SortKeyReader.Found {
    fileprivate var column: SortKeyColumn? { if case .column(let column) = self { column } else { nil } }
}
