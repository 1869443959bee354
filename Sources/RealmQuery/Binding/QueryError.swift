public import RealmLayout

/// An error of running a query on a class.
///
/// ```swift
/// do {
///     print(try people.objects(matching: "agee > 1").count)
/// } catch {
///     if case .binding(let what) = error { print(what) }
/// }
/// ```
public enum QueryError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The text is not a valid query.
    case syntax(QuerySyntaxError)
    /// An unknown name, types that do not fit, or a missing argument.
    case binding(String)
    /// The query exceeds its `QueryBudget`.
    case exhausted(String)
    /// A value that had to be read is damaged.
    case damage(FormatError)
    /// The task was cancelled.
    case cancelled

    /// A message in words.
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
