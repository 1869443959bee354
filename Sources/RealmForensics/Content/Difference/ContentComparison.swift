public import RealmCore
internal import RealmLayout

extension Snapshot {
    /// Compares the content of two snapshots.
    ///
    /// - Parameters:
    ///   - identity: How objects of the two snapshots are matched. Matching by object key needs memory independent of
    ///     the file size; matching by primary key needs memory in proportion to the number of objects of the largest
    ///     class.
    ///   - classNames: Classes to compare, or full names of other tables; nil for all classes.
    ///   - includesSystemTables: Whether "all" includes tables that are not classes.
    ///   - maximumObjects: Maximum number of differing objects listed for each table; all are counted.
    /// - Throws: `ContentComparisonError`, which identifies the snapshot and wraps a `FormatError`: with class,
    ///   property and object when something cannot be read, or `noSuchTable` when neither snapshot has a table of
    ///   `classNames`. `StorageError` when libcrypto has no SHA-256.
    public func contentDifference(
        to other: Snapshot, by identity: ContentIdentity = .objectKey, classNames: [String]? = nil,
        includesSystemTables: Bool = false, maximumObjects: Int = 10
    ) throws -> ContentDifference {
        try ContentComparison(
            first: HashPlan(self, identity), second: HashPlan(other, identity), maximumObjects: maximumObjects
        ).run(classNames: classNames, includesSystemTables: includesSystemTables)
    }
}

/// Compares two snapshots table by table.
struct ContentComparison {
    let first: HashPlan
    let second: HashPlan
    let maximumObjects: Int

    func run(classNames: [String]?, includesSystemTables: Bool) throws -> ContentDifference {
        for (plan, isSecond) in [(first, false), (second, true)] {
            let unread = plan.snapshot.damage.first { error in
                classNames?.contains { error.table == $0 || error.table == TableName.classPrefix + $0 } ?? true
            }
            if let unread { throw ContentComparisonError(isOfSecond: isSecond, error: unread) }
        }
        let (left, right) = try positions(classNames, includesSystemTables)
        var (added, removed): ([ContentDifference.LoneTable], [ContentDifference.LoneTable]) = ([], [])
        var tables: [TableDifference] = []
        var (one, other) = (left[...], right[...])
        while one.first != nil || other.first != nil {
            switch order(one.first, other.first) {
            case ..<0:
                removed.append(try lone(first, one.removeFirst(), isSecond: false))
            case 1...:
                added.append(try lone(second, other.removeFirst(), isSecond: true))
            default:
                tables.append(try TableComparison(self, one.removeFirst(), other.removeFirst()).run())
            }
        }
        let (version, otherVersion) = (first.snapshot.schema.version, second.snapshot.schema.version)
        return ContentDifference(
            identity: first.identity,
            schemaVersions: classNames != nil || version == otherVersion
                ? nil : DifferingValues(version, otherVersion),
            addedTables: added, removedTables: removed, tables: tables)
    }

    /// The positions of the tables to compare, ordered by the bytes of their names.
    private func positions(
        _ classNames: [String]?, _ includesSystemTables: Bool
    ) throws(ContentComparisonError) -> ([TablePosition], [TablePosition]) {
        let all = classNames != nil || includesSystemTables
        let (left, right) = (
            first.positions(includingSystemTables: all), second.positions(includingSystemTables: all)
        )
        guard let classNames else { return (left, right) }
        var wanted: Set<String> = []
        for name in classNames {
            let names = [TableName.classPrefix + name, name]
            let found = names.first { name in
                first.tables.contains { $0.schema.tableName == name }
                    || second.tables.contains { $0.schema.tableName == name }
            }
            guard let found else {
                throw ContentComparisonError(
                    isOfSecond: false,
                    error: FormatError(.noSuchTable, "there is no class or table called \(name)"))
            }
            wanted.insert(found)
        }
        return (
            left.filter { wanted.contains(first.tables[$0].schema.tableName) },
            right.filter { wanted.contains(second.tables[$0].schema.tableName) }
        )
    }

    /// Returns a negative number when the first table's name precedes, a positive one when the second's does.
    private func order(_ left: TablePosition?, _ right: TablePosition?) -> Int {
        guard let left, let right else { return left == nil ? 1 : -1 }
        let (one, other) = (first.tables[left].schema.tableName.utf8, second.tables[right].schema.tableName.utf8)
        if one.elementsEqual(other) { return 0 }
        return one.lexicographicallyPrecedes(other) ? -1 : 1
    }

    private func lone(
        _ plan: HashPlan, _ position: TablePosition, isSecond: Bool
    ) throws(ContentComparisonError) -> ContentDifference.LoneTable {
        let table = plan.snapshot.table(at: position)
        let count = try ContentComparisonError.of(second: isSecond) { () throws(FormatError) in try table.count }
        return ContentDifference.LoneTable(name: table.name, objectCount: count)
    }
}
