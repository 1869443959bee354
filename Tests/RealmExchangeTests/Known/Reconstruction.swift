import TestSupport

/// The content of a file, reconstructed only from a canonical export: the documents and `realm-schema.json`.
///
/// An importer would do the same. The equality of the result with the typed dump proves that the export loses nothing.
struct Reconstruction {
    private let schema: PlainJSON
    /// The documents of each table by full name, with and without an owner.
    private let documents: [String: [BSONValue]]
    private let orphans: [String: [BSONValue]]
    private(set) var tables: [TypedDump.Table] = []
    private var indices: [String: Int] = [:]
    private var namesByClass: [String: String] = [:]
    /// Object keys by `_id`, for each table; those of tombstones are below -1.
    private var keys: [String: [BSONValue: Int64]] = [:]
    /// Objects of embedded classes, found in the documents of their owners.
    private var embedded: [String: [TypedDump.Object]] = [:]
    private var unresolved: [UnresolvedPlace: DumpValue] = [:]

    private struct UnresolvedPlace: Hashable {
        let table: String
        let object: Int64
        let property: String
    }

    init(schema: PlainJSON, documents: [String: [BSONValue]], orphans: [String: [BSONValue]]) throws {
        self.schema = schema
        self.documents = documents
        self.orphans = orphans
        guard case .array(let classes) = schema["classes"] else { throw TestSupportError("no classes") }
        for object in classes {
            let table = try TypedDump.Table(canonical: object)
            indices[table.name] = tables.count
            namesByClass[object["name"]?.text ?? ""] = table.name
            tables.append(table)
        }
        for (table, object) in zip(tables, classes) { try collectKeys(of: table, object) }
        for index in tables.indices where tables[index].kind != "embedded" {
            tables[index].objects = try (documents[tables[index].name] ?? []).map {
                try self.object($0, in: tables[index], hasIdentity: true)
            }
        }
        for index in tables.indices where tables[index].kind == "embedded" {
            for document in orphans[tables[index].name] ?? [] {
                let object = try object(document, in: tables[index], hasIdentity: false)
                embedded[tables[index].name, default: []].append(object)
            }
        }
        for index in tables.indices {
            if tables[index].kind == "embedded" {
                tables[index].objects = (embedded[tables[index].name] ?? []).sorted { $0.key < $1.key }
            }
            tables[index].size = tables[index].objects.count
        }
    }

    private func table(_ name: String) throws -> TypedDump.Table {
        guard let index = indices[name] else { throw TestSupportError("no table \(name)") }
        return tables[index]
    }

    private mutating func collectKeys(of table: TypedDump.Table, _ object: PlainJSON) throws {
        if table.kind != "embedded", table.primaryKey != nil {
            for document in documents[table.name] ?? [] {
                guard case .document(let fields) = document, let first = fields.first, first.name == Array("_id".utf8)
                else { throw TestSupportError("a document that does not begin with _id") }
                keys[table.name, default: [:]][first.value] = try Self.objectKey(fields)
            }
        }
        if case .array(let tombstones) = object["tombstones"] {
            for tombstone in tombstones {
                guard case .int(let key) = tombstone["key"], let identity = tombstone["primaryKey"] else {
                    throw TestSupportError("a tombstone without a key")
                }
                let value = try BSONValue(extendedJSON: identity)
                if value != .null { keys[table.name, default: [:]][value] = key }
            }
        }
        guard case .array(let links) = object["unresolvedLinks"] else { throw TestSupportError("no unresolvedLinks") }
        for link in links {
            guard case .int(let owner) = link["object"], let property = link["property"]?.text,
                case .int(let target) = link["target"], let targetTable = link["table"]?.text
            else { throw TestSupportError("an unresolved link that says too little") }
            let place = UnresolvedPlace(table: table.name, object: owner, property: property)
            unresolved[place] = .unresolved(table: targetTable, key: target)
        }
    }

