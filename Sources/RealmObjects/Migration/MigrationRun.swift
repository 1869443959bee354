internal import RealmCore
internal import RealmLayout
internal import RealmStore

/// Migrates a file to the classes of the program, in one transaction.
struct MigrationRun {
    let database: SharedDatabase
    let configuration: Realm.Configuration
    let models: [ModelClass]
    let schema: FileSchema
    let wanted: SchemaDefinition

    /// - Throws: `Realm.Error`; the file is then unchanged.
    func run() throws { try write { try migrate($0) } }

    /// Adds the missing classes to an open database. Their tables follow the existing ones, which keep the positions by
    /// which realms find them.
    ///
    /// - Throws: `Realm.Error`.
    func addClasses() throws {
        try write { transaction in
            // Another thread may have added classes in the meantime.
            guard try schema.lacksClasses(try transaction.snapshot().schema) else { return }
            try transaction.apply(wanted, addingTables: .behindOthers)
        }
    }

    private func write(_ body: (WriteTransaction) throws -> Void) throws {
        guard let store = database.store else { return }
        try translatingErrors(configuration.path) {
            let transaction = try store.begin(for: database)
            do {
                try body(transaction)
                try transaction.commit()
            } catch {
                transaction.cancel()
                throw error
            }
        }
    }

    private func migrate(_ transaction: WriteTransaction) throws {
        let old = try transaction.snapshot()
        let version = old.schema.version
        let steps = old.schema.steps(to: wanted)
        let needsMigration = version != nil && version != configuration.schemaVersion
        let block = needsMigration ? configuration.migrationBlock : nil
        for step in steps { try prepare(step, transaction, from: old.schema, keepingObjects: block != nil) }
        try transaction.apply(wanted)
        var classesToRemove: [String] = []
        if let block, let version {
            classesToRemove = try runBlock(block, version, from: old, transaction)
            for step in steps where step.kind == .changeType { try removeOrphans(step, transaction, from: old.schema) }
        }
        try finish(transaction, from: old.schema)
        try removeClasses(classesToRemove, transaction)
        if version != configuration.schemaVersion { try transaction.setSchemaVersion(configuration.schemaVersion) }
    }

    /// - Returns: the classes that the block deletes but that are still linked to.
    private func runBlock(
        _ block: MigrationBlock, _ version: UInt64, from old: Snapshot, _ transaction: WriteTransaction
    ) throws -> [String] {
        let before = RealmInstance(database, configuration, .everywhere, [], old)
        let after = RealmInstance(database, configuration, .currentThread, models, try transaction.snapshot())
        after.isDynamic = true
        after.begin(transaction)
        let migration = Migration(from: before, to: after, wanted)
        block(migration, version)
        after.leave()
        return migration.classesToRemove
    }

    /// Removes classes, which may link to one another.
    private func removeClasses(_ names: [String], _ transaction: WriteTransaction) throws {
        for known in try transaction.snapshot().schema.classes where names.contains(known.name) {
            for property in known.properties where property.target != nil {
                try transaction.removeProperty(property.name, of: known.name)
            }
        }
        for name in names { try transaction.removeClass(name) }
    }

    private func kind(_ className: String) -> TableKind? { wanted.tables.first { $0.name == className }?.kind }

    /// Removes a property. Embedded objects in it stay if their class becomes top-level, as in RealmSwift.
    private func remove(
        _ property: String, of className: String, _ transaction: WriteTransaction, from old: StoredSchema,
        keepingObjects keepsObjects: Bool = false
    ) throws(WriteError) {
        let target = old.classes.first { $0.name == className }?.property(named: property)?.target
        let stay = wanted.tables.contains { $0.tableName == target && $0.kind == .topLevel }
        try transaction.removeProperty(property, of: className, keepingObjects: stay || keepsObjects)
    }

