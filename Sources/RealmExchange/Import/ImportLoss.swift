internal import RealmCore
internal import RealmLayout

/// A way in which a new file holds less than the documents.
///
/// ```swift
/// let report = try await Importer(["dump"]).run(to: "new.realm")
/// print(report.losses.filter { $0.kind == .inexactNumber }.map(\.count))
/// ```
public enum ImportLossKind: Int, CaseIterable, Sendable {
    /// A field that is not in the schema.
    case unknownField
    /// A value whose type does not match the property.
    case wrongType
    /// A BSON type without a counterpart in Realm.
    case unmappableType
    /// A number that the property's type cannot hold exactly; the nearest was used.
    case inexactNumber
    /// A binary value of a subtype that Realm does not preserve.
    case binarySubtype
    /// Null for a property or element that is not nullable.
    case nullNotAllowed
    /// A required property without a value, set to zero or an empty value.
    case missingValue
    /// A document without a usable identity in a class that requires one.
    case missingIdentity
    /// A document with the same identity as another.
    case duplicateIdentity
    /// A field that occurs twice in a document; the first was used.
    case duplicateField
    /// An element that the set already contains.
    case duplicateElement
    /// A key that the dictionary already contains; the last value was used.
    case duplicateKey
    /// A link to a document that does not exist.
    case danglingLink
    /// A string or binary too long for the file format.
    case tooLong
    /// Collections nested too deeply.
    case tooDeep
    /// A value whose bits mean null in a file.
    case notRepresentable
    /// A `$realm` wrapper with invalid contents.
    case brokenWrapper
    /// A string that is not UTF-8; ill-formed parts became U+FFFD.
    case malformedText
    /// A dictionary key that SDKs reject, escaped.
    case escapedKey
    /// A non-integer key in a dictionary with integer keys.
    case badKey
    /// A document that the export had according to its sidecar, but that is missing.
    case missingDocument
    /// An index of a kind that Realm does not support.
    case indexKind
    /// An index that was unique, or did more than find values.
    case indexOptions

    /// A stable name for reports.
    public var name: String { String(describing: self) }

    /// A description of the loss.
    public var text: String {
        switch self {
        case .unknownField: "fields not in the schema, left out"
        case .wrongType: "values of another type, left out"
        case .unmappableType: "values of a type that Realm does not have, left out"
        case .inexactNumber: "numbers rounded"
        case .binarySubtype: "binaries of another subtype, taken as bytes"
        case .nullNotAllowed: "nulls where there must be a value, left out"
        case .missingValue: "missing values, set to zero or empty"
        case .missingIdentity: "documents without a usable primary key, left out"
        case .duplicateIdentity: "documents with the primary key of another one, left out"
        case .duplicateField: "fields that come twice, the second left out"
        case .duplicateElement: "elements that the set has already, left out"
        case .duplicateKey: "keys that come twice, the first left out"
        case .danglingLink: "links to documents that are not there, left out"
        case .tooLong: "strings or binaries that are too long, left out"
        case .tooDeep: "collections nested too deeply, left out"
        case .notRepresentable: "NaNs whose bits mean null, left out"
        case .brokenWrapper: "$realm wrappers that are broken, left out"
        case .malformedText: "strings that are not UTF-8, repaired with U+FFFD"
        case .escapedKey: "dictionary keys escaped with %, as the SDKs require"
        case .badKey: "dictionary keys that are not integers, left out"
        case .indexKind: "index of a kind that Realm does not have, left out"
        case .indexOptions: "index kept as a plain one: not unique, for all documents, for as long as they are there"
        case .missingDocument: "documents that the export had, and that are not there"
        }
    }

    /// The loss kind for an invalid value; nil for errors that abort an import.
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

/// The number of losses of each kind by property, and the first place of each.
struct ImportLosses {
    struct Key: Hashable {
        let table: TablePosition
        /// `none` for a whole document.
        let property: PropertyIndex
        let kind: ImportLossKind
        /// The name of a field without a property.
        var field: String?
    }

    struct Entry {
        var count = 0
        let file: String
        let document: Int
        let offset: Int
        /// The line; nil in BSON, and in JSON until the report is made.
        let line: Int?
        /// Whether the offset is that of a line or document of text.
        let isText: Bool
        /// The first value, abbreviated.
        let sample: String?
    }

    private(set) var entries: [Key: Entry] = [:]
    /// Fields without a property that have entries of their own, by table.
    private var fields: [TablePosition: Set<[UInt8]>] = [:]
    /// Limits the number of fields, because documents may have any number of different ones.
    private static let mostFields = 100

    var isEmpty: Bool { entries.isEmpty }

    /// The name under which a field is counted: its own, or a placeholder if there are too many.
    mutating func name(ofField name: ByteView, _ table: TablePosition) -> String {
        let bytes = name.slice(at: 0, count: min(name.count, 200))?.bytes ?? []
        let known = fields[table] ?? []
        guard known.contains(bytes) || known.count < Self.mostFields else { return "…" }
        fields[table, default: []].insert(bytes)
        return String(decoding: bytes, as: UTF8.self).singleLine
    }

    /// Counts a loss.
    ///
    /// - Parameter sample: The value, abbreviated; only the first is kept.
    mutating func count(
        _ key: Key, times: Int, of source: any DocumentSource, at offset: Int, sample: @autoclosure () -> String?
    ) {
        if !isCounted(key, times: times) { begin(key, times: times, of: source, at: offset, sample: sample()) }
    }

    /// Counts a loss of a kind seen before.
    ///
    /// - Returns: False, with nothing counted, for the first of its kind.
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
            line: source.line, isText: !source.isBinary, sample: sample)
        entry.count += times
        entries[key] = entry
    }
}