    /// Returns the object key after the fields: `"$realm": {"key": …}`.
    private static func objectKey(_ fields: [BSONValue.Field]) throws -> Int64 {
        guard let last = fields.last, last.name == Array("$realm".utf8), case .document(let members) = last.value,
            members.count == 1, members[0].name == Array("key".utf8), case .int64(let key) = members[0].value
        else { throw TestSupportError("a document without its object key") }
        return key
    }

    private mutating func object(
        _ document: BSONValue, in table: TypedDump.Table, hasIdentity: Bool
    ) throws -> TypedDump.Object {
        guard case .document(var fields) = document else { throw TestSupportError("not a document") }
        let key: Int64
        if hasIdentity, table.primaryKey == nil {
            guard case .int64(let value) = fields.removeFirst().value else { throw TestSupportError("no object key") }
            key = value
        } else {
            key = try Self.objectKey(fields)
            fields.removeLast()
            if hasIdentity, table.primaryKey == "_id" {
                // The identity replaces the property, which is inserted at the position of its column.
                let identity = fields.removeFirst()
                guard let index = table.primaryKeyIndex else { throw TestSupportError("no primary key") }
                fields.insert(identity, at: index)
            } else if hasIdentity {
                fields.removeFirst()
            }
        }
        guard fields.count == table.columns.count else {
            throw TestSupportError("\(fields.count) fields for \(table.columns.count) properties of \(table.name)")
        }
        var values: [DumpValue] = []
        for (column, field) in zip(table.columns, fields) {
            guard fieldNames(column, in: table).contains(field.name) else {
                throw TestSupportError("a field \(field.name) for \(column.name)")
            }
            let place = UnresolvedPlace(table: table.name, object: key, property: column.name)
            values.append(try unresolved[place] ?? property(field.value, column))
        }
        return TypedDump.Object(key: key, backlinks: 0, values: values)
    }

    private func fieldNames(_ column: TypedDump.Column, in table: TypedDump.Table) -> [[UInt8]] {
        [column.name, column.name + "_", "%24" + column.name.dropFirst()].map { Array($0.utf8) }
    }

    private mutating func property(_ value: BSONValue, _ column: TypedDump.Column) throws -> DumpValue {
        switch (column.collection, value) {
        case ("list", .array(let values)): .list(try values.map { try element($0, column) })
        case ("set", .array(let values)): .set(try values.map { try element($0, column) })
        case ("dict", .document(let fields)): try dictionary(fields, column)
        case ("", _): try element(value, column)
        default: throw TestSupportError("\(value) for a \(column.collection)")
        }
    }

    private mutating func dictionary(_ fields: [BSONValue.Field], _ column: TypedDump.Column) throws -> DumpValue {
        .dictionary(
            try fields.map { field in
                let key = try percentDecoded(field.name)
                return DumpValue.Entry(
                    key: String(validating: key, as: UTF8.self) == nil
                        ? .plain("sx", Array(hexed(key).utf8)) : .plain("s", key),
                    value: try element(field.value, column))
            })
    }

    private mutating func element(_ value: BSONValue, _ column: TypedDump.Column) throws -> DumpValue {
        if value == .null { return .null }
        switch (column.type, value) {
        case ("link", .document) where try table(column.target ?? "").kind == "embedded":
            let target = try table(column.target ?? "")
            let object = try object(value, in: target, hasIdentity: false)
            embedded[target.name, default: []].append(object)
            return .link(table: target.name, key: object.key)
        case ("link", _): return try link(value, to: column.target ?? "")
        case ("float", _): return .plain("f", Array(hexed(try floatBits(value), bytes: 4).utf8))
        case ("mixed", .array(let values)): return .list(try values.map { try element($0, column) })
        case ("mixed", .document(let fields)):
            if let wrapped = try value.wrapped { return try unwrapped(wrapped.0, wrapped.1) }
            guard fields.first?.name == Array("$ref".utf8) else { return try dictionary(fields, column) }
            guard fields.count == 2, case .string(let name) = fields[0].value,
                let target = namesByClass[String(decoding: name, as: UTF8.self)]
            else { throw TestSupportError("a reference to nowhere: \(value)") }
            return try link(fields[1].value, to: target)
        default:
            if let wrapped = try value.wrapped { return try unwrapped(wrapped.0, wrapped.1) }
            return try plain(value)
        }
    }

