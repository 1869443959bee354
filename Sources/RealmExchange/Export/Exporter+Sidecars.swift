internal import RealmCore
internal import RealmLayout
internal import RealmStorage

/// Names of files and folders next to the documents.
enum SidecarName {
    /// The subfolder of the database folder for everything but documents and metadata. `mongorestore` would treat files
    /// there as collections, and folders next to the database as databases, but ignores a folder in this place.
    static let folder = "_realm"
    /// The exact schema, and data that documents cannot express.
    static let exactSchema = "realm-schema.json"
    /// The losses.
    static let losses = "losses.json"
    /// The folder of document schemas.
    static let schemas = "schema"
    /// The same in exports of earlier versions, if the database has that name.
    static let otherSchemas = "schema_"
    /// The relationships of all classes, in the folder of schemas.
    static let relationships = "relationships.json"

    /// The folder of embedded objects without an owner.
    static let orphans = "_embedded"

    /// Whether there are sidecars in the folder of a database.
    static func isBeside(_ database: String) -> Bool {
        [exactSchema, losses, "\(schemas)/\(relationships)"].contains { Folder.hasFile("\(database)/\(folder)/\($0)") }
    }
}

extension Exporter {
    /// The path of the losses in the folder of an export.
    package static func lossesPath(ofDatabase name: String) -> String {
        "\(CollectionFileName(name).text)/\(SidecarName.folder)/\(SidecarName.losses)"
    }

    /// The sidecars of the mongo profile: a schema for each collection, and their relationships.
    func sidecars(_ positions: [TablePosition], database: String) -> [(name: String, json: JSONValue)] {
        guard !options.isCanonical else { return [] }
        let schemas = DocumentSchema(
            snapshot.schema, dialect: .appServices, escapesDollar: options.escapesDollar)
        let relationships = Relationships(
            snapshot.schema, database: database, escapesDollar: options.escapesDollar)
        let tables = snapshot.cores.mapped(\.schema)
        let names = CollectionFileNames(tables, ending: "json")
        let folder = SidecarName.schemas
        var files: [(name: String, json: JSONValue)] = positions.map { position in
            ("\(folder)/\(names.files[position]).json", schemas.document(for: tables[position]))
        }
        let all = positions.map { (names.collections[$0], relationships.document(for: tables[$0])) }
        files.append(("\(folder)/\(SidecarName.relationships)", .object(all)))
        return files
    }

    /// The exact schema; in the canonical profile, with all data that documents cannot express.
    ///
    /// Unreadable parts are added to the session's damage.
    func exactSchema(_ session: inout ExportSession, _ names: CollectionFileNames) -> JSONValue {
        let tables = snapshot.schema.tables.filter { $0.isClass || options.includesSystemTables }
        let fieldNames = { (table: TableSchema) in table.fieldNames(escapingDollar: options.escapesDollar) }
        let files = Dictionary(
            zip(snapshot.cores.map(\.schema.key), names.files), uniquingKeysWith: { first, _ in first })
        let objects = session.objects
        func members(of table: TableSchema) -> [(String, JSONValue)] {
            let count = objects[table.key].map { [("objects", JSONValue($0))] } ?? []
            guard let file = files[table.key], file != table.name else { return count }
            return count + [("file", .string(file))]
        }
        guard options.isCanonical else {
            let encoding: KeyEncoding? = options.format == .bson || options.format == .ejson ? .partial : nil
            return RealmSchemaJSON.document(
                of: tables, version: snapshot.version, schemaVersion: snapshot.schema.version,
                keyEncoding: encoding?.rawValue, fieldNames: fieldNames, members: members)
        }
        let unresolved = session.unresolved
        return RealmSchemaJSON.document(
            of: tables, version: snapshot.version, schemaVersion: snapshot.schema.version,
            keyEncoding: KeyEncoding.percent.rawValue,
            fieldNames: fieldNames,
            tombstones: { table in
                do throws(FormatError) {
                    return try tombstones(of: table)
                } catch {
                    session.note(error.at(table: table.tableName))
                    return nil
                }
            }, members: { members(of: $0) + [("unresolvedLinks", unresolvedLinks(unresolved, of: $0))] })
    }

    /// The tombstones of a class: object key and primary key.
    private func tombstones(of schema: TableSchema) throws(FormatError) -> JSONValue? {
        guard let table = snapshot.tables.first(where: { $0.schema.key == schema.key }), try table.tombstoneCount > 0
        else { return nil }
        var found: [JSONValue] = []
        var cursor = table.tombstones
        while let tombstone = try cursor.next() {
            let key = try tombstone.primaryKey
            found.append(
                .object([("key", .int(tombstone.key.value)), ("primaryKey", key.map { json($0) } ?? .null)]))
        }
        return .array(found)
    }

    /// A primary key in canonical Extended JSON, spelled as in documents.
    private func json(_ value: Value) -> JSONValue {
        switch value {
        case .int(let value): .object([("$numberLong", .string(String(value)))])
        case .string(let text): .string(text)
        case .malformedString(let bytes):
            .object([("$realm", .object([("utf8", Self.json(binary: bytes, subtype: "00"))]))])
        case .objectId(let id): .object([("$oid", .string(id.description))])
        case .uuid(let id):
            Self.json(
                binary: options.turnsGuids ? ByteView.with(id.bytes) { GuidOrder.turned($0) } : id.bytes, subtype: "04")
        default: .null
        }
    }

    private static func json(binary bytes: [UInt8], subtype: String) -> JSONValue {
        var text = ByteBuffer(capacity: bytes.count * 2 + 4)
        ByteView.with(bytes) { text.append(base64: $0) }
        let base64 = String(decoding: text.view().bytes, as: UTF8.self)
        return .object([("$binary", .object([("base64", .string(base64)), ("subType", .string(subtype))]))])
    }

    /// Links that are null in documents because their targets are tombstones.
    private func unresolvedLinks(_ links: [UnresolvedLink], of schema: TableSchema) -> JSONValue {
        .array(
            links.compactMap { link in
                let (owner, property) = plan.property(ofField: link.field)
                guard owner.key == schema.key else { return nil }
                return .object([
                    ("object", .int(link.owner.value)), ("property", .string(property.name)),
                    ("table", .string(snapshot.cores[link.position].schema.tableName)),
                    ("target", .int(link.target.value)),
                ])
            }.inOrder { "\($0)" < "\($1)" })
    }

    /// The positions of embedded classes with objects that have no owner.
    func orphanPositions() throws(FormatError) -> [TablePosition] {
        guard options.classNames == nil else { return [] }
        var positions: [TablePosition] = []
        for table in snapshot.tables where table.schema.kind == .embedded {
            do {
                if try Orphans(table: table.core, snapshot: snapshot).count() > 0 {
                    positions.append(table.position)
                }
            } catch {
                // The export of the table itself reports the damage.
                positions.append(table.position)
            }
        }
        return positions
    }
}
