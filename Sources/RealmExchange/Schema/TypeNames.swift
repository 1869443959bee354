public import RealmCore
internal import RealmLayout

extension StoredProperty {
    /// The exact type in the notation of schema reports: `string?`, `list<Dog>`, `dictionary<mixed>`.
    ///
    /// A question mark marks nullable values or elements. Links can always be null, and `mixed` has null as an ordinary
    /// value, so neither is marked. Dictionaries have string keys unless another key type is given first.
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

    /// The target class of links, without the table prefix; the full table name for tables that are not classes.
    public var targetName: String {
        target.map { TableName.className(of: $0) } ?? "?"
    }
}
