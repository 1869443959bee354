internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// Compares the objects of a table that both snapshots have.
struct TableComparison {
    let comparison: ContentComparison
    let first: TableSide
    let second: TableSide
    /// Fields whose name both tables have, whatever their types.
    let fields: [(first: Int, second: Int)]
    /// Whether `fields` covers all fields of both tables.
    private let hasSameFields: Bool
    private(set) var result: TableDifference

    init(_ comparison: ContentComparison, _ left: TablePosition, _ right: TablePosition) {
        self.comparison = comparison
        first = TableSide(plan: comparison.first, position: left, isSecond: false)
        second = TableSide(plan: comparison.second, position: right, isSecond: true)
        fields = TableSide.common(first, second)
        hasSameFields = fields.count == first.table.fields.count && fields.count == second.table.fields.count
        result = TableDifference(name: first.table.schema.name, tableName: first.table.schema.tableName)
        result.schema = SchemaComparison.differences(first.table.schema, second.table.schema)
    }

    consuming func run() throws -> TableDifference {
        if comparison.first.identity == .objectKey {
            try compareObjects()
            try compareTombstones()
        } else if !comparison.first.isNested(first.position) || !comparison.second.isNested(second.position) {
            try compareIdentities()
        }
        return result
    }

    // MARK: By object key

    /// Merges the objects of both sides, which are in key order.
    private mutating func compareObjects() throws(ContentComparisonError) {
        var left = try RecordStream(first, notesValues: !hasSameFields)
        var right = try RecordStream(second, notesValues: !hasSameFields)
        while left.key != nil || right.key != nil {
            if let key = left.key, right.key.map({ key < $0 }) ?? true {
                try note(.removed, key, nil)
                try left.advance()
            } else if let key = right.key, left.key.map({ key < $0 }) ?? true {
                try note(.added, nil, key)
                try right.advance()
            } else {
                if isEqual(left, right) { result.equal += 1 } else { try note(.changed, left.key, right.key) }
                try left.advance()
                try right.advance()
            }
        }
    }

    private func isEqual(_ left: borrowing RecordStream, _ right: borrowing RecordStream) -> Bool {
        if hasSameFields { return GrowingBytes.compare(left.view, right.view) == 0 }
        for field in fields where GrowingBytes.compare(left.value(field.first), right.value(field.second)) != 0 {
            return false
        }
        return true
    }

    private mutating func compareTombstones() throws(ContentComparisonError) {
        var left = try RecordStream(first, tombstones: true)
        var right = try RecordStream(second, tombstones: true)
        while left.key != nil || right.key != nil {
            if let key = left.key, right.key.map({ key < $0 }) ?? true {
                result.tombstones += 1
                try left.advance()
            } else if let key = right.key, left.key.map({ key < $0 }) ?? true {
                result.tombstones += 1
                try right.advance()
            } else {
                if GrowingBytes.compare(left.view, right.view) != 0 { result.tombstones += 1 }
                try left.advance()
                try right.advance()
            }
        }
    }

    // MARK: By primary key

    private mutating func compareIdentities() throws {
        let left = try IdentityList(first, hasSameFields ? nil : fields.map(\.first))
        let right = try IdentityList(second, hasSameFields ? nil : fields.map(\.second))
        var (one, other) = (0, 0)
        while one < left.count || other < right.count {
            let order =
                if one == left.count { 1 } else if other == right.count { -1 } else {
                    GrowingBytes.compare(left.identity(one), right.identity(other))
                }
            if order < 0 {
                try note(.removed, left.key(one), nil)
                one += 1
            } else if order > 0 {
                try note(.added, nil, right.key(other))
                other += 1
            } else {
                if GrowingBytes.compare(left.digest(one), right.digest(other)) == 0 {
                    result.equal += 1
                } else {
                    try note(.changed, left.key(one), right.key(other))
                }
                one += 1
                other += 1
            }
        }
    }

    // MARK: Results

    /// Counts a differing object, and describes it while fewer than the maximum are listed.
    private mutating func note(
        _ kind: ObjectDifference.Kind, _ firstKey: ObjectKey?, _ secondKey: ObjectKey?
    ) throws(ContentComparisonError) {
        switch kind {
        case .added: result.added += 1
        case .removed: result.removed += 1
        case .changed: result.changed += 1
        }
        guard result.objects.count < comparison.maximumObjects else { return }
        var primaryKey: String?
        if let firstKey {
            primaryKey = try first.primaryKey(of: firstKey)
        } else if let secondKey {
            primaryKey = try second.primaryKey(of: secondKey)
        }
        let changes = try changes(firstKey, secondKey)
        let primaryName = first.table.schema.primaryKeyName
        result.objects.append(
            ObjectDifference(
                kind: kind, firstKey: firstKey, secondKey: secondKey, primaryKey: primaryKey,
                hasOtherPrimaryKey: primaryName.map { name in changes.contains { $0.property == name } } ?? false,
                changes: changes))
    }

    private func changes(
        _ firstKey: ObjectKey?, _ secondKey: ObjectKey?
    ) throws(ContentComparisonError) -> [ObjectDifference.Change] {
        guard let firstKey, let secondKey else { return [] }
        let (left, right) = (try first.values(of: firstKey), try second.values(of: secondKey))
        let comparison = ValueComparison(identity: comparison.first.identity)
        var changes: [ObjectDifference.Change] = []
        for field in fields where left[field.first] != right[field.second] {
            changes.append(change(field, firstKey, secondKey, comparison))
        }
        return changes
    }

    private func change(
        _ field: (first: Int, second: Int), _ firstKey: ObjectKey, _ secondKey: ObjectKey,
        _ comparison: ValueComparison
    ) -> ObjectDifference.Change {
        let name = first.name(of: field.first)
        do {
            return try comparison.change(
                from: first.value(field.first, of: firstKey), to: second.value(field.second, of: secondKey), of: name)
        } catch {
            // A link to an embedded object that does not exist can be compared, but not shown.
            return ObjectDifference.Change(property: name, path: name, first: "?", second: "?")
        }
    }
}
