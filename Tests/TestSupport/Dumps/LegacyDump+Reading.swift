package import RealmCore

extension LegacyDump {
    /// Reads everything in a snapshot that such a dump contains.
    package init(_ snapshot: Snapshot) throws {
        if let damage = snapshot.damage.first { throw damage }
        for table in snapshot.tables where table.schema.kind == .topLevel {
            var found = Table(
                name: table.schema.tableName, columns: table.schema.properties.map { Column($0, in: snapshot.schema) },
                size: try table.count)
            var cursor = table.objects
            while let object = try cursor.next() {
                guard object.key.value == found.rows.count else {
                    throw TestSupportError("object \(object.key) of \(found.name) in row \(found.rows.count)")
                }
                found.rows.append(try object.values().map { try DumpValue(hashing: $0) })
            }
            tables.append(found)
        }
    }
}

extension LegacyDump.Column {
    fileprivate init(_ property: StoredProperty, in schema: StoredSchema) {
        var subtable: [LegacyDump.Column] = []
        if property.isTargetEmbedded, let target = schema.tables.first(where: { $0.tableName == property.target }) {
            subtable = target.properties.map { LegacyDump.Column($0, in: schema) }
        }
        let type = property.isTargetEmbedded ? "embedded objects" : property.type.rawValue
        self.init(
            name: property.name, type: property.collection == nil ? type : "list of \(type)",
            isNullable: property.isNullable, isIndexed: property.index != .none, subtable: subtable)
    }
}

extension DumpValue {
    /// Creates a value with its long parts replaced by the hash of Realm Core 5's dumps, and embedded objects by their
    /// content.
    fileprivate init(hashing value: Value) throws {
        switch value {
        case .string(let text) where text.utf8.count > Self.longest: self = .long("s#", Array(text.utf8))
        case .malformedString(let bytes) where bytes.count > Self.longest: self = .long("s#", bytes)
        case .binary(let bytes) where bytes.count > Self.longest: self = .long("b#", bytes)
        case .list(let values): self = .list(try values.map { try DumpValue(hashing: $0) })
        case .embedded(let object):
            let names = object.table.schema.properties.map(\.name)
            self = .dictionary(
                try zip(names, object.values()).map {
                    Entry(key: .plain("s", Array($0.utf8)), value: try DumpValue(hashing: $1))
                })
        case .dictionary(let entries):
            self = .dictionary(
                try entries.map {
                    Entry(key: try DumpValue(hashing: $0.key), value: try DumpValue(hashing: $0.value))
                })
        default: self = DumpValue(value)
        }
    }

    private static func long(_ tag: String, _ bytes: [UInt8]) -> DumpValue {
        // Not the standard initial value of this hash: the program that made the dumps omitted a digit.
        var hash: UInt64 = 1_469_598_103_934_665_603
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return .plain(tag, Array("\(bytes.count) \(hash)".utf8))
    }
}
