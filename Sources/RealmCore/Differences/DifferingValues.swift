/// A value of the first of two snapshots, and the different one of the second.
///
/// ```swift
/// if let versions = try store.snapshot().changes(since: snapshot).schemaVersions {
///     print(versions.first ?? 0, versions.second ?? 0)
/// }
/// ```
public struct DifferingValues<Value: Sendable>: Sendable {
    /// The first snapshot's value.
    public let first: Value
    /// The second snapshot's value.
    public let second: Value

    package init(_ first: Value, _ second: Value) {
        self.first = first
        self.second = second
    }
}

extension DifferingValues: Equatable where Value: Equatable {}
