public import RealmLayout

/// The tables of a new file.
///
/// ```swift
/// let schema = SchemaDefinition([TableDefinition(class: "Dog", [PropertyDefinition("name", .string)])], version: 1)
/// print(schema.tables.map(\.name))
/// ```
public struct SchemaDefinition: Sendable {
    /// The tables, in file order.
    public var tables: [TableDefinition]
    /// The schema version set by the app; nil for a file without one.
    public var version: UInt64?

    /// Creates a schema of tables.
    public init(_ tables: [TableDefinition], version: UInt64? = nil) {
        self.tables = tables
        self.version = version
    }

    /// The positions of the tables.
    package var positions: Range<TablePosition> { TablePosition(0)..<TablePosition(tables.count) }

    /// The table at a position.
    package subscript(position: TablePosition) -> TableDefinition {
        get { tables[position.number] }
        set { tables[position.number] = newValue }
    }

    /// Returns the position of the table with this full name.
    package func position(ofTable name: String) -> TablePosition? {
        tables.firstIndex(named: name, { $0.tableName }).map { TablePosition($0) }
    }
}

extension [PropertyDefinition] {
    /// The indices of the properties.
    package var propertyIndexes: Range<PropertyIndex> { PropertyIndex(0)..<PropertyIndex(count) }

    /// Returns the index of the property with this name.
    package func propertyIndex(named name: String) -> PropertyIndex? {
        firstIndex(named: name) { $0.name }.map { PropertyIndex($0) }
    }

    /// The property at an index.
    package subscript(index: PropertyIndex) -> PropertyDefinition {
        get { self[index.number] }
        _modify { yield &self[index.number] }
    }
}

/// A table of a new file, with its properties.
///
/// ```swift
/// let address = TableDefinition(class: "Address", kind: .embedded, [PropertyDefinition("street", .string)])
/// print(address.tableName)
/// ```
public struct TableDefinition: Sendable {
    /// The full name of the table, `class_Person` for a class.
    public var tableName: String
    /// The kind of the table's objects.
    public var kind: TableKind
    /// The properties in column order.
    public var properties: [PropertyDefinition]
    /// The name of the primary key property. It gets a search index, as Realm Core requires (Spec 80).
    public var primaryKey: String?

    /// Creates the table of a class.
    public init(
        class name: String, kind: TableKind = .topLevel, primaryKey: String? = nil,
        _ properties: [PropertyDefinition]
    ) {
        self.init(
            table: TableName.classPrefix + name, kind: kind, primaryKey: primaryKey, properties)
    }

    /// Creates a table with any name.
    public init(
        table name: String, kind: TableKind = .topLevel, primaryKey: String? = nil,
        _ properties: [PropertyDefinition]
    ) {
        tableName = name
        self.kind = kind
        self.primaryKey = primaryKey
        self.properties = properties
    }

    /// Creates the definition of another file's table.
    public init(_ schema: TableSchema) {
        self.init(
            table: schema.tableName, kind: schema.kind, primaryKey: schema.primaryKeyName,
            schema.properties.map { PropertyDefinition($0) })
    }

    /// The name of the class; the full name for other tables.
    public var name: String {
        tableName.hasPrefix(TableName.classPrefix)
            ? String(tableName.dropFirst(TableName.classPrefix.count)) : tableName
    }
}

/// A property of a table of a new file.
///
/// ```swift
/// let tags = PropertyDefinition("tags", .string, collection: .set)
/// print(tags.name)
/// ```
public struct PropertyDefinition: Sendable {
    /// The name, at most 63 bytes.
    public var name: String
    /// The type of values, or of the collection's elements.
    public var type: StoredPropertyType
    /// Whether values, or the elements of a collection, may be null.
    public var isNullable: Bool
    /// The kind of collection that the property holds; nil for a single value.
    public var collection: CollectionKind?
    /// The target of links: the full name of a table, or the name of a class.
    public var target: String?
    /// The search index. It is ignored if the format does not support this kind for the property (Spec 80).
    public var index: IndexKind

    /// Creates a property.
    ///
    /// - Parameter isNullable: Ignored where the format leaves no choice: links may be null, elements of lists and
    ///   sets of links may not, Mixed always may (Spec 60).
    public init(
        _ name: String, _ type: StoredPropertyType, isNullable: Bool = false, collection: CollectionKind? = nil,
        target: String? = nil, index: IndexKind = .none
    ) {
        self.name = name
        self.type = type
        self.collection = collection
        self.target = target
        self.index = index
        self.isNullable = isNullable
        self.isNullable = mayBeNull
    }

    /// Whether values may be null, including the cases that the format prescribes.
    var mayBeNull: Bool {
        switch (type, collection) {
        case (.mixed, _), (.link, nil), (.link, .dictionary): true
        case (.link, .list), (.link, .set): false
        default: isNullable
        }
    }

    /// Creates the definition of another file's property.
    public init(_ property: StoredProperty) {
        self.init(
            property.name, property.type, isNullable: property.isNullable, collection: property.collection,
            target: property.target, index: property.index)
    }

    /// The attributes in the column's key.
    package var keyAttributes: ColumnAttributes {
        var attributes: ColumnAttributes = isNullable ? .nullable : []
        switch collection {
        case .list: attributes.insert(.list)
        case .set: attributes.insert(.set)
        case .dictionary: attributes.insert(.dictionary)
        case nil: break
        }
        return attributes
    }

    /// The encoding of elements, in the cluster's leaf or in the collection's tree.
    package var elementType: LeafType {
        LeafType(of: type.columnType, isNullable: isNullable, in: collection)
    }

    /// Whether the format supports a general index for such a property (Spec 80).
    package var canHaveGeneralIndex: Bool {
        switch (type, collection) {
        case (.int, nil), (.bool, nil), (.string, nil), (.timestamp, nil), (.objectId, nil), (.uuid, nil),
            (.mixed, nil), (.string, .list):
            true
        default: false
        }
    }

    /// Returns the index that the column gets. Primary keys always get a general one.
    package func effectiveIndex(isPrimaryKey: Bool) -> IndexKind {
        switch index {
        case .fullText where !isPrimaryKey: type == .string && collection == nil ? .fullText : .none
        case .none where !isPrimaryKey: .none
        default: canHaveGeneralIndex ? .general : .none
        }
    }
}
