/// A kind of collection.
public enum CollectionKind: Hashable, Sendable, BitwiseCopyable {
    case list
    case set
    /// A dictionary with keys of that type.
    case dictionary(DictionaryKeyType)
}

/// The type of a dictionary's keys.
public enum DictionaryKeyType: Int, Sendable, BitwiseCopyable {
    case int = 0
    /// What every SDK uses.
    case string = 2
}
