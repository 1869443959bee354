internal import RealmLayout

/// A class of a realm.
///
/// ```swift
/// let schema = dog.objectSchema
/// print(schema.className, schema.primaryKeyProperty?.name ?? "none", schema.properties.map(\.name))
/// ```
public struct ObjectSchema: CustomStringConvertible, Equatable, Sendable {
    let model: ModelClass

    init(_ model: ModelClass) { self.model = model }

    /// The stored properties, in the order of the class.
    public var properties: [Property] { model.properties.filter { !$0.isLinkingObjects }.map { Property($0) } }
    /// The name of the class in the file.
    public var className: String { model.className }
    /// The class in the program.
    public var objectClass: AnyClass { model.type }
    /// Whether objects are part of other objects.
    public var isEmbedded: Bool { model.kind == .embedded }
    /// Whether objects are written and never read.
    public var isAsymmetric: Bool { model.kind == .asymmetric }
    /// The property that identifies objects.
    public var primaryKeyProperty: Property? { model.primaryKey.map { Property(model.properties[$0]) } }

    /// The property with a name.
    public subscript(propertyName: String) -> Property? { properties.first { $0.name == propertyName } }

    /// The class with its properties, as text.
    public var description: String {
        let lines = properties.map { "\t" + $0.description.split(separator: "\n").joined(separator: "\n\t") }
        return "\(className) {\n\(lines.joined(separator: "\n"))\n}"
    }

    /// Whether both have the same name and properties.
    public static func == (left: ObjectSchema, right: ObjectSchema) -> Bool {
        left.className == right.className && left.properties == right.properties
    }
}

/// A property of a class.
///
/// ```swift
/// if let age = realm.schema["Dog"]?["age"] { print(age.type, age.isOptional, age.isIndexed) }
/// ```
public struct Property: CustomStringConvertible, Equatable, Sendable {
    private let property: ModelProperty

    init(_ property: ModelProperty) { self.property = property }

    /// The name in the program.
    public var name: String { property.name }
    /// The name in the file.
    public var columnName: String { property.columnName }
    /// The type; for a collection, that of its elements.
    public var type: PropertyType { property.type }
    /// Whether it is a `List`.
    public var isArray: Bool { property.collection == .list }
    /// Whether it is a `MutableSet`.
    public var isSet: Bool { property.collection == .set }
    /// Whether it is a `Map`.
    public var isMap: Bool { if case .dictionary = property.collection { true } else { false } }
    /// Whether it has a search index.
    public var isIndexed: Bool { property.isIndexed || property.isPrimaryKey }
    /// Whether values may be nil; false for `AnyRealmValue`, one of whose cases is `none`.
    public var isOptional: Bool { property.isOptional && property.type != .any }
    /// The class that links lead to.
    public var objectClassName: String? { property.target }

    /// The property, as text.
    public var description: String {
        func text(_ holds: Bool) -> String { holds ? "YES" : "NO" }
        var lines = ["type = \(type);"]
        if let objectClassName {
            lines.append("objectClassName = \(objectClassName);")
            lines.append("linkOriginPropertyName = \(property.originProperty ?? "(null)");")
        }
        lines.append("columnName = \(columnName);")
        lines.append("indexed = \(text(isIndexed));")
        lines.append("isPrimary = \(text(property.isPrimaryKey));")
        lines.append("array = \(text(isArray));")
        lines.append("set = \(text(isSet));")
        lines.append("dictionary = \(text(isMap));")
        lines.append("optional = \(text(isOptional));")
        return "\(name) {\n" + lines.map { "\t\($0)" }.joined(separator: "\n") + "\n}"
    }

    /// Whether both have the same name and type.
    public static func == (left: Property, right: Property) -> Bool {
        left.name == right.name && left.property.typeText == right.property.typeText
            && left.isIndexed == right.isIndexed
    }
}

/// The classes of a realm.
///
/// ```swift
/// for objects in realm.schema.objectSchema where !objects.isEmbedded { print(objects.className) }
/// ```
public struct Schema: CustomStringConvertible, Equatable, Sendable {
    private let models: [ModelClass]

    init(_ models: [ModelClass]) { self.models = models }

    /// The classes.
    public var objectSchema: [ObjectSchema] { models.map { ObjectSchema($0) } }
    /// The class with a name.
    public subscript(className: String) -> ObjectSchema? { objectSchema.first { $0.className == className } }
    /// Whether both have the same classes.
    public static func == (left: Schema, right: Schema) -> Bool { left.objectSchema == right.objectSchema }
    /// The classes, as text.
    public var description: String { "Schema {\n" + objectSchema.map(\.description).joined(separator: "\n") + "\n}" }
}
