import RealmLayout
import RealmStorage
import TestSupport

/// Computes the content hash of a typed dump according to Spec 170, without any code of the reader: the expected hash
/// of the file.
struct ContentOracle {
    /// The complete content; see `KnownContent`.
    let dump: TypedDump
    let schemaVersion: UInt64?
    /// The tombstones of each table by its name: object key and primary key.
    let tombstones: [String: [(key: Int64, primaryKey: DumpValue?)]]
    /// Strings and binaries that the dump replaces with their hash.
    let longValues: [DumpValue: [UInt8]]
    let byPrimaryKey: Bool

    private let tables: [String: TypedDump.Table]
    /// The position of each object by its key, for each table.
    private let objects: [String: [Int64: Int]]

    init(_ content: KnownContent, byPrimaryKey: Bool) {
        dump = content.dump
        schemaVersion = content.schemaVersion
        tombstones = content.tombstones
        longValues = content.longValues
        self.byPrimaryKey = byPrimaryKey
        tables = Dictionary(dump.tables.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        objects = tables.mapValues { table in
            Dictionary(table.objects.enumerated().map { ($0.element.key, $0.offset) }, uniquingKeysWith: { $1 })
        }
    }

    /// Returns the hash of the whole content, and of each table.
    func hashes(includingSystemTables: Bool) throws -> (total: [UInt8], tables: [(name: String, digest: [UInt8])]) {
        let counted = dump.tables.filter { includingSystemTables || $0.name.hasPrefix("class_") }
            .sorted { Array($0.name.utf8).lexicographicallyPrecedes(Array($1.name.utf8)) }
        let digests = try counted.map { (name: $0.name, digest: try digest(of: $0)) }
        var bytes = Array("realm content 1: database\(byPrimaryKey ? " by primary key" : "")\n".utf8)
        bytes += schemaVersion.map { [1] + little($0, 8) } ?? [0]
        bytes += little(UInt64(digests.count), 8) + digests.flatMap(\.digest)
        return (try Self.sha(bytes), digests)
    }

    static func sha(_ bytes: [UInt8]) throws -> [UInt8] {
        let sha = try MessageDigest(.sha256)
        ByteView.with(bytes) { sha.update($0) }
        return try sha.finish()
    }

    // Tables

    private func digest(of table: TypedDump.Table) throws -> [UInt8] {
        var bytes = Array("realm content 1: table\(byPrimaryKey ? " by primary key" : "")\n".utf8)
        bytes += schema(of: table)
        guard byPrimaryKey else {
            for object in table.objects {
                bytes += [1] + little(UInt64(bitPattern: object.key), 8)
                bytes += try values(of: object, table)
            }
            bytes.append(0)
            for tombstone in tombstones[table.name] ?? [] {
                bytes += [1] + little(UInt64(bitPattern: tombstone.key), 8)
                if let key = tombstone.primaryKey { bytes += try value(key) }
            }
            return try Self.sha(bytes + [0])
        }
        guard table.kind != "embedded" else { return try Self.sha(bytes) }
        let digests = try table.objects.map { object in
            let identity = try primaryKey(of: object, table) ?? [1] + little(UInt64(bitPattern: object.key), 8)
            return try Self.sha(identity + values(of: object, table))
        }
        bytes += little(UInt64(digests.count), 8)
        return try Self.sha(bytes + digests.sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 })
    }

    private func schema(of table: TypedDump.Table) -> [UInt8] {
        let kinds: [String: UInt8] = ["toplevel": 0, "embedded": 1, "asymmetric": 2]
        let types: [String: UInt8] = [
            "int": 0, "bool": 1, "string": 2, "binary": 4, "mixed": 6, "timestamp": 8, "float": 9, "double": 10,
            "decimal128": 11, "link": 12, "objectId": 15, "uuid": 17,
        ]
        let collections: [String: UInt8] = ["": 0, "list": 1, "set": 2, "dict": 3]
        var bytes = text(table.name) + [kinds[table.kind] ?? 255]
        bytes += table.primaryKey.map { [3] + text($0) } ?? [0]
        bytes += little(UInt64(table.columns.count), 8)
        for index in order(of: table) {
            let column = table.columns[index]
            bytes += text(column.name)
            let mayBeNull = column.isNullable || column.type == "mixed"
            bytes += [types[column.type] ?? 255, mayBeNull ? 1 : 0, collections[column.collection] ?? 255]
            bytes.append(column.name == table.primaryKey ? 1 : UInt8(column.index))
            bytes += column.target.map { [3] + text($0) } ?? [0]
        }
        return bytes
    }

