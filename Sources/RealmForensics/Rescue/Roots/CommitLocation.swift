public import RealmLayout

/// Selects one of the commits found in a file, whatever the header selects (Spec R160.9).
///
/// ```swift
/// print(try FileRepair(ByteSource(path: "broken.realm")).snapshot(.number(12)).classes.count)
/// ```
public enum CommitLocation: Equatable, Sendable {
    /// The commit with this number. If several roots have the number, the one that the header refers to takes
    /// precedence, then the first complete one.
    case number(UInt64)
    /// The commit whose root is at this ref.
    case root(Ref)

    /// Whether a root belongs to the commit.
    func matches(_ ref: Ref, commit: UInt64) -> Bool {
        switch self {
        case .number(let number): commit == number
        case .root(let root): ref == root
        }
    }

    /// Returns the error for a commit that was not found.
    ///
    /// - Parameter commits: Numbers of the commits that were found.
    func missing(among commits: [UInt64]) -> FormatError {
        let known = Set(commits).inOrder(by: >)
        var list = known.prefix(Self.mostNamed).map { String($0) }.joined(separator: ", ")
        if known.count > Self.mostNamed { list += " and \(known.count - Self.mostNamed) more" }
        let found = known.isEmpty ? "no root of a commit was found" : "commits found: \(list)"
        switch self {
        case .number(let number): return FormatError(.noCommit, "commit \(number) is not in this file; \(found)")
        case .root(let root):
            return FormatError(.noCommit, at: root.offset, "what is there is not the root of a commit; \(found)")
        }
    }

    /// Maximum number of commits listed in the error.
    private static let mostNamed = 12
}
