internal import RealmCore

/// The metadata that `mongodump` writes for a collection: its name and its indexes, in canonical Extended JSON.
struct CollectionMetadata {
    let schema: TableSchema
    let collection: String
    /// The names of the properties in documents.
    let fieldNames: [String]

    var json: JSONValue {
        .object([("indexes", .array(indexes)), ("collectionName", .string(collection))])
    }

    /// The index that every collection has, and one for each index of the class. None is unique: Realm's are not, and
    /// the primary key's values are those of `_id`.
    private var indexes: [JSONValue] {
        var indexes = [index(named: "_id_", on: [(TableSchema.identityField, Self.int32(1))])]
        // MongoDB has no indexes on fields whose names begin with `$`, and would read some of them here as types.
        let fields = zip(schema.properties, fieldNames).filter { $1.utf8.first != UInt8(ascii: "$") }
        for (property, name) in fields where property.index == .general && name != TableSchema.identityField {
            indexes.append(index(named: "\(name)_1", on: [(name, Self.int32(1))]))
        }
        let texts = fields.filter { $0.0.index == .fullText }.map(\.1)
        // A collection has at most one text index, which may cover several fields.
        if !texts.isEmpty { indexes.append(textIndex(on: texts)) }
        return indexes
    }

    private func index(named name: String, on key: [(String, JSONValue)]) -> JSONValue {
        .object([("v", Self.int32(2)), ("key", .object(key)), ("name", .string(name))])
    }

    private func textIndex(on names: [String]) -> JSONValue {
        .object([
            ("v", Self.int32(2)),
            ("key", .object([("_fts", .string("text")), ("_ftsx", Self.int32(1))])),
            ("name", .string(names.map { "\($0)_text" }.joined(separator: "_"))),
            ("default_language", .string("none")),
            ("language_override", .string("language")),
            ("weights", .object(names.map { ($0, Self.int32(1)) })),
            ("textIndexVersion", Self.int32(3)),
        ])
    }

    private static func int32(_ value: Int) -> JSONValue { .object([("$numberInt", .string(String(value)))]) }
}
