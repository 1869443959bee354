/// How objects are identified when content is hashed or compared (Spec 170).
///
/// ```swift
/// print(try snapshot.contentHash(by: .primaryKey).total)
/// ```
public enum ContentIdentity: String, CaseIterable, Sendable {
    /// Identifies objects by object key. Everything in a file counts, including object keys; a canonical export
    /// preserves this content.
    case objectKey
    /// Identifies objects by primary key if the class has one, otherwise by object key. The object keys of objects
    /// with a primary key and of embedded objects do not count, nor do embedded objects without an owner. An export to
    /// documents without object keys preserves this content.
    case primaryKey
}
