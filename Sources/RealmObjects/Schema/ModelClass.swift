internal import RealmCore
internal import RealmLayout
internal import Synchronization

/// A model class of the program, or of a file if the program does not define it: its name and properties.
final class ModelClass: Sendable {
    let type: ObjectBase.Type
    let className: String
    let kind: TableKind
    let properties: [ModelProperty]
    /// Offsets of the properties in an instance; empty for a class that the program does not define.
    let offsets: [Int]
    /// Offsets of the collections.
    let collectionOffsets: [Int]
    let primaryKey: Int?
    /// The properties that are written with the object, and those that are written when it exists.
    let scalarProperties: [Int]
    let laterProperties: [Int]
    private let positions: [ExactName: Int]

    init(_ type: ObjectBase.Type, className: String, kind: TableKind, _ properties: [ModelProperty]) {
        (self.type, self.className, self.kind, self.properties) = (type, className, kind, properties)
        offsets = properties.contains { $0.offset < 0 } ? [] : properties.map(\.offset)
        collectionOffsets = properties.filter { $0.collection != nil && !$0.isLinkingObjects && $0.offset >= 0 }
            .map(\.offset)
        primaryKey = properties.firstIndex(where: \.isPrimaryKey)
        scalarProperties = properties.indices.filter { properties[$0].isScalar }
        laterProperties = properties.indices.filter { !properties[$0].isScalar && !properties[$0].isLinkingObjects }
        positions = Dictionary(
            properties.enumerated().map { (ExactName($0.element.name), $0.offset) },
            uniquingKeysWith: { first, _ in first })
    }

    private let lastColumns = Mutex<(stored: [StoredProperty], columns: [PropertyIndex])?>(nil)

    /// Returns the name of a property in the file, or the given name if the class has no such property.
    func columnName(of name: String) -> String { index(of: name).map { properties[$0].columnName } ?? name }

    /// Returns the index of a property by its name in the program.
    func index(of name: String) -> Int? { positions[ExactName(name)] ?? properties.firstIndex(named: name, \.name) }

    private static let known = Mutex<[ObjectIdentifier: ModelClass]>([:])

    /// Returns the model of a class, created on first use.
    static func of(_ type: ObjectBase.Type) -> ModelClass {
        let identifier = ObjectIdentifier(type)
        if let model = known.withLock({ $0[identifier] }) { return model }
        // Not inside the lock, because the initialiser of a class may use other models.
        let model = ModelsUnderWay.noting(identifier, named: "\(type)") { make(type) }
        return known.withLock { known in
            if let first = known[identifier] { return first }
            known[identifier] = model
            return model
        }
    }

    private static func make(_ type: ObjectBase.Type) -> ModelClass {
        let sample = type.init()
        let names = type.propertiesMapping()
        let ignored = type.ignoredProperties()
        let fields = Field.all(of: type)
        UnmarkedProperties.check(type, fields, ignored)
        let properties = fields.compactMap { property($0, of: sample, names) }
            .filter { !ignored.contains($0.name) }
        let kind: TableKind =
            type is EmbeddedObject.Type ? .embedded : type is AsymmetricObject.Type ? .asymmetric : .topLevel
        return ModelClass(type, className: type.className(), kind: kind, properties)
    }

    private static func property(
        _ field: Field, of sample: ObjectBase, _ names: [String: String]
    ) -> ModelProperty? {
        guard let access = field.type as? any PersistedAccess.Type else { return nil }
        let name = field.name.hasPrefix("_") ? String(field.name.dropFirst()) : field.name
        let declared = access.declaration(FieldPlace(sample, offset: field.offset))
        let traits = access.traits
        let mayBeNull = traits.isOptional || traits.type == .any || traits.type == .object && traits.collection == nil
        return ModelProperty(
            name: name, columnName: names[name] ?? name, offset: field.offset, access: access,
            isPrimaryKey: declared.isPrimaryKey || Swift.type(of: sample).primaryKey() == name,
            isIndexed: declared.isIndexed || Swift.type(of: sample).indexedProperties().contains(name),
            originProperty: declared.originProperty,
            type: traits.type, isOptional: mayBeNull, collection: traits.collection,
            target: traits.target?.className(), targetType: traits.target)
    }

