internal import RealmReader
internal import RealmStorage
internal import RealmTransactions
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
        var names: Set<String> = []
        let tables = models.sorted { $0.className < $1.className }.filter { names.insert($0.className).inserted }
        return SchemaDefinition(tables.map(\.definition), version: configuration.schemaVersion)
    }

    /// Writes a new file, also in place of one without a byte.
    func writeNewFile(_ path: String, key: EncryptionKey?) throws {
        var file = NewFile(path, overwrite: FileSystem.isEmpty(path))
        file.key = key
        try RealmBuilder(definition, at: file).finish()
    }

    func bytesOfNewFile() throws -> [UInt8] { try EmptyDatabase.bytes(of: definition) }

    /// Brings a file to what the program needs.
    ///
    /// - Throws: `Realm.Error`: `schemaMismatch` where a migration is needed; what the migration throws.
    func update(_ database: SharedDatabase) throws {
        let schema = database.snapshot().schema
        let steps = database.steps(schema, models) { schema.steps(to: definition).filter { $0.kind != .removeClass } }
        guard !configuration.readOnly else {
            // What a class has not is null there; a property that has another type cannot be read.
            let harmless: [SchemaStep.Kind] = [.addClass, .addIndex, .removeIndex, .removeProperty, .changeClassKind]
            let wrong = steps.filter { !harmless.contains($0.kind) }
            guard wrong.isEmpty else { throw Self.mismatch(wrong) }
            return
        }
        if let version = schema.version {
            guard version <= configuration.schemaVersion || configuration.deleteRealmIfMigrationNeeded else {
                throw Realm.Error(
                    .fail,
                    "Provided schema version \(configuration.schemaVersion) is less than last set version \(version).")
            }
            let needing = steps.filter { ![.addClass, .addIndex, .removeIndex].contains($0.kind) }
            guard version < configuration.schemaVersion || needing.isEmpty else { throw Self.mismatch(needing) }
            if configuration.deleteRealmIfMigrationNeeded, version != configuration.schemaVersion {
                throw Self.mismatch(needing)
            }
            // They would go on with classes that do not fit any more.
            guard needing.isEmpty || !database.hasRealms else {
                throw Realm.Error(.fail, "Cannot migrate Realms that are already open.")
            }
        }
        guard !steps.isEmpty || schema.version != configuration.schemaVersion else { return }
        try MigrationRun(
            database: database, configuration: configuration, models: models, wanted: definition
        ).run()
    }

    private static func mismatch(_ steps: [SchemaStep]) -> Realm.Error {
        Realm.Error(
            .schemaMismatch,
            "Migration is required due to the following errors:\n" + steps.map { "- \($0)" }.joined(separator: "\n"))
    }
}
