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

// Inlined, because loops of other modules ask for each value; `==` would be a call there.
extension CollectionKind {
    @inlinable package var isList: Bool { if case .list = self { true } else { false } }
    @inlinable package var isSet: Bool { if case .set = self { true } else { false } }
    @inlinable package var isDictionary: Bool { if case .dictionary = self { true } else { false } }

    /// The kind in messages.
    package var kindName: String {
        switch self {
        case .list: "a list"
        case .set: "a set"
        case .dictionary: "a dictionary"
        }
    }

    /// Whether both are lists, sets, or dictionaries with keys of any type.
    @inlinable package func isSimilar(to other: CollectionKind) -> Bool {
        isList == other.isList && isSet == other.isSet
    }
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
