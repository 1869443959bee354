/// The type of a column, or of a value in a Mixed (Spec 60).
@usableFromInline
package enum ColumnType: Int, CaseIterable, Sendable, BitwiseCopyable {
    case int = 0
    case bool = 1
    case string = 2
    case binary = 4
    case mixed = 6
    case timestamp = 8
    case float = 9
    case double = 10
    case decimal128 = 11
    case link = 12
    case linkList = 13
    case backLink = 14
    case objectId = 15
    case typedLink = 16
    case uuid = 17
    case list = 19
    case set = 20
    case dictionary = 21

    /// The first format with this type, at least 10. Core 10 had some types earlier (Spec 60).
    package var firstFormat: FormatVersion {
        switch self {
        case .int, .bool, .string, .binary, .timestamp, .float, .double, .link, .linkList, .backLink: FormatVersion(10)
        case .decimal128, .objectId: FormatVersion(20)
        case .mixed, .typedLink, .uuid: FormatVersion(21)
        case .list, .set, .dictionary: FormatVersion(24)
        }
    }
}

/// The properties of a column beyond its type (Spec 60).
package struct ColumnAttributes: OptionSet, Hashable, Sendable {
    /// The bits.
    package let rawValue: Int

    /// Makes attributes from bits.
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// The column has a general search index (attributes array only).
    package static let indexed = ColumnAttributes(rawValue: 1)
    /// Left over from formats before 10.
    package static let unique = ColumnAttributes(rawValue: 2)
    /// Never assigned a meaning.
    package static let reserved = ColumnAttributes(rawValue: 4)
    /// Left over from formats before 10.
    package static let strongLinks = ColumnAttributes(rawValue: 8)
    /// Values, or elements of collections, may be null.
    package static let nullable = ColumnAttributes(rawValue: 16)
    /// The column holds lists.
    package static let list = ColumnAttributes(rawValue: 32)
    /// The column holds dictionaries.
    package static let dictionary = ColumnAttributes(rawValue: 64)
    /// The column holds sets.
    package static let set = ColumnAttributes(rawValue: 128)
    /// The column has a full-text index (attributes array only).
    package static let fullText = ColumnAttributes(rawValue: 256)

    /// All attributes, with their names in the Spec.
    package static let named: [(name: String, value: ColumnAttributes)] = [
        ("indexed", .indexed), ("unique", .unique), ("reserved", .reserved), ("strongLinks", .strongLinks),
        ("nullable", .nullable), ("list", .list), ("dictionary", .dictionary), ("set", .set),
        ("fullText", .fullText),
    ]
}
