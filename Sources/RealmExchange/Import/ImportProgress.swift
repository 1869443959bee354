/// How far an import is.
///
/// ```swift
/// var importer = Importer(["dump"])
/// importer.progress = { if case .written(let count) = $0 { print(count) } }
/// print(try await importer.run(to: "new.realm").objects)
/// ```
public enum ImportProgress: Equatable, Sendable {
    /// So many documents were looked at, and nothing is written yet: what links lead to is found out first where memory has
    /// no room for the identities of all objects.
    case rehearsed(Int)
    /// The objects of so many documents are written.
    case written(Int)
}
