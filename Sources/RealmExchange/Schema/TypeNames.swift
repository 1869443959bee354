internal import RealmLayout
public import RealmReader

extension StoredProperty {
    /// The exact type in the words of the schema reports: `string?`, `list<Dog>`, `dictionary<mixed>`.
    ///
    /// A question mark says that values, or a collection's elements, may be null; links always may, `mixed` holds
    /// null as a value of its own. Dictionaries have string keys unless another type stands first.
    public var typeName: String {
        let element = type == .link ? targetName.singleLine : type.rawValue
        let mark = isNullable && type != .mixed ? "?" : ""
        return switch collection {
        case nil: element + mark
        case .list: "list<\(element)\(mark)>"
        case .set: "set<\(element)\(mark)>"
        case .dictionary(.string): "dictionary<\(element)\(mark)>"
        case .dictionary(.int): "dictionary<int, \(element)\(mark)>"
        }
    }

    /// The class that links lead to, without the prefix of its table; the full name for other tables.
    public var targetName: String {
        target.map { TableName.className(of: $0) } ?? "?"
    }
}
