import RealmCore
import RealmLayout
import TestSupport

/// The content of a file, for tests of output that was written from it.
///
/// Values are those of the typed dump, which was made by Realm Core. The reader supplies what the dump lacks: the keys
/// of tombstones where Realm Core's interface shows null, the primary keys of tombstones, the order of sets and
/// dictionaries that an upgrade changes, and asymmetric objects that an upgrade removes. Files of formats 2 to 9, which
/// upgrades damage in places, are taken from the reader, whose tests compare it with all existing dumps.
struct Content {
    let snapshot: Snapshot
    let format: Int
    private(set) var tables: [TypedDump.Table] = []
    /// The positions of objects by key, for each table by name.
    private var positions: [String: [Int64: Int]] = [:]
    private var tableIndices: [String: Int] = [:]
    /// The primary keys of tombstones, by object key, for each table by name; null for none.
    private(set) var tombstones: [String: [Int64: DumpValue]] = [:]

    init(_ file: KnownFile) throws {
        let snapshot = try RealmDatabase(path: file.url.path).snapshot()
        guard !file.isLegacy else {
            self = try Content(asRead: snapshot)
            return
        }
        self.snapshot = snapshot
        format = Int(snapshot.version.number)
        let read = try TypedDump(snapshot)
        tables = try file.dump.map { try TypedDump(contentsOf: $0) }?.tables ?? []
        guard tables.map(\.name) == read.tables.map(\.name) else { throw TestSupportError("tables differ") }
        for index in tables.indices {
            // The columns of the file itself, not of the upgraded copy, which differs in indexes and column types.
            tables[index].columns = read.tables[index].columns
            if format == 22, tables[index].kind == "asymmetric" { tables[index] = read.tables[index] }
            merge(index, read.tables[index])
            tableIndices[tables[index].name] = index
            positions[tables[index].name] = Dictionary(
                uniqueKeysWithValues: tables[index].objects.enumerated().map { ($1.key, $0) })
        }
        try findTombstones()
    }

    /// Creates the content of modified bytes, for which there is no dump, from the reader.
    init(asRead snapshot: Snapshot) throws {
        self.snapshot = snapshot
        format = Int(snapshot.version.number)
        tables = try TypedDump(snapshot).tables
        for (index, table) in tables.enumerated() {
            tableIndices[table.name] = index
            positions[table.name] = Dictionary(uniqueKeysWithValues: table.objects.enumerated().map { ($1.key, $0) })
        }
        try findTombstones()
    }

    private mutating func findTombstones() throws {
        for table in snapshot.tables {
            var cursor = table.tombstones
            var found: [Int64: DumpValue] = [:]
            while let tombstone = try cursor.next() {
                found[tombstone.key.value] = try tombstone.primaryKey.map { DumpValue($0) } ?? .null
            }
            tombstones[table.schema.tableName] = found
        }
    }

    func table(named name: String) throws -> TypedDump.Table {
        guard let index = tableIndices[name] else { throw TestSupportError("no table \(name)") }
        return tables[index]
    }

    func object(_ key: Int64, in name: String) throws -> TypedDump.Object {
        guard let position = positions[name]?[key] else { throw TestSupportError("no object \(key) in \(name)") }
        return try table(named: name).objects[position]
    }

    /// The number of links to missing objects that would be identified by their primary keys.
    var linksToNowhere: [Loss: Int] {
        var found: [Loss: Int] = [:]
        for table in tables {
            for object in table.objects {
                for (column, value) in zip(table.columns, object.values) {
                    guard case .link(let name, let key) = value, positions[name]?[key] == nil,
                        let target = try? self.table(named: name), target.primaryKey != nil
                    else { continue }
                    found[
                        Loss(className: table.className, property: column.name, kind: .keptDanglingLink), default: 0] +=
                        1
                }
            }
        }
        return found
    }

    /// The tables that become collections.
    var collections: [TypedDump.Table] { tables.filter { $0.kind != "embedded" && $0.isClass } }

    private mutating func merge(_ table: Int, _ read: TypedDump.Table) {
        for index in tables[table].objects.indices where index < read.objects.count {
            for (column, description) in tables[table].columns.enumerated() {
                let known = tables[table].objects[index].values[column]
                let found = read.objects[index].values[column]
                guard known != found else { continue }
                let isReordered = description.isReordered(byUpgradeFrom: format) && known.sorted == found.sorted
                tables[table].objects[index].values[column] =
                    isReordered ? found : known.withTombstones(of: found, isMixed: description.type == "mixed")
            }
        }
    }
}

extension TypedDump.Table {
    var isClass: Bool { name.hasPrefix("class_") }
    var className: String { isClass ? String(name.dropFirst("class_".count)) : name }
    var primaryKeyIndex: Int? { columns.firstIndex { $0.name == primaryKey } }
}

extension TypedDump.Column {
    fileprivate func isReordered(byUpgradeFrom format: Int) -> Bool {
        collection == "set" && format < 24 || collection == "dict" && format < 23
    }
}

extension DumpValue {
    fileprivate var sorted: DumpValue {
        switch self {
        case .set(let values): .set(values.sorted { $0.description < $1.description })
        case .dictionary(let entries): .dictionary(entries.sorted { $0.key.description < $1.key.description })
        default: self
        }
    }

    /// Returns this value with the links to tombstones that only the reader shows.
    fileprivate func withTombstones(of found: DumpValue, isMixed: Bool) -> DumpValue {
        switch (self, found) {
        case (.null, .unresolved), (.unresolved(table: nil, key: nil), .unresolved): found
        case (.unresolved(table: nil, key: nil), .null) where isMixed: found
        case (.list(let left), .list(let right)) where left.count == right.count:
            .list(zip(left, right).map { $0.withTombstones(of: $1, isMixed: isMixed) })
        case (.set(let left), .set(let right)) where left.count == right.count:
            .set(zip(left, right).map { $0.withTombstones(of: $1, isMixed: isMixed) })
        case (.dictionary(let left), .dictionary(let right)) where left.map(\.key) == right.map(\.key):
            .dictionary(
                zip(left, right).map { entry, found in
                    var entry = entry
                    entry.value = entry.value.withTombstones(of: found.value, isMixed: isMixed)
                    return entry
                })
        default: self
        }
    }
}
