internal import RealmLayout
internal import RealmReader
internal import RealmWriter

/// The classes of the program beside those of a file.
struct FileSchema {
    private let models: [ModelClass]
    private let configuration: Realm.Configuration

    init(_ models: [ModelClass], _ configuration: Realm.Configuration) {
        (self.models, self.configuration) = (models, configuration)
    }

    /// The tables of a new file, in the order of their names.
    var definition: SchemaDefinition {
        SchemaDefinition(
            models.sorted { $0.className < $1.className }.map(\.definition), version: configuration.schemaVersion)
    }

    func writeNewFile(_ path: String) throws {
        try RealmBuilder(definition, at: NewFile(path)).finish()
    }

    func bytesOfNewFile() throws -> [UInt8] {
        try FileSystem.withTemporaryFile { path in
            try writeNewFile(path)
            return try FileSystem.bytes(path)
        }
    }

    /// Checks that a file has what the program needs.
    ///
    /// - Throws: `Realm.Error`: `schemaMismatch`.
    func check(_ database: SharedDatabase) throws {
        let schema = database.snapshot().schema
        if let version = schema.version, version > configuration.schemaVersion, !configuration.readOnly {
            throw Realm.Error(
                .fail,
                "Provided schema version \(configuration.schemaVersion) is less than last set version \(version).")
        }
        let changes = models.flatMap { self.changes(of: $0, in: schema) }
        guard changes.isEmpty else {
            throw Realm.Error(
                .schemaMismatch,
                "Migration is required due to the following errors:\n"
                    + changes.map { "- \($0)" }.joined(separator: "\n"))
        }
    }

    private func changes(of model: ModelClass, in schema: StoredSchema) -> [String] {
        guard let table = schema.classes.first(where: { $0.name == model.className }) else {
            return ["Class '\(model.className)' has been added."]
        }
        let wanted = model.properties.filter { !$0.isLinkingObjects }
        let added = wanted.filter { table.property(named: $0.columnName) == nil }.map {
            "Property '\(model.className).\($0.columnName)' has been added."
        }
        let removed = table.properties.filter { property in !wanted.contains { $0.columnName == property.name } }.map {
            "Property '\(model.className).\($0.name)' has been removed."
        }
        return added + removed
    }
}