    /// Creates the model of a table for which the program has no class.
    ///
    /// - Parameter model: a class of the program whose property names and order apply, if there is one. Arrays of
    ///   values have that order; further properties follow.
    convenience init(dynamic table: TableSchema, named model: ModelClass? = nil) {
        let known = Dictionary(
            (model?.properties ?? []).enumerated().map { ($1.columnName, (place: $0, name: $1.name)) },
            uniquingKeysWith: { first, _ in first })
        let inOrder = table.properties.enumerated().sorted {
            (known[$0.element.name]?.place ?? .max, $0.offset) < (known[$1.element.name]?.place ?? .max, $1.offset)
        }
        self.init(
            DynamicObject.self, className: table.name, kind: table.kind,
            inOrder.map { _, property in
                ModelProperty(
                    name: known[property.name]?.name ?? property.name, columnName: property.name, offset: -1,
                    access: DynamicAccess.type(of: property), isPrimaryKey: property.name == table.primaryKeyName,
                    isIndexed: property.index == .general, originProperty: nil, type: PropertyType(property.type),
                    isOptional: property.isNullable, collection: property.collection,
                    target: property.target.map { TableName.className(of: $0) }, targetType: nil)
            })
    }

    /// Returns the property of a table for each of the class; `none` if the table does not have it. Usually they are
    /// the same as for the previous version.
    func columns(of stored: [StoredProperty]) -> [PropertyIndex] {
        lastColumns.withLock { last in
            if let last, last.stored == stored { return last.columns }
            let columns = properties.map { property in
                stored.propertyIndex(named: property.columnName) ?? .none
            }
            last = (stored, columns)
            return columns
        }
    }

    /// The table of a new file.
    var definition: TableDefinition {
        // Realm Core creates the column of the primary key with the table, before all others.
        var definitions = properties.compactMap(\.definition)
        if let primaryKey, let name = Optional(properties[primaryKey].columnName),
            let index = definitions.firstIndex(named: name, \.name)
        {
            definitions.insert(definitions.remove(at: index), at: 0)
        }
        return TableDefinition(
            class: className, kind: kind, primaryKey: primaryKey.map { properties[$0].columnName }, definitions)
    }

    /// The properties, as stored in the file.
    private var columns: Set<String> {
        Set(properties.filter { !$0.isLinkingObjects }.map { "\($0.columnName) \($0.typeText) \($0.isPrimaryKey)" })
    }

    private static let ofProgram = Result {
        try ModelsUnderWay.noting(nil) { try closed(ClassDiscovery.defaultTypes.map { of($0) }, areChosen: false) }
    }
    /// Lists of classes known to be consistent: realms are opened again and again with the same list.
    private static let ofLists = Mutex<[[ObjectIdentifier]: [ModelClass]]>([:])

    /// Returns the models of classes, or of all classes of the program, if they include the targets of all links.
    ///
    /// - Throws: `Realm.Error` if they do not form a schema.
    static func closed(_ types: [ObjectBase.Type]?) throws -> [ModelClass] {
        guard let types else {
            ModelsUnderWay.check(nil)
            return try ofProgram.get()
        }
        let list = types.map { ObjectIdentifier($0) }
        if let known = ofLists.withLock({ $0[list] }) { return known }
        var named: Set<ObjectIdentifier> = []
        let different = types.filter { named.insert(ObjectIdentifier($0)).inserted }
        let models = try closed(different.map { of($0) }, areChosen: true)
        ofLists.withLock { lists in
            if lists.count >= 64 { lists = [:] }
            lists[list] = models
        }
        return models
    }

    private static func closed(_ models: [ModelClass], areChosen: Bool) throws -> [ModelClass] {
        for model in models { model.check() }
        // Classes may share a table if all of them have the same columns.
        for (name, sharing) in Dictionary(grouping: models, by: \.className) where sharing.count > 1 {
            guard Set(sharing.map(\.columns)).count == 1 else {
                throw Realm.Error(
                    .fail,
                    "Schema validation failed: classes with the name '\(name)' have different properties")
            }
        }
        let sorted = models.sorted { $0.className < $1.className }
        let problems = SchemaProblems(sorted)
        if areChosen { try refuse(problems.missing, "Invalid class subset list:") }
        try refuse(problems.found, "Schema validation failed due to the following errors:")
        return sorted
    }

    private static func refuse(_ problems: [String], _ title: String) throws {
        guard !problems.isEmpty else { return }
        throw Realm.Error(.fail, ([title] + problems.map { "- \($0)" }).joined(separator: "\n"))
    }
}
