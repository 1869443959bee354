public import RealmCore
internal import RealmLayout

/// A single difference between the schema of a database and a wanted one.
///
/// ```swift
/// for step in snapshot.schema.steps(to: schema) { print(step, step.isAdditive) }
/// ```
public struct SchemaStep: Equatable, Sendable, CustomStringConvertible {
    /// The required change of the database.
    public enum Kind: String, CaseIterable, Sendable {
        case addClass
        case addProperty
        case addIndex
        case removeClass
        case changeClassKind
        case removeProperty
        case changeType
        case makeOptional
        case makeRequired
        case addPrimaryKey
        case removePrimaryKey
        case changePrimaryKey
        case removeIndex
    }

    /// The required change.
    public let kind: Kind
    /// The name of the class, or the full name of another table.
    public let className: String
    /// The property; nil for a whole class. For primary keys the new one, or the one to be removed.
    public let property: String?
    /// A line in RealmSwift's wording, such as `Property 'Person.age' has been changed from 'int' to 'string'.`
    public let description: String

    init(_ kind: Kind, _ className: String, _ property: String?, _ description: String) {
        (self.kind, self.className, self.property, self.description) = (kind, className, property, description)
    }

    /// Whether the step neither loses nor changes existing data: `WriteTransaction.apply` carries it out.
    public var isAdditive: Bool { kind == .addClass || kind == .addProperty || kind == .addIndex }
}

extension StoredSchema {
    /// Returns the differences between this schema and a wanted one, in RealmSwift's order: first the missing classes,
    /// then the properties of the others, then their kinds, all in the order of the wanted schema; last the classes
    /// that only the database has. Properties of missing classes are not listed. Versions are ignored.
    ///
    /// ```swift
    /// let steps = store.snapshot().schema.steps(to: schema)
    /// if steps.allSatisfy(\.isAdditive) { /* nothing has to be migrated */ }
    /// ```
    ///
    /// - Parameter wanted: the wanted schema; links name their target classes, or the full names of tables.
    public func steps(to wanted: SchemaDefinition) -> [SchemaStep] {
        let wanted = wanted.normalized
        var (added, changed, kinds): ([SchemaStep], [SchemaStep], [SchemaStep]) = ([], [], [])
        var known: Set<String> = []
        for table in wanted.tables {
            known.insert(table.tableName)
            guard let stored = tables.first(where: { $0.tableName == table.tableName }) else {
                added.append(SchemaStep(.addClass, table.name, nil, "Class '\(table.name)' has been added."))
                continue
            }
            changed += stored.steps(to: table)
            guard stored.kind != table.kind else { continue }
            let change = "from \(stored.kind.words) to \(table.kind.words)"
            kinds.append(
                SchemaStep(.changeClassKind, table.name, nil, "Class '\(table.name)' has been changed \(change)."))
        }
        var steps = added + changed + kinds
        for table in classes where !known.contains(table.tableName) {
            steps.append(SchemaStep(.removeClass, table.name, nil, "Class '\(table.name)' has been removed."))
        }
        return steps
    }
}

extension TableSchema {
    fileprivate func steps(to wanted: TableDefinition) -> [SchemaStep] {
        var steps: [SchemaStep] = []
        func add(_ kind: SchemaStep.Kind, _ property: String?, _ description: String) {
            steps.append(SchemaStep(kind, name, property, description))
        }
        for property in properties {
            let place = "Property '\(name).\(property.name)'"
            let found = wanted.properties.firstIndex(named: property.name) { $0.name }
            guard let new = found.map({ wanted.properties[$0] }) else {
                add(.removeProperty, property.name, "\(place) has been removed.")
                continue
            }
            let old = PropertyDefinition(property)
            guard old.type == new.type, old.collection == new.collection, old.target == new.target else {
                add(
                    .changeType, property.name,
                    "\(place) has been changed from '\(old.words)' to '\(new.words)'.")
                continue
            }
            if old.isNullable != new.isNullable {
                add(
                    new.isNullable ? .makeOptional : .makeRequired, property.name,
                    "\(place) has been made \(new.isNullable ? "optional" : "required").")
            }
            let isPrimary = property.name == wanted.primaryKey || property.name == primaryKeyName
            let index = new.effectiveIndex(isPrimaryKey: false)
            guard !isPrimary, property.index != index else { continue }
            if index == .none {
                add(.removeIndex, property.name, "\(place) has been made unindexed.")
            } else {
                add(.addIndex, property.name, "\(place) has been made indexed.")
            }
        }
        for property in wanted.properties where self.property(named: property.name) == nil {
            add(.addProperty, property.name, "Property '\(name).\(property.name)' has been added.")
        }
        switch (primaryKeyName, wanted.primaryKey) {
        case (nil, let new?): add(.addPrimaryKey, new, "Primary Key for class '\(name)' has been added.")
        case (let old?, nil): add(.removePrimaryKey, old, "Primary Key for class '\(name)' has been removed.")
        case (let old?, let new?) where old != new:
            add(
                .changePrimaryKey, new,
                "Primary Key for class '\(name)' has changed from '\(old)' to '\(new)'.")
        default: break
        }
        return steps
    }
}

extension TableKind {
    fileprivate var words: String {
        switch self {
        case .topLevel: "TopLevel"
        case .embedded: "Embedded"
        case .asymmetric: "TopLevelAsymmetric"
        }
    }
}

extension PropertyDefinition {
    /// The type as text: `int`, `array<Dog>`, `dictionary<string, mixed>`, `<Dog>`.
    package var words: String {
        let target = target.map { TableName.className(of: $0) }
        let element = target ?? type.words
        return switch collection {
        case nil: target.map { "<\($0)>" } ?? type.words
        case .list: "array<\(element)>"
        case .set: "set<\(element)>"
        case .dictionary(.string): "dictionary<string, \(element)>"
        case .dictionary(.int): "dictionary<int, \(element)>"
        }
    }
}

extension StoredPropertyType {
    fileprivate var words: String {
        switch self {
        case .binary: "data"
        case .timestamp: "date"
        case .decimal128: "decimal"
        case .objectId: "object id"
        case .link: "object"
        default: rawValue
        }
    }
}
