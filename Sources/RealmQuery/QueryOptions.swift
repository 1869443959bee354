/// How a query is run. None of it changes what is found in an intact file.
public struct QueryOptions: Sendable {
    /// Whether search indexes are asked which objects to look at.
    ///
    /// What an index leads to is looked at, so that it finds nothing wrong; but objects that a damaged index does not have are
    /// not found through it, nor by Realm. `verify --deep` checks indexes.
    public var usesIndexes: Bool

    /// The usual way.
    public init(usesIndexes: Bool = true) { self.usesIndexes = usesIndexes }
}
