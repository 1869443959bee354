internal import RealmCore
internal import RealmLayout

/// Compares the search indexes of formats 2 to 9 with the indexed values (I; Spec 110).
struct LegacyIndexChecks {
    let scope: SnapshotScope
    let tables: [LegacyCheckedTable]

    func run() {
        let subtables = LegacySubtables(scope)
        for table in tables {
            check(table)
            subtables.forEach(of: table) { check($0) }
        }
    }

    private func check(_ table: LegacyCheckedTable) {
        for column in table.columns where column.isIndexed {
            guard let root = column.index, let values = LegacyIndexValues(column, scope) else { continue }
            var check = SingleIndexCheck(checks: self, table: table, column: column, values: values)
            check.run(root)
        }
    }

    private func report(
        _ check: CheckIdentifier, _ ref: Ref, _ table: LegacyCheckedTable, _ column: LegacyCheckedTable.Column,
        row: Int? = nil, _ message: @autoclosure () -> String
    ) {
        scope.sink.report(
            check, at: ref.offset, in: table.place(scope, column, row: row), table.prefix(row: row) + message())
    }

    /// Checks one index.
    private struct SingleIndexCheck {
        let checks: LegacyIndexChecks
        let table: LegacyCheckedTable
        let column: LegacyCheckedTable.Column
        var values: LegacyIndexValues

        private var scope: SnapshotScope { checks.scope }

        mutating func run(_ root: Ref) {
            // Each row needs at least one bit in a list.
            guard values.count <= scope.root.logicalSize * 8 else {
                return report(.indexContent, root, nil, "\(values.count) rows have no room in the search index")
            }
            var rows = RowSet(count: values.count)
            var walk = IndexWalk(scope, root: root) { [checks, table, column] check, ref, message in
                checks.report(check, ref, table, column, message)
            }
            while let entry = walk.next() { visit(entry, &rows) }
            guard walk.isComplete else { return }
            rows.forEachMissing { row in report(.indexContent, root, row, "the row is missing in the search index") }
        }

        private func report(_ check: CheckIdentifier, _ ref: Ref, _ row: Int?, _ message: @autoclosure () -> String) {
            checks.report(check, ref, table, column, row: row, message())
        }

        private mutating func visit(_ entry: IndexWalk.Entry, _ rows: inout RowSet) {
            let isLong = entry.chunks.count * 4 > IndexChecks.longestPrefix && scope.format.number >= 6
            var first: LegacyIndexValues.Identity?
            var last = -1
            for object in entry.objects {
                guard let row = Int(exactly: object.value), row >= 0, row < values.count else {
                    report(.indexContent, entry.ref, nil, "the search index has row \(object), which does not exist")
                    continue
                }
                if !rows.insert(row) {
                    report(.indexContent, entry.ref, row, "the search index has the row more often than it should")
                }
                if !isLong, row < last {
                    report(.indexShape, entry.ref, row, "the rows in a list of the index do not ascend")
                }
                last = row
                guard let key = values.key(of: row, upTo: entry.chunks.count * 4) else { continue }
                if let wrong = entry.chunks.indices.first(where: { values.chunk($0, of: key) != entry.chunks[$0] }) {
                    report(
                        .indexContent, entry.ref, row,
                        "the search index has the row under another value, from its byte \(wrong * 4) on")
                    continue
                }
                guard !isLong, entry.objects.count > 1, let identity = values.identity(of: row) else { continue }
                if let first, !values.areEqual(first, identity) {
                    report(.indexContent, entry.ref, row, "rows with different values share a list of the index")
                }
                if first == nil { first = identity }
            }
        }
    }
}

/// The values of an indexed column of formats 2 to 9, as the bytes that an index uses.
struct LegacyIndexValues {
    /// Distinguishes the values of rows.
    enum Identity {
        case key(IndexKey)
        /// The number of a distinct string, which rows share; avoids reading it for each row.
        case number(Int64)
    }

    private let scope: SnapshotScope
    private let type: LegacyType
    /// The values; for dates the seconds, for enumerated strings the string numbers.
    private var rows: RowFinder
    /// Nanoseconds, or distinct strings.
    private var parts: RowFinder?