    private func link(_ value: BSONValue, to name: String) throws -> DumpValue {
        let target = try table(name)
        var key: Int64?
        if let wrapped = try value.wrapped, wrapped.0 == "link" {
            // The target's primary key is null.
            if case .int64(let value) = wrapped.1 { key = value }
        } else if target.primaryKey != nil {
            key = keys[name]?[value]
        }
        if key == nil, case .int64(let value) = value, value < -1 || target.primaryKey == nil { key = value }
        guard let key else { throw TestSupportError("no object \(value) in \(name)") }
        return key < -1 ? .unresolved(table: name, key: key) : .link(table: name, key: key)
    }

    /// Returns the value in the wrapper `{"$realm": {name: value}}`.
    private func unwrapped(_ name: String, _ value: BSONValue) throws -> DumpValue {
        switch (name, value) {
        case ("utf8", .binary(0, let bytes)): return .plain("sx", Array(hexed(bytes).utf8))
        case ("utf8", .longBinary(let digest)): return .plain("s#", Array(digest.utf8))
        case ("float", _): return .plain("f", Array(hexed(try floatBits(value), bytes: 4).utf8))
        case ("double", .string(let digits)): return .plain("d", digits)
        case ("decimal", .string(let digits)): return .plain("dec", digits)
        case ("timestamp", .document(let fields)):
            guard fields.map(\.name) == [Array("s".utf8), Array("ns".utf8)], case .int64(let seconds) = fields[0].value,
                case .int64(let nanoseconds) = fields[1].value
            else { throw TestSupportError("a broken timestamp") }
            return .plain("ts", Array("\(seconds) \(nanoseconds)".utf8))
        default: throw TestSupportError("an unknown wrapper \(name): \(value)")
        }
    }

