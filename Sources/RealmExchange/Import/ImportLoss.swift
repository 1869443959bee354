internal import RealmLayout
internal import RealmReader
internal import RealmWriter

/// A way in which a new file holds less than the documents.
///
/// ```swift
/// let report = try await Importer(["dump"]).run(to: "new.realm")
/// print(report.losses.filter { $0.kind == .inexactNumber }.map(\.count))
/// ```
public enum ImportLossKind: Int, CaseIterable, Sendable {
    /// A field that the schema does not know.
    case unknownField
    /// A value of another type than the property's.
    case wrongType
    /// A BSON type that Realm has no counterpart for.
    case unmappableType
    /// A number that the property's type cannot hold exactly; the nearest was taken.
    case inexactNumber
    /// A binary of a subtype that Realm does not keep.
    case binarySubtype
    /// Null for a property or an element that cannot be null.
    case nullNotAllowed
    /// A property that needs a value and has none; it got zero, or an empty one.
    case missingValue
    /// A document without a usable identity for a class that needs one.
    case missingIdentity
    /// A document with the identity of another one.
    case duplicateIdentity
    /// A field that is in a document twice; the first was taken.
    case duplicateField
    /// An element that a set has already.
    case duplicateElement
    /// A key that a dictionary has already; the last value was taken.
    case duplicateKey
    /// A link to a document that is not there.
    case danglingLink
    /// A string or binary beyond what a file can hold.
    case tooLong
    /// Collections nested too deeply.
    case tooDeep
    /// A value that means null in a file.
    case notRepresentable
    /// A wrapper `$realm` whose content is broken.
    case brokenWrapper
    /// A string that is not UTF-8; what is ill-formed became U+FFFD.
    case malformedText
    /// A key of a dictionary that SDKs refuse, escaped.
    case escapedKey
    /// A key of a dictionary with integers as keys that is no integer.
    case badKey
    /// A document that the export had, as its sidecar says, and that is not there.
    case missingDocument
    /// An index of a kind that Realm does not have.
    case indexKind
    /// An index that was unique, or did more than find values.
    case indexOptions

    /// A stable name for reports.
    public var name: String { String(describing: self) }

    /// What happened, in words.
    public var text: String {
        switch self {
        case .unknownField: "fields not in the schema, left out"
        case .wrongType: "values of another type, left out"
        case .unmappableType: "values of a type that Realm does not have, left out"
        case .inexactNumber: "numbers rounded"
        case .binarySubtype: "binaries of another subtype, taken as bytes"
        case .nullNotAllowed: "nulls where there must be a value, left out"
        case .missingValue: "missing values, set to zero or empty"
        case .missingIdentity: "documents without a usable _id, left out"
        case .duplicateIdentity: "documents with the _id of another one, left out"
        case .duplicateField: "fields that come twice, the second left out"
        case .duplicateElement: "elements that the set has already, left out"
        case .duplicateKey: "keys that come twice, the first left out"
        case .danglingLink: "links to documents that are not there, left out"
        case .tooLong: "strings or binaries that are too long, left out"
        case .tooDeep: "collections nested too deeply, left out"
        case .notRepresentable: "NaNs whose bits mean null, left out"
        case .brokenWrapper: "$realm wrappers that are broken, left out"
        case .malformedText: "strings that are not UTF-8, repaired with U+FFFD"
        case .escapedKey: "dictionary keys escaped"
        case .badKey: "dictionary keys that are not integers, left out"
        case .indexKind: "index of a kind that Realm does not have, left out"
        case .indexOptions: "index kept as a plain one: not unique, for all documents, for as long as they are there"
        case .missingDocument: "documents that the export had, and that are not there"
        }
    }

    /// What a misfit of a value is called; nil for what ends an import.
    init?(_ code: InvalidValue.Code) {
        switch code {
        case .wrongType: self = .wrongType
        case .nullNotAllowed: self = .nullNotAllowed
        case .missingValue: self = .missingValue
        case .duplicateValue: self = .duplicateField
        case .tooLong: self = .tooLong
        case .tooDeep: self = .tooDeep
        case .notRepresentable: self = .notRepresentable
        case .badSchema, .noSuchTable, .noSuchProperty, .noSuchElement, .duplicateKey, .duplicatePrimaryKey,
            .badObjectKey, .danglingLink, .tooMany, .finished:
            return nil
        }
    }
}

/// How often each kind of loss happened to each property, and where first.
struct ImportLosses {
    struct Key: Hashable {
        let table: TablePosition
        /// None for a whole document.
        let property: PropertyIndex
        let kind: ImportLossKind
        /// The name of a field that is no property.
        var field: String?
    }

    struct Entry {
        var count = 0
        let file: String
        let document: Int
        let offset: Int
        let line: Int?
        /// The first value, in short.
        let sample: String?
    }

    private(set) var entries: [Key: Entry] = [:]
    /// Fields that are no properties and have an entry of their own, by table.
    private var fields: [TablePosition: Set<[UInt8]>] = [:]
    /// Documents may have any number of different fields.
    private static let mostFields = 100

    var isEmpty: Bool { entries.isEmpty }

    /// The name that a field is counted by: its own, unless there are too many.
    mutating func name(ofField name: ByteView, _ table: TablePosition) -> String {
        let bytes = name.slice(at: 0, count: min(name.count, 200))?.bytes ?? []
        let known = fields[table] ?? []
        guard known.contains(bytes) || known.count < Self.mostFields else { return "…" }
        fields[table, default: []].insert(bytes)
        return String(decoding: bytes, as: UTF8.self).singleLine
    }

    /// Counts a loss.
    ///
    /// - Parameter sample: the value in short, of which the first is kept.
    mutating func count(
        _ key: Key, times: Int, of source: any DocumentSource, at offset: Int, sample: @autoclosure () -> String?
    ) {
        if !isCounted(key, times: times) { begin(key, times: times, of: source, at: offset, sample: sample()) }
    }

    /// Counts a loss of a known kind.
    ///
    /// - Returns: false, with nothing counted, for the first of its kind.
    @inline(never)
    private mutating func isCounted(_ key: Key, times: Int) -> Bool {
        guard entries[key] != nil else { return false }
        entries[key]?.count += times
        return true
    }

    @inline(never)
    private mutating func begin(
        _ key: Key, times: Int, of source: any DocumentSource, at offset: Int, sample: String?
    ) {
        var entry = Entry(
            file: source.name, document: source.number, offset: source.offset + (source.isBinary ? offset : 0),
            line: source.line, sample: sample)
        entry.count += times
        entries[key] = entry
    }
}
