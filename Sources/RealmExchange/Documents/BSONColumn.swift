internal import RealmLayout
internal import RealmReader

/// A field's values in the rows of a block: what BSON's loop over rows reads, side by side.
struct BSONColumn: BitwiseCopyable {
    /// How values become elements of a document.
    enum Kind: UInt8, BitwiseCopyable {
        case int
        case nullableInt
        case bool
        case float
        case double
        case timestamp
        case decimal128
        case objectId
        case uuid
        case text
        /// A link, which becomes its target's primary key: an integer, a text, or the bytes of an ObjectId or UUID.
        case integerLink
        case textLink
        case objectIdLink
        case uuidLink
        case embedded
        case embeddedList
        case textList
        /// Any other list or set.
        case list
        /// A dictionary of the formats that keep it as a pair of trees, with strings as keys.
        case textDictionary
        /// Any other dictionary.
        case dictionary
        /// What is too rare for a place in the loop.
        case other

        init(_ field: ExportField, _ version: FormatVersion, turnsGuids: Bool) {
            self =
                switch (field.shape, field.form) {
                case (.list, .embedded): .embeddedList
                case (.list, .string), (.set, .string): .textList
                case (.list, _), (.set, _): .list
                case (.stringDictionary, _) where version.hasPairDictionaries: .textDictionary
                case (.stringDictionary, _), (.intDictionary, _): .dictionary
                case (.value, let form): Kind(form, field.targetIdentity)
                }
            // Their bytes are not copied.
            if turnsGuids, self == .uuid || self == .uuidLink { self = .other }
        }

        private init(_ form: ScalarKind, _ target: ScalarKind?) {
            self =
                switch form {
                case .int: .int
                case .nullableInt: .nullableInt
                case .bool: .bool
                case .float: .float
                case .double: .double
                case .string: .text
                case .timestamp: .timestamp
                case .decimal128: .decimal128
                case .objectId: .objectId
                case .uuid: .uuid
                case .link where target == .int: .integerLink
                case .link where target == .string: .textLink
                case .link where target == .objectId: .objectIdLink
                case .link where target == .uuid: .uuidLink
                case .embedded: .embedded
                case .binary, .mixed, .link: .other
                }
        }

        /// Whether a value is one that is empty where nothing was ever stored.
        var isCollection: Bool { rawValue >= Kind.embeddedList.rawValue && rawValue <= Kind.dictionary.rawValue }

        /// Whether decoding stores no more bytes of a slot than a value has.
        var isExact: Bool {
            switch self {
            case .int, .nullableInt, .float, .double, .timestamp, .decimal128, .uuid, .integerLink, .uuidLink: true
            default: false
            }
        }

        /// Whether there is something between a key and the bytes of a value.
        var hasPrefix: Bool { self == .uuid || self == .uuidLink }

        /// The type of the element, and the bytes of a value where all have as many.
        var element: (type: BSONSink.Element, size: Int) {
            switch self {
            case .int, .nullableInt, .integerLink: (.int64, 8)
            case .bool: (.bool, 1)
            case .float, .double: (.double, 8)
            case .timestamp: (.date, 8)
            case .decimal128: (.decimal128, 16)
            case .objectId, .objectIdLink: (.objectId, 12)
            case .uuid, .uuidLink: (.binary, 16)
            case .text, .textLink: (.string, 0)
            case .embedded, .textDictionary, .dictionary: (.document, 0)
            case .embeddedList, .textList, .list: (.array, 0)
            case .other: (.null, 0)
            }
        }
    }

    let kind: Kind
    /// Whether a slot is a text.
    let isText: Bool
    /// The bytes of key and value together, where all values have as many.
    let size: UInt32
    /// The field.
    let number: Int32
    private let storedTarget: Int32
    /// The table that links lead to; `none` for a property of no links.
    var target: TablePosition { TablePosition(Int(truncatingIfNeeded: storedTarget)) }
    /// What is reserved behind a value that is written elsewhere: all that a row may have.
    var room = 0
    /// Where in the memory of a row its slot begins.
    var offset = 0
    /// The type and name, and of UUIDs what comes between them and their bytes.
    let key: ByteView
    /// The rows, a bit each, whose slot has the bytes of the value or is its text.
    var copied: UInt64 = 0
    /// The rows without a value that are written without another look: null, or an empty collection.
    var absent: UInt64 = 0
    /// The rows whose slot tells where there is more to write.
    var prepared: UInt64 = 0

    /// What BSON has before the bytes of a UUID: their number, and what they are.
    static let uuidPrefix: [UInt8] = [16, 0, 0, 0, BSONSink.Subtype.uuid.rawValue]

    /// Plans a column for a field whose values are written under `name`.
    init(_ field: ExportField, number: Int, name: ByteView, _ plan: ExportPlan, _ keys: KeyTable) {
        kind = Kind(field, plan.version, turnsGuids: plan.turnsGuids)
        isText = kind == .text || kind == .textLink
        var bytes = name.bytes
        bytes[0] = kind.element.type.rawValue
        if kind.hasPrefix { bytes += Self.uuidPrefix }
        key = keys.add(bytes)
        size = UInt32(bytes.count + kind.element.size)
        self.number = Int32(number)
        storedTarget = field.storedTarget
    }
}
