internal import RealmCore
internal import RealmLayout

/// The contents of `realm-schema.json`: the schema, and data that documents cannot express.
struct ExactSchema {
    /// A property of an object.
    struct Place: Hashable {
        let object: Int64
        let property: PropertyIndex
    }

    /// The tables, with the schema version.
    private(set) var definition: SchemaDefinition
    /// The document names of properties that differ from their own, by table.
    private(set) var fieldNames: [String: [String: String]] = [:]
    /// The names of document files without extensions, by table, if they differ from the usual ones.
    private(set) var files: [ExactName: String] = [:]
    /// Number of exported documents by table, if the sidecar has it.
    private(set) var objects: [ExactName: Int] = [:]
    /// The spelling of dictionary keys in the documents.
    let keyEncoding: KeyEncoding
    /// Whether the sidecar belongs to a canonical export.
    var isCanonical: Bool { keyEncoding == .percent }
    /// The tombstones of each table: object keys, and primary keys in canonical Extended JSON.
    private(set) var tombstones: ByTable<[(key: ObjectKey, primaryKey: JSONValue)]> = []
    /// The targets of links to tombstones, which are null in documents, by table.
    private(set) var unresolvedLinks: ByTable<[Place: (table: TablePosition, key: ObjectKey)]> = []

    /// Reads a sidecar.
    ///
    /// - Throws: `badSchema` with the reason.
    init(_ json: JSONValue) throws(DocumentError) {
        guard let version = json["realmSchema"]?.integer, let classes = json["classes"]?.elements else {
            throw Self.failure("it has no members `realmSchema` and `classes`: it was not written by an export")
        }
        guard version == RealmSchemaJSON.documentVersion else {
            throw Self.failure("it has version \(version), which this release cannot read")
        }
        let schemaVersion: UInt64? =
            switch json["schemaVersion"] {
            case .int(let number): UInt64(exactly: number)
            case .string(let digits): UInt64(digits)
            default: nil
            }
        definition = SchemaDefinition([], version: schemaVersion)
        keyEncoding = json["keyEncoding"]?.text.flatMap { KeyEncoding(rawValue: $0) } ?? .none
        for object in classes {
            let table = try Self.table(object)
            definition.tables.append(table)
            if let file = object["file"]?.text { files[ExactName(table.tableName)] = file }
            if let count = object["objects"]?.integer { objects[ExactName(table.tableName)] = Int(clamping: count) }
            for property in object["properties"]?.elements ?? [] {
                guard let name = property["name"]?.text, let field = property["field"]?.text else { continue }
                fieldNames[table.tableName, default: [:]][name] = field
            }
        }
        for (table, object) in zip(definition.tables, classes) {
            tombstones.append(try Self.tombstones(object["tombstones"]?.elements ?? [], table.tableName))
            unresolvedLinks.append(try unresolvedLinks(object["unresolvedLinks"]?.elements ?? [], table))
        }
    }

    private static func failure(_ detail: String) -> DocumentError { DocumentError(.badSchema, detail) }

    private static func table(_ object: JSONValue) throws(DocumentError) -> TableDefinition {
        guard let name = object["table"]?.text, let kindName = object["kind"]?.text,
            let properties = object["properties"]?.elements
        else { throw failure("a class has no table, kind or properties") }
        guard let kind = TableKind.allCases.first(where: { "\($0)" == kindName }) else {
            throw failure("\(name.singleLine): an unknown kind '\(kindName.singleLine)'")
        }
        var table = TableDefinition(table: name, kind: kind, primaryKey: object["primaryKey"]?.text, [])
        for property in properties { table.properties.append(try self.property(property, of: name)) }
        return table
    }

    private static func property(_ object: JSONValue, of table: String) throws(DocumentError) -> PropertyDefinition {
        guard let name = object["name"]?.text, let typeName = object["type"]?.text else {
            throw failure("\(table.singleLine): a property without name or type")
        }
        guard let type = StoredPropertyType(rawValue: typeName) else {
            throw failure("\(table.singleLine).\(name.singleLine): an unknown type '\(typeName.singleLine)'")
        }
        let collection: CollectionKind? =
            switch (object["collection"]?.text, object["keyType"]?.text) {
            case (nil, _): nil
            case ("list", _): .list
            case ("set", _): .set
            case ("dictionary", "int"): .dictionary(.int)
            case ("dictionary", _): .dictionary(.string)
            case (let other?, _):
                throw failure("\(table.singleLine).\(name.singleLine): an unknown collection '\(other.singleLine)'")
            }
        let index = [IndexKind.none, .general, .fullText].first { "\($0)" == object["index"]?.text }
        return PropertyDefinition(
            name, type, isNullable: object["nullable"]?.isTrue ?? false, collection: collection,
            target: object["target"]?.text, index: index ?? .none)
    }

    private static func tombstones(
        _ elements: [JSONValue], _ table: String
    ) throws(DocumentError) -> [(key: ObjectKey, primaryKey: JSONValue)] {
        var found: [(key: ObjectKey, primaryKey: JSONValue)] = []
        for element in elements {
            guard let key = element["key"]?.integer, key < -1 else {
                throw failure("\(table.singleLine): a tombstone without its key")
            }
            found.append((ObjectKey(key), element["primaryKey"] ?? .null))
        }
        return found.inOrder { $0.key < $1.key }
    }

    private func unresolvedLinks(
        _ elements: [JSONValue], _ table: TableDefinition
    ) throws(DocumentError) -> [Place: (table: TablePosition, key: ObjectKey)] {
        var found: [Place: (table: TablePosition, key: ObjectKey)] = [:]
        for element in elements {
            guard let object = element["object"]?.integer, let target = element["target"]?.integer,
                let property = element["property"]?.text, let targetName = element["table"]?.text,
                let number = table.properties.propertyIndex(named: property),
                let position = definition.position(ofTable: targetName)
            else {
                throw Self.failure("\(table.tableName.singleLine): an unresolved link that says too little")
            }
            found[Place(object: object, property: number)] = (position, ObjectKey(target))
        }
        return found
    }
}
