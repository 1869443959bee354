/// A difference in the schema of a table.
///
/// ```swift
/// for table in try database.snapshot(.otherSlot).contentDifference(to: snapshot).tables {
///     for change in table.schema { print(change.part, change.first ?? "", change.second ?? "") }
/// }
/// ```
public struct SchemaDifference: Equatable, Sendable {
    /// The property; nil for the table itself.
    public let property: String?
    /// The differing part of the schema: `property` if only one snapshot has the property, otherwise `kind`,
    /// `primaryKey`, `type`, `nullable`, `collection`, `target` or `index`.
    public let part: String
    /// Description of the part in the first snapshot; nil if it has none.
    public let first: String?
    /// Description of the part in the second snapshot; nil if it has none.
    public let second: String?
}
