internal import RealmCore
internal import RealmLayout

/// A field's values in the rows of a block, laid out for BSON's row loop.
struct BSONColumn: BitwiseCopyable {
    /// The conversion of values to document elements.
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
        /// A dictionary in the formats that store it as a pair of trees, with strings as keys.
        case textDictionary
        /// Any other dictionary.
        case dictionary
        /// Kinds that are too rare to be handled by the row loop.
        case other

        init(_ field: ExportField, _ version: FormatVersion, turnsGuids: Bool) {
            self =
                switch (field.collection, field.form) {
                case (.list, .embedded): .embeddedList
                case (.list, .string), (.set, .string): .textList
                case (.list, _), (.set, _): .list
                case (.dictionary(.string), _) where version.hasPairDictionaries: .textDictionary
                case (.dictionary, _): .dictionary
                case (nil, let form): Kind(form, field.targetIdentity)
                }
            // Reordered bytes cannot be copied.
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

        /// Whether an absent value is written as an empty collection.
        var isCollection: Bool { rawValue >= Kind.embeddedList.rawValue && rawValue <= Kind.dictionary.rawValue }

        /// Whether decoding writes no more bytes to a slot than the value has.
        var isExact: Bool {
            switch self {
            case .int, .nullableInt, .float, .double, .timestamp, .decimal128, .uuid, .integerLink, .uuidLink: true
            default: false
            }
        }

        /// Whether there are extra bytes between a key and the bytes of a value.
        var hasPrefix: Bool { self == .uuid || self == .uuidLink }

        /// The element type, and the size of a value if it is fixed.
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
    /// Whether the slot locates a text.
    let isText: Bool
    /// Size of key and value together if the value has a fixed size.
    let size: UInt32
    /// The number of the field.
    let number: Int32
    private let storedTarget: Int32
    /// The target table of links; `none` for other properties.
    var target: TablePosition { TablePosition(Int(truncatingIfNeeded: storedTarget)) }
    /// Bytes to reserve after a value that is written elsewhere: the maximum of a row.
    var room = 0
    /// Offset of the column's slot within a row.
    var offset = 0
    /// The type and name, and for UUIDs the bytes before the value.
    let key: ByteView
    /// Bit set of the rows whose slot has the bytes of the value or locates its text.
    var copied: UInt64 = 0
    /// Bit set of the rows without a value, written directly as null or as an empty collection.
    var absent: UInt64 = 0
    /// Bit set of the rows whose slot locates data still to be written.
    var prepared: UInt64 = 0

    /// The bytes before a UUID in BSON: its size and subtype.
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
