public import RealmLayout

/// An error while reading one of two compared snapshots.
///
/// ```swift
/// do {
///     _ = try snapshot.contentDifference(to: database.snapshot(.otherSlot))
/// } catch let error as ContentComparisonError {
///     print(error.isOfSecond, error.error)
/// }
/// ```
public struct ContentComparisonError: Error, CustomStringConvertible {
    /// Whether the error concerns the second snapshot.
    public let isOfSecond: Bool
    /// The error itself.
    public let error: FormatError

    package init(isOfSecond: Bool, error: FormatError) {
        self.isOfSecond = isOfSecond
        self.error = error
    }

    /// The description of `error`.
    public var description: String { error.description }

    /// Calls `body` and attributes its errors to one of the snapshots.
    package static func of<R: ~Copyable>(
        second isOfSecond: Bool, _ body: () throws(FormatError) -> R
    ) throws(ContentComparisonError) -> R {
        do { return try body() } catch { throw ContentComparisonError(isOfSecond: isOfSecond, error: error) }
    }
}
