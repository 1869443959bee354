import RealmCore
import TestSupport

/// The content of a file according to Realm Core, completed from the file where its dumps are incomplete.
///
/// Dumps omit: the primary keys of tombstones; links to tombstones in Mixed values; the bytes of long values, which are
/// found by the hash in the dump; and content of older formats that an upgrade loses.
struct KnownContent {
    private(set) var dump: TypedDump
    let schemaVersion: UInt64?
    private(set) var tombstones: [String: [(key: Int64, primaryKey: DumpValue?)]] = [:]
    private(set) var longValues: [DumpValue: [UInt8]] = [:]

    init(_ file: KnownFile, _ snapshot: Snapshot) throws {
        let format = Int(snapshot.version.number)
        var found = try TypedDump(snapshot)
        dump = try file.dump.map { try TypedDump(contentsOf: $0) } ?? TypedDump()
        // The same order on both sides; it does not affect the hash.
        found.forgetOrder(changedFrom: format)
        dump.forgetOrder(changedFrom: format)
        schemaVersion = try Self.schemaVersion(of: dump)
        try collect(snapshot)
        try complete(with: found, format, LegacyTruthTests.spoiled.filter { $0.file == file.name })
    }

    /// Takes the content from the public interface, for files that no other program can read.
    init(asReadFrom snapshot: Snapshot) throws {
        dump = try TypedDump(snapshot)
        schemaVersion = snapshot.schema.version
        try collect(snapshot)
    }

    private mutating func collect(_ snapshot: Snapshot) throws {
        for table in snapshot.tables {
            var cursor = table.tombstones
            while let tombstone = try cursor.next() {
                tombstones[table.schema.tableName, default: []].append(
                    (tombstone.key.value, try tombstone.primaryKey.map { DumpValue($0) }))
            }
            var objects = table.objects
            while let object = try objects.next() { for value in try object.values() { collect(value) } }
        }
    }

    /// Returns the number in the table `metadata`.
    private static func schemaVersion(of dump: TypedDump) throws -> UInt64? {
        guard let table = dump.tables.first(where: { $0.name == "metadata" }),
            let index = table.columns.firstIndex(where: { $0.name == "version" }),
            case .plain("i", let digits)? = table.objects.first?.values[index]
        else { return nil }
        return Int64(String(decoding: digits, as: UTF8.self)).map { UInt64(bitPattern: $0) }
    }

    private mutating func collect(_ value: Value) {
        switch value {
        case .string(let text) where text.utf8.count > DumpValue.longest:
            longValues[DumpValue(value)] = Array(text.utf8)
        case .malformedString(let bytes) where bytes.count > DumpValue.longest,
            .binary(let bytes) where bytes.count > DumpValue.longest:
            longValues[DumpValue(value)] = bytes
        case .list(let values), .set(let values): for value in values { collect(value) }
        case .dictionary(let entries):
            for entry in entries {
                collect(entry.key)
                collect(entry.value)
            }
        default: break
        }
    }

    private mutating func complete(
        with found: TypedDump, _ format: Int, _ spoiled: [LegacyTruthTests.Spoiled]
    ) throws {
        for table in found.tables {
            guard let index = dump.tables.firstIndex(where: { $0.name == table.name }) else {
                // The rows of subtables, which an upgrade turns into lists.
                guard format < 10, table.kind == "embedded" else { throw TestSupportError("\(table.name) is new") }
                dump.tables.append(table)
                continue
            }
            // The upgrade from 22 empties asymmetric tables.
            if format == 22, table.kind == "asymmetric" { dump.tables[index] = table }
            // The dump was made from an upgraded copy, in which every primary key has an index; other columns are
            // unchanged.
            for column in table.columns.indices
            where spoiled.contains(where: {
                $0.table == table.name && $0.column == table.columns[column].name
            }) {
                dump.tables[index].columns[column] = table.columns[column]
                for object in table.objects.indices {
                    dump.tables[index].objects[object].values[column] = table.objects[object].values[column]
                }
            }
            guard table.objects.count == dump.tables[index].objects.count else {
                throw TestSupportError("\(table.name) has \(table.objects.count) objects")
            }
            for (object, other) in table.objects.enumerated() {
                for (column, value) in other.values.enumerated() {
                    dump.tables[index].objects[object].values[column].tellTombstones(from: value)
                }
            }
        }
    }
}

extension DumpValue {
    /// Replaces links to tombstones, which dumps do not contain, with those in `found`.
    fileprivate mutating func tellTombstones(from found: DumpValue) {
        switch (self, found) {
        case (.unresolved(table: nil, key: nil), _), (.null, .unresolved): self = found
        case (.list(var values), .list(let others)) where values.count == others.count:
            for index in values.indices { values[index].tellTombstones(from: others[index]) }
            self = .list(values)
        case (.set(var values), .set(let others)) where values.count == others.count:
            for index in values.indices { values[index].tellTombstones(from: others[index]) }
            self = .set(values)
        case (.dictionary(var entries), .dictionary(let others)) where entries.count == others.count:
            for index in entries.indices { entries[index].value.tellTombstones(from: others[index].value) }
            self = .dictionary(entries)
        default: break
        }
    }
}