    /// Returns nil for an unreadable column, which is reported elsewhere.
    init?(_ column: LegacyCheckedTable.Column, _ scope: SnapshotScope) {
        self.scope = scope
        type = column.type
        if let leafType = column.leafType {
            guard let rows = RowFinder(scope, root: column.root, as: leafType) else { return nil }
            self.rows = rows
            guard column.type == .enumeratedString else { return }
            let strings = LeafType.legacyString(nullable: column.isNullable)
            guard let root = column.distinct, let parts = RowFinder(scope, root: root, as: strings) else { return nil }
            self.parts = parts
            return
        }
        guard column.type == .timestamp,
            let roots = scope.record(column.root, of: TimestampSlot.self),
            let seconds = roots.ref(.seconds), let nanoseconds = roots.ref(.nanoseconds),
            let rows = RowFinder(scope, root: seconds, as: .int(nullable: true)),
            let parts = RowFinder(scope, root: nanoseconds, as: .int(nullable: false))
        else { return nil }
        self.rows = rows
        self.parts = parts
    }

    /// The number of rows.
    var count: Int { rows.count }

    /// The bytes of a row, as far as they are needed; nil when they cannot be read, which is reported elsewhere.
    mutating func key(of row: Int, upTo limit: Int) -> IndexKey? {
        guard let place = rows.find(row) else { return nil }
        switch type {
        case .enumeratedString:
            guard let string = parts?.find(Int(truncatingIfNeeded: place.leaf.int(at: place.index))) else { return nil }
            return IndexKey(string.leaf, string.index, upTo: limit, in: scope.space)
        case .timestamp:
            guard let seconds = place.leaf.nullableInt(at: place.index) else { return .null }
            guard let nanoseconds = parts?.find(row) else { return nil }
            let part = Int32(truncatingIfNeeded: nanoseconds.leaf.int(at: nanoseconds.index))
            return IndexKey(seconds.littleEndianBytes + part.littleEndianBytes)
        default:
            return IndexKey(place.leaf, place.index, upTo: limit, in: scope.space)
        }
    }

    /// The four-byte chunk at a position. Format 2 had no X to mark the end.
    func chunk(_ position: Int, of key: IndexKey) -> Int32 {
        guard scope.format.number == 2 else { return key.chunk(position) }
        let bits = (position * 4..<position * 4 + 4).reduce(0) { bits, index in
            bits << 8 | UInt32(index < key.start.count ? key.start[index] : 0)
        }
        return Int32(bitPattern: bits)
    }

    /// The identity of a row's value; nil when it cannot be read, which is reported elsewhere.
    mutating func identity(of row: Int) -> Identity? {
        guard type == .enumeratedString else { return key(of: row, upTo: .max).map { .key($0) } }
        return rows.find(row).map { .number($0.leaf.int(at: $0.index)) }
    }

    /// Whether an index keeps both values in one list.
    func areEqual(_ left: Identity, _ right: Identity) -> Bool {
        switch (left, right) {
        case (.number(let left), .number(let right)): return left == right
        case (.key(let left), .key(let right)):
            guard scope.format.number == 2 else { return left.count == right.count && left.start == right.start }
            // Trailing zeros are indistinguishable from missing bytes.
            let isLess = left.start.count < right.start.count
            let (short, long) = isLess ? (left.start, right.start) : (right.start, left.start)
            return long.starts(with: short) && long[short.count...].allSatisfy { $0 == 0 }
        default: return false
        }
    }
}

/// The rows of a table that were visited.
private struct RowSet {
    private let count: Int
    private var words: [UInt64]

    init(count: Int) {
        self.count = count
        words = [UInt64](repeating: 0, count: (count + 63) / 64)
    }

    /// Adds a row, which must be below the count; returns false when it was present.
    mutating func insert(_ row: Int) -> Bool {
        let bit = UInt64(1) << UInt64(row & 63)
        defer { words[row >> 6] |= bit }
        return words[row >> 6] & bit == 0
    }

    func forEachMissing(_ body: (Int) -> Void) {
        for (index, word) in words.enumerated() where word != .max {
            for bit in 0..<min(64, count - index * 64) where word >> UInt64(bit) & 1 == 0 { body(index * 64 + bit) }
        }
    }
}
