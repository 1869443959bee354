internal import RealmLayout
internal import RealmReader
internal import RealmTransactions
internal import RealmWriter

/// An object of a migration, whose properties are read and set by name.
public typealias MigrationObject = DynamicObject

/// Gets an object as it was and as it will be; nil where there is none.
public typealias MigrationObjectEnumerateBlock = (_ oldObject: MigrationObject?, _ newObject: MigrationObject?) -> Void

/// Carries the content of a file whose schema is an older one over to the classes of the program.
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
/// New properties are there already, old ones still: they go when the block has ended. All of it is one transaction, so that a file
/// whose migration fails is as it was.
public final class Migration {
    private let old: RealmInstance
    private let new: RealmInstance
    private let wanted: SchemaDefinition
    /// Classes that go when the block has ended, and with it the properties that link to them.
    private(set) var classesToRemove: [String] = []

    init(from old: RealmInstance, to new: RealmInstance, _ wanted: SchemaDefinition) {
        (self.old, self.new, self.wanted) = (old, new, wanted)
    }

    /// The classes as they were.
    public var oldSchema: Schema { old.dynamicSchema }
    /// The classes as they will be: without what goes when the block has ended.
    public var newSchema: Schema { Schema(new.models) }

    /// Calls a block with each object of a class, as it was and as it will be: nil where the program has no such class any more. Objects
    /// that were deleted since are passed over.
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

    /// Makes an object of values, and adds it.
    ///
    /// - Parameters:
    ///   - typeName: the name of the class in the file.
    ///   - value: a dictionary by names of properties, or an array in their order. What is left out is what objects of
    ///     the program's class begin with; nil, zero or empty where it has no such class or property.
    @discardableResult
    public func create(_ typeName: String, value: Any = [String: Any]()) -> MigrationObject {
        guard let binding = new.dynamicBinding(typeName),
            let object = new.createdDynamic(binding, value) as? DynamicObject
        else { Failure.stop("Object type '\(typeName)' is not managed by the Realm.") }
        return object
    }

    /// Deletes an object.
    public func delete(_ object: MigrationObject) { new.delete(object) }

    /// Deletes all objects of a class, and the class where the program has none of that name.
    ///
    /// - Returns: whether there was such a class.
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

    /// Gives a property another name: the values of the old one are those of the new one.
    ///
    /// - Precondition: the file has the old one, the program does not, and where there is the new one already, it is of the same type.
    ///   What the program does not have is renamed again in the same migration; a file whose migration leaves such a name is not
    ///   opened.
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
            // The next version's name of a migration over several: whether that is the last one, its end says.
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
            // Primary keys are set when the block has ended.
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
    /// Whether another class has a property that links to a class.
    fileprivate func isLinkedTo(_ target: TableSchema) -> Bool {
        snapshot.schema.classes.contains { known in
            known.tableName != target.tableName && known.properties.contains { $0.target == target.tableName }
        }
    }
}
