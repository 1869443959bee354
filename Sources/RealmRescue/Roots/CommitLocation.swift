public import RealmLayout

/// A commit that somebody chose of those that are found in a file, whatever the header says (Spec R160.9).
///
/// ```swift
/// print(try FileRepair(ByteSource(path: "broken.realm")).snapshot(.number(12)).classes.count)
/// ```
public enum CommitLocation: Equatable, Sendable {
    /// The commit of that number. Of several roots with the number that counts which the header leads to, then the first that
    /// is complete.
    case number(UInt64)
    /// The commit whose root is there.
    case root(Ref)

    /// Whether a root is that of the commit.
    func matches(_ ref: Ref, commit: UInt64) -> Bool {
        switch self {
        case .number(let number): commit == number
        case .root(let root): ref == root
        }
    }

    /// That there is no such commit.
    ///
    /// - Parameter commits: the numbers of those that there are.
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

    /// Commits to name where the one that was asked for is not there.
    private static let mostNamed = 12
}