    /// Returns the columns, ordered by the bytes of their names.
    private func order(of table: TypedDump.Table) -> [Int] {
        table.columns.indices.sorted { left, right in
            let (first, second) = (Array(table.columns[left].name.utf8), Array(table.columns[right].name.utf8))
            return first == second ? left < right : first.lexicographicallyPrecedes(second)
        }
    }

    private func values(of object: TypedDump.Object, _ table: TypedDump.Table) throws -> [UInt8] {
        try order(of: table).flatMap { try value(object.values[$0]) }
    }

    private func primaryKey(of object: TypedDump.Object, _ table: TypedDump.Table) throws -> [UInt8]? {
        guard let index = table.columns.firstIndex(where: { $0.name == table.primaryKey }) else { return nil }
        return try value(object.values[index])
    }

    // Values

    private func value(_ value: DumpValue) throws -> [UInt8] {
        switch value {
        case .null: return [0]
        case .plain(let tag, let payload): return try plain(tag, payload, value)
        case .link(let table, let key): return try link(table, key)
        case .unresolved(let table?, let key?): return try link(table, key)
        case .unresolved: throw TestSupportError("a link to a tombstone that nobody names")
        case .list(let elements):
            return try [12] + little(UInt64(elements.count), 8) + elements.flatMap { try self.value($0) }
        case .set(let elements):
            return [13] + little(UInt64(elements.count), 8) + sorted(try elements.map { try self.value($0) })
        case .dictionary(let entries):
            let pieces = try entries.map { try self.value($0.key) + self.value($0.value) }
            return [14] + little(UInt64(entries.count), 8) + sorted(pieces)
        }
    }

    private func plain(_ tag: String, _ payload: [UInt8], _ value: DumpValue) throws -> [UInt8] {
        let words = String(decoding: payload, as: UTF8.self)
        switch tag {
        case "i": return [1] + little(UInt64(bitPattern: try number(words)), 8)
        case "t": return [2, words == "true" ? 1 : 0]
        case "s": return [3] + little(UInt64(payload.count), 8) + payload
        case "sx": return [3] + counted(try bytes(words))
        case "b": return [4] + counted(try bytes(words))
        case "s#", "b#":
            guard let long = longValues[value] else { throw TestSupportError("nobody knows \(value)") }
            return [tag == "s#" ? 3 : 4] + counted(long)
        case "ts":
            let parts = try words.split(separator: " ").map { try number(String($0)) }
            return [5] + little(UInt64(bitPattern: parts[0]), 8)
                + little(UInt64(truncatingIfNeeded: parts[1]), 4)
        case "f": return [6] + (try bytes(words)).reversed()
        case "d": return [7] + (try bytes(words)).reversed()
        case "dec": return [8] + (try bytes(words)).reversed()
        case "oid": return [9] + (try bytes(words))
        case "uuid": return [10] + (try bytes(words.filter { $0 != "-" }))
        default: throw TestSupportError("an unknown tag: \(tag)")
        }
    }

    private func link(_ table: String, _ key: Int64) throws -> [UInt8] {
        guard key != -1 else { return [0] }
        let byKey = [11] + text(table) + little(UInt64(bitPattern: key), 8)
        guard byPrimaryKey, let target = tables[table] else { return byKey }
        if key < -1 {
            let tombstone = tombstones[table]?.first { $0.key == key }
            guard target.primaryKey != nil, let primaryKey = tombstone?.primaryKey else { return byKey }
            return try [16] + text(table) + value(primaryKey)
        }
        guard let position = objects[table]?[key] else { return byKey }
        if target.kind == "embedded" { return try [17] + text(table) + values(of: target.objects[position], target) }
        guard let primaryKey = try primaryKey(of: target.objects[position], target) else { return byKey }
        return [15] + text(table) + primaryKey
    }

    // Bytes

    private func sorted(_ pieces: [[UInt8]]) -> [UInt8] {
        pieces.sorted { $0.lexicographicallyPrecedes($1) }.flatMap { $0 }
    }

    private func text(_ text: String) -> [UInt8] { counted(Array(text.utf8)) }

    private func counted(_ bytes: [UInt8]) -> [UInt8] { little(UInt64(bytes.count), 8) + bytes }

    private func little(_ number: UInt64, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
    }

    private func number(_ words: String) throws -> Int64 {
        guard let number = Int64(words) else { throw TestSupportError("no number: \(words)") }
        return number
    }

    private func bytes(_ digits: String) throws -> [UInt8] {
        let values = digits.compactMap(\.hexDigitValue)
        guard values.count == digits.count, values.count % 2 == 0 else { throw TestSupportError("not hex: \(digits)") }
        return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }
}
