/// Progress of an import.
///
/// ```swift
/// var importer = Importer(["dump"])
/// importer.progress = { if case .written(let count) = $0 { print(count) } }
/// print(try await importer.run(to: "new.realm").objects)
/// ```
public enum ImportProgress: Equatable, Sendable {
    /// The number of documents examined before anything is written. This pass resolves links in advance if memory has
    /// no room for the identities of all objects.
    case rehearsed(Int)
    /// The number of documents whose objects have been written.
    case written(Int)
}