    /// Removes the embedded objects of a property whose type changed. They were kept so that the block could read them.
    private func removeOrphans(
        _ step: SchemaStep, _ transaction: WriteTransaction, from old: StoredSchema
    ) throws {
        let owner = old.classes.first { $0.name == step.className }
        let target = step.property.flatMap { owner?.property(named: $0)?.target }
        guard let known = old.classes.first(where: { $0.tableName == target && $0.kind == .embedded }),
            kind(known.name) != .topLevel,
            try transaction.snapshot().schema.classes.contains(where: { $0.tableName == target })
        else { return }
        for key in try transaction.misowned(known.name).orphans {
            try transaction.delete(ObjectReference(known.name, key))
        }
    }

    /// Makes the changes that precede the block. From then on, old values come from the old version of the file.
    private func prepare(
        _ step: SchemaStep, _ transaction: WriteTransaction, from old: StoredSchema,
        keepingObjects keepsObjects: Bool
    ) throws(WriteError) {
        guard let property = step.property else { return }
        let name = step.className
        switch step.kind {
        case .changeType: try remove(property, of: name, transaction, from: old, keepingObjects: keepsObjects)
        case .makeOptional: try transaction.setOptional(true, property, of: name)
        case .makeRequired:
            // Objects with null and objects with zero share a key until the block distinguishes them.
            if old.classes.first(where: { $0.name == name })?.primaryKeyName == property {
                try transaction.setPrimaryKey(nil, of: name)
            }
            let zero = definition(name, property)?.zero
            try transaction.setOptional(false, property, of: name, insteadOfNull: zero)
        case .removePrimaryKey, .changePrimaryKey: try transaction.setPrimaryKey(nil, of: name)
        case .removeIndex: try transaction.setIndex(.none, of: property, in: name)
        case .addClass, .addProperty, .addIndex, .removeClass, .changeClassKind, .removeProperty, .addPrimaryKey: break
        }
    }

    private func definition(_ className: String, _ property: String) -> PropertyDefinition? {
        wanted.tables.first { $0.name == className }?.properties.first { $0.name == property }
    }

    /// Makes the changes that follow the block.
    private func finish(_ transaction: WriteTransaction, from old: StoredSchema) throws {
        let steps = try transaction.snapshot().schema.steps(to: wanted)
        let keyKinds: [SchemaStep.Kind] = [.addPrimaryKey, .changePrimaryKey]
        // Only top-level objects have a primary key.
        for step in steps.filter({ !keyKinds.contains($0.kind) }) + steps.filter({ keyKinds.contains($0.kind) }) {
            switch (step.kind, step.property) {
            case (.removeProperty, let property?):
                let known = old.classes.first { $0.name == step.className }
                guard known?.property(named: property) != nil else {
                    throw Realm.Error(.fail, "Renamed property '\(step.className).\(property)' does not exist.")
                }
                try remove(property, of: step.className, transaction, from: old)
            case (.changeClassKind, _):
                let kind = kind(step.className)
                if kind == .embedded { try OwnerSearch(transaction: transaction, className: step.className).run() }
                do { try transaction.setEmbedded(kind == .embedded, step.className) } catch {
                    throw Realm.Error(
                        .fail, "At least one object of class '\(step.className)' cannot be made embedded: \(error)")
                }
            case (.addPrimaryKey, let property?), (.changePrimaryKey, let property?):
                do throws(WriteError) {
                    try transaction.setPrimaryKey(property, of: step.className)
                } catch {
                    guard case .misfit(let misfit) = error, misfit.code == .duplicatePrimaryKey else { throw error }
                    throw Realm.Error(
                        .fail,
                        "Primary key property '\(step.className).\(property)' has duplicate values after migration.")
                }
            default: break
            }
        }
        // A former primary key still has the index that it had in addition.
        for step in try transaction.snapshot().schema.steps(to: wanted) where step.kind == .removeIndex {
            if let property = step.property { try transaction.setIndex(.none, of: property, in: step.className) }
        }
        let left = try transaction.apply(wanted).filter { $0.kind != .removeClass }
        guard left.isEmpty else {
            throw Realm.Error(
                .schemaMismatch, "The migration left differences:\n" + left.map { "- \($0)" }.joined(separator: "\n"))
        }
    }
}
