/// A way in which a target format holds less than the file.
///
/// ```swift
/// let report = try await Exporter(snapshot).export(toFolder: "dump", database: "kennel")
/// print(report.losses.filter { $0.kind == .subMilliseconds }.map(\.count))
/// ```
public enum LossKind: Int, CaseIterable, Sendable {
    /// A time was rounded down to milliseconds.
    case subMilliseconds
    /// A time beyond the range of 64-bit milliseconds was clamped to the nearest in range.
    case timeOutOfRange
    /// A number whose text does not preserve its bits: an unusual NaN or an out-of-range decimal.
    case numberBits
    /// A value of Mixed is spelled as a value of another type: a Float as a Double, an ObjectId as text.
    case mixedType
    /// Bytes of a string that are not UTF-8 became U+FFFD.
    case malformedText
    /// A link to an object that was deleted became null.
    case deletedTarget
    /// A link to a deleted object in a list, set or dictionary was kept as its primary key.
    case deletedElement
    /// A link to an object that is not in the file became null.
    case danglingLink
    /// A link to an object that is not in the file was kept, in the canonical profile.
    case keptDanglingLink
    /// A link to the object whose primary key is null is indistinguishable from no link.
    case linkToNullKey
    /// A dictionary key had to be escaped.
    case escapedKey
    /// A property called `_id` that is not the primary key was renamed.
    case renamedProperty
    /// A property whose name is not allowed in documents was escaped.
    case escapedProperty
    /// A document exceeds MongoDB's limit of 16 MiB.
    case oversizeDocument
    /// An embedded object has no owner, and so no document to appear in.
    case orphanedObject

    /// A stable name for reports.
    public var name: String { String(describing: self) }

    /// A description of the loss.
    public var text: String {
        switch self {
        case .subMilliseconds: "times rounded down to milliseconds"
        case .timeOutOfRange: "times out of range, clamped"
        case .numberBits: "NaN payloads and out-of-range decimals that text cannot represent"
        case .mixedType: "Mixed values whose type this format cannot express"
        case .malformedText: "strings that are not UTF-8, repaired with U+FFFD"
        case .deletedTarget: "links to deleted objects, left out"
        case .deletedElement: "links to deleted objects in collections, kept as their primary keys"
        case .danglingLink: "links to objects that are not in the file, left out"
        case .keptDanglingLink: "links to objects that are not in the file, kept; no new file can have them"
        case .linkToNullKey: "links to the object whose primary key is null, which documents cannot tell from no link"
        case .escapedKey: "dictionary keys escaped"
        case .renamedProperty: "property renamed to _id_ (it is not the primary key)"
        case .escapedProperty: "property with an escaped name"
        case .oversizeDocument: "documents over 16 MiB, which MongoDB refuses"
        case .orphanedObject: "embedded objects without an owner, left out"
        }
    }
}
