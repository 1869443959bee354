/// What tells one object from another when content is hashed or compared (Spec 170).
///
/// ```swift
/// print(try snapshot.contentHash(by: .primaryKey).total)
/// ```
public enum ContentIdentity: String, CaseIterable, Sendable {
    /// The object key: everything that a file holds counts, object keys too. What a canonical export gives back.
    case objectKey
    /// The primary key, where a class has one, and the object key elsewhere. The keys of objects with a primary key and
    /// of embedded objects do not count, nor do embedded objects without an owner: what an export to documents that know
    /// of no object keys gives back.
    case primaryKey
}
