private import RealmLayout
package import RealmCore

extension TypedDump {
    /// Reads everything in a snapshot through the public interface.
    package init(_ snapshot: Snapshot) throws {
        if let damage = snapshot.damage.first { throw damage }
        tables = try snapshot.tables.map { try Table($0) }
    }
}

extension TypedDump.Table {
    init(_ table: RealmCore.Table) throws {
        let schema = table.schema
        self.init(
            name: schema.tableName, key: schema.key.value, kind: schema.kind.dumpName,
            primaryKey: schema.primaryKeyName, size: try table.count, tombstones: try table.tombstoneCount,
            columns: schema.properties.map { TypedDump.Column($0) },
            incoming: schema.incoming.map { TypedDump.Incoming(table: $0.tableName, property: $0.propertyName) })
        var cursor = table.objects
        while let object = try cursor.next() {
            objects.append(
                TypedDump.Object(
                    key: object.key.value, backlinks: try object.backlinkCount,
                    values: try object.values().map { DumpValue($0) }))
        }
    }
}

extension TypedDump.Column {
    init(_ property: StoredProperty) {
        self.init(
            name: property.name, type: property.type.rawValue, isNullable: property.isNullable,
            collection: property.collection?.dumpName ?? "", target: property.target, index: property.index.rawValue,
            isEnumerated: property.isEnumerated, key: property.columnKey.value)
    }
}

extension DumpValue {
    package init(_ value: Value) {
        switch value {
        case .null: self = .null
        case .int(let value): self = .plain("i", Array(String(value).utf8))
        case .bool(let value): self = .plain("t", Array(String(value).utf8))
        case .string(let value): self = .text(Array(value.utf8))
        case .malformedString(let bytes): self = .long("s", bytes) ?? .plain("sx", Array(Hexadecimal.text(bytes).utf8))
        case .binary(let bytes): self = .long("b", bytes) ?? .plain("b", Array(Hexadecimal.text(bytes).utf8))
        case .timestamp(let value): self = .plain("ts", Array("\(value.seconds) \(value.nanoseconds)".utf8))
        case .float(let value): self = .bits("f", UInt64(value.bitPattern), bytes: 4)
        case .double(let value): self = .bits("d", value.bitPattern, bytes: 8)
        case .decimal128(let value):
            self = .plain("dec", Array((digits(value.high, bytes: 8) + digits(value.low, bytes: 8)).utf8))
        case .objectId(let value): self = .plain("oid", Array(value.description.utf8))
        case .uuid(let value): self = .plain("uuid", Array(value.description.utf8))
        case .link(let link) where link.isUnresolved:
            self = .unresolved(table: link.table.schema.tableName, key: link.objectKey.value)
        case .link(let link): self = .link(table: link.table.schema.tableName, key: link.objectKey.value)
        case .embedded(let object): self = .link(table: object.table.schema.tableName, key: object.key.value)
        case .list(let values): self = .list(values.map { DumpValue($0) })
        case .set(let values): self = .set(values.map { DumpValue($0) })
        case .dictionary(let entries):
            self = .dictionary(entries.map { Entry(key: DumpValue($0.key), value: DumpValue($0.value)) })
        }
    }

    private static func text(_ bytes: [UInt8]) -> DumpValue { long("s", bytes) ?? .plain("s", bytes) }

    private static func long(_ tag: String, _ bytes: [UInt8]) -> DumpValue? {
        bytes.count > longest ? .plain(tag + "#", Array("\(bytes.count) \(sha256(bytes))".utf8)) : nil
    }

    private static func bits(_ tag: String, _ value: UInt64, bytes: Int) -> DumpValue {
        .plain(tag, Array(digits(value, bytes: bytes).utf8))
    }
}

/// Returns the last `bytes` bytes of a number in hexadecimal.
private func digits(_ value: UInt64, bytes: Int) -> String {
    Hexadecimal.text((0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) })
}

extension TableKind {
    fileprivate var dumpName: String {
        switch self {
        case .topLevel: "toplevel"
        case .embedded: "embedded"
        case .asymmetric: "asymmetric"
        }
    }
}

extension CollectionKind {
    fileprivate var dumpName: String {
        switch self {
        case .list: "list"
        case .set: "set"
        case .dictionary: "dict"
        }
    }
}
