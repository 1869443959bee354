/// A kind of collection.
///
/// ```swift
/// for property in people.schema.properties where property.collection == .list { print(property.name) }
/// ```
public enum CollectionKind: Hashable, Sendable, BitwiseCopyable {
    case list
    case set
    /// A dictionary with keys of the given type.
    case dictionary(DictionaryKeyType)
}

/// The type of a dictionary's keys.
///
/// ```swift
/// for property in people.schema.properties {
///     if case .dictionary(let keys)? = property.collection { print(property.name, keys) }
/// }
/// ```
public enum DictionaryKeyType: Int, Sendable, BitwiseCopyable {
    case int = 0
    /// The key type that every SDK uses.
    case string = 2
}
