internal import RealmCore
internal import RealmStore
internal import Synchronization

/// The classes of the program, in comparison with those of a file.
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

    /// Updates a file that is not open elsewhere to the needs of the program.
    ///
    /// - Throws: `Realm.Error`: `schemaMismatch` if a migration is needed; errors of the migration.
    func update(_ database: SharedDatabase) throws {
        guard !configuration.readOnly else {
            if let version = database.snapshot().schema.version, version != configuration.schemaVersion {
                let given = "Provided schema version \(configuration.schemaVersion)"
                throw Realm.Error(.fail, "\(given) does not equal last set version \(version).")
            }
            return try checkReading(database)
        }
        let schema = database.snapshot().schema
        let steps = Self.steps(schema, models) { schema.steps(to: definition) }
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
        }
        guard !steps.isEmpty || schema.version != configuration.schemaVersion else { return }
        try migration(of: database).run()
    }

    /// Adds missing classes to an open database. It is not migrated, whatever schema version is wanted: existing users
    /// would continue with classes that no longer fit.
    ///
    /// - Throws: `Realm.Error` if more than that is needed.
    func add(to database: SharedDatabase) throws {
        guard !configuration.readOnly else { return try checkReading(database) }
        if try lacksClasses(database.snapshot().schema) { try migration(of: database).addClasses() }
    }

    private func migration(of database: SharedDatabase) -> MigrationRun {
        MigrationRun(
            database: database, configuration: configuration, models: models, schema: self, wanted: definition)
    }

    /// Whether an open database lacks classes, and nothing else.
    ///
    /// - Throws: `Realm.Error`.
    func lacksClasses(_ schema: StoredSchema) throws -> Bool {
        let steps = schema.steps(to: definition)
        let needing = steps.filter { ![.addClass, .removeClass, .addIndex, .removeIndex].contains($0.kind) }
        guard needing.isEmpty else {
            let isNewer = schema.version.map { $0 < configuration.schemaVersion } ?? false
            throw isNewer ? Self.isOpen : Self.mismatch(needing)
        }
        return steps.contains { $0.kind == .addClass }
    }

    /// The error for a migration of an open realm.
    static var isOpen: Realm.Error { Realm.Error(.fail, "Cannot migrate Realms that are already open.") }

    /// - Throws: `Realm.Error` if values have other types, or are missing.
    private func checkReading(_ database: SharedDatabase) throws {
        let harmless: [SchemaStep.Kind] = [.addClass, .addIndex, .removeIndex, .removeProperty, .changeClassKind]
        let schema = database.snapshot().schema
        let wrong = Self.steps(schema, models) { schema.steps(to: definition) }.filter { !harmless.contains($0.kind) }
        guard wrong.isEmpty else {
            throw Realm.Error(.fail, Self.list("The following changes cannot be made in read-only schema mode:", wrong))
        }
    }

    /// Classes of the program and tables known to match, the latest first: files are reopened often if no realm is
    /// retained.
    private static let fitting = Mutex<[(tables: [TableSchema], classes: [ObjectIdentifier])]>([])

    /// Returns the steps that classes of the program need, unless it is known that they need none.
    private static func steps(
        _ schema: StoredSchema, _ models: [ModelClass], _ find: () -> [SchemaStep]
    ) -> [SchemaStep] {
        let classes = models.map { ObjectIdentifier($0) }
        let known = fitting.withLock { $0 }
        if known.contains(where: { $0.classes == classes && $0.tables == schema.tables }) { return [] }
        let steps = find().filter { $0.kind != .removeClass }
        guard steps.isEmpty else { return steps }
        fitting.withLock { $0 = Array(([(schema.tables, classes)] + $0).prefix(8)) }
        return []
    }

    private static func mismatch(_ steps: [SchemaStep]) -> Realm.Error {
        Realm.Error(.schemaMismatch, list("Migration is required due to the following errors:", steps))
    }

    private static func list(_ title: String, _ steps: [SchemaStep]) -> String {
        title + "\n" + steps.map { "- \($0)" }.joined(separator: "\n")
    }
}
