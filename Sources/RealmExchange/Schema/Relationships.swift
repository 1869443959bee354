public import RealmCore
internal import RealmLayout

/// `relationships.json` of App Services: the fields that hold identities of documents in other collections.
///
/// ```swift
/// print(Relationships(snapshot.schema, database: "kennel").document(for: people.schema).pretty)
/// ```
///
/// Fields of embedded objects have dotted paths, with `[]` for an element of a list, set or dictionary. Inverse
/// relationships and links in `mixed` properties are not included.
public struct Relationships: Sendable {
    private let tables: [String: TableSchema]
    private let database: String
    private let source: String
    private let escapesDollar: Bool

    /// Prepares for the classes of `schema`.
    ///
    /// - Parameters:
    ///   - schema: The classes.
    ///   - database: The name of the MongoDB database.
    ///   - source: The name of the data source; App Services calls the first one `mongodb-atlas`.
    public init(_ schema: StoredSchema, database: String, source: String = "mongodb-atlas") {
        self.init(schema, database: database, source: source, escapesDollar: false)
    }

    /// Prepares for the classes of `schema`, with or without escaping a leading `$` in names.
    init(_ schema: StoredSchema, database: String, source: String = "mongodb-atlas", escapesDollar: Bool) {
        self.escapesDollar = escapesDollar
        tables = Dictionary(schema.tables.map { ($0.tableName, $0) }, uniquingKeysWith: { first, _ in first })
        self.database = database
        self.source = source
    }

    /// The relationships of one collection; an empty object if it has none.
    public func document(for table: TableSchema) -> JSONValue {
        var found: [(String, JSONValue)] = []
        var budget = 10_000
        append(table, prefix: "", open: [], &budget, to: &found)
        return .object(found)
    }

    private func append(
        _ table: TableSchema, prefix: String, open: [String], _ budget: inout Int, to found: inout [(String, JSONValue)]
    ) {
        guard !open.contains(table.tableName), open.count < 30 else { return }
        for (property, name) in zip(table.properties, table.fieldNames(escapingDollar: escapesDollar))
        where property.type == .link {
            budget -= 1
            guard budget > 0 else { return }
            guard let target = property.target.flatMap({ tables[$0] }) else { continue }
            let path = prefix + name
            if property.isTargetEmbedded {
                let prefix = path + (property.collection == nil ? "." : ".[].")
                append(target, prefix: prefix, open: open + [table.tableName], &budget, to: &found)
            } else {
                found.append(
                    (
                        path,
                        .object([
                            ("ref", .string("#/relationship/\(source)/\(database)/\(target.name)")),
                            ("foreign_key", .string(TableSchema.identityField)),
                            ("is_list", .bool(property.collection != nil)),
                        ])
                    ))
            }
        }
    }
}
