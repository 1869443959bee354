/// The kind of a table's objects (bits 0-1 of its flags, Spec 60).
///
/// ```swift
/// print(snapshot.classes.filter { $0.schema.kind == .embedded }.map(\.name))
/// ```
public enum TableKind: Int, CaseIterable, Sendable {
    /// Independent objects.
    case topLevel = 0
    /// Objects each of which is owned by one other object.
    case embedded = 1
    /// Objects that a client only uploads.
    case asymmetric = 2
}