    private func plain(_ value: BSONValue) throws -> DumpValue {
        switch value {
        case .int64(let value): .plain("i", Array("\(value)".utf8))
        case .bool(let value): .plain("t", Array("\(value)".utf8))
        case .double(let bits): .plain("d", Array(hexed(bits, bytes: 8).utf8))
        case .string(let bytes): .plain("s", bytes)
        case .longString(let digest): .plain("s#", Array(digest.utf8))
        case .binary(0, let bytes): .plain("b", Array(hexed(bytes).utf8))
        case .longBinary(let digest): .plain("b#", Array(digest.utf8))
        case .binary(4, let bytes):
            .plain(
                "uuid",
                Array([0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { hexed(bytes[$0]) }.joined(separator: "-").utf8))
        case .objectId(let bytes): .plain("oid", Array(hexed(bytes).utf8))
        case .date(let value): .plain("ts", Array("\(value / 1000) \(value % 1000 * 1_000_000)".utf8))
        case .decimal(let high, let low):
            .plain("dec", Array((hexed(high, bytes: 8) + hexed(low, bytes: 8)).utf8))
        default: throw TestSupportError("an unexpected value: \(value)")
        }
    }

    private func floatBits(_ value: BSONValue) throws -> UInt64 {
        switch value {
        case .string(let digits): return UInt64(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0
        case .double(let bits):
            let value = Double(bitPattern: bits)
            guard value.isNaN else {
                guard let float = Float(exactly: value) else { throw TestSupportError("\(value) is no float") }
                return UInt64(float.bitPattern)
            }
            return (bits >> 63) << 31 | 0x7F80_0000 | (bits >> 29) & 0x7F_FFFF
        case .document:
            guard let wrapped = try value.wrapped, wrapped.0 == "float" else { fallthrough }
            return try floatBits(wrapped.1)
        default: throw TestSupportError("\(value) is no float")
        }
    }
}

extension BSONValue {
    /// The content of a wrapper `{"$realm": {name: value}}`; nil when this is not a wrapper.
    fileprivate var wrapped: (String, BSONValue)? {
        get throws {
            guard case .document(let fields) = self, let first = fields.first, first.name == Array("$realm".utf8) else {
                return nil
            }
            guard fields.count == 1, case .document(let members) = first.value, members.count == 1 else {
                throw TestSupportError("a broken wrapper: \(self)")
            }
            return (String(decoding: members[0].name, as: UTF8.self), members[0].value)
        }
    }

    /// Reads a value of canonical Extended JSON in a sidecar.
    fileprivate init(extendedJSON value: PlainJSON) throws {
        let document = try BSONValue(parsingJSON: #"{"v":\#(try value.spelled)}"#.utf8)
        guard case .document(let fields) = document, fields.count == 1 else { throw TestSupportError("no value") }
        self = fields[0].value
    }
}

extension PlainJSON {
    /// The value converted back to JSON.
    fileprivate var spelled: String {
        get throws {
            switch self {
            case .null: "null"
            case .string(let bytes): try Self.quoted(bytes)
            case .object(let members):
                "{\(try members.map { "\(try Self.quoted($0.name)):\(try $0.value.spelled)" }.joined(separator: ","))}"
            default: throw TestSupportError("an unexpected kind of value")
            }
        }
    }

    private static func quoted(_ bytes: [UInt8]) throws -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw TestSupportError("not UTF-8") }
        let escaped = text.unicodeScalars.map { scalar in
            scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
                ? "\\u" + hexed(UInt64(scalar.value), bytes: 2) : String(scalar)
        }
        return "\"\(escaped.joined())\""
    }
}

extension TypedDump.Table {
    /// Reads a class in `realm-schema.json`.
    fileprivate init(canonical object: PlainJSON) throws {
        guard let name = object["table"]?.text, case .int(let key) = object["tableKey"],
            let kind = object["kind"]?.text,
            case .array(let properties) = object["properties"], case .array(let incoming) = object["incoming"]
        else { throw TestSupportError("a class that says too little") }
        var tombstoneCount = 0
        if case .array(let tombstones) = object["tombstones"] { tombstoneCount = tombstones.count }
        self.init(
            name: name, key: UInt32(key), kind: kind.lowercased(), primaryKey: object["primaryKey"]?.text, size: 0,
            tombstones: tombstoneCount, columns: try properties.map { try TypedDump.Column(canonical: $0) },
            incoming: incoming.map { .init(table: $0["table"]?.text ?? "", property: $0["property"]?.text ?? "") })
    }
}

extension TypedDump.Column {
    fileprivate init(canonical object: PlainJSON) throws {
        guard let name = object["name"]?.text, let type = object["type"]?.text, let index = object["index"]?.text,
            case .bool(let isNullable) = object["nullable"], case .bool(let isEnumerated) = object["enumerated"],
            case .int(let key) = object["columnKey"],
            let indexNumber = ["none", "general", "fullText"].firstIndex(of: index)
        else { throw TestSupportError("a property that says too little") }
        let collection = object["collection"]?.text ?? ""
        self.init(
            name: name, type: type, isNullable: isNullable,
            collection: collection == "dictionary" ? "dict" : collection, target: object["target"]?.text,
            index: indexNumber, isEnumerated: isEnumerated, key: key)
    }
}

func hexed(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

func hexed(_ value: UInt64, bytes: Int) -> String {
    hexed((0..<bytes).reversed().map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) })
}

/// Returns the text with percent escapes decoded.
func percentDecoded(_ text: [UInt8]) throws -> [UInt8] {
    var result: [UInt8] = []
    var offset = 0
    while offset < text.count {
        guard text[offset] == UInt8(ascii: "%") else {
            result.append(text[offset])
            offset += 1
            continue
        }
        guard offset + 2 < text.count else { throw TestSupportError("an escape that ends early") }
        result += try unhexed(String(decoding: text[(offset + 1)...(offset + 2)], as: UTF8.self))
        offset += 3
    }
    return result
}
