public import RealmLayout

/// Why a query cannot be run on a class.
///
/// ```swift
/// do {
///     print(try people.objects(matching: "agee > 1").count)
/// } catch {
///     if case .binding(let what) = error { print(what) }
/// }
/// ```
public enum QueryError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The text is no query.
    case syntax(QuerySyntaxError)
    /// A name that is not there, types that do not fit, an argument that is missing.
    case binding(String)
    /// The query takes more than its `QueryBudget` allows.
    case exhausted(String)
    /// A value that had to be read is damaged.
    case damage(FormatError)
    /// The task was cancelled.
    case cancelled

    /// What is wrong, in words.
    public var description: String {
        switch self {
        case .syntax(let error): error.description
        case .binding(let text): text
        case .exhausted(let text): text
        case .damage(let error): error.description
        case .cancelled: "the query was cancelled"
        }
    }
}
