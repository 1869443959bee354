internal import RealmCore
internal import RealmLayout
internal import RealmStore

/// An object in a migration. Its properties are read and set by name.
public typealias MigrationObject = DynamicObject

/// Receives an object as it was before the migration and as it will be after it; nil where it does not exist.
public typealias MigrationObjectEnumerateBlock = (_ oldObject: MigrationObject?, _ newObject: MigrationObject?) -> Void

/// Migrates the content of a file from an older schema to the classes of the program.
///
/// ```swift
/// var configuration = Realm.Configuration(schemaVersion: 2)
/// configuration.migrationBlock = { migration, oldVersion in
///     if oldVersion < 2 {
///         migration.enumerateObjects(ofType: "Person") { old, new in
///             new?["fullName"] = "\(old?["firstName"] ?? "") \(old?["lastName"] ?? "")"
///         }
///     }
/// }
/// ```
///
/// During the block, new properties exist already and old ones still exist; those are removed after the block. The
/// migration is a single transaction: if it fails, the file is unchanged.
public final class Migration {
    private let old: RealmInstance
    private let new: RealmInstance
    private let wanted: SchemaDefinition
    /// Classes to remove after the block, together with the properties that link to them.
    private(set) var classesToRemove: [String] = []

    init(from old: RealmInstance, to new: RealmInstance, _ wanted: SchemaDefinition) {
        (self.old, self.new, self.wanted) = (old, new, wanted)
    }

    /// The schema before the migration.
    public var oldSchema: Schema { old.dynamicSchema }
    /// The schema after the migration, without what is removed after the block.
    public var newSchema: Schema { Schema(new.models) }

    /// Calls a block with each object of a class, as it was and as it will be. The new object is nil if the program no
    /// longer has the class. Objects deleted during the migration are skipped.
    public func enumerateObjects(ofType typeName: String, _ block: MigrationObjectEnumerateBlock) {
        new.settle()
        let before = old.dynamicBinding(typeName)
        let after = new.dynamicBinding(typeName)
        guard let before else {
            guard let after else { return }
            for key in ResultSet(new, .table(after), DynamicObject.self).keys {
                block(nil, after.object(key) as? DynamicObject)
            }
            return
        }
        let isWanted = wanted.tables.contains { $0.name == typeName }
        var finder = ObjectLookup(before.table)
        for key in ResultSet(old, .table(before), DynamicObject.self).keys {
            let found = Failure.unlessStopped { () throws(FormatError) in try finder.object(key) }
            let oldObject = before.object(key, found) as? DynamicObject
            guard let after, isWanted else {
                block(oldObject, nil)
                continue
            }
            guard new.exists(after, key) else { continue }
            block(oldObject, after.object(key) as? DynamicObject)
        }
    }

    /// Creates an object from values and adds it.
    ///
    /// - Parameters:
    ///   - typeName: the name of the class in the file.
    ///   - value: a dictionary keyed by property name, or an array in property order. Missing values are the defaults
    ///     of the program's class; nil, zero or empty if the program has no such class or property.
    @discardableResult
    public func create(_ typeName: String, value: Any = [String: Any]()) -> MigrationObject {
        guard let binding = new.dynamicBinding(typeName),
            let object = new.createdDynamic(binding, value) as? DynamicObject
        else { Failure.stop("Object type '\(typeName)' is not managed by the Realm.") }
        return object
    }

    /// Deletes an object.
    public func delete(_ object: MigrationObject) { new.delete(object) }

    /// Deletes all objects of a class, and the class itself if the program has none of that name.
    ///
    /// - Returns: whether the class existed.
    @discardableResult
    public func deleteData(forType typeName: String) -> Bool {
        guard let binding = new.dynamicBinding(typeName) else { return false }
        new.settle()
        new.deleteAll(ResultSet(new, .table(binding), DynamicObject.self).keys, binding)
        guard !wanted.tables.contains(where: { $0.name == typeName }) else { return true }
        if new.isLinkedTo(binding.table.schema) {
            if !classesToRemove.contains(typeName) { classesToRemove.append(typeName) }
        } else {
            edit { transaction throws(WriteError) in try transaction.removeClass(typeName) }
        }
        return true
    }

    /// Renames a property, keeping its values.
    ///
    /// - Precondition: the file has the old property and the program does not. If the new property exists already, it
    ///   has the same type. A new name that the program does not have must be renamed again in the same migration:
    ///   otherwise the file is not opened.
    public func renameProperty(onType typeName: String, from oldName: String, to newName: String) {
        guard let known = new.dynamicBinding(typeName)?.table.schema else {
            Failure.stop("Cannot rename properties for type '\(typeName)' because it does not exist.")
        }
        guard let table = wanted.tables.first(where: { $0.name == typeName }) else {
            Failure.stop(
                "Cannot rename properties for type '\(typeName)' because it has been removed from the Realm.")
        }
        let change = "Cannot rename property '\(typeName).\(oldName)' to '\(newName)' because"
        guard !table.properties.contains(where: { $0.name == oldName }) else {
            Failure.stop("\(change) the source property still exists.")
        }
        guard let before = known.property(named: oldName) else {
            Failure.stop("Cannot rename property '\(typeName).\(oldName)' because it does not exist.")
        }
        guard let after = known.property(named: newName).map({ PropertyDefinition($0) }) else {
            // In a migration across several versions, this may be an intermediate name. The end of the migration checks
            // whether it is the final one.
            return edit { transaction throws(WriteError) in
                try transaction.renameProperty(oldName, of: typeName, to: newName)
            }
        }
        let (oldType, newType) = (PropertyDefinition(before).words, after.words)
        guard oldType == newType else {
            Failure.stop("\(change) it would change from type '\(oldType)' to '\(newType)'.")
        }
        edit { transaction throws(WriteError) in
            try transaction.removeProperty(newName, of: typeName)
            try transaction.renameProperty(oldName, of: typeName, to: newName)
            if before.isNullable != after.isNullable, after.type != .link, after.type != .mixed {
                try transaction.setOptional(after.isNullable, newName, of: typeName, insteadOfNull: after.zero)
            }
            // Primary keys are set after the block.
            if table.primaryKey != newName {
                try transaction.setIndex(after.effectiveIndex(isPrimaryKey: false), of: newName, in: typeName)
            }
        }
    }

    private func edit(_ body: (WriteTransaction) throws(WriteError) -> Void) {
        new.modify(body)
        new.forgetClasses()
    }
}

extension RealmInstance {
    /// Whether another class has a property that links to `target`.
    fileprivate func isLinkedTo(_ target: TableSchema) -> Bool {
        snapshot.schema.classes.contains { known in
            known.tableName != target.tableName && known.properties.contains { $0.target == target.tableName }
        }
    }
}
