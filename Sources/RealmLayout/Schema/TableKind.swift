/// What a table's objects are (bits 0-1 of its flags, Spec 60).
///
/// ```swift
/// print(snapshot.classes.filter { $0.schema.kind == .embedded }.map(\.name))
/// ```
public enum TableKind: Int, CaseIterable, Sendable {
    /// Objects that stand on their own.
    case topLevel = 0
    /// Objects that live inside one owner each.
    case embedded = 1
    /// Objects that a client only uploads.
    case asymmetric = 2
}
