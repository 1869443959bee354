/// The type of a property, or of the elements of its collection.
///
/// ```swift
/// let texts = dog.objectSchema.properties.filter { $0.type == .string }.map(\.name)
/// print(texts)
/// ```
public enum PropertyType: Int, Sendable, CustomStringConvertible {
    /// `Int`, `Int8`, `Int16`, `Int32`, `Int64`, and enums of these.
    case int = 0
    /// `Bool`
    case bool = 1
    /// `String`
    case string = 2
    /// `Data`
    case data = 3
    /// `AnyRealmValue`
    case any = 9
    /// `Date`
    case date = 4
    /// `Float`
    case float = 5
    /// `Double`
    case double = 6
    /// A class of objects.
    case object = 7
    /// `LinkingObjects`
    case linkingObjects = 8
    /// `ObjectId`
    case objectId = 10
    /// `Decimal128`
    case decimal128 = 11
    /// `UUID`
    case UUID = 12

    /// The name of the type in RealmSwift's messages.
    public var description: String {
        switch self {
        case .int: "int"
        case .bool: "bool"
        case .string: "string"
        case .data: "data"
        case .any: "mixed"
        case .date: "date"
        case .float: "float"
        case .double: "double"
        case .object: "object"
        case .linkingObjects: "linking objects"
        case .objectId: "object id"
        case .decimal128: "decimal128"
        case .UUID: "uuid"
        }
    }
}
